/*
 * scan.c - a query of a private table under way.
 *
 * The question is asked when the first row is wanted, once: the answer stays with the
 * scan, and rows are read from it however often the plan begins anew.  The charge goes to the role that runs the
 * query.  A view that reads the table with its owner's rights would spend somebody else's budget, or
 * with somebody else's rights, and is refused.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "fdw/explaining.h"
#include "fdw/fdw.h"
#include "server/version_shims.h"

typedef struct PrivateScan
{
	DpemPrivateTable *table;
	List	   *columns;		/* as they were planned */
	List	   *conditions;
	List	   *values;			/* expressions in these that only an execution knows */
	List	   *value_states;
	DpemPrice	price;
	bool		free;			/* groups and nothing else */
	List	   *sets;			/* of GROUPING SETS; NIL: none */
	int			parts;			/* questions: one, or one for each set */
	DpemQuestion **question;
	DpemAnswer **answer;		/* of each part; NULL: not asked yet */
	int			part;			/* next row: of which part, and which group of it */
	int			next;
	bool		stale;			/* a value may have changed since the question was asked */
	MemoryContext memory;		/* of the answer */
} PrivateScan;

/* scans between begin and end in this session; the first one of a query clears the last answer */
static int	open_scans = 0;

/* ---- who asks ---- */

static Oid
asked_as(ForeignScanState *node, Oid relation)
{
#if PG_VERSION_NUM >= 160000
	return ((ForeignScan *) node->ss.ps.plan)->checkAsUser;
#else
	Bitmapset  *tables = ((ForeignScan *) node->ss.ps.plan)->fs_relids;
	int			i = -1;

	while ((i = bms_next_member(tables, i)) >= 0)
	{
		RangeTblEntry *entry = exec_rt_fetch(i, node->ss.ps.state);

		if (entry->relid == relation)
			return entry->checkAsUser;
	}
	return InvalidOid;
#endif
}

static void
require_own_query(ForeignScanState *node, const DpemPrivateTable *table)
{
	Oid			role = asked_as(node, table->relation);

	if (OidIsValid(role) && role != GetUserId())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("private table \"%s\" cannot be read through another role's view", get_rel_name(table->relation)),
				 errhint("A budget is spent only by a query of the role that holds it: the view's owner can say ALTER VIEW ... SET (security_invoker = true).")));
}

/* ---- questions ---- */

typedef struct Values
{
	List	   *of;
	List	   *are;			/* of Const; NULL in place of one that is not known yet */
} Values;

static Node *
put_values(Node *node, void *context)
{
	Values	   *values = context;
	ListCell   *one;
	ListCell   *other;

	if (node == NULL)
		return NULL;
	forboth(one, values->of, other, values->are)
	{
		if (lfirst(other) != NULL && equal(lfirst(one), node))
			return copyObject(lfirst(other));
	}
	return expression_tree_mutator(node, put_values, context);
}

static Const *
value_of(ExprState *state, ExprContext *context, Node *expression)
{
	int16		length;
	bool		by_value;
	bool		isnull;
	Datum		value = ExecEvalExprSwitchContext(state, context, &isnull);

	get_typlenbyval(exprType(expression), &length, &by_value);
	return makeConst(exprType(expression), exprTypmod(expression), exprCollation(expression), length, value, isnull, by_value);
}

static bool
is_internal(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN)
		return true;
	return expression_tree_walker(node, is_internal, context);
}

/* all: those of subqueries, too, which run them */
static Values
find_values(ForeignScanState *node, bool all)
{
	PrivateScan *scan = node->fdw_state;
	Values		values = {scan->values, NIL};
	ListCell   *expression;
	ListCell   *state;

	forboth(expression, scan->values, state, scan->value_states)
		values.are = lappend(values.are, all || !is_internal(lfirst(expression), NULL) ?
							 value_of(lfirst(state), node->ss.ps.ps_ExprContext, lfirst(expression)) : NULL);
	return values;
}

static DpemQuestion **
make_questions(ForeignScanState *node, bool all)
{
	PrivateScan *scan = node->fdw_state;
	Values		values = find_values(node, all);
	List	   *columns = (List *) put_values((Node *) scan->columns, &values);
	List	   *conditions = (List *) put_values((Node *) scan->conditions, &values);
	DpemQuestion **question = palloc(scan->parts * sizeof(DpemQuestion *));

	for (int i = 0; i < scan->parts; i++)
	{
		const List *set = scan->sets == NIL ? NIL : list_nth(scan->sets, i);

		question[i] = dpem_question(scan->table, columns, conditions, scan->sets == NIL ? NULL : &set);
	}
	return question;
}

/* groups and nothing else, all of them public */
static bool
is_free(const PrivateScan *scan)
{
	bool		free = true;

	for (int i = 0; i < scan->parts; i++)
		free = free && scan->question[i]->asks == NIL && scan->question[i]->groups > 0;
	return free;
}

static const DpemQuestion *const *
questions_of(const PrivateScan *scan)
{
	return (const DpemQuestion *const *) scan->question;
}

/* NULL: there is nothing to pay */
static const DpemPrice *
price_of(const PrivateScan *scan)
{
	return scan->free ? NULL : &scan->price;
}

/* ---- begin and end ---- */

static void
close_scan(void *argument)
{
	open_scans--;
}

static void
count_scan(EState *estate)
{
	MemoryContextCallback *callback = MemoryContextAllocZero(estate->es_query_cxt, sizeof(MemoryContextCallback));

	if (open_scans == 0)
		dpem_last_answer_begin();
	callback->func = close_scan;
	MemoryContextRegisterResetCallback(estate->es_query_cxt, callback);
	open_scans++;
}

