/*
 * source_execute.c - a query of a source is run over the tables that were charged for.
 *
 * Which tables those are the charge worker saw.  Until the query is planned others may come to be read: a partition is
 * attached, a table inherits, a view is replaced; a name in the query's text, which is written before, may come to mean
 * another table, as renaming a schema waits for no reader of its tables.  From then on none can, as the executor holds locks on
 * all that the plan names, and what was a part of the source when it was planned stays one until the end of the transaction.
 * So this is when the catalog is asked again.
 *
 * What the owner's functions read, in queries of their own or as parts of this one, the catalog does not say.  So each query
 * that starts while a scan runs, in its workers too, is looked at: it reads no table of another ledger.
 */
#include "postgres.h"

#include "access/transam.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "utils/plancache.h"

#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/errors.h"
#include "server/version_shims.h"

static List *seen = NIL;		/* tables that have no other ledger, as found out in this scan */
static bool asking = false;		/* by queries of our own */
static ExecutorStart_hook_type previous_start = NULL;

static void
see(List *relations)
{
	MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);

	seen = list_concat(seen, relations);
	MemoryContextSwitchTo(old);
}

/* the number is not told: the log's reader is the owner of the functions, and not always of the table */
static void
refuse_other_ledgers(List *relations, int64 account)
{
	List	   *fresh = NIL;
	ListCell   *cell;
	Oid			other;

	foreach(cell, relations)
	{
		if (lfirst_oid(cell) >= FirstNormalObjectId && !list_member_oid(seen, lfirst_oid(cell)))
			fresh = lappend_oid(fresh, lfirst_oid(cell));
	}
	if (fresh == NIL)
		return;
	other = dpem_source_other_ledger(fresh, account);
	if (OidIsValid(other))
		elog(ERROR, "dpem: a function of the source reads %s, which has another ledger", dpem_relation_qualified_name(other));
	see(fresh);
}

/* is all that the query's text names a part of the source, and all of that charged for? */
static bool
is_charged(const DpemDataset *ds, List *named)
{
	List	   *parts = NIL;
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(ds))
	{
		List	   *charged = dpem_source_charged(lfirst_oid(cell), ds->account);

		if (charged == NIL)
			return false;
		parts = list_concat(parts, charged);
	}
	foreach(cell, named)
	{
		/* catalogs are no parts of their views */
		if (lfirst_oid(cell) >= FirstNormalObjectId && !list_member_oid(parts, lfirst_oid(cell)))
			return false;
	}
	see(parts);
	return true;
}

static void
start_receiving(DestReceiver *self, int operation, TupleDesc columns)
{
}

static void
check_query(QueryDesc *query)
{
	DpemRowReceiver *rows = query->dest && query->dest->rStartup == start_receiving ? (DpemRowReceiver *) query->dest : NULL;

	if (rows != NULL)
	{
		CachedPlanSource *plan = linitial(SPI_plan_get_plan_sources(rows->plan));

		rows->source->uncharged = !is_charged(rows->source->dataset, plan->relationOids);
		if (rows->source->uncharged)
			elog(ERROR, "dpem: the source reads a table that was not charged for");
	}
	/* a worker's part of a plan was looked at when the plan was started */
	if (query->dest == NULL || query->dest->mydest != DestTupleQueue)
		refuse_other_ledgers(query->plannedstmt->relationOids, dpem_scanned_ledger());
}

/* when the plan is there, its tables are locked, and no row has been asked for */
static void
start_query(QueryDesc *query, int flags)
{
	if (dpem_scanned_ledger() != 0 && !asking)
	{
		asking = true;
		PG_TRY();
		{
			check_query(query);
		}
		PG_FINALLY();
		{
			asking = false;
		}
		PG_END_TRY();
	}
	if (previous_start)
		previous_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
}

void
dpem_source_execute_init(void)
{
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = start_query;
}

/* what was found out before was of another scan */
void
dpem_source_watch(const DpemSource *source)
{
	dpem_capture_watch(source->run_as, source->dataset->account);
	list_free(seen);
	seen = NIL;
}

static void
end_receiving(DestReceiver *self)
{
}

void
dpem_source_execute(DpemSource *source, const char *query, int options, ParamListInfo params, DpemRowReceiver *rows)
{
	SPIExecuteOptions execute = {.params = params,.read_only = true,.dest = &rows->receiver};
	Oid			types[DPEM_QUERY_PARAMETERS];
	int			n = params ? params->numParams : 0;
	SPIPlanPtr	plan;

	for (int i = 0; i < n; i++)
		types[i] = params->params[i].ptype;
	rows->source = source;
	rows->receiver.rStartup = start_receiving;
	rows->receiver.rShutdown = rows->receiver.rDestroy = end_receiving;
	rows->receiver.mydest = DestTuplestore;
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	rows->plan = plan = SPI_prepare_cursor(query, n, types, CURSOR_OPT_PARALLEL_OK | options);
	if (plan == NULL || SPI_execute_plan_extended(plan, &execute) != SPI_OK_SELECT)
		elog(ERROR, "dpem: unexpected result of a query of a source");
	SPI_finish();
}
