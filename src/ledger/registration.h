/*
 * registration.h - what a change of the catalog keeps others from until it ends.
 */
#ifndef DPEM_LEDGER_REGISTRATION_H
#define DPEM_LEDGER_REGISTRATION_H

#include "postgres.h"

/*
 * Keeps others from registering the name, a table that the source reads, or
 * another dataset of their ledger until the transaction ends, and returns the
 * account of that ledger, 0 if there is none.  Raises 55P03 if somebody else
 * is at it for longer than dpem.charge_timeout.
 */
extern int64 dpem_registration_begin(const char *name, Oid source);

/* keeps charges from the ledger until the transaction ends; one that is being made is waited for */
extern void dpem_account_close(int64 account);

#endif							/* DPEM_LEDGER_REGISTRATION_H */