/*
 * A charge cannot be made while workers run; a query of private tables has none.  What would start
 * them reads this before they are started.
 */
static void
run_alone(EState *estate)
{
	estate->es_plannedstmt->parallelModeNeeded = false;
}

/* what dpem_plan_question keeps of the question */
static PrivateScan *
read_plan(ForeignScanState *node)
{
	const ForeignScan *plan = (const ForeignScan *) node->ss.ps.plan;
	PrivateScan *scan = palloc0(sizeof(PrivateScan));

	scan->table = dpem_private_table((Oid) intVal(linitial(plan->fdw_private)), intVal(lsecond(plan->fdw_private)));
	scan->columns = lthird(plan->fdw_private);
	scan->conditions = lfourth(plan->fdw_private);
	scan->values = list_nth(plan->fdw_private, 4);
	scan->value_states = ExecInitExprList(plan->fdw_exprs, &node->ss.ps);
	scan->sets = list_nth(plan->fdw_private, 5);
	scan->parts = Max(list_length(scan->sets), 1);
	return scan;
}

void
dpem_begin_scan(ForeignScanState *node, int eflags)
{
	PrivateScan *scan;

	if (((const ForeignScan *) node->ss.ps.plan)->scan.scanrelid != 0)
		return;					/* of the table by itself, which says so when a row is wanted */
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
		PreventCommandIfParallelMode("a query of a private table");
	scan = node->fdw_state = read_plan(node);
	scan->memory = AllocSetContextCreate(node->ss.ps.state->es_query_cxt, "dpem answer", ALLOCSET_DEFAULT_SIZES);
	scan->question = make_questions(node, false);
	scan->free = is_free(scan);
	if (!scan->free)
		scan->price = dpem_query_price(scan->table);
	require_own_query(node, scan->table);
	run_alone(node->ss.ps.state);
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0)
		count_scan(node->ss.ps.state);
}

void
dpem_end_scan(ForeignScanState *node)
{
	/* everything is in the query's memory */
}

/* ---- rows ---- */

static void
ask(ForeignScanState *node)
{
	PrivateScan *scan = node->fdw_state;
	DpemAnswer **answer = palloc(scan->parts * sizeof(DpemAnswer *));

	/* a cursor may have waited for as long as its transaction did */
	scan->table = dpem_private_table(scan->table->relation, scan->table->number);
	scan->question = make_questions(node, true);
	dpem_answer_questions(questions_of(scan), scan->parts, price_of(scan), answer);
	for (int i = 0; i < scan->parts; i++)
		dpem_last_answer_add(scan->question[i], answer[i]);
	scan->answer = answer;
}

/* refuses another question than the one that this query has paid for */
static void
ask_again(ForeignScanState *node)
{
	PrivateScan *scan = node->fdw_state;
	DpemQuestion **question = make_questions(node, true);

	for (int i = 0; i < scan->parts; i++)
	{
		if (strcmp(question[i]->text, scan->question[i]->text) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("one query asks private table \"%s\" one question, not another one for each row of something else", get_rel_name(scan->table->relation)),
					 errhint("Group by the column, and join the result.")));
	}
	/* groups alone are no question of their conditions, which say what is shown */
	scan->question = question;
}

static void
require_answer(ForeignScanState *node)
{
	PrivateScan *scan = node->fdw_state;
	MemoryContext old;

	if (scan->answer != NULL && !scan->stale)
		return;
	old = MemoryContextSwitchTo(scan->memory);
	if (scan->answer == NULL)
		ask(node);
	else
		ask_again(node);
	scan->stale = false;
	MemoryContextSwitchTo(old);
}

/* the next group that is shown, of this part of the answer or of a later one */
static void
skip_to_shown(PrivateScan *scan)
{
	for (; scan->part < scan->parts; scan->part++, scan->next = 0)
	{
		for (; scan->next < scan->answer[scan->part]->groups; scan->next++)
			if (!dpem_answer_is_hidden(scan->question[scan->part], scan->answer[scan->part], scan->next))
				return;
	}
}

TupleTableSlot *
dpem_iterate_scan(ForeignScanState *node)
{
	PrivateScan *scan = node->fdw_state;
	TupleTableSlot *slot = node->ss.ss_ScanTupleSlot;

	if (node->ss.ss_currentRelation != NULL)
		return dpem_rows_next(node);
	require_answer(node);
	ExecClearTuple(slot);
	skip_to_shown(scan);
	if (scan->part == scan->parts)
		return slot;
	for (int i = 0; i < list_length(scan->columns); i++)
		slot->tts_values[i] = dpem_answer_column(scan->question[scan->part], scan->answer[scan->part], scan->next, i, &slot->tts_isnull[i]);
	scan->next++;
	return ExecStoreVirtualTuple(slot);
}

void
dpem_rescan(ForeignScanState *node)
{
	PrivateScan *scan = node->fdw_state;

	if (node->ss.ss_currentRelation != NULL)
	{
		dpem_rows_rescan(node);
		return;
	}
	scan->part = 0;
	scan->next = 0;
	scan->stale = node->ss.ps.chgParam != NULL || scan->values != NIL;
}

/* ---- EXPLAIN ---- */

/* reads no row and spends nothing; with ANALYZE the query has run, and the answer is its own */
void
dpem_explain_scan(ForeignScanState *node, ExplainState *es)
{
	PrivateScan *scan = node->fdw_state;

	if (node->ss.ss_currentRelation != NULL)
	{
		dpem_rows_explain(node, es);
		return;
	}
	ExplainPropertyText("Private Table", get_rel_name(scan->table->relation), es);
	dpem_explain_questions(questions_of(scan), scan->parts, price_of(scan), scan->answer, es);
}
