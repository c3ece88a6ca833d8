/*
 * ascending.c - expressions of one column that never fall while the column rises, and comparisons of them with values.
 *
 * They are made of functions and operators of pg_catalog that are known here, each with one
 * argument that rises and others that are constants.  What such an expression says of a column that takes
 * whole steps is found by bisection (lattice.c).  Time zones may set a clock back:
 * lattice.c refuses an expression that it sees fall.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"

/* function, and the place of the argument that rises; all others are constants */
typedef struct Rising
{
	RegProcedure function;
	int			argument;
} Rising;

static const Rising rising[] = {
	{F_INT4_INT2, 0}, {F_INT8_INT2, 0}, {F_INT8_INT4, 0}, {F_INT4_INT8, 0}, {F_INT2_INT4, 0}, {F_INT2_INT8, 0},
	{F_FLOAT8_INT2, 0}, {F_FLOAT8_INT4, 0}, {F_FLOAT8_INT8, 0}, {F_FLOAT8_NUMERIC, 0},
	{F_NUMERIC_INT2, 0}, {F_NUMERIC_INT4, 0}, {F_NUMERIC_INT8, 0}, {F_NUMERIC_FLOAT8, 0},
	{F_INT4_FLOAT8, 0}, {F_INT8_FLOAT8, 0}, {F_INT4_NUMERIC, 0}, {F_INT8_NUMERIC, 0},
	{F_FLOOR_FLOAT8, 0}, {F_FLOOR_NUMERIC, 0}, {F_CEIL_FLOAT8, 0}, {F_CEIL_NUMERIC, 0}, {F_CEILING_FLOAT8, 0},
	{F_CEILING_NUMERIC, 0}, {F_ROUND_FLOAT8, 0}, {F_ROUND_NUMERIC, 0}, {F_ROUND_NUMERIC_INT4, 0},
	{F_TRUNC_FLOAT8, 0}, {F_TRUNC_NUMERIC, 0}, {F_TRUNC_NUMERIC_INT4, 0},
	{F_DATE_TIMESTAMP, 0}, {F_DATE_TIMESTAMPTZ, 0}, {F_TIMESTAMP_DATE, 0}, {F_TIMESTAMPTZ_DATE, 0},
	{F_TIMESTAMP_TIMESTAMPTZ, 0}, {F_TIMESTAMPTZ_TIMESTAMP, 0},
	{F_DATE_TRUNC_TEXT_TIMESTAMP, 1}, {F_DATE_TRUNC_TEXT_TIMESTAMPTZ, 1}, {F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, 1},
	{F_TIMEZONE_TEXT_TIMESTAMP, 1}, {F_TIMEZONE_TEXT_TIMESTAMPTZ, 1}
};

/* fields of a date that do not begin again */
static const char *const fields[] = {"epoch", "year", "isoyear", "decade", "century", "millennium", "julian"};

static const RegProcedure extracts[] = {
	F_EXTRACT_TEXT_DATE, F_EXTRACT_TEXT_TIMESTAMP, F_EXTRACT_TEXT_TIMESTAMPTZ,
	F_DATE_PART_TEXT_DATE, F_DATE_PART_TEXT_TIMESTAMP, F_DATE_PART_TEXT_TIMESTAMPTZ
};

/* pictures whose texts have the order of the times */
static const char *const pictures[] = {"YYYY", "YYYY-MM", "YYYY-MM-DD", "YYYYMM", "YYYYMMDD", "YYYY/MM", "YYYY/MM/DD", "IYYY-IW", "YYYY-Q",
	"YYYY-MM-DD HH24", "YYYY-MM-DD HH24:MI"};

static bool
is_known(Node *node)
{
	return IsA(node, Const) && !((Const *) node)->constisnull;
}

/* a constant text among these, whatever its case where case means nothing */
static bool
is_among(Node *node, const char *const *known, int n, bool any_case)
{
	const char *word = dpem_constant_text(node);

	for (int i = 0; word != NULL && i < n; i++)
	{
		if ((any_case ? pg_strcasecmp(word, known[i]) : strcmp(word, known[i])) == 0)
			return true;
	}
	return false;
}

static bool
rises_in(const DpemPrivateTable *table, List *arguments, int place)
{
	ListCell   *cell;

	foreach(cell, arguments)
	{
		if (foreach_current_index(cell) == place ? !dpem_is_ascending(table, lfirst(cell)) : !is_known(lfirst(cell)))
			return false;
	}
	return place < list_length(arguments);
}

static bool
is_extract(RegProcedure function)
{
	for (int i = 0; i < lengthof(extracts); i++)
	{
		if (extracts[i] == function)
			return true;
	}
	return false;
}

