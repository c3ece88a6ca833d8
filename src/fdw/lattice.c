/*
 * lattice.c - what an ascending expression (ascending.c) says of a column of integers, dates or
 * times: where its values change, and from where on a comparison is true.
 *
 * Such a column takes whole steps: 1, a day, a microsecond.  The expression is computed
 * here, by the server's executor, for points of the column's public domain; rows take no part.
 */
#include "postgres.h"

#include <math.h>

#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "fdw/step_curve.h"
#include "registry/calendar.h"

#define FALLS "Values of the expression must rise with the column's, which they do not: a clock that is set back makes them fall."

bool
dpem_has_lattice(const DpemColumn *column)
{
	Oid			type = dpem_published_type(column);

	return column->kind == DPEM_COLUMN_NUMBER && type != FLOAT8OID;
}

/* ---- groups ---- */

typedef struct Walk
{
	DpemStepCurve	curve;
	FmgrInfo   *compare;
	Oid			collation;
	int64		last;
} Walk;

static int
compare(const Walk *w, Datum a, Datum b)
{
	return DatumGetInt32(FunctionCall2Coll(w->compare, w->collation, a, b));
}

/* a whole second, if there is one between: that is where values change, mostly */
static int64
middle(const Walk *w, int64 low, int64 high)
{
	int64		middle = low + (high - low) / 2;
	int64		step = dpem_steps_in_1(w->curve.type);
	int64		whole = middle - ((middle % step) + step) % step;

	if (whole > low && whole < high)
		return whole;
	return whole + step > low && whole + step < high ? whole + step : middle;
}

/* the first point after `from` with another value; beyond the last: there is none.  `width`: how far it may be */
static int64
next_change(const Walk *w, int64 from, Datum value, int64 width)
{
	int64		low = from;
	int64		high = from;

	do
	{
		low = high;
		high = w->last - high > width ? high + width : w->last + 1;
		width = width > PG_INT64_MAX / 4 ? width : 2 * width;
	} while (high <= w->last && compare(w, dpem_step_curve_value(&w->curve, high), value) == 0);
	while (high - low > 1)
	{
		int64		point = middle(w, low, high);

		if (compare(w, dpem_step_curve_value(&w->curve, point), value) == 0)
			low = point;
		else
			high = point;
	}
	return high;
}

static Const *
constant_of(const Walk *w, Datum value)
{
	Oid			type = exprType(w->curve.expression);
	int16		length;
	bool		by_value;

	get_typlenbyval(type, &length, &by_value);
	return makeConst(type, -1, exprCollation(w->curve.expression), length, datumCopy(value, by_value, length), false, by_value);
}

static void
refuse_groups(const DpemPrivateTable *table, const DpemGroupKey *key)
{
	dpem_refuse_expression(table, key->expression, "It has too many values in the column's domain: at most 4096 groups. Take a larger unit, as in date_trunc('month', column).");
}

static Walk
walk_of(const DpemPrivateTable *table, Node *expression, int64 *first)
{
	Walk		w = {.curve = dpem_step_curve_begin(table, expression),.collation = exprCollation(expression)};

	w.compare = &lookup_type_cache(exprType(expression), TYPECACHE_CMP_PROC_FINFO)->cmp_proc_finfo;
	dpem_step_curve_bounds(w.curve.column, false, first, &w.last);
	if (!OidIsValid(w.compare->fn_oid) || *first > w.last)
		dpem_refuse_expression(table, expression, "It has no values in the column's domain.");
	return w;
}

void
dpem_lattice_groups(const DpemPrivateTable *table, DpemGroupKey *key)
{
	int64		point;
	Walk		w = walk_of(table, key->expression, &point);
	int64		width = 1;
	double	   *edge = palloc((DPEM_GROUPS_MAX + 1) * sizeof(double));

	key->value = palloc(DPEM_GROUPS_MAX * sizeof(Const *));
	while (point <= w.last)
	{
		Datum		value = dpem_step_curve_value(&w.curve, point);
		int64		next;

		if (key->n == DPEM_GROUPS_MAX)
			refuse_groups(table, key);
		if (key->n > 0 && compare(&w, value, key->value[key->n - 1]->constvalue) <= 0)
			dpem_refuse_expression(table, key->expression, FALLS);
		edge[key->n] = key->n == 0 ? w.curve.column->lower : dpem_number_at_point(w.curve.type, point);
		key->value[key->n++] = constant_of(&w, value);
		next = next_change(&w, point, value, width);
		width = next - point;
		point = next;
		CHECK_FOR_INTERRUPTS();
	}
	/* beyond all values, as a last group may be of the last point alone */
	edge[key->n] = dpem_number_at_point(w.curve.type, w.last + 1);
	key->request.groups = DPEM_BY_BINS;
	key->request.edges = edge;
	key->request.bins = key->n;
	dpem_step_curve_end(&w.curve);
}

