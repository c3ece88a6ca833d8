/*
 * source_pass.c - a pass by a query.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"

#include "scan/query/source_query.h"
#include "server/version_shims.h"

#define SMALL_PASS 2048			/* bytes */

char *
dpem_source_moments_query(const DpemSource *source)
{
	return source->shards ? source->shards : psprintf("SELECT dpem_internal.moments%s", source->query);
}

static char *
pass_query(const DpemSource *source, const DpemKernel *kernel)
{
	if (kernel->aggregate != NULL)
		return psprintf("SELECT dpem_internal.%s%s", kernel->aggregate, source->query);
	return dpem_source_moments_query(source);
}

/*
 * As a constant of the plan the pass costs less for each row than as a
 * parameter.  But it would become part of what other servers are sent as text,
 * and a large one would be copied by the planner and written out for workers.
 */
static int
plan_kind(const DpemSource *source, const bytea *pass)
{
	return source->is_table && VARSIZE_ANY(pass) <= SMALL_PASS ? CURSOR_OPT_CUSTOM_PLAN : CURSOR_OPT_GENERIC_PLAN;
}

typedef struct PassReceiver
{
	DpemRowReceiver rows;		/* must be first */
	MemoryContext where;
	int			n;
	bytea	   *result;			/* NULL: none, or a NULL */
} PassReceiver;

static bool
receive_pass(TupleTableSlot *slot, DestReceiver *self)
{
	PassReceiver *receiver = (PassReceiver *) self;
	bool		isnull;
	Datum		answer = slot_getattr(slot, 1, &isnull);

	receiver->n++;
	if (!isnull)
	{
		bytea	   *inside = DatumGetByteaPP(answer);

		receiver->result = MemoryContextAlloc(receiver->where, VARSIZE_ANY(inside));
		memcpy(receiver->result, inside, VARSIZE_ANY(inside));
		explicit_bzero(VARDATA_ANY(inside), VARSIZE_ANY_EXHDR(inside));
	}
	return true;
}

static ParamListInfo
query_parameters(const DpemSource *source, bytea *pass)
{
	ParamListInfo params = makeParamList(source->vocabulary != 0 ? 2 : 1);

	params->params[0] = (ParamExternData) {PointerGetDatum(pass), false, PARAM_FLAG_CONST, BYTEAOID};
	if (source->vocabulary != 0)
		params->params[1] = (ParamExternData) {source->vocabulary, false, PARAM_FLAG_CONST, TEXTARRAYOID};
	return params;
}

bytea *
dpem_source_query_pass(DpemSource *source, const DpemPass *pass)
{
	PassReceiver receiver = {.rows.receiver.receiveSlot = receive_pass,.where = CurrentMemoryContext};
	bytea	   *written = dpem_pass_write(pass);

	if (pass->kernel->own || pass->rows != 0)
		dpem_own_pass_set(written);
	dpem_source_execute(source, pass_query(source, pass->kernel), plan_kind(source, written), query_parameters(source, written), &receiver.rows);
	if (receiver.n != 1)
		elog(ERROR, "dpem: unexpected result of a pass");
	return receiver.result;
}
