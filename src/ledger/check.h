/*
 * check.h - comparing running totals with the ledger they were made of.
 */
#ifndef DPEM_LEDGER_CHECK_H
#define DPEM_LEDGER_CHECK_H

#include "postgres.h"

typedef struct DpemLedgerCheck
{
	int64		charges;		/* of the ledger */
	int64		wrong_from;		/* first charge with a running total that its lines and those before do not make; 0: none */
} DpemLedgerCheck;

/*
 * Adds up the lines of an account from the first one, for every series of
 * running totals, and compares each total, decimal by decimal.  One snapshot,
 * no lock; time grows with the ledger.
 */
extern DpemLedgerCheck dpem_ledger_check(int64 account);

/* raises DP006 if a total is wrong */
extern void dpem_ledger_require_right(int64 account, const char *dataset);

#endif							/* DPEM_LEDGER_CHECK_H */
