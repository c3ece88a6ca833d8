/*
 * catalog_lock.c - heavyweight locks of a class of our own, with bounded waits.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "server/catalog_lock.h"
#include "server/errors.h"

/* pg_advisory_lock and its kin have 1 and 2 here: no SQL function takes these */
#define LOCK_CLASS 0x6470

#define LONGEST_WAIT_MS (5 * 60 * 1000)

static int	charge_timeout = 60000;
static bool prepare_refused = false;

/* what was waited for in vain */
static const struct
{
	int			sqlstate;
	const char *message;
	const char *hint;
}			complaints[] = {
	[DPEM_LOCK_ROLE] = {ERRCODE_DPEM_CHARGE_FAILED, "other charges of the role took too long",
	"Try again, or set a larger dpem.charge_timeout."},
	[DPEM_LOCK_ACCOUNT] = {ERRCODE_DPEM_CHARGE_FAILED, "other charges to the ledger took too long",
	"Try again, or set a larger dpem.charge_timeout."},
	[DPEM_LOCK_CLOSED] = {ERRCODE_DPEM_CHARGE_FAILED, "a transaction that has not ended changes the ledger",
	"It has dropped a dataset of the ledger or acknowledged a restore: try again when it has ended."},
	[DPEM_LOCK_SLOT] = {ERRCODE_DPEM_CHARGE_FAILED, "no background worker is free to record the charge",
	"Try again, or ask for a larger max_worker_processes."},
	[DPEM_LOCK_GATE] = {ERRCODE_DPEM_CHARGE_FAILED, "no background worker is free to record the charge",
	"Try again, or ask for a larger max_worker_processes."},
	[DPEM_LOCK_NAME] = {ERRCODE_LOCK_NOT_AVAILABLE, "a transaction that has not ended registers a dataset of this name",
	"Try again when it has ended, or choose another name."},
	[DPEM_LOCK_RELATION] = {ERRCODE_LOCK_NOT_AVAILABLE, "a transaction that has not ended registers a table of this source",
	"Try again when it has ended."},
	[DPEM_LOCK_DATASETS] = {ERRCODE_LOCK_NOT_AVAILABLE, "a transaction that has not ended registers a dataset of this ledger",
	"Try again when it has ended."},
};

static LOCKTAG
lock_tag(DpemLockKind kind, int64 key)
{
	bool		of_server = kind == DPEM_LOCK_ROLE || kind == DPEM_LOCK_GATE;
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, of_server ? InvalidOid : MyDatabaseId, (uint32) ((uint64) key >> 32),
						 (uint32) key, LOCK_CLASS + kind);
	return tag;
}

TimestampTz
dpem_lock_deadline(void)
{
	return TimestampTzPlusMilliseconds(GetCurrentTimestamp(), charge_timeout);
}

int
dpem_lock_time_left(TimestampTz deadline, int most)
{
	long		left = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline);

	return (int) Max(Min(left, most), 1);
}

/* the caller's own lock_timeout counts if it is shorter */
static void
set_lock_timeout(TimestampTz deadline)
{
	char		timeout[16];

	snprintf(timeout, sizeof(timeout), "%d",
			 dpem_lock_time_left(deadline, LockTimeout > 0 ? LockTimeout : LONGEST_WAIT_MS));
	(void) set_config_option("lock_timeout", timeout, PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

static LockAcquireResult
acquire_until(DpemLockKind kind, int64 key, LOCKMODE mode, TimestampTz deadline)
{
	LOCKTAG		tag = lock_tag(kind, key);
	MemoryContext caller = CurrentMemoryContext;
	int			nest = NewGUCNestLevel();
	LockAcquireResult result = LOCKACQUIRE_NOT_AVAIL;

	set_lock_timeout(deadline);
	PG_TRY();
	{
		result = LockAcquire(&tag, mode, false, false);
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_LOCK_NOT_AVAILABLE)
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
		ereport(ERROR,
				(errcode(complaints[kind].sqlstate), errmsg("%s", complaints[kind].message),
				 complaints[kind].sqlstate == ERRCODE_DPEM_CHARGE_FAILED ?
				 errdetail("Nothing was read and nothing was spent.") : 0,
				 errhint("%s", complaints[kind].hint)));
	}
	PG_END_TRY();
	AtEOXact_GUC(false, nest);
	return result;
}

bool
dpem_lock_wait(DpemLockKind kind, int64 key, TimestampTz deadline)
{
	return acquire_until(kind, key, ExclusiveLock, deadline) != LOCKACQUIRE_ALREADY_HELD;
}

LockAcquireResult
dpem_lock_try(DpemLockKind kind, int64 key)
{
	LOCKTAG		tag = lock_tag(kind, key);

	return LockAcquire(&tag, ExclusiveLock, false, true);
}

void
dpem_lock_release(DpemLockKind kind, int64 key)
{
	LOCKTAG		tag = lock_tag(kind, key);

	(void) LockRelease(&tag, ExclusiveLock, false);
}

void
dpem_lock_wait_until_free(DpemLockKind kind, int64 key, TimestampTz deadline)
{
	LOCKTAG		tag = lock_tag(kind, key);

	(void) acquire_until(kind, key, ShareLock, deadline);
	(void) LockRelease(&tag, ShareLock, false);
}

static void
end_transaction(XactEvent event, void *argument)
{
	if (event == XACT_EVENT_PRE_PREPARE && prepare_refused)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot PREPARE a transaction that has changed datasets or budgets of dpem"),
				 errdetail("Prepared, it could make other sessions wait for as long as its maker likes."),
				 errhint("COMMIT it, or do other things in the transaction that is prepared.")));
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT)
		prepare_refused = false;
}

void
dpem_refuse_prepare(void)
{
	prepare_refused = true;
}

void
dpem_lock_init(void)
{
	DefineCustomIntVariable("dpem.charge_timeout",
							"Longest time to wait for a charge's turn, and for other sessions' registrations.",
							NULL, &charge_timeout, 60000, 100, LONGEST_WAIT_MS,
							PGC_USERSET, GUC_UNIT_MS, NULL, NULL, NULL);
	RegisterXactCallback(end_transaction, NULL);
}
