/*
 * source_execute.c - a query of a source is run over the tables that were charged for.
 *
 * Which tables those are the charge worker saw.  Until the query is planned others may come to be read: a partition is
 * attached, a table inherits, a view is replaced.  From then on none can, as the executor holds locks on all that the plan
 * names, and what was a part of the source when it was planned stays one until the end of the transaction.  So this is when
 * the catalog is asked again.
 */
#include "postgres.h"

#include "executor/spi.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/errors.h"

/* called by the executor when the plan is there and no row has been asked for */
static void
require_charged(DestReceiver *self, int operation, TupleDesc columns)
{
	DpemSource *source = ((DpemRowReceiver *) self)->source;
	ListCell   *cell;

	if (!OidIsValid(source->run_as))
		return;					/* a reader pays nothing */
	foreach(cell, dpem_dataset_relations(source->dataset))
		source->uncharged |= !dpem_source_is_covered(lfirst_oid(cell), source->dataset->account);
	if (source->uncharged)
		elog(ERROR, "dpem: the source reads a table that was not charged for");
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
	rows->receiver.rStartup = require_charged;
	rows->receiver.rShutdown = rows->receiver.rDestroy = end_receiving;
	rows->receiver.mydest = DestTuplestore;
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	plan = SPI_prepare_cursor(query, n, types, CURSOR_OPT_PARALLEL_OK | options);
	if (plan == NULL || SPI_execute_plan_extended(plan, &execute) != SPI_OK_SELECT)
		elog(ERROR, "dpem: unexpected result of a query of a source");
	SPI_finish();
}
