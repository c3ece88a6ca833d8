/*
 * charge_errand.c - the life of a worker, seen from the session that needs it.
 *
 * The worker outlives neither its caller nor its time: however the caller
 * leaves, its end of the shared memory is given back, and that takes back the
 * request and stops the worker.  `state` decides who was first: a worker that
 * has announced its commit commits, any other has charged nothing.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "ledger/charge_errand.h"
#include "ledger/charge_turn.h"
#include "server/catalog_lock.h"
#include "server/errors.h"

/* for a worker to wait for a lock, whatever dpem.charge_timeout is, and for all it does before its commit */
#define WORKER_LOCK_MS 20000
#define WORKER_MS 30000

/* for one that was told to stop, before its place is given to the next */
#define WORKER_STOP_MS 2000

typedef struct Errand
{
	dsm_segment *segment;
	DpemChargeMessage *message;
	BackgroundWorkerHandle *worker; /* NULL: none was started */
	DpemTurn	turn;
	CommandDest client;
} Errand;

static bool
is_answered(const DpemChargeMessage *message)
{
	uint32		state = pg_atomic_read_u32(&unconstify(DpemChargeMessage *, message)->state);

	return state == DPEM_CHARGE_COMMITTED || state == DPEM_CHARGE_REFUSED;
}

/* true if the worker commits nothing any more */
static bool
take_back(DpemChargeMessage *message)
{
	uint32		pending = DPEM_CHARGE_PENDING;

	return pg_atomic_compare_exchange_u32(&message->state, &pending, DPEM_CHARGE_ABANDONED);
}

/* what detaching from the segment does, in an error and at the session's end too */
static void
abandon(dsm_segment *segment, Datum argument)
{
	Errand	   *errand = (Errand *) DatumGetPointer(argument);

	(void) take_back(errand->message);
	if (errand->worker != NULL && !is_answered(errand->message))
		TerminateBackgroundWorker(errand->worker);
}

static void
fill_message(DpemChargeMessage *message, const DpemChargeRequest *request, TimestampTz deadline)
{
	memset(message, 0, sizeof(*message));
	message->magic = DPEM_CHARGE_MAGIC;
	message->database = MyDatabaseId;
	message->lock_timeout = dpem_lock_time_left(deadline, WORKER_LOCK_MS);
	message->caller = MyProc;
	message->request = *request;
	pg_atomic_init_u32(&message->state, DPEM_CHARGE_PENDING);
}

/* in memory that is there until the segment is detached, which an abort does late */
static Errand *
prepare_errand(const DpemChargeRequest *request, TimestampTz deadline)
{
	Errand	   *errand = MemoryContextAllocZero(TopMemoryContext, sizeof(Errand));

	errand->client = whereToSendOutput;
	errand->segment = dsm_create(sizeof(DpemChargeMessage), 0);
	errand->message = dsm_segment_address(errand->segment);
	fill_message(errand->message, request, deadline);
	on_dsm_detach(errand->segment, abandon, PointerGetDatum(errand));
	return errand;
}

static void
fill_worker(BackgroundWorker *worker, dsm_segment *segment)
{
	memset(worker, 0, sizeof(*worker));
	worker->bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker->bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker->bgw_restart_time = BGW_NEVER_RESTART;
	strlcpy(worker->bgw_library_name, "dpem", BGW_MAXLEN);
	strlcpy(worker->bgw_function_name, "dpem_charge_worker_main", BGW_MAXLEN);
	strlcpy(worker->bgw_name, "dpem charge", BGW_MAXLEN);
	strlcpy(worker->bgw_type, "dpem charge", BGW_MAXLEN);
	worker->bgw_main_arg = UInt32GetDatum(dsm_segment_handle(segment));
	worker->bgw_notify_pid = MyProcPid;
}

static void
sleep_on_latch(long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds,
					 PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
}

/*
 * The server tells nobody that a worker slot has become free, so somebody has
 * to look: the first in line alone, through the gate.
 */