/* ---- comparisons ---- */

/* an operator as one of its type's order; with the constant at the right */
typedef struct Ordered
{
	Node	   *left;
	Const	   *right;
	Oid			family;
	int			strategy;		/* 0: it is <> */
} Ordered;

static bool
read_order(Oid operator, Node *left, Node *right, Ordered *o)
{
	o->family = lookup_type_cache(exprType(left), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	o->left = left;
	o->right = (Const *) right;
	if (!OidIsValid(o->family) || o->family >= FirstNormalObjectId)
		return false;
	o->strategy = get_op_opfamily_strategy(operator, o->family);
	return o->strategy != 0 ||
		(OidIsValid(get_negator(operator)) && get_op_opfamily_strategy(get_negator(operator), o->family) == BTEqualStrategyNumber);
}

/* the first point of which `left strategy right` is true; last + 1: none.  Strategy: > or >= */
static int64
first_true(const DpemPrivateTable *table, const Ordered *o, int strategy, Oid collation, int64 first, int64 last)
{
	Oid			operator = get_opfamily_member(o->family, exprType(o->left), o->right->consttype, strategy);
	Node	   *condition;
	DpemStepCurve	curve;

	condition = (Node *) make_opclause(operator, BOOLOID, false, (Expr *) o->left, (Expr *) o->right, InvalidOid, collation);
	set_opfuncid((OpExpr *) condition);
	curve = dpem_step_curve_begin(table, condition);
	while (first <= last)
	{
		int64		middle = first + (last - first) / 2;

		if (DatumGetBool(dpem_step_curve_value(&curve, middle)))
			last = middle - 1;
		else
			first = middle + 1;
	}
	dpem_step_curve_end(&curve);
	return first;
}

static char *
from_on(const DpemPrivateTable *table, const DpemColumn *column, int64 point)
{
	int64		first;
	int64		last;

	dpem_step_curve_bounds(column, true, &first, &last);
	if (point <= first || point > last)
		return dpem_constant_condition(table, column, point <= first);
	return psprintf("%s >= %s", dpem_column_name(column), dpem_literal_at_point(column, point));
}

static char *
equal_condition(const DpemPrivateTable *table, const DpemColumn *column, int64 from, int64 beyond)
{
	if (beyond <= from)
		return dpem_constant_condition(table, column, false);
	if (beyond == from + 1)
		return psprintf("%s = %s", dpem_column_name(column), dpem_literal_at_point(column, from));
	return psprintf("(%s and not (%s))", from_on(table, column, from), from_on(table, column, beyond));
}

char *
dpem_lattice_comparison(const DpemPrivateTable *table, Oid operator, Oid collation, Node *left, Node *right)
{
	const DpemColumn *column = dpem_only_column(table, left);
	Ordered		o;
	int64		first;
	int64		last;
	int64		from;
	int64		beyond;

	if (!read_order(operator, left, right, &o))
		return NULL;
	if (!OidIsValid(get_opfamily_member(o.family, exprType(left), exprType(right), BTGreaterStrategyNumber)))
		return NULL;
	if (!IsA(right, Const))
		return dpem_open_condition(table, column);
	if (o.right->constisnull)
		dpem_refuse_expression(table, right, "A value in WHERE must not be NULL: say IS NULL for rows without one.");
	dpem_step_curve_bounds(column, true, &first, &last);
	from = first_true(table, &o, BTGreaterEqualStrategyNumber, collation, first, last);
	beyond = first_true(table, &o, BTGreaterStrategyNumber, collation, first, last);
	switch (o.strategy)
	{
		case BTLessStrategyNumber:
			return psprintf("not (%s)", from_on(table, column, from));
		case BTLessEqualStrategyNumber:
			return psprintf("not (%s)", from_on(table, column, beyond));
		case BTGreaterEqualStrategyNumber:
			return from_on(table, column, from);
		case BTGreaterStrategyNumber:
			return from_on(table, column, beyond);
		case BTEqualStrategyNumber:
			return equal_condition(table, column, from, beyond);
		default:
			return psprintf("not (%s)", equal_condition(table, column, from, beyond));
	}
}
