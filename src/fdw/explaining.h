/*
 * explaining.h - the server's headers of EXPLAIN: one until 17, three since.
 */
#ifndef DPEM_FDW_EXPLAINING_H
#define DPEM_FDW_EXPLAINING_H

#include "commands/explain.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

#endif							/* DPEM_FDW_EXPLAINING_H */
