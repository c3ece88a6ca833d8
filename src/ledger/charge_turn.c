/*
 * charge_turn.c - the queues that a charge passes before a worker is started.
 *
 * One worker at a time for a role, on the whole server, and one for a ledger;
 * a quarter of the server's workers for a database.  A worker waits for no
 * other then, and one role occupies one worker, however often it calls.
 *
 * Nobody may make a ledger wait that is not his.  So whoever is in a queue
 * with others' ledgers behind him waits for workers alone, whose time is
 * bounded (charge_errand.c): an owner who keeps a ledger closed is waited for
 * with empty hands.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "ledger/charge_turn.h"
#include "server/errors.h"

static void
note_held(DpemTurn *turn, DpemLockKind kind, int64 key)
{
	Assert(turn->nheld < DPEM_TURN_LOCKS);
	turn->held[turn->nheld].kind = kind;
	turn->held[turn->nheld].key = key;
	turn->nheld++;
}

static void
take(DpemTurn *turn, DpemLockKind kind, int64 key, TimestampTz deadline)
{
	(void) dpem_lock_wait(kind, key, deadline);
	note_held(turn, kind, key);
}

/* false if another transaction keeps the ledger closed; a worker would wait for our own for ever */
static bool
keep_open(DpemTurn *turn, int64 account)
{
	LockAcquireResult result = dpem_lock_try(DPEM_LOCK_CLOSED, account);

	if (result == LOCKACQUIRE_ALREADY_HELD)
	{
		dpem_lock_release(DPEM_LOCK_CLOSED, account);
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_CHARGE_FAILED),
				 errmsg("this transaction changes the ledger and cannot charge to it"),
				 errdetail("Nothing was read and nothing was spent."),
				 errhint("It has dropped a dataset of the ledger or acknowledged a restore: COMMIT first.")));
	}
	if (result == LOCKACQUIRE_NOT_AVAIL)
		return false;
	note_held(turn, DPEM_LOCK_CLOSED, account);
	return true;
}

/* any that is free; else the one that our number gives, in the order of arrival */
static void
take_slot(DpemTurn *turn, TimestampTz deadline)
{
	int			slots = Max(max_worker_processes / 4, 1);

	for (int i = 0; i < slots; i++)
	{
		int			slot = (MyProcPid + i) % slots;

		if (dpem_lock_try(DPEM_LOCK_SLOT, slot) == LOCKACQUIRE_NOT_AVAIL)
			continue;
		note_held(turn, DPEM_LOCK_SLOT, slot);
		return;
	}
	take(turn, DPEM_LOCK_SLOT, MyProcPid % slots, deadline);
}

void
dpem_turn_take(DpemTurn *turn, Oid role, int64 account, TimestampTz deadline)
{
	take(turn, DPEM_LOCK_ROLE, role, deadline);
	while (account != 0)
	{
		take(turn, DPEM_LOCK_ACCOUNT, account, deadline);
		if (keep_open(turn, account))
			break;
		dpem_turn_give_back(turn);
		dpem_lock_wait_until_free(DPEM_LOCK_CLOSED, account, deadline);
		take(turn, DPEM_LOCK_ROLE, role, deadline);
	}
	take_slot(turn, deadline);
}

void
dpem_turn_give_back(DpemTurn *turn)
{
	while (turn->nheld > 0)
	{
		turn->nheld--;
		dpem_lock_release(turn->held[turn->nheld].kind, turn->held[turn->nheld].key);
	}
}
