/*
 * ascending_condition.c - comparisons of ascending expressions with values, and with lists of values.
 */
#include "postgres.h"

#include "access/transam.h"
#include "lib/stringinfo.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"

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
