/*
 * group_key.c - what a query may group by: expressions whose groups are public.
 *
 * A label's groups are its categories, and those of an immutable expression of one label are
 * what it makes of each.  A number's groups are the bins of width_bucket or of floor of a linear
 * expression, within the registered domain.  Whatever stands around these is
 * computed here, for a category or the middle of a bin.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"

#define HINT "GROUP BY may have registered labels and keys, immutable expressions of one label that tell its categories apart, width_bucket(number, low, high, count), floor of a linear expression of a number, as in floor(number / 10) * 10, and of integers, dates and times what rises with them: integer / 10, date_trunc('month', date), extract(year FROM date), or begins again: extract(dow FROM date), to_char(time, 'HH24')."

/* beyond it a double has no number one larger */
#define LARGEST_STEP 9e15

/* ---- labels ---- */

/* any order in which equal values are neighbours: by length, then by bytes */
static int
compare_values(const void *one, const void *other)
{
	const Const *a = *(Const *const *) one;
	const Const *b = *(Const *const *) other;
	Size		size;
	Size		size_b;

	if (a->constisnull || b->constisnull)
		return (int) a->constisnull - (int) b->constisnull;
	if (a->constbyval)
		return a->constvalue < b->constvalue ? -1 : a->constvalue > b->constvalue;
	size = datumGetSize(a->constvalue, false, a->constlen);
	size_b = datumGetSize(b->constvalue, false, b->constlen);
	if (size != size_b)
		return size < size_b ? -1 : 1;
	return memcmp(DatumGetPointer(a->constvalue), DatumGetPointer(b->constvalue), size);
}

static bool
tells_apart(const DpemGroupKey *key)
{
	Const	  **sorted = palloc(Max(key->n, 1) * sizeof(Const *));
	bool		apart = true;

	memcpy(sorted, key->value, key->n * sizeof(Const *));
	qsort(sorted, key->n, sizeof(Const *), compare_values);
	for (int i = 1; i < key->n; i++)
		apart = apart && compare_values(&sorted[i - 1], &sorted[i]) != 0;
	pfree(sorted);
	return apart;
}

static void
fill_categories(const DpemPrivateTable *table, DpemGroupKey *key, const DpemColumn *column)
{
	char	  **category = dpem_binding_load_categories(table->dataset, key->request.by, &key->n);

	if (key->n == 0)
		dpem_refuse_altered(table);
	key->category = category;
	key->value = palloc(Max(key->n, 1) * sizeof(Const *));
	for (int i = 0; i < key->n; i++)
	{
		key->value[i] = dpem_value_at(key->expression, (Node *) dpem_category_constant(table, column, category[i]));
		if (key->value[i] == NULL)
			dpem_refuse_expression(table, key->expression, HINT);
	}
	if (!tells_apart(key))
		dpem_refuse_expression(table, key->expression, "An expression in GROUP BY must tell the label's categories apart: group by the label, and put its groups together in an outer query.");
}

/* ---- bins of numbers ---- */

/* a step of a number: floor(offset + slope x), or the bin of width_bucket */
typedef struct Step
{
	double		slope;			/* above 0 */
	double		offset;
	double		first;			/* least and greatest steps there are: of width_bucket 0 and count + 1 */
	double		last;
} Step;

/* the value of an expression at x; NULL: it has none that is known in advance */
static Const *
value_at(Node *expression, double x)
{
	return dpem_value_at(expression, (Node *) makeConst(FLOAT8OID, -1, InvalidOid, 8, Float8GetDatum(x), false, FLOAT8PASSBYVAL));
}

/* NaN: it has none that is a number */
static double
number_at(Node *expression, double x)
{
	Const	   *value = value_at(expression, x);

	if (value == NULL || value->constisnull || value->consttype != FLOAT8OID)
		return NAN;
	return DatumGetFloat8(value->constvalue);
}

/* sums, differences and multiples of one column */
static bool
is_linear(const DpemPrivateTable *table, Node *node)
{
	List	   *arguments = IsA(node, OpExpr) ? ((OpExpr *) node)->args : NIL;
	bool		left;
	bool		right;

	if (dpem_private_column(table, node) != NULL)
		return true;
	if (list_length(arguments) != 2)
		return false;
	left = contain_var_clause(linitial(arguments));
	right = contain_var_clause(lsecond(arguments));
	if (left == right)
		return false;
	switch (get_opcode(((OpExpr *) node)->opno))
	{
		case F_FLOAT8PL:
		case F_FLOAT8MI:
		case F_FLOAT8MUL:
			return is_linear(table, left ? linitial(arguments) : lsecond(arguments));
		case F_FLOAT8DIV:
			return left && is_linear(table, linitial(arguments));
	}
	return false;
}

static bool
read_floor(const DpemPrivateTable *table, Node *argument, Step *step)
{
	double		at_0 = number_at(argument, 0);

	if (!is_linear(table, argument))
		return false;
	*step = (Step) {.slope = number_at(argument, 1) - at_0,.offset = at_0,.first = -INFINITY,.last = INFINITY};
	return isfinite(step->slope) && isfinite(step->offset) && step->slope > 0;
}

static double
number_of(Node *node)
{
	if (!IsA(node, Const) || ((Const *) node)->constisnull)
		return NAN;
	return ((Const *) node)->consttype == INT4OID ? DatumGetInt32(((Const *) node)->constvalue) : DatumGetFloat8(((Const *) node)->constvalue);
}

