/*
 * incarnation.h - the server, timeline, database and data directory that a
 * ledger belongs to.
 *
 * A restore would give spent budget back.  So an account is charged only where
 * it was opened, or where its owner has acknowledged the restore.
 */
#ifndef DPEM_LEDGER_INCARNATION_H
#define DPEM_LEDGER_INCARNATION_H

#include "postgres.h"

/*
 * NULL if the account may be charged here; else where its ledger comes from,
 * in words ("another server").  NULL on a standby, which cannot tell and charges nothing.
 */
extern char *dpem_incarnation_origin(int64 account);

/*
 * Records that the account belongs here from now on.  `role` and `reason` say
 * who acknowledged a restore and why; both are NULL for an account just opened.
 */
extern void dpem_incarnation_stamp(int64 account, const char *dataset, const char *role,
								   const char *reason);

/* dp_acknowledge_restore; raises 55000 where there is nothing to acknowledge, DP006 where totals contradict the ledger */
extern void dpem_incarnation_acknowledge(int64 account, const char *dataset, const char *reason);

#endif							/* DPEM_LEDGER_INCARNATION_H */
