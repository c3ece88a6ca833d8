/*
 * resident_pass.c - see resident_pass.h.
 *
 * The leader and PostgreSQL's parallel workers take blocks from one counter,
 * each adds up moments of its own, and workers add theirs to a total in shared
 * memory, which the leader takes.  A pass is open from its announcement until
 * the leader finds no block left; a worker that is there in that time takes
 * part, one that comes later, or never, is not waited for.
 *
 * A worker that is told to end (pg_terminate_backend, a shutdown, the leader's
 * own end) hands over what it has after its current block and goes; nothing is
 * lost.  Everything that it fails at ends the fit.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/atomics.h"
#include "postmaster/interrupt.h"
#include "storage/condition_variable.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/spin.h"
#include "utils/dsa.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

#include "scan/block_pass.h"
#include "scan/resident_pass.h"
#include "server/version_shims.h"

#define TEAM_KEY UINT64CONST(1)

typedef struct TeamBoard
{
	LWLock		adding; /* to the total */
	ConditionVariable handed_in;
	uint32		rows; /* handle */
	int			d;
	int			groups;
	dsa_handle	area;
	pg_atomic_uint32 next; /* block to be taken */

	/* under the mutex, and unchanged while a pass is open */
	slock_t		mutex;
	uint32		number; /* of the pass */
	bool		open;
	bool		over;
	int			joined;	  /* workers that take part */
	int			finished; /* of these, have handed in */
	uint32		blocks;
	uint32		map;
	dsa_pointer pass; /* as dpem_pass_write writes it */
	dsa_pointer total;
	int			workers;
	PGPROC	   *worker[FLEXIBLE_ARRAY_MEMBER]; /* those that have come; NULL: not yet */
} TeamBoard;

struct DpemTeam
{
	DpemResidentRows *rows;
	ParallelContext *context;
	dsa_area   *area;
	TeamBoard  *board;
};

PGDLLEXPORT void dpem_team_worker_main(dsm_segment *segment, shm_toc *toc);

/* ---- what all do ---- */

static void
take_blocks(TeamBoard *board, DpemResidentRows *resident, uint32 blocks, uint32 map, DpemBlockPass *run)
{
	DpemGroupRows rows = dpem_block_pass_rows(run, 0);
	int			codes = dpem_resident_rows_codes(resident);
	uint32		index;

	if (codes > 0 && (codes != dpem_block_pass_codes(&run->pass) || map != DPEM_RESIDENT_FIRST_MAP))
		elog(ERROR, "dpem: a pass over codes of other rows");
	while (!ShutdownRequestPending && (index = pg_atomic_fetch_add_u32(&board->next, 1)) < blocks)
	{
		DpemResidentSlot *slot = dpem_resident_rows_get(resident, index, dpem_block_pass_map(run, map), &rows);

		if (rows.block.code == NULL)
			dpem_block_pass_prepare(run, &rows, slot, map);
		dpem_block_pass_add(run, &rows);
	}
	dpem_block_pass_end(run);
}

/* ---- the leader ---- */

static Size
board_size(int workers)
{
	return offsetof(TeamBoard, worker) + workers * sizeof(PGPROC *);
}

static void
init_board(TeamBoard *board, DpemTeam *team, int workers)
{
	memset(board, 0, board_size(workers));
	LWLockInitialize(&board->adding, LWTRANCHE_PARALLEL_QUERY_DSA);
	ConditionVariableInit(&board->handed_in);
	board->rows = dpem_resident_rows_handle(team->rows);
	board->area = dsa_get_handle(team->area);
	board->workers = workers;
	pg_atomic_init_u32(&board->next, 0);
	SpinLockInit(&board->mutex);
}

DpemTeam *
dpem_team_start(DpemResidentRows *rows, int workers)
{
	DpemTeam   *team = palloc0(sizeof(DpemTeam));
	ParallelContext *context;

	EnterParallelMode();
	team->rows = rows;
	team->area = dsa_create(LWTRANCHE_PARALLEL_QUERY_DSA);
	team->context = context = CreateParallelContext("dpem", "dpem_team_worker_main", workers);
	shm_toc_estimate_chunk(&context->estimator, board_size(workers));
	shm_toc_estimate_keys(&context->estimator, 1);
	InitializeParallelDSM(context);
	team->board = shm_toc_allocate(context->toc, board_size(workers));
	init_board(team->board, team, workers);
	shm_toc_insert(context->toc, TEAM_KEY, team->board);
	LaunchParallelWorkers(context);
	return team;
}

/* those that come later look at the board by themselves */
static void
wake_workers(TeamBoard *board)
{
	for (int i = 0; i < board->workers; i++)
	{
		PGPROC	   *worker;

		SpinLockAcquire(&board->mutex);
		worker = board->worker[i];
		SpinLockRelease(&board->mutex);
		if (worker != NULL)
			SetLatch(&worker->procLatch);
	}
}

/* its parameters may be numbers that are not released (wall/release_steps.h) */
static void
wipe_pass(bytea *wire)
{
	explicit_bzero(VARDATA(wire), VARSIZE(wire) - VARHDRSZ);
}

static void
announce(DpemTeam *team, const DpemPass *pass, uint32 map, Size total)
{
	TeamBoard  *board = team->board;
	bytea	   *wire = dpem_pass_write(pass);

	board->d = pass->map.d;
	board->groups = Max(pass->groups, 1);
	board->blocks = dpem_resident_rows_blocks(team->rows);
	board->map = map;
	board->pass = dsa_allocate_extended(team->area, VARSIZE(wire), DSA_ALLOC_HUGE);
	memcpy(dsa_get_address(team->area, board->pass), wire, VARSIZE(wire));
	wipe_pass(wire);
	board->total = dsa_allocate_extended(team->area, total, DSA_ALLOC_HUGE | DSA_ALLOC_ZERO);
	pfree(wire);
	pg_atomic_write_u32(&board->next, 0);
	SpinLockAcquire(&board->mutex);
	board->number++;
	board->joined = board->finished = 0;
	board->open = true;
	SpinLockRelease(&board->mutex);
	wake_workers(board);
}

