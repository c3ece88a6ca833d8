/*
 * spill.c - see spill.h.
 *
 * Temporary files go where SetTempTablespaces says until the transaction ends
 * or temp_tablespaces is set anew, and temp_tablespaces itself takes no
 * tablespace on which the role has no CREATE, which the source's owner need not
 * have.  A parallel worker begins with its own role's setting.  So each query
 * says it when it starts: a worker, too, starts the executor.
 *
 * Parallel workers show the text of their query in pg_stat_activity, to every
 * session of the role that called.  What a scan sends has the secret of
 * holdouts in it, and released keys that a dataset's minimum hides: a query
 * that starts while a scan runs gives its workers another text.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "executor/executor.h"
#include "storage/fd.h"
#include "utils/guc.h"

#include "server/spill.h"

#define DEFAULT_SCAN_MEMORY (1024 * 1024)	/* kB */
#define SHOWN_TEXT "dpem scan"

static int	scan_memory = DEFAULT_SCAN_MEMORY;
static char *spill_tablespace = "";
static bool scanning = false;
static bool redirected = false;
static Oid	spill_to[1];		/* the server keeps a pointer to it */
static ExecutorStart_hook_type previous_start = NULL;

static void
go_to_tablespace(void)
{
	Oid			tablespace = get_tablespace_oid(spill_tablespace, true);

	/* dropped, or misspelt: dp_exposure says so */
	if (!OidIsValid(tablespace))
		return;
	spill_to[0] = tablespace;
	SetTempTablespaces(spill_to, 1);
	redirected = true;
}

static void
start_query(QueryDesc *query, int flags)
{
	if (scanning && spill_tablespace[0] != '\0')
		go_to_tablespace();
	if (previous_start)
		previous_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
	/* what workers are given; the log has the query's own */
	if (scanning)
		query->estate->es_sourceText = SHOWN_TEXT;
}

/* the session's own go to the database's tablespace, or, with temp_tablespaces or the next transaction, where it wants them */
static void
assign_scanning(bool value, void *extra)
{
	if (value || !redirected)
		return;
	SetTempTablespaces(NULL, 0);
	redirected = false;
}

void
dpem_spill_init(void)
{
	DefineCustomIntVariable(
		"dpem.scan_memory", "Memory of each sort or hash table in a scan of private rows.",
		"Takes the place of work_mem. What does not fit goes into temporary files, which everybody can size unless dpem.spill_tablespace says otherwise.",
		&scan_memory, DEFAULT_SCAN_MEMORY, 64, MAX_KILOBYTES, PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomStringVariable(
		"dpem.spill_tablespace", "Tablespace for the temporary files of scans of private rows.",
		"Choose one that is no database's default and that no analyst may create in. Empty: the database's own.",
		&spill_tablespace, "", PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable(
		DPEM_SCANNING, "Whether a scan of private rows is running.", NULL,
		&scanning, false, PGC_SUSET, GUC_NO_SHOW_ALL | GUC_NO_RESET_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
		NULL, assign_scanning, NULL);
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = start_query;
}

bool
dpem_is_scanning(void)
{
	return scanning;
}

int
dpem_scan_memory(void)
{
	return scan_memory;
}
