/*
 * progress.c - see progress.h.
 *
 * A fixed number of slots in shared memory, taken from what the server sets
 * aside for small requests, so that the extension need not be preloaded.  A
 * session writes its own slot only; a slot whose session is gone without
 * having said so does not outlive the shared memory it is in, because the
 * server starts anew after such an end.
 */
#include "postgres.h"

#include "access/xact.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "storage/spin.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#include "fit/progress.h"

#define SLOTS 64

typedef struct Board
{
	slock_t		lock;
	DpemProgress slot[SLOTS];	/* pid 0: free */
} Board;

static Board *board = NULL;
static int	own = -1;			/* this session's slot */
static uint64 begun = 0;		/* fits of this session */

static void
open_board(void)
{
	bool		found;

	if (board != NULL)
		return;
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	board = ShmemInitStruct("dpem progress", sizeof(Board), &found);
	if (!found)
	{
		memset(board, 0, sizeof(Board));
		SpinLockInit(&board->lock);
	}
	LWLockRelease(AddinShmemInitLock);
}

/* a server without so much memory left shows no progress, but fits all the same */
static void
try_to_open_board(void)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;

	if (board != NULL)
		return;
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		open_board();
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
}

void
dpem_progress_end(void)
{
	if (own < 0)
		return;
	SpinLockAcquire(&board->lock);
	memset(&board->slot[own], 0, sizeof(DpemProgress));
	SpinLockRelease(&board->lock);
	own = -1;
}

static void
leave_at_exit(int code, Datum arg)
{
	dpem_progress_end();
}

/* a later fit of this session may have begun before an earlier one's memory goes */
static void
leave_with_context(void *arg)
{
	if (*(uint64 *) arg == begun)
		dpem_progress_end();
}

static void
leave_when_done(void)
{
	static bool at_exit = false;
	MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));
	uint64	   *which = palloc(sizeof(uint64));

	*which = ++begun;
	callback->func = leave_with_context;
	callback->arg = which;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	if (!at_exit)
		before_shmem_exit(leave_at_exit, (Datum) 0);
	at_exit = true;
}

/* as much of a name as there is room for, and whole characters only */
static void
keep_text(char *kept, const char *text)
{
	int			length = pg_mbcliplen(text, strlen(text), DPEM_PROGRESS_TEXT - 1);

	memcpy(kept, text, length);
	memset(kept + length, 0, DPEM_PROGRESS_TEXT - length);
}

/* under the lock */
static int
free_slot(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (board->slot[i].pid == 0)
			return i;
	return -1;
}

void
dpem_progress_begin(const char *dataset, Oid source, const char *function, int iterations)
{
	DpemProgress fit = {0};

	try_to_open_board();
	if (board == NULL)
		return;
	leave_when_done();
	fit.pid = MyProcPid;
	fit.database = MyDatabaseId;
	fit.source = source;
	fit.role = GetUserId();
	fit.iterations = iterations;
	fit.started_at = GetCurrentTimestamp();
	keep_text(fit.dataset, dataset);
	keep_text(fit.function, function);
	keep_text(fit.phase, "charge");
	SpinLockAcquire(&board->lock);
	if (own < 0)
		own = free_slot();
	if (own >= 0)
		board->slot[own] = fit;
	SpinLockRelease(&board->lock);
}

void
dpem_progress_update(const char *phase, int iteration)
{
	char		text[DPEM_PROGRESS_TEXT];

	if (own < 0)
		return;
	keep_text(text, phase);
	SpinLockAcquire(&board->lock);
	memcpy(board->slot[own].phase, text, sizeof(text));
	board->slot[own].iteration = iteration;
	SpinLockRelease(&board->lock);
}

int
dpem_progress_list(DpemProgress **fits)
{
	DpemProgress *list = palloc(sizeof(DpemProgress) * SLOTS);
	int			n = 0;

	open_board();
	for (int i = 0; i < SLOTS; i++)
	{
		SpinLockAcquire(&board->lock);
		list[n] = board->slot[i];
		SpinLockRelease(&board->lock);
		if (list[n].pid != 0 && list[n].database == MyDatabaseId)
			n++;
	}
	*fits = list;
	return n;
}
