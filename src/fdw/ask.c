/*
 * ask.c - what a query may ask of a group: aggregates that have a private counterpart.
 */
#include "postgres.h"

#include <math.h>

#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "core/statistics/quantile.h"
#include "fdw/fdw.h"
#include "server/version_shims.h"

#define HINT "Aggregates of registered numbers are sum, avg, variance, var_samp, var_pop, stddev, stddev_samp, stddev_pop, covar_samp, covar_pop and percentile_cont or percentile_disc, and count of anything; each may have FILTER (WHERE ...)."
#define EXTREMES "The smallest and the largest value are a single row's. Ask for percentile_disc(0.05) WITHIN GROUP (ORDER BY column) or percentile_disc(0.95), or read the public bounds in dpem.columns."
#define SUMS "Of a column with something added to it ask for sum(column) and count(*), and put them together in an outer query."
#define DISTINCT "A private aggregate has no DISTINCT, ORDER BY or VARIADIC. Which categories there are is public; how many rows each has is count(*) with GROUP BY."

typedef struct Known
{
	const char *aggregate;
	const char *statistic;
	bool		population;
} Known;

static const Known known[] = {
	{"count", "count", false}, {"sum", "sum", false}, {"avg", "avg", false},
	{"variance", "variance", false}, {"var_samp", "variance", false}, {"var_pop", "variance", true},
	{"stddev", "stddev", false}, {"stddev_samp", "stddev", false}, {"stddev_pop", "stddev", true},
	{"covar_samp", "covariance", false}, {"covar_pop", "covariance", true}
};

char *
dpem_filter_and(const char *one, const char *other)
{
	if (one == NULL || other == NULL)
		return one != NULL ? pstrdup(one) : other != NULL ? pstrdup(other) : NULL;
	return psprintf("(%s) and (%s)", one, other);
}

pg_noreturn static void
refuse(const DpemPrivateTable *table, const DpemAsk *ask, const char *hint)
{
	dpem_refuse_expression(table, (Node *) ask->aggregate, hint);
}

/* ---- constants ---- */

double
dpem_constant_number(Node *node)
{
	const Const *value = (const Const *) node;

	if (!IsA(node, Const) || value->constisnull)
		return NAN;
	switch (value->consttype)
	{
		case INT2OID:
			return DatumGetInt16(value->constvalue);
		case INT4OID:
			return DatumGetInt32(value->constvalue);
		case INT8OID:
			return (double) DatumGetInt64(value->constvalue);
		case FLOAT8OID:
			return DatumGetFloat8(value->constvalue);
		case NUMERICOID:
			return DatumGetFloat8(DirectFunctionCall1(numeric_float8, value->constvalue));
	}
	return NAN;
}

char *
dpem_constant_text(Node *node)
{
	const Const *value = (const Const *) node;

	if (!IsA(node, Const) || value->constisnull || value->consttype != TEXTOID)
		return NULL;
	return TextDatumGetCString(value->constvalue);
}

List *
dpem_array_constants(const Const *array)
{
	Oid			type = get_base_element_type(array->consttype);
	List	   *constants = NIL;
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *item;
	bool	   *null;
	int			n;

	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(DatumGetArrayTypeP(array->constvalue), type, length, by_value, align, &item, &null, &n);
	for (int i = 0; i < n; i++)
		constants = lappend(constants, makeConst(type, -1, array->constcollid, length, item[i], null[i], by_value));
	return constants;
}

/* ---- CASE WHEN condition THEN something ELSE 0 END: something FILTER (WHERE condition) ---- */

static bool
is_null(Node *node)
{
	return node == NULL || (IsA(node, Const) && ((Const *) node)->constisnull);
}

