/*
 * affine.c - numbers that are a multiple of a registered column and a constant: total * 1.19,
 * extract(epoch FROM created), current_date - birth.
 *
 * An aggregate of such a number is that of the column, multiplied and moved after it was
 * released: avg(a x + b) = a avg(x) + b, and quantiles alike; variances and covariances take a's square and product.
 * No row is computed with.  Values beyond the column's domain count as its end, and so does what is made of them.
 */
#include "postgres.h"

#include <math.h>

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"

#define SECONDS_IN_DAY	86400.0
#define EPOCH_OF_2000	946684800.0	/* seconds from 1970-01-01 to the origin of calendar.h */

static const DpemAffine none = {NULL, NAN, NAN};

static DpemAffine affine_of(const DpemPrivateTable *table, Node *node);

static bool
is_number(Oid type)
{
	return dpem_type_is_whole(type) || type == FLOAT8OID || type == NUMERICOID;
}

static bool
is_known(DpemAffine a)
{
	return !isnan(a.factor);
}

/* a value, whose number is NaN where it is not known yet */
static DpemAffine
constant_of(Node *node)
{
	const Const *value = (const Const *) node;
	Oid			type = exprType(node);
	double		number;

	if (!IsA(node, Const))
		return (DpemAffine) {NULL, 0, NAN};
	if (value->constisnull || !(is_number(type) || dpem_is_calendar(type)))
		return none;
	number = is_number(type) ? dpem_constant_number(node) : dpem_calendar_number(type, value->constvalue);
	/* a NaN that is known is not one that stands for what is not */
	return isnan(number) ? none : (DpemAffine) {NULL, 0, number};
}

static DpemAffine
scale(DpemAffine a, double by)
{
	return (DpemAffine) {a.column, a.factor * by, a.offset * by};
}

/* a sum names one column, or one of the two is a constant */
static DpemAffine
add(DpemAffine a, DpemAffine b)
{
	if (!is_known(a) || !is_known(b) || (a.column != NULL && b.column != NULL && a.column != b.column))
		return none;
	return (DpemAffine) {a.column != NULL ? a.column : b.column, a.factor + b.factor, a.offset + b.offset};
}

static DpemAffine
multiply(DpemAffine a, DpemAffine b)
{
	if (!is_known(a) || !is_known(b) || (a.column != NULL && b.column != NULL))
		return none;
	return a.column != NULL ? scale(a, isnan(b.offset) ? 1 : b.offset) : scale(b, isnan(a.offset) ? 1 : a.offset);
}

static DpemAffine
inverse(DpemAffine constant)
{
	constant.offset = 1 / constant.offset;
	return constant;
}

/* days and numbers: what is computed with in these units; seconds of timestamps are only subtracted */
static bool
adds_up(Oid left, Oid right, bool minus)
{
	if (is_number(left) && is_number(right))
		return true;
	if (left == DATEOID)
		return right == INT4OID || (minus && right == DATEOID);
	return minus && left == right && dpem_is_calendar(left);
}

static DpemAffine
affine_of_operator(const DpemPrivateTable *table, const OpExpr *node)
{
	const char *name = get_opname(node->opno);
	Node	   *left = linitial(node->args);
	Node	   *right = list_length(node->args) == 2 ? lsecond(node->args) : NULL;
	bool		numbers = right != NULL && is_number(exprType(left)) && is_number(exprType(right));

	if (node->opno >= FirstNormalObjectId || name == NULL || right == NULL)
		return none;
	if (strcmp(name, "+") == 0 && adds_up(exprType(left), exprType(right), false))
		return add(affine_of(table, left), affine_of(table, right));
	if (strcmp(name, "-") == 0 && adds_up(exprType(left), exprType(right), true))
		return add(affine_of(table, left), scale(affine_of(table, right), -1));
	if (strcmp(name, "*") == 0 && numbers)
		return multiply(affine_of(table, left), affine_of(table, right));
	/* quotients of integers are rounded */
	if (strcmp(name, "/") == 0 && numbers && dpem_is_value(right) && (node->opresulttype == FLOAT8OID || node->opresulttype == NUMERICOID))
		return multiply(affine_of(table, left), inverse(constant_of(right)));
	return none;
}

/* seconds since 1970, or in an interval between two times */
static DpemAffine
affine_of_epoch(const DpemPrivateTable *table, List *arguments)
{
	const char *field = dpem_constant_text(linitial(arguments));
	DpemAffine	a = affine_of(table, lsecond(arguments));
	Oid			type = exprType(lsecond(arguments));

	if (field == NULL || pg_strcasecmp(field, "epoch") != 0)
		return none;
	if (type == DATEOID)
		a = scale(a, SECONDS_IN_DAY);
	if (type != INTERVALOID)
		a.offset += EPOCH_OF_2000;
	return a;
}

static DpemAffine
affine_of_call(const DpemPrivateTable *table, const FuncExpr *node)
{
	if (dpem_cast_keeps_value(node->funcid))
		return affine_of(table, linitial(node->args));
	switch (node->funcid)
	{
		case F_TIMESTAMP_DATE:
			return scale(affine_of(table, linitial(node->args)), SECONDS_IN_DAY);
		case F_EXTRACT_TEXT_DATE:
		case F_EXTRACT_TEXT_TIMESTAMP:
		case F_EXTRACT_TEXT_TIMESTAMPTZ:
		case F_EXTRACT_TEXT_INTERVAL:
		case F_DATE_PART_TEXT_DATE:
		case F_DATE_PART_TEXT_TIMESTAMP:
		case F_DATE_PART_TEXT_TIMESTAMPTZ:
		case F_DATE_PART_TEXT_INTERVAL:
			return affine_of_epoch(table, node->args);
		default:
			return none;
	}
}

static DpemAffine
affine_of(const DpemPrivateTable *table, Node *node)
{
	const DpemColumn *column = dpem_private_column(table, node);

	if (column != NULL)
		return column->kind == DPEM_COLUMN_NUMBER ? (DpemAffine) {column, 1, 0} : none;
	if (dpem_is_value(node))
		return constant_of(node);
	switch (nodeTag(node))
	{
		case T_RelabelType:
			return affine_of(table, (Node *) ((RelabelType *) node)->arg);
		case T_OpExpr:
			return affine_of_operator(table, (OpExpr *) node);
		case T_FuncExpr:
			return affine_of_call(table, (FuncExpr *) node);
		default:
			return none;
	}
}

DpemAffine
dpem_affine(const DpemPrivateTable *table, Node *expression)
{
	DpemAffine	a = affine_of(table, expression);

	if (a.column == NULL || !isfinite(a.factor) || a.factor == 0 || isinf(a.offset))
		return none;
	if (isnan(a.offset))
		a.offset = 0;			/* a value that is not known before the question is asked */
	return a;
}
