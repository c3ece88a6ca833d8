/*
 * mechanism.h - mechanisms as the ledger and plans write them.
 */
#ifndef DPEM_LEDGER_MECHANISM_H
#define DPEM_LEDGER_MECHANISM_H

#include "core/accounting/mechanism.h"

/* 'gaussian', 'laplace', 'exponential', 'gamma' or 'wishart'; an internal error for none */
extern const char *dpem_mechanism_name(DpemMechanism mechanism);

/* the one of that name; an internal error for others */
extern DpemMechanism dpem_mechanism_from_name(const char *name);

#endif							/* DPEM_LEDGER_MECHANISM_H */