/* of a sum a 0 is as good as nothing */
static Node *
unwrap_case(const DpemPrivateTable *table, DpemAsk *ask, Node *argument)
{
	CaseExpr   *choice = (CaseExpr *) argument;
	bool		sums = ask->statistic != NULL && strcmp(ask->statistic->name, "sum") == 0;
	CaseWhen   *when;

	if (!IsA(argument, CaseExpr) || choice->arg != NULL || list_length(choice->args) != 1)
		return argument;
	if (!is_null((Node *) choice->defresult) && !(sums && dpem_constant_number((Node *) choice->defresult) == 0))
		return argument;
	when = linitial(choice->args);
	ask->filter = dpem_filter_and(ask->filter, dpem_filter_of(table, list_make1(when->expr)));
	return (Node *) when->result;
}

/* ---- arguments ---- */

/* an aggregate of a multiple of a column and a constant, as one of the column */
static void
take_affine(const DpemPrivateTable *table, DpemAsk *ask, const DpemAffine *number)
{
	const char *name = ask->statistic->name;

	ask->columns = lappend(ask->columns, number->column->name);
	if (strcmp(name, "count") == 0)
		return;
	if (strcmp(name, "sum") == 0 && number->offset != 0)
		refuse(table, ask, SUMS);
	ask->factor *= strcmp(name, "variance") == 0 ? number->factor * number->factor : strcmp(name, "stddev") == 0 ? fabs(number->factor) : number->factor;
	if (strcmp(name, "avg") == 0)
		ask->offset = number->offset;
}

/* a number's name; for count any column, whose rows with a value count */
static void
take_argument(const DpemPrivateTable *table, DpemAsk *ask, Node *argument)
{
	const DpemColumn *column;
	DpemAffine	number;
	bool		counts = strcmp(ask->statistic->name, "count") == 0;

	argument = unwrap_case(table, ask, argument);
	number = dpem_affine(table, argument);
	column = number.column != NULL ? number.column : dpem_private_column(table, argument);
	if (column == NULL && (counts || strcmp(ask->statistic->name, "sum") == 0) && isfinite(dpem_constant_number(argument)))
	{
		ask->factor = counts ? 1 : dpem_constant_number(argument);
		ask->statistic = dpem_statistic_from_name("count");
		return;
	}
	if (column == NULL || (column->kind != DPEM_COLUMN_NUMBER && !counts))
		refuse(table, ask, HINT);
	if (number.column != NULL)
		take_affine(table, ask, &number);
	else
		ask->filter = dpem_filter_and(ask->filter, psprintf("%s is not null", quote_qualified_identifier(NULL, column->name)));
}

static void
take_quantile(const DpemPrivateTable *table, DpemAsk *ask, bool descending)
{
	Node	   *level = linitial(ask->aggregate->aggdirectargs);
	DpemAffine	number = dpem_affine(table, (Node *) ((TargetEntry *) linitial(ask->aggregate->args))->expr);

	ask->level = dpem_constant_number(level);
	if (exprType(level) != FLOAT8OID || number.column == NULL)
		refuse(table, ask, HINT);
	ask->factor = number.factor;
	ask->offset = number.offset;
	if (descending != (number.factor < 0))
		ask->level = 1 - ask->level;
	if (IsA(level, Const) && dpem_quantile_level(ask->level) == 0)
		refuse(table, ask, "The fraction must be above 0 and below 1; 0.5 is the median.");
	if (!IsA(level, Const))
		ask->level = 0.5;
	ask->columns = list_make1(number.column->name);
}

/* 1 of an operator of the server's own that sorts upwards, -1 downwards, 0 of others */
static int
order_direction(Oid operator)
{
	Oid			family;
	Oid			type;
	DpemOrdering order;

	if (operator >= FirstNormalObjectId || !get_ordering_op_properties(operator, &family, &type, &order))
		return 0;
	return order == DPEM_ASCENDING ? 1 : order == DPEM_DESCENDING ? -1 : 0;
}

static void
read_quantile(const DpemPrivateTable *table, DpemAsk *ask, const char *name)
{
	SortGroupClause *order = linitial(ask->aggregate->aggorder);
	int			direction = order_direction(order->sortop);

	if ((strcmp(name, "percentile_cont") != 0 && strcmp(name, "percentile_disc") != 0) || direction == 0)
		refuse(table, ask, HINT);
	take_quantile(table, ask, direction < 0);
}

