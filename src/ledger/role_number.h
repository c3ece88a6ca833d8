/*
 * role_number.h - the catalog's numbers of roles.
 *
 * A number is committed when it is made, by a worker: one that an open
 * transaction had made would be waited for by every charge of the role.
 */
#ifndef DPEM_LEDGER_ROLE_NUMBER_H
#define DPEM_LEDGER_ROLE_NUMBER_H

#include "postgres.h"

/* made if there is none, whatever becomes of the transaction */
extern int64 dpem_role_number(Oid role);

/* the same in the transaction of a worker */
extern int64 dpem_role_number_make(Oid role);

#endif							/* DPEM_LEDGER_ROLE_NUMBER_H */
