/*
 * charge.c - the caller's side of a charge.
 *
 * A dynamic background worker commits the charge in a transaction of its
 * own, so that nothing the caller's transaction does later can undo it.  The
 * caller holds no lock the worker needs; it waits on its latch, which the
 * deadlock detector cannot see, so the worker's lock waits are bounded.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/as_owner.h"
#include "catalog/charge.h"
#include "catalog/charge_message.h"
#include "catalog/rehearsal.h"
#include "errors.h"

struct DpemCharge
{
	int64		number;
	int64		role_number;
	bool		rehearsed;
	int			nlines;
	int			left[DPEM_CHARGE_MAX_LINES];
	double		noise_multiplier[DPEM_CHARGE_MAX_LINES];
	double		failure[DPEM_CHARGE_MAX_LINES];
	char		mechanism[DPEM_CHARGE_MAX_LINES][DPEM_CHARGE_NAME];
	char		statistic[DPEM_CHARGE_MAX_LINES][DPEM_CHARGE_NAME];
};

static int	charge_timeout = 60000;

void
dpem_charge_init(void)
{
	DefineCustomIntVariable("dpem.charge_timeout",
							"Longest time to wait for a free background worker and for the ledger's lock.",
							NULL, &charge_timeout, 60000, 100, INT_MAX,
							PGC_USERSET, GUC_UNIT_MS, NULL, NULL, NULL);
}

void
dpem_charge_require_possible(const char *function)
{
	PreventCommandDuringRecovery(function);
	PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
	if (InSecurityRestrictedOperation() ||
		(InLocalUserIdChange() && GetUserId() != GetOuterUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("%s cannot run inside another role's function", function),
				 errhint("A budget is spent only by a statement of the role that holds it: call %s directly.", function)));
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
wait_for_latch(long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds,
					 PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}

/* worker slots are a shared resource: wait for one rather than fail at once */
static BackgroundWorkerHandle *
start_worker(dsm_segment *segment, TimestampTz deadline)
{
	BackgroundWorker worker;
	BackgroundWorkerHandle *handle;

	fill_worker(&worker, segment);
	while (!RegisterDynamicBackgroundWorker(&worker, &handle))
	{
		if (GetCurrentTimestamp() >= deadline)
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_CHARGE_FAILED),
					 errmsg("no background worker is free to record the charge"),
					 errdetail("Nothing was read and nothing was spent."),
					 errhint("Try again, or ask for a larger max_worker_processes.")));
		wait_for_latch(20);
	}
	return handle;
}

static void
wait_for_reply(DpemChargeMessage *message, BackgroundWorkerHandle *handle)
{
	while (pg_atomic_read_u32(&message->state) == DPEM_CHARGE_PENDING)
	{
		pid_t		pid;

		if (GetBackgroundWorkerPid(handle, &pid) == BGWH_STOPPED &&
			pg_atomic_read_u32(&message->state) == DPEM_CHARGE_PENDING)
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_CHARGE_FAILED),
					 errmsg("the charge could not be recorded"),
					 errdetail("Nothing was read."),
					 errhint("The server log says why the charge worker stopped.")));
		wait_for_latch(1000);
	}
	pg_read_barrier();
}

static DpemChargeMessage *
create_message(dsm_segment *segment, const DpemChargeRequest *request)
{
	DpemChargeMessage *message = dsm_segment_address(segment);

	memset(message, 0, sizeof(*message));
	message->magic = DPEM_CHARGE_MAGIC;
	message->database = MyDatabaseId;
	message->lock_timeout = charge_timeout;
	message->caller = MyProc;
	message->request = *request;
	pg_atomic_init_u32(&message->state, DPEM_CHARGE_PENDING);
	return message;
}

static void
raise_refusal(const DpemChargeMessage *message)
{
	int			sqlstate = message->sqlstate;
	char	   *text = pstrdup(message->message);
	char	   *hint = pstrdup(message->hint);

	ereport(ERROR,
			(errcode(sqlstate), errmsg("%s", text),
			 hint[0] ? errhint("%s", hint) : 0));
}

static DpemCharge *
create_charge(const DpemChargeRequest *request, int64 number, int64 role_number)
{
	DpemCharge *charge = palloc0(sizeof(DpemCharge));

	charge->number = number;
	charge->role_number = role_number;
	charge->nlines = request->nlines;
	for (int i = 0; i < request->nlines; i++)
	{
		charge->left[i] = request->lines[i].releases;
		charge->noise_multiplier[i] = request->lines[i].noise_multiplier;
		charge->failure[i] = request->lines[i].failure;
		strlcpy(charge->mechanism[i], request->lines[i].mechanism, DPEM_CHARGE_NAME);
		strlcpy(charge->statistic[i], request->lines[i].statistic, DPEM_CHARGE_NAME);
	}
	return charge;
}

/* in the ledger of no table: for the releases of made-up rows */
static DpemCharge *
rehearse_charge(const DpemChargeRequest *request)
{
	DpemIdentity saved;
	DpemCharge *charge;
	int64		role_number;

	dpem_owner_enter(&saved);
	role_number = dpem_role_number(request->role);
	dpem_owner_leave(&saved);
	charge = create_charge(request, 0, role_number);
	charge->rehearsed = true;
	dpem_rehearsal_note_charge(request);
	return charge;
}

DpemCharge *
dpem_charge_commit(const DpemChargeRequest *request)
{
	TimestampTz deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), charge_timeout);
	dsm_segment *segment;
	DpemChargeMessage *message;
	DpemCharge *charge;

	if (request->nlines < 1 || request->nlines > DPEM_CHARGE_MAX_LINES)
		elog(ERROR, "dpem: a charge of %d lines", request->nlines);
	dpem_charge_require_possible(request->function);
	if (dpem_rehearsal_pays(request->dataset))
		return rehearse_charge(request);
	segment = dsm_create(sizeof(DpemChargeMessage), 0);
	message = create_message(segment, request);
	wait_for_reply(message, start_worker(segment, deadline));
	if (pg_atomic_read_u32(&message->state) != DPEM_CHARGE_COMMITTED)
		raise_refusal(message);
	charge = create_charge(request, message->charge, message->role_number);
	dsm_detach(segment);
	return charge;
}

int64
dpem_charge_number(const DpemCharge *charge)
{
	return charge->number;
}

int64
dpem_charge_role_number(const DpemCharge *charge)
{
	return charge->role_number;
}

const char *
dpem_charge_statistic(const DpemCharge *charge, int line)
{
	return charge->statistic[line];
}

double
dpem_charge_failure(const DpemCharge *charge, int line)
{
	return charge->failure[line];
}

double
dpem_charge_take(DpemCharge *charge, int line, const char *mechanism, bool rehearsed)
{
	if (charge->rehearsed != rehearsed)
		elog(ERROR, "dpem: a charge for other rows");
	if (line < 0 || line >= charge->nlines || charge->left[line] <= 0 ||
		strcmp(charge->mechanism[line], mechanism) != 0)
		elog(ERROR, "dpem: a release that was not charged");
	charge->left[line]--;
	if (rehearsed)
		dpem_rehearsal_note_take();
	return charge->noise_multiplier[line];
}