static void
read_statistic(const DpemPrivateTable *table, DpemAsk *ask, const char *name)
{
	ListCell   *cell;

	for (int i = 0; i < lengthof(known); i++)
	{
		if (strcmp(known[i].aggregate, name) != 0)
			continue;
		ask->statistic = dpem_statistic_from_name(known[i].statistic);
		ask->population = known[i].population;
	}
	if (ask->statistic == NULL)
		refuse(table, ask, strcmp(name, "min") == 0 || strcmp(name, "max") == 0 ? EXTREMES : HINT);
	foreach(cell, ask->aggregate->aggdistinct != NIL ? NIL : ask->aggregate->args)
		take_argument(table, ask, (Node *) ((TargetEntry *) lfirst(cell))->expr);
}

/*
 * count(DISTINCT unit) of a dataset whose persons have one row each at most, or one that is chosen: its rows
 * are its persons.
 */
static bool
counts_persons(const DpemPrivateTable *table, const Aggref *aggregate, const char *name)
{
	const DpemDataset *ds = table->dataset;
	const DpemColumn *column;

	if (aggregate->aggdistinct == NIL || strcmp(name, "count") != 0 || list_length(aggregate->args) != 1)
		return false;
	column = dpem_private_column(table, (Node *) ((TargetEntry *) linitial(aggregate->args))->expr);
	if (column == NULL || ds->unit == NULL || strcmp(column->name, ds->unit) != 0)
		return false;
	if (ds->max_rows_per_unit > 1)
		dpem_refuse_expression(table, (Node *) aggregate, psprintf("Up to %d rows of each person count here. Persons are counted in a dataset whose max_rows_per_unit is 1.", ds->max_rows_per_unit));
	return true;
}

/* of the server's own, and of all rows of a group alike */
static void
check_aggregate(const DpemPrivateTable *table, const DpemAsk *ask, const char *name)
{
	const Aggref *aggregate = ask->aggregate;
	bool		ordered = aggregate->aggkind == AGGKIND_ORDERED_SET;

	if (get_func_namespace(aggregate->aggfnoid) != PG_CATALOG_NAMESPACE || aggregate->aggkind == AGGKIND_HYPOTHETICAL)
		refuse(table, ask, HINT);
	if ((aggregate->aggdistinct != NIL && !counts_persons(table, aggregate, name)) || aggregate->aggvariadic ||
		(aggregate->aggorder != NIL && !ordered && aggregate->aggdistinct == NIL))
		refuse(table, ask, DISTINCT);
}

/* answer_value.c makes such a value of a number */
static bool
has_numbers(Oid type, bool ordered)
{
	switch (type)
	{
		case INT8OID:
		case FLOAT8OID:
		case NUMERICOID:
		case INTERVALOID:
			return true;
		case INT2OID:
		case INT4OID:
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return ordered;
		default:
			return false;
	}
}

DpemAsk *
dpem_ask(const DpemPrivateTable *table, Aggref *aggregate, const char *where)
{
	DpemAsk    *ask = palloc0(sizeof(DpemAsk));
	bool		ordered = aggregate->aggkind == AGGKIND_ORDERED_SET;
	const char *name = get_func_name(aggregate->aggfnoid);

	ask->aggregate = aggregate;
	ask->factor = 1;
	ask->name = dpem_deparse(table, (Node *) aggregate);
	check_aggregate(table, ask, name);
	ask->filter = dpem_filter_and(where, aggregate->aggfilter == NULL ? NULL
								  : dpem_filter_of(table, make_ands_implicit(aggregate->aggfilter)));
	if (ordered)
		read_quantile(table, ask, name);
	else
		read_statistic(table, ask, name);
	if (!has_numbers(aggregate->aggtype, ordered))
		refuse(table, ask, HINT);
	return ask;
}
