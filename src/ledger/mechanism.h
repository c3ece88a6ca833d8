/*
 * mechanism.h - mechanisms as the ledger and plans write them.
 */
#ifndef DPEM_LEDGER_MECHANISM_H
#define DPEM_LEDGER_MECHANISM_H

#include "core/accounting/mechanism.h"

/* 'gaussian', 'laplace', 'exponential', 'gamma' or 'wishart'; an internal error for none */
extern const char *dpem_mechanism_name(DpemMechanism mechanism);

#endif							/* DPEM_LEDGER_MECHANISM_H */
