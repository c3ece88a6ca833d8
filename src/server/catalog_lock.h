/*
 * catalog_lock.h - locks on objects of the catalog, granted in order.
 *
 * They are the server's own heavyweight locks, of a class that no SQL function
 * takes: they are granted in the order of arrival, the deadlock detector sees
 * them, and no wait is longer than dpem.charge_timeout.
 */
#ifndef DPEM_SERVER_CATALOG_LOCK_H
#define DPEM_SERVER_CATALOG_LOCK_H

#include "datatype/timestamp.h"
#include "storage/lock.h"

/*
 * The first five are those of a charge's turn, in the order in which they are
 * taken: a holder waits only for later ones (charge_turn.c).  The others are
 * held until the end of a transaction that changes the catalog.
 */
typedef enum DpemLockKind
{
	DPEM_LOCK_ROLE = 1,			/* charges of one role, on the whole server */
	DPEM_LOCK_ACCOUNT,			/* charges to one ledger */
	DPEM_LOCK_CLOSED,			/* a ledger whose dataset is being dropped or whose restore is being acknowledged */
	DPEM_LOCK_SLOT,				/* workers of one database */
	DPEM_LOCK_GATE,				/* the next worker, on the whole server */
	DPEM_LOCK_NAME,				/* a dataset's name that is being taken */
	DPEM_LOCK_RELATION,			/* a table that is being registered */
	DPEM_LOCK_DATASETS			/* the datasets of one ledger */
} DpemLockKind;

/* time at which a wait that begins now ends: dpem.charge_timeout from now */
extern TimestampTz dpem_lock_deadline(void);

/* the same in milliseconds from now, between 1 and `most` */
extern int	dpem_lock_time_left(TimestampTz deadline, int most);

/* takes the lock or raises DP002 or 55P03 at the deadline; false if the transaction has it already */
extern bool dpem_lock_wait(DpemLockKind kind, int64 key, TimestampTz deadline);

/* takes it if that is possible without waiting */
extern LockAcquireResult dpem_lock_try(DpemLockKind kind, int64 key);

extern void dpem_lock_release(DpemLockKind kind, int64 key);

/* waits until nobody has it */
extern void dpem_lock_wait_until_free(DpemLockKind kind, int64 key, TimestampTz deadline);

/*
 * Refuses PREPARE TRANSACTION in this transaction from here on, because a
 * prepared transaction can hold its locks for any length of time.
 */
extern void dpem_refuse_prepare(void);

extern void dpem_lock_init(void);

#endif							/* DPEM_SERVER_CATALOG_LOCK_H */
