/*
 * registration.h - locks that a registration holds until its transaction ends.
 */
#ifndef DPEM_LEDGER_REGISTRATION_H
#define DPEM_LEDGER_REGISTRATION_H

#include "postgres.h"

/*
 * Prevents others from registering the name, a table that the source reads, or
 * another dataset of these tables' ledger until the transaction ends, and
 * returns the account of that ledger, 0 if there is none.  Raises 55P03 if
 * another transaction prevents this for longer than dpem.charge_timeout.
 */
extern int64 dpem_registration_begin(const char *name, Oid source);

/* prevents charges to the ledger until the transaction ends; waits for one in progress */
extern void dpem_account_close(int64 account);

#endif							/* DPEM_LEDGER_REGISTRATION_H */
