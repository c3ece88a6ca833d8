/*
 * ascending_condition.c - comparisons of ascending expressions with values, and with lists of values.
 */
#include "postgres.h"

#include "access/transam.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"

char *
dpem_ascending_comparison(const DpemPrivateTable *table, Oid operator, Oid collation, List *arguments)
{
	Node	   *left = linitial(arguments);
	Node	   *right = list_length(arguments) == 2 ? lsecond(arguments) : NULL;
	const DpemColumn *column;

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
	column = dpem_private_column(table, linitial(pull_var_clause(left, 0)));
	return dpem_lattice_comparison(table, dpem_column_name(column), operator, collation, left, right);
}

/* in place of a condition on the one column of an expression, whose values are not known yet */
static char *
open_condition(const DpemPrivateTable *table, Node *expression)
{
	const DpemColumn *column = dpem_private_column(table, linitial(pull_var_clause(expression, 0)));

	return psprintf("%s = %s", dpem_column_name(column), dpem_placeholder(table, column));
}

char *
dpem_ascending_list(const DpemPrivateTable *table, ScalarArrayOpExpr *node)
{
	Const	   *array = lsecond(node->args);
	StringInfoData out;
	int16		length;
	bool		by_value;
	char		align;
	Oid			type;
	Datum	   *item;
	bool	   *null;
	int			n;

	if (!dpem_is_ascending(table, linitial(node->args)) || node->opno >= FirstNormalObjectId)
		return NULL;
	type = get_element_type(exprType((Node *) array));
	if (!IsA(array, Const))
		return dpem_is_value((Node *) array) ? open_condition(table, linitial(node->args)) : NULL;
	if (array->constisnull)
		return NULL;
	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(DatumGetArrayTypeP(array->constvalue), type, length, by_value, align, &item, &null, &n);
	initStringInfo(&out);
	for (int i = 0; i < n; i++)
	{
		Const	   *value = makeConst(type, -1, exprCollation((Node *) array), length, item[i], null[i], by_value);
		char	   *one = dpem_ascending_comparison(table, node->opno, node->inputcollid, list_make2(linitial(node->args), value));

		if (one == NULL)
			return NULL;
		appendStringInfo(&out, "%s(%s)", i == 0 ? "" : node->useOr ? " or " : " and ", one);
	}
	return n == 0 ? NULL : out.data;
}
