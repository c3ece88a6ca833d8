/*
 * role_number.h - the numbers by which the catalog identifies roles.
 *
 * A worker makes and commits a number at once: every charge of the role would
 * have to wait for a number made in an open transaction.
 */
#ifndef DPEM_LEDGER_ROLE_NUMBER_H
#define DPEM_LEDGER_ROLE_NUMBER_H

#include "postgres.h"

/* the role's number, made if there is none; it stays if the transaction is rolled back */
extern int64 dpem_role_number(Oid role);

/* the same in the transaction of a worker */
extern int64 dpem_role_number_make(Oid role);

#endif							/* DPEM_LEDGER_ROLE_NUMBER_H */
