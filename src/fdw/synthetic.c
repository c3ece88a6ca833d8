/*
 * synthetic.c - rows of a private table where its option names a model: synthetic ones.
 *
 * They are drawn from a released model (dp_synth_fit and others), which whoever asks must be
 * granted: a function of released numbers, and never the table's own rows.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "fdw/explaining.h"
#include "fdw/fdw.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

typedef struct Synthetic
{
	uint64		n;
	HeapTuple  *row;
	uint64		next;
} Synthetic;

/* ---- the query that draws them ---- */

#define ROWS	1000

#define COLUMNS_OF \
	"SELECT DISTINCT m.source_column FROM dpem.model_columns m WHERE m.model OPERATOR(pg_catalog.=) $1"
#define SCHEMA_OF \
	"SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e" \
	" JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace WHERE e.extname OPERATOR(pg_catalog.=) 'dpem'"

static List *
ask_texts(const char *query, int arguments, const char *argument)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(argument)};
	DpemIdentity saved;
	List	   *texts;

	dpem_caller_enter(&saved);
	texts = dpem_spi_texts(dpem_spi_query(query, arguments, types, values, NULL, true, SPI_OK_SELECT), caller);
	dpem_owner_leave(&saved);
	return texts;
}

static bool
has(List *columns, const char *name)
{
	ListCell   *cell;

	foreach(cell, columns)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return false;
}

static void
add(StringInfo list, const char *text)
{
	appendStringInfo(list, "%s%s", list->len > 0 ? ", " : "", text);
}

/* one column for each of the table's, NULL for one that the model does not have */
static char *
query_of(TupleDesc desc, const char *model)
{
	List	   *columns = ask_texts(COLUMNS_OF, 1, model);
	StringInfoData wanted;
	StringInfoData defined;

	initStringInfo(&wanted);
	initStringInfo(&defined);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);
		const char *name = quote_identifier(NameStr(attribute->attname));
		char	   *type = attribute->attisdropped ? NULL : format_type_extended(attribute->atttypid, -1, FORMAT_TYPE_FORCE_QUALIFY);
		bool		known = type != NULL && has(columns, NameStr(attribute->attname));

		add(&wanted, known ? psprintf("t.%s", name) : type != NULL ? psprintf("NULL::%s", type) : "NULL::pg_catalog.int4");
		if (known)
			add(&defined, psprintf("%s %s", name, type));
	}
	if (defined.len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("model \"%s\" does not exist, was not granted to you, or has none of the table's columns", model),
				 errhint("The table's option synthetic names the model that its rows are drawn from; dp_grant_model grants one.")));
	return psprintf("SELECT %s FROM %s.dp_sample_rows(%s, %d) AS t(%s)", wanted.data,
					(char *) linitial(ask_texts(SCHEMA_OF, 0, "")), quote_literal_cstr(model), ROWS, defined.data);
}

/* ---- rows ---- */

static Synthetic *
draw(Relation relation, const char *model)
{
	MemoryContext caller = CurrentMemoryContext;
	Synthetic *s = palloc0(sizeof(Synthetic));
	char	   *query = query_of(RelationGetDescr(relation), model);
	DpemIdentity saved;

	dpem_caller_enter(&saved);
	s->n = dpem_spi_query(query, 0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	s->row = MemoryContextAlloc(caller, (s->n + 1) * sizeof(HeapTuple));
	for (uint64 i = 0; i < s->n; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(caller);

		s->row[i] = heap_copytuple(SPI_tuptable->vals[i]);
		MemoryContextSwitchTo(old);
	}
	dpem_owner_leave(&saved);
	ereport(NOTICE,
			(errmsg("rows of private table \"%s\" are synthetic: they are drawn from model \"%s\"", RelationGetRelationName(relation), model),
			 errhint("count(*), sum, avg and other aggregates of the table by itself are answered from the private rows, with noise.")));
	return s;
}

/* ---- the table by itself ---- */

static void
refuse_rows(ForeignScanState *node)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("rows of private table \"%s\" cannot be read", RelationGetRelationName(node->ss.ss_currentRelation)),
			 errdetail("Only aggregates of the table by itself are answered, with noise; a join, DISTINCT or a window function over its rows would need the rows."),
			 errhint("Ask for count(*), sum, avg, variance, stddev or percentile_cont, with WHERE and GROUP BY, of this table alone, and join the result.")));
}

TupleTableSlot *
dpem_rows_next(ForeignScanState *node)
{
	Relation	relation = node->ss.ss_currentRelation;
	TupleTableSlot *slot = node->ss.ss_ScanTupleSlot;
	const char *model = dpem_synthetic_model(RelationGetRelid(relation));
	MemoryContext old = MemoryContextSwitchTo(node->ss.ps.state->es_query_cxt);
	Synthetic  *s;

	if (model == NULL)
		refuse_rows(node);
	if (node->fdw_state == NULL)
		node->fdw_state = draw(relation, model);
	MemoryContextSwitchTo(old);
	s = node->fdw_state;
	ExecClearTuple(slot);
	if (s->next == s->n)
		return slot;
	heap_deform_tuple(s->row[s->next++], RelationGetDescr(relation), slot->tts_values, slot->tts_isnull);
	return ExecStoreVirtualTuple(slot);
}

void
dpem_rows_rescan(ForeignScanState *node)
{
	if (node->fdw_state != NULL)
		((Synthetic *) node->fdw_state)->next = 0;
}

void
dpem_rows_explain(ForeignScanState *node, ExplainState *es)
{
	const char *model = dpem_synthetic_model(RelationGetRelid(node->ss.ss_currentRelation));

	ExplainPropertyText("Privacy", model == NULL ? "rows are never given: an error when the first one is wanted"
						: psprintf("synthetic rows, drawn from model \"%s\"", model), es);
}
