/*
 * question.c - groups, aggregates and filter of a query, put together.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"
#include "ledger/charge.h"
#include "server/version_shims.h"

static void
refuse_together(const DpemQuestion *q, const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s cannot be asked of private table \"%s\"", what, get_rel_name(q->table->relation)),
			 errhint("%s", hint)));
}

/* the place of one that was asked for already, in WHERE and FILTER and all; or of a new one */
static int
place_of_ask(DpemQuestion *q, Aggref *aggregate, const char *where)
{
	ListCell   *cell;

	foreach(cell, q->asks)
	{
		if (equal(((DpemAsk *) lfirst(cell))->aggregate, aggregate))
			return -1 - foreach_current_index(cell);
	}
	q->asks = lappend(q->asks, dpem_ask(q->table, aggregate, where));
	return -list_length(q->asks);
}

static int
place_of_key(DpemQuestion *q, Node *expression)
{
	q->keys = lappend(q->keys, dpem_group_key(q->table, expression));
	return list_length(q->keys) - 1;
}

static void
count_groups(DpemQuestion *q)
{
	double		groups = 1;
	bool		secret = false;
	ListCell   *cell;

	foreach(cell, q->keys)
	{
		const DpemGroupKey *key = lfirst(cell);

		secret = secret || key->is_private;
		groups *= key->is_private ? 1 : key->n;
	}
	if (secret && (list_length(q->keys) > 1 || list_length(q->asks) != 1))
		refuse_together(q, "a key whose values are not public, with other columns or other than one aggregate,",
						"Group by the key alone, and ask for one aggregate.");
	if (groups > DPEM_GROUPS_MAX)
		refuse_together(q, psprintf("%.0f groups", groups), "At most 4096 groups, empty ones included, are possible: group by fewer columns.");
	q->groups = secret ? 0 : (int) groups;
}

static void
check_asks(const DpemQuestion *q)
{
	ListCell   *cell;

	if (list_length(q->asks) > DPEM_CHARGE_MAX_LINES)
		refuse_together(q, psprintf("%d aggregates at once", list_length(q->asks)),
						"At most 8 different aggregates are possible, which share the query's epsilon: ask in several queries.");
	foreach(cell, q->asks)
	{
		const DpemAsk *ask = lfirst(cell);

		if (ask->statistic == NULL && q->keys != NIL && q->groups == 0)
			dpem_refuse_expression(q->table, (Node *) ask->aggregate,
								   "A percentile is not asked for by a key whose values are not public: group by a label.");
	}
}

/* of groups that begin again, which may be of very many bins: a digest of these */
static void
write_cycle(StringInfo text, const DpemGroupsRequest *r)
{
	StringInfoData bins;
	bytea	   *digest;

	initStringInfo(&bins);
	appendBinaryStringInfo(&bins, (const char *) r->edges, (r->bins + 1) * sizeof(double));
	appendBinaryStringInfo(&bins, (const char *) r->cycle, r->bins * sizeof(int));
	digest = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, PointerGetDatum(cstring_to_text_with_len(bins.data, bins.len))));
	appendStringInfo(text, " in %d groups of %d bins ", r->cycle_groups, r->bins);
	for (int i = 0; i < VARSIZE_ANY_EXHDR(digest); i++)
		appendStringInfo(text, "%02x", (unsigned char) VARDATA_ANY(digest)[i]);
}

/* an answer's groups are those of its time: once the owner has registered others it is none of this question */
static void
write_key(StringInfo text, const DpemGroupKey *key)
{
	appendStringInfo(text, "by %s%s", key->is_private ? "key " : "", quote_identifier(key->request.by));
	for (int i = 0; key->category != NULL && i < key->n; i++)
		appendStringInfo(text, " %s", quote_literal_cstr(key->category[i]));
	if (key->request.cycle != NULL)
		write_cycle(text, &key->request);
	for (int i = 0; key->request.edges != NULL && key->request.cycle == NULL && i <= key->n; i++)
		appendStringInfo(text, " %.17g", key->request.edges[i]);
	appendStringInfoString(text, "; ");
}

static void
write_ask(StringInfo text, const DpemAsk *ask)
{
	ListCell   *column;

	appendStringInfo(text, "%s%s %.17g %.17g %.17g", ask->statistic ? ask->statistic->name : "quantile",
					 ask->population ? " of all" : "", ask->level, ask->factor, ask->offset);
	foreach(column, ask->columns)
		appendStringInfo(text, " %s", quote_identifier(lfirst(column)));
	appendStringInfo(text, "%s%s; ", ask->filter ? " where " : "", ask->filter ? ask->filter : "");
}

/* what is released, and of which rows, in one way of writing it */
static void
write_text(DpemQuestion *q)
{
	StringInfoData text;
	ListCell   *cell;

	initStringInfo(&text);
	foreach(cell, q->keys)
		write_key(&text, lfirst(cell));
	foreach(cell, q->asks)
		write_ask(&text, lfirst(cell));
	q->text = text.data;
}

/* GROUPING(...): a bit for each expression, 1 where the set leaves it out */
static Const *
grouping_value(const GroupingFunc *node, const List *set)
{
	int32		bits = 0;
	ListCell   *cell;

	foreach(cell, node->refs)
		bits = (int32) ((uint32) bits << 1) | !list_member_int(set, lfirst_int(cell));
	return makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(bits), false, true);
}

/* what a column says in all groups of a set; NULL: it is grouped by, or an aggregate */
static Const *
constant_of(const TargetEntry *column, const List *const *set)
{
	Node	   *expression = (Node *) column->expr;

	if (IsA(expression, GroupingFunc))
		return grouping_value((GroupingFunc *) expression, set ? *set : NIL);
	if (set == NULL || IsA(expression, Aggref) || list_member_int(*set, (int) column->ressortgroupref))
		return NULL;
	return makeNullConst(exprType(expression), exprTypmod(expression), exprCollation(expression));
}

DpemQuestion *
dpem_question(const DpemPrivateTable *table, List *columns, List *conditions, const List *const *set)
{
	DpemQuestion *q = palloc0(sizeof(DpemQuestion));
	char	   *where = dpem_filter_of(table, conditions);
	ListCell   *cell;

	q->table = table;
	q->columns = list_length(columns);
	q->place = palloc0(Max(q->columns, 1) * sizeof(int));
	q->constant = palloc0(Max(q->columns, 1) * sizeof(Const *));
	foreach(cell, columns)
	{
		Node	   *expression = (Node *) ((TargetEntry *) lfirst(cell))->expr;

		q->constant[foreach_current_index(cell)] = constant_of(lfirst(cell), set);
		if (q->constant[foreach_current_index(cell)] != NULL)
			continue;
		q->place[foreach_current_index(cell)] = IsA(expression, Aggref) ?
			place_of_ask(q, (Aggref *) expression, where) : place_of_key(q, expression);
	}
	count_groups(q);
	check_asks(q);
	dpem_exclude_groups(q, where);
	write_text(q);
	return q;
}