static void
start_worker(Errand *errand, TimestampTz deadline)
{
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);
	BackgroundWorker worker;

	fill_worker(&worker, errand->segment);
	(void) dpem_lock_wait(DPEM_LOCK_GATE, 0, deadline);
	while (!RegisterDynamicBackgroundWorker(&worker, &errand->worker))
	{
		errand->worker = NULL;
		if (GetCurrentTimestamp() >= deadline)
		{
			dpem_lock_release(DPEM_LOCK_GATE, 0);
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_CHARGE_FAILED),
					 errmsg("no background worker is free to record the charge"),
					 errdetail("Nothing was read and nothing was spent."),
					 errhint("Try again, or ask for a larger max_worker_processes.")));
		}
		sleep_on_latch(10);
		CHECK_FOR_INTERRUPTS();
	}
	dpem_lock_release(DPEM_LOCK_GATE, 0);
	MemoryContextSwitchTo(caller);
}

/* the latch is set when the worker answers or stops; a commit that has begun is waited for to its end */
static void
wait_for_answer(Errand *errand)
{
	TimestampTz deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), WORKER_MS);
	pid_t		pid;

	while (!is_answered(errand->message))
	{
		if (GetBackgroundWorkerPid(errand->worker, &pid) == BGWH_STOPPED && !is_answered(errand->message))
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_CHARGE_FAILED),
					 errmsg("the charge could not be recorded"),
					 errdetail("Nothing was read."),
					 errhint("The server log says why the charge worker stopped.")));
		if (GetCurrentTimestamp() >= deadline && take_back(errand->message))
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_CHARGE_FAILED),
					 errmsg("the charge could not be recorded in time"),
					 errdetail("Nothing was read and nothing was spent."),
					 errhint("Try again when the server is less busy.")));
		sleep_on_latch(dpem_lock_time_left(deadline, 1000));
		CHECK_FOR_INTERRUPTS();
	}
	pg_read_barrier();
}

/* no interrupt comes in between: the next in the queues waits for this */
static void
await_stop(BackgroundWorkerHandle *worker)
{
	TimestampTz deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), WORKER_STOP_MS);
	pid_t		pid;

	while (GetBackgroundWorkerPid(worker, &pid) != BGWH_STOPPED && GetCurrentTimestamp() < deadline)
		sleep_on_latch(dpem_lock_time_left(deadline, 100));
}

static void
end_errand(Errand *errand)
{
	bool		answered = is_answered(errand->message);

	dsm_detach(errand->segment);
	if (errand->worker != NULL)
	{
		if (!answered)
			await_stop(errand->worker);
		pfree(errand->worker);
	}
	dpem_turn_give_back(&errand->turn);
	whereToSendOutput = errand->client;
	pfree(errand);
}

/* the error reaches the client, which was cut off when it was raised */
static void
fail_errand(Errand *errand, MemoryContext caller)
{
	ErrorData  *error;

	MemoryContextSwitchTo(caller);
	error = CopyErrorData();
	FlushErrorState();
	end_errand(errand);
	error->output_to_client = whereToSendOutput == DestRemote;
	ReThrowError(error);
}

/*
 * Nothing is sent to the client while others wait for us: one that does not
 * read what it is sent could keep them waiting.
 */
void
dpem_errand_run(const DpemChargeRequest *request, DpemChargeMessage *answer)
{
	TimestampTz deadline = dpem_lock_deadline();
	MemoryContext caller = CurrentMemoryContext;
	Errand	   *errand = prepare_errand(request, deadline);

	PG_TRY();
	{
		whereToSendOutput = DestNone;
		dpem_turn_take(&errand->turn, request->role, request->account, deadline);
		start_worker(errand, deadline);
		wait_for_answer(errand);
		memcpy(answer, errand->message, sizeof(*answer));
	}
	PG_CATCH();
	{
		fail_errand(errand, caller);
	}
	PG_END_TRY();
	end_errand(errand);
}