static bool
read_width_bucket(const DpemPrivateTable *table, List *arguments, Step *step)
{
	double		low = number_of(lsecond(arguments));
	double		high = number_of(lthird(arguments));
	double		count = number_of(lfourth(arguments));

	if (dpem_private_column(table, linitial(arguments)) == NULL || !(low < high) || !(count >= 1) || !isfinite(high - low))
		return false;
	*step = (Step) {.slope = count / (high - low),.offset = 1 - low * count / (high - low),.first = 0,.last = count + 1};
	return true;
}

/* the one step function in an expression: any other column in it is a refusal */
typedef struct StepSearch
{
	const DpemPrivateTable *table;
	Step		step;
	int			found;
	bool		loose;			/* a column outside of a step */
} StepSearch;

static bool
find_step(Node *node, void *context)
{
	StepSearch *search = context;
	FuncExpr   *call = (FuncExpr *) node;

	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) && ((call->funcid == F_FLOOR_FLOAT8 && read_floor(search->table, linitial(call->args), &search->step)) ||
		(call->funcid == F_WIDTH_BUCKET_FLOAT8_FLOAT8_FLOAT8_INT4 && read_width_bucket(search->table, call->args, &search->step))))
	{
		search->found++;
		return false;
	}
	if (IsA(node, Var))
		search->loose = true;
	return expression_tree_walker(node, find_step, context);
}

/* where step k begins */
static double
edge_of(const Step *step, const DpemColumn *column, double k)
{
	if (k <= step->first || k > step->last)
		return k <= step->first ? column->lower : column->upper;
	return fmin(fmax((k - step->offset) / step->slope, column->lower), column->upper);
}

static double
step_at(const Step *step, double x)
{
	return fmin(fmax(floor(step->offset + step->slope * x), step->first), step->last);
}

/* edges of the steps within the domain; one that would be empty is left out */
static void
fill_edges(const DpemPrivateTable *table, DpemGroupKey *key, const Step *step, const DpemColumn *column)
{
	double		first = step_at(step, column->lower);
	double		last = step_at(step, column->upper);
	int			steps;
	int			n = 0;

	if (!(fmax(fabs(first), fabs(last)) < LARGEST_STEP))
		dpem_refuse_expression(table, key->expression, "The groups must be whole numbers between -9e15 and 9e15.");
	if (!(last - first < DPEM_GROUPS_MAX))
		dpem_refuse_expression(table, key->expression, "The domain must have fewer bins: at most 4096 groups.");
	steps = (int) (last - first) + 1;
	key->request.edges = palloc((steps + 1) * sizeof(double));
	key->request.edges[0] = column->lower;
	for (int i = 1; i <= steps; i++)
	{
		double		edge = i == steps ? column->upper : edge_of(step, column, first + i);

		if (edge > key->request.edges[n])
			key->request.edges[++n] = edge;
	}
	key->n = key->request.bins = n;
}

/* what the whole expression says in the middle of each bin */
static void
fill_bins(const DpemPrivateTable *table, DpemGroupKey *key)
{
	key->value = palloc(Max(key->n, 1) * sizeof(Const *));
	for (int i = 0; i < key->n; i++)
	{
		double		middle = key->request.edges[i] / 2 + key->request.edges[i + 1] / 2;

		key->value[i] = value_at(key->expression, middle);
		if (key->value[i] == NULL)
			dpem_refuse_expression(table, key->expression, HINT);
	}
}

static void
group_by_number(const DpemPrivateTable *table, DpemGroupKey *key, const DpemColumn *column)
{
	StepSearch	search = {.table = table};

	(void) find_step(key->expression, &search);
	if (search.found != 1 || search.loose)
		dpem_refuse_expression(table, key->expression, HINT);
	key->request.groups = DPEM_BY_BINS;
	fill_edges(table, key, &search.step, column);
	fill_bins(table, key);
}

static void
group_by_steps(const DpemPrivateTable *table, DpemGroupKey *key)
{
	if (dpem_is_ascending(table, key->expression))
		dpem_lattice_groups(table, key);
	else if (!dpem_cycle_groups(table, key))
		dpem_refuse_expression(table, key->expression, HINT);
}

/* ---- the whole ---- */

DpemGroupKey *
dpem_group_key(const DpemPrivateTable *table, Node *expression)
{
	DpemGroupKey *key = palloc0(sizeof(DpemGroupKey));
	const DpemColumn *column = dpem_only_column(table, expression);

	if (column == NULL || contain_subplans(expression))
		dpem_refuse_expression(table, expression, HINT);
	key->expression = expression;
	key->request = (DpemGroupsRequest) {.by = column->name,.groups = DPEM_BY_VALUES,.bins = -1};
	key->is_private = column->kind == DPEM_COLUMN_KEY;
	if (column->kind == DPEM_COLUMN_LABEL)
		fill_categories(table, key, column);
	else if (dpem_has_lattice(column))
		group_by_steps(table, key);
	else if (column->kind == DPEM_COLUMN_NUMBER)
		group_by_number(table, key, column);
	else if (dpem_private_column(table, expression) == NULL)
		dpem_refuse_expression(table, expression, "A key whose values are not public can only be grouped by itself.");
	return key;
}