/* closes the pass; true once all who joined it have handed in */
static bool
is_finished(TeamBoard *board)
{
	bool		finished;

	SpinLockAcquire(&board->mutex);
	board->open = false;
	finished = board->finished == board->joined;
	SpinLockRelease(&board->mutex);
	return finished;
}

static void
wait_for_workers(TeamBoard *board)
{
	ConditionVariablePrepareToSleep(&board->handed_in);
	while (!is_finished(board))
		ConditionVariableSleep(&board->handed_in, PG_WAIT_EXTENSION);
	ConditionVariableCancelSleep();
}

DpemRawMoments *
dpem_team_pass(DpemTeam *team, const DpemPass *pass, uint32 map)
{
	TeamBoard  *board = team->board;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(caller, "dpem kept pass", ALLOCSET_DEFAULT_SIZES);
	DpemMomentLayout layout = dpem_pass_moments(pass);
	DpemRawMoments *moments = dpem_raw_moments_create(pass->kernel, &layout, pass->map.bits > 0);
	DpemBlockPass *run;

	announce(team, pass, map, dpem_raw_moments_size(moments));
	MemoryContextSwitchTo(work);
	run = dpem_block_pass_create(pass);
	take_blocks(board, team->rows, board->blocks, map, run);
	wait_for_workers(board);
	MemoryContextSwitchTo(caller);
	dpem_raw_moments_add(moments, run->moments);
	dpem_raw_moments_wipe(run->moments);
	dpem_raw_moments_take(moments, dsa_get_address(team->area, board->total));
	wipe_pass(dsa_get_address(team->area, board->pass));
	dsa_free(team->area, board->pass);
	dsa_free(team->area, board->total);
	MemoryContextDelete(work);
	return moments;
}

/* all help to give back the memory of files, which takes as long as a short pass */
void
dpem_team_dismiss(DpemTeam *team)
{
	SpinLockAcquire(&team->board->mutex);
	team->board->over = true;
	SpinLockRelease(&team->board->mutex);
	wake_workers(team->board);
	dpem_resident_rows_empty(team->rows, team->board->workers, team->board->workers + 1);
	WaitForParallelWorkersToFinish(team->context);
	DestroyParallelContext(team->context);
	dsa_detach(team->area);
	ExitParallelMode();
	pfree(team);
}

/* ---- a worker ---- */

/* joins a pass that is open and not the last one; over: there will be none */
static bool
try_join(TeamBoard *board, uint32 *last, bool *over)
{
	bool		joined;

	SpinLockAcquire(&board->mutex);
	*over = board->over;
	joined = board->open && board->number != *last;
	if (joined)
	{
		*last = board->number;
		board->joined++;
	}
	SpinLockRelease(&board->mutex);
	return joined;
}

static bool
wait_for_pass(TeamBoard *board, uint32 *last, bool *over)
{
	while (!try_join(board, last, over))
	{
		if (*over || ShutdownRequestPending)
			return false;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH, -1, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return true;
}

static void
hand_in(TeamBoard *board, dsa_area *area, DpemBlockPass *run)
{
	LWLockAcquire(&board->adding, LW_EXCLUSIVE);
	dpem_raw_moments_add_to(run->moments, dsa_get_address(area, board->total));
	LWLockRelease(&board->adding);
	dpem_raw_moments_wipe(run->moments);
	SpinLockAcquire(&board->mutex);
	board->finished++;
	SpinLockRelease(&board->mutex);
	ConditionVariableSignal(&board->handed_in);
}

static void
take_part(TeamBoard *board, dsa_area *area, DpemResidentRows *rows)
{
	DpemPass	pass;
	DpemBlockPass *run;

	dpem_pass_read(dsa_get_address(area, board->pass), &pass);
	run = dpem_block_pass_create(&pass);
	take_blocks(board, rows, board->blocks, board->map, run);
	hand_in(board, area, run);
}

void
dpem_team_worker_main(dsm_segment *segment, shm_toc *toc)
{
	TeamBoard  *board = shm_toc_lookup(toc, TEAM_KEY, false);
	MemoryContext work =
		AllocSetContextCreate(CurrentMemoryContext, "dpem kept pass", ALLOCSET_DEFAULT_SIZES);
	DpemResidentRows *rows = NULL;
	dsa_area   *area;
	uint32		last = 0;
	bool		over = false;

	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	SpinLockAcquire(&board->mutex);
	board->worker[ParallelWorkerNumber] = MyProc;
	SpinLockRelease(&board->mutex);
	pgstat_report_activity(STATE_RUNNING, "dpem pass");
	area = dsa_attach(board->area);
	while (wait_for_pass(board, &last, &over))
	{
		MemoryContext old;

		if (rows == NULL && (rows = dpem_resident_rows_attach(board->rows, board->d, board->groups)) == NULL)
			elog(ERROR, "dpem: the rows of a fit are not there");
		old = MemoryContextSwitchTo(work);
		take_part(board, area, rows);
		MemoryContextSwitchTo(old);
		MemoryContextReset(work);
	}
	if (rows != NULL && over)
		dpem_resident_rows_empty(rows, ParallelWorkerNumber, board->workers + 1);
	if (rows != NULL)
		dpem_resident_rows_detach(rows);
	dsa_detach(area);
}
