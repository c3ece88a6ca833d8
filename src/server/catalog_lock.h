/*
 * catalog_lock.h - locks on what the catalog is about, waited for in order.
 *
 * They are the server's own heavyweight locks, of a class that no SQL function
 * takes: whoever waits is served in the order of arrival, the deadlock detector
 * sees it, and no wait is longer than dpem.charge_timeout.
 */
#ifndef DPEM_SERVER_CATALOG_LOCK_H
#define DPEM_SERVER_CATALOG_LOCK_H

#include "datatype/timestamp.h"
#include "storage/lock.h"

/*
 * Those of a charge's turn, in the order in which they are taken: who holds one
 * waits for a later one at most (charge_turn.c).  The others are held until the
 * end of the transaction by whoever changes the catalog.
 */
typedef enum DpemLockKind
{
	DPEM_LOCK_ROLE = 1,			/* charges of one role, on the whole server */
	DPEM_LOCK_ACCOUNT,			/* charges to one ledger */
	DPEM_LOCK_CLOSED,			/* a ledger whose dataset is being dropped or whose restore acknowledged */
	DPEM_LOCK_SLOT,				/* workers of one database */
	DPEM_LOCK_GATE,				/* the next worker, on the whole server */
	DPEM_LOCK_NAME,				/* a dataset's name that is being taken */
	DPEM_LOCK_RELATION,			/* a table that is being registered */
	DPEM_LOCK_DATASETS			/* the datasets of one ledger */
} DpemLockKind;

/* when whoever begins to wait now gives up; dpem.charge_timeout */
extern TimestampTz dpem_lock_deadline(void);

/* the same in milliseconds from now, between 1 and `most` */
extern int	dpem_lock_time_left(TimestampTz deadline, int most);

/* takes the lock or raises DP002 or 55P03 at the deadline; false if the transaction has it already */
extern bool dpem_lock_wait(DpemLockKind kind, int64 key, TimestampTz deadline);

/* takes it if that needs no wait */
extern LockAcquireResult dpem_lock_try(DpemLockKind kind, int64 key);

extern void dpem_lock_release(DpemLockKind kind, int64 key);

/* waits until nobody has it */
extern void dpem_lock_wait_until_free(DpemLockKind kind, int64 key, TimestampTz deadline);

/*
 * A prepared transaction holds its locks for as long as its maker likes: from
 * here on PREPARE TRANSACTION is refused in this one.
 */
extern void dpem_refuse_prepare(void);

extern void dpem_lock_init(void);

#endif							/* DPEM_SERVER_CATALOG_LOCK_H */
