/*
 * source_trust.c - may this server bring models to those that have rows of a source?
 *
 * Asked before a charge, as what was paid for would be lost otherwise: for each foreign table by the query
 *
 *   SELECT dpem_internal.brings_models($1, s.c0, ...) FROM (SELECT u.x AS c0 FROM far AS u) AS s WHERE ($2 AND s.c0 IS NULL) >= true
 *
 * with $2 false, which goes to the other server wherever the pass of an evaluation does, as both are aggregates of the same
 * arguments.  A server checks who may execute an aggregate before it reads a row, and its planner, which is given the
 * parameters, leaves none to be read.  Here the condition must not be known to be false, as nothing would be sent.
 * Where the plan would have rows come here, for a condition or column that is not sent there, the query is not run: nothing
 * is read before the charge.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "nodes/plannodes.h"
#include "utils/builtins.h"
#include "utils/plancache.h"

#include "scan/query/source_query.h"
#include "server/attempt.h"

void
dpem_source_refuse_distrust(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("a server that has rows of the source takes no models from this one"),
			 errdetail("Nothing was charged."),
			 errhint("Its administrator runs GRANT EXECUTE ON FUNCTION dpem_internal.brings_models TO the role that this server connects as.")));
}

/* is the whole query, its aggregate included, what the other server is asked for? */
static bool
is_sent(SPIPlanPtr plan)
{
	CachedPlan *cached = SPI_plan_get_cached_plan(plan);
	Plan	   *top;
	bool		sent;

	if (cached == NULL)
		elog(ERROR, "dpem: a query without rows that has several plans");
	top = linitial_node(PlannedStmt, cached->stmt_list)->planTree;
	sent = IsA(top, ForeignScan) && ((ForeignScan *) top)->scan.scanrelid == 0;
	ReleaseCachedPlan(cached, NULL);	/* of a plan that is not saved no resource owner knows */
	return sent;
}

static void
send_question(void *argument)
{
	Oid			types[] = {BYTEAOID, BOOLOID};
	Datum		values[] = {PointerGetDatum(cstring_to_text("")), BoolGetDatum(false)};
	SPIPlanPtr	plan;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	plan = SPI_prepare_cursor(argument, lengthof(types), types, CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL || (is_sent(plan) && SPI_execute_plan(plan, values, NULL, true, 0) != SPI_OK_SELECT))
		elog(ERROR, "dpem: unexpected result of a query without rows");
	SPI_finish();
}

/* said by the other server, as postgres_fdw passes it on; a question that is not sent there asks for the right here */
static bool
is_from_afar(const ErrorData *error)
{
	return error->funcname != NULL && strncmp(error->funcname, "pgfdw_report", strlen("pgfdw_report")) == 0;
}

static void
ask(DpemSource *source, void *argument)
{
	ListCell   *cell;

	foreach(cell, source->trust)
	{
		ErrorData  *error = dpem_attempt(send_question, lfirst(cell), true);

		if (error == NULL || (error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE && !is_from_afar(error)))
			continue;
		if (error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE)
			dpem_source_refuse_distrust();
		ReThrowError(error);
	}
}

void
dpem_source_require_trust(DpemSource *source)
{
	if (source->trust == NIL)
		return;
	source->asks = true;
	dpem_source_guard(source, ask, NULL);
	source->asks = false;
}
