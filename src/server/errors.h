/*
 * errors.h - the extension's own SQLSTATEs.  All other errors use PostgreSQL's:
 * 42501 no budget at all or not the owner, 22023 a bad argument, 42704 an
 * unknown dataset, column or model, 42710 a name in use.
 */
#ifndef DPEM_ERRORS_H
#define DPEM_ERRORS_H

#include "utils/elog.h"

/* a charge would exceed the dataset's or the role's budget */
#define ERRCODE_DPEM_BUDGET_EXCEEDED	MAKE_SQLSTATE('D','P','0','0','1')
/* the charge could not be recorded, so nothing was read */
#define ERRCODE_DPEM_CHARGE_FAILED		MAKE_SQLSTATE('D','P','0','0','2')
/* the private source could not be scanned; details are in the server log only */
#define ERRCODE_DPEM_SCAN_FAILED		MAKE_SQLSTATE('D','P','0','0','3')
/* the dataset no longer matches its registration */
#define ERRCODE_DPEM_SOURCE_CHANGED		MAKE_SQLSTATE('D','P','0','0','4')
/* the ledger was restored, copied or failed over, and its owner has not acknowledged it */
#define ERRCODE_DPEM_LEDGER_RESTORED	MAKE_SQLSTATE('D','P','0','0','5')
/* a ledger and its running totals contradict each other */
#define ERRCODE_DPEM_LEDGER_DISAGREES	MAKE_SQLSTATE('D','P','0','0','6')

#endif							/* DPEM_ERRORS_H */
