/*
 * upper_path.c - the one path that a private table has: a grouped query of it alone.
 *
 * The result of the path is a row for each group, of the grouped expressions and the aggregates;
 * what the query makes of these (HAVING, ORDER BY, arithmetic, joins) is computed above it by
 * the server's own executor.  Rows, costs and everything else that the planner is told are constants or
 * public numbers.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"
#include "fdw/fdw_plan.h"
#include "server/version_shims.h"

/* below what any path over the table itself costs */
#define UPPER_COST 1000

#define PARAMETER_HINT "A value in a query of a private table must be the same for the whole query: group by the column instead, and join the result."

/* ---- columns of the scan ---- */

typedef struct Collector
{
	const DpemPrivateTable *table;
	List	   *keys;			/* grouped expressions */
	List	   *columns;		/* of TargetEntry */
} Collector;

/* grouped expressions and aggregates below an expression; any other column has no one value in a group */
static bool
collect(Node *node, void *context)
{
	Collector  *c = context;

	if (node == NULL || list_member(c->keys, node))
		return false;
	if (IsA(node, Aggref) || IsA(node, GroupingFunc))
	{
		c->columns = add_to_flat_tlist(c->columns, list_make1(node));
		return false;
	}
	if (IsA(node, Var))
		dpem_refuse_expression(c->table, node, "Only aggregates and what is in GROUP BY may be selected.");
	return expression_tree_walker(node, collect, context);
}

static void
collect_keys(Collector *c, PlannerInfo *root, UpperRelationKind stage, List *target)
{
	ListCell   *cell;

	if (stage == UPPERREL_DISTINCT)
	{
		foreach(cell, target)
			c->keys = list_append_unique(c->keys, lfirst(cell));
	}
	else
	{
		foreach(cell, root->parse->groupClause)
			c->keys = list_append_unique(c->keys, get_sortgroupclause_tle(lfirst(cell), root->processed_tlist)->expr);
	}
	c->columns = add_to_flat_tlist(NIL, c->keys);
	foreach(cell, stage == UPPERREL_DISTINCT ? NIL : root->parse->groupClause)
	{
		const TargetEntry *grouped = get_sortgroupclause_tle(lfirst(cell), root->processed_tlist);

		tlist_member(grouped->expr, c->columns)->ressortgroupref = grouped->ressortgroupref;
	}
}

/* ---- conditions ---- */

typedef struct ParameterSearch
{
	PlannerInfo *root;
	const DpemPrivateTable *table;
} ParameterSearch;

static bool
is_of_init_plan(PlannerInfo *root, int parameter)
{
	ListCell   *cell;

	for (; root != NULL; root = root->parent_root)
	{
		foreach(cell, root->init_plans)
		{
			if (list_member_int(((SubPlan *) lfirst(cell))->setParam, parameter))
				return true;
		}
	}
	return false;
}

/* what another table's row, or an outer query, would give a value would ask a question for each of its rows */
static bool
refuse_correlation(Node *node, void *context)
{
	ParameterSearch *search = context;

	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN && !is_of_init_plan(search->root, ((Param *) node)->paramid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a query of private table \"%s\" cannot depend on rows of an outer query", get_rel_name(search->table->relation)),
				 errhint(PARAMETER_HINT)));
	return expression_tree_walker(node, refuse_correlation, context);
}

/* a condition of no column is not the table's to check, and the path has no place for it */
static List *
conditions_of(const DpemPrivateTable *table, RelOptInfo *rel)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		RestrictInfo *info = lfirst(cell);

		if (info->pseudoconstant)
			dpem_refuse_expression(table, (Node *) info->clause, "A condition in WHERE must name a column.");
		conditions = lappend(conditions, info->clause);
	}
	return conditions;
}

/* ---- the path ---- */

/* NIL: there are none */
static List *
grouping_sets(PlannerInfo *root, const DpemPrivateTable *table)
{
	List	   *sets = root->parse->groupingSets;	/* which the planner has expanded */

	if (list_length(sets) > DPEM_GROUPING_SETS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("more than %d grouping sets cannot be asked of private table \"%s\"", DPEM_GROUPING_SETS_MAX, get_rel_name(table->relation)),
				 errhint("Each set has an equal part of the query's epsilon: ask for fewer, or for the finest groups, and add the results up in an outer query.")));
	return sets;
}