/* buckets rise from low to high */
static bool
rises_in_buckets(const DpemPrivateTable *table, List *arguments)
{
	return rises_in(table, arguments, 0) && dpem_constant_number(lsecond(arguments)) < dpem_constant_number(lthird(arguments));
}

static bool
call_rises(const DpemPrivateTable *table, RegProcedure function, List *arguments)
{
	if (is_extract(function))
		return is_among(linitial(arguments), fields, lengthof(fields), true) && dpem_is_ascending(table, lsecond(arguments));
	switch (function)
	{
		case F_TO_CHAR_TIMESTAMP_TEXT:
		case F_TO_CHAR_TIMESTAMPTZ_TEXT:
			return is_among(lsecond(arguments), pictures, lengthof(pictures), false) && dpem_is_ascending(table, linitial(arguments));
		case F_WIDTH_BUCKET_FLOAT8_FLOAT8_FLOAT8_INT4:
		case F_WIDTH_BUCKET_NUMERIC_NUMERIC_NUMERIC_INT4:
			return rises_in_buckets(table, arguments);
	}
	for (int i = 0; i < lengthof(rising); i++)
	{
		if (rising[i].function == function)
			return rises_in(table, arguments, rising[i].argument);
	}
	return false;
}

/* + - * / of the server's own types, by a constant, which to multiply or divide by must be above 0 */
static bool
operator_rises(const DpemPrivateTable *table, OpExpr *node)
{
	const char *name = get_opname(node->opno);
	Node	   *left = linitial(node->args);
	Node	   *right = list_length(node->args) == 2 ? lsecond(node->args) : NULL;

	if (right == NULL || name == NULL || get_func_namespace(node->opfuncid) != PG_CATALOG_NAMESPACE)
		return false;
	if (is_known(right) && dpem_is_ascending(table, left))
		return strcmp(name, "+") == 0 || strcmp(name, "-") == 0 ||
			((strcmp(name, "*") == 0 || strcmp(name, "/") == 0) && dpem_constant_number(right) > 0);
	return is_known(left) && dpem_is_ascending(table, right) &&
		(strcmp(name, "+") == 0 || (strcmp(name, "*") == 0 && dpem_constant_number(left) > 0));
}

bool
dpem_is_ascending(const DpemPrivateTable *table, Node *expression)
{
	const DpemColumn *column;

	switch (nodeTag(expression))
	{
		case T_Var:
			column = dpem_private_column(table, expression);
			return column != NULL && dpem_has_lattice(column);
		case T_RelabelType:
			return dpem_is_ascending(table, (Node *) ((RelabelType *) expression)->arg);
		case T_FuncExpr:
			return call_rises(table, ((FuncExpr *) expression)->funcid, ((FuncExpr *) expression)->args);
		case T_OpExpr:
			return operator_rises(table, (OpExpr *) expression);
		default:
			return false;
	}
}

/* ---- comparisons with values, and with lists of values ---- */

char *
dpem_ascending_comparison(const DpemPrivateTable *table, Oid operator, Oid collation, List *arguments)
{
	Node	   *left = linitial(arguments);
	Node	   *right = list_length(arguments) == 2 ? lsecond(arguments) : NULL;

	if (right == NULL || operator >= FirstNormalObjectId)
		return NULL;
	if (dpem_is_value(left))
	{
		left = lsecond(arguments);
		right = linitial(arguments);
		operator = get_commutator(operator);
	}
	if (!OidIsValid(operator) || !dpem_is_value(right) || !dpem_is_ascending(table, left))
		return NULL;
	return dpem_lattice_comparison(table, operator, collation, left, right);
}

char *
dpem_ascending_list(const DpemPrivateTable *table, ScalarArrayOpExpr *node)
{
	Node	   *expression = linitial(node->args);
	Node	   *array = lsecond(node->args);
	StringInfoData out;
	ListCell   *cell;

	if (!dpem_is_ascending(table, expression) || node->opno >= FirstNormalObjectId)
		return NULL;
	if (!IsA(array, Const))
		return dpem_is_value(array) ? dpem_open_condition(table, dpem_only_column(table, expression)) : NULL;
	if (((Const *) array)->constisnull)
		return NULL;
	initStringInfo(&out);
	foreach(cell, dpem_array_constants((Const *) array))
	{
		char	   *one = dpem_ascending_comparison(table, node->opno, node->inputcollid, list_make2(expression, lfirst(cell)));

		if (one == NULL)
			return NULL;
		appendStringInfo(&out, "%s(%s)", out.len == 0 ? "" : node->useOr ? " or " : " and ", one);
	}
	return out.len == 0 ? NULL : out.data;
}