/* groups of all sets together; raises what a set's question raises */
static int
check_questions(const DpemPlannedQuestion *planned)
{
	int			groups = 0;
	ListCell   *cell;

	if (planned->sets == NIL)
		return dpem_question(planned->table, planned->columns, planned->conditions, NULL)->groups;
	foreach(cell, planned->sets)
	{
		const List *set = lfirst(cell);

		groups += dpem_question(planned->table, planned->columns, planned->conditions, &set)->groups;
	}
	return groups;
}

static DpemPlannedQuestion *
plan_question(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *rel, const DpemPrivateTable *table)
{
	DpemPlannedQuestion *planned = palloc0(sizeof(DpemPlannedQuestion));
	Collector	c = {.table = table};
	ParameterSearch search = {root, table};
	List	   *target = root->upper_targets[stage]->exprs;

	collect_keys(&c, root, stage, target);
	(void) collect((Node *) target, &c);
	if (stage == UPPERREL_GROUP_AGG)
		(void) collect(root->parse->havingQual, &c);
	planned->table = table;
	planned->columns = c.columns;
	planned->conditions = conditions_of(table, rel);
	planned->sets = stage == UPPERREL_GROUP_AGG ? grouping_sets(root, table) : NIL;
	(void) refuse_correlation((Node *) planned->conditions, &search);
	(void) refuse_correlation((Node *) planned->columns, &search);
	return planned;
}

/* SELECT DISTINCT of labels is as public as they are; of anything else it is the table's rows */
static bool
is_possible(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *rel, const DpemPrivateTable *table)
{
	ListCell   *cell;

	if (stage == UPPERREL_GROUP_AGG)
		return true;
	if (stage != UPPERREL_DISTINCT || root->parse->hasDistinctOn || root->parse->hasWindowFuncs || root->parse->hasTargetSRFs)
		return false;
	foreach(cell, root->upper_targets[stage]->exprs)
	{
		Var		   *var = lfirst(cell);
		const DpemColumn *column = dpem_private_column(table, (Node *) var);

		if (!IsA(var, Var) || column == NULL || column->kind != DPEM_COLUMN_LABEL)
			return false;
	}
	return true;
}

void
dpem_get_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra)
{
	const DpemPrivateTable *table = input_rel->fdw_private;
	DpemPlannedQuestion *planned;
	int			groups;

	if (input_rel->reloptkind != RELOPT_BASEREL || table == NULL || output_rel->fdw_private != NULL ||
		!is_possible(root, stage, input_rel, table))
		return;
	planned = plan_question(root, stage, input_rel, table);
	groups = check_questions(planned);
	output_rel->fdw_private = planned;
	add_path(output_rel, (Path *)
			 dpem_create_upper_path(root, output_rel, root->upper_targets[stage], groups > 0 ? groups : 100, UPPER_COST));
}

/* ---- the plan ---- */

typedef struct ValueSearch
{
	List	   *values;
} ValueSearch;

/* nodes that an expression can begin with; others are parts of one */
static bool
is_expression(Node *node)
{
	switch (nodeTag(node))
	{
		case T_Param:
		case T_FuncExpr:
		case T_OpExpr:
		case T_ArrayExpr:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_ArrayCoerceExpr:
		case T_CaseExpr:
		case T_CoalesceExpr:
		case T_SQLValueFunction:
			return true;
		default:
			return false;
	}
}

/* the largest expressions without columns that are not constants */
static bool
find_values(Node *node, void *context)
{
	ValueSearch *search = context;

	if (node == NULL || IsA(node, Const))
		return false;
	if (is_expression(node) && dpem_is_value(node))
	{
		search->values = list_append_unique(search->values, node);
		return false;
	}
	return expression_tree_walker(node, find_values, context);
}

ForeignScan *
dpem_plan_question(RelOptInfo *rel, List *tlist, List *having)
{
	DpemPlannedQuestion *planned = rel->fdw_private;
	ValueSearch search = {NIL};

	(void) find_values((Node *) planned->conditions, &search);
	(void) find_values((Node *) planned->columns, &search);
	return make_foreignscan(tlist, having, 0, search.values,
							lappend(list_make5(makeInteger((int) planned->table->relation), makeInteger(planned->table->number), planned->columns, planned->conditions, search.values),
									planned->sets),
							planned->columns, NIL, NULL);
}
