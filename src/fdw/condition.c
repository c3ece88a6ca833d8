/*
 * condition.c - conditions of a query as a filter's text.
 *
 * Comparisons are known by the functions behind their operators, so that an operator of
 * anybody's own is nothing but refused.  A condition that a filter cannot say, but which
 * is about one label alone, is computed here for each of the label's public categories; what goes into
 * the filter is the list of those of which it is true.
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
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/pg_locale.h"

#include "fdw/fdw.h"
#include "server/version_shims.h"

#define HINT "WHERE may compare registered columns with values (=, <>, <, <=, >, >=, BETWEEN, IN, IS NULL) and combine such comparisons by AND, OR and NOT; of a label with registered categories any immutable condition is possible, and of integers, dates and times one such as extract(dow FROM date) IN (0, 6)."

typedef struct Comparison
{
	RegProcedure function;
	const char *op;
	const char *commuted;
} Comparison;

#define NUMBERS(name, op, commuted) \
	{F_FLOAT8##name, op, commuted}, {F_FLOAT84##name, op, commuted}, {F_FLOAT48##name, op, commuted}

static const Comparison comparisons[] = {
	NUMBERS(EQ, "=", "="), NUMBERS(NE, "<>", "<>"), NUMBERS(LT, "<", ">"),
	NUMBERS(LE, "<=", ">="), NUMBERS(GT, ">", "<"), NUMBERS(GE, ">=", "<="),
	{F_TEXTEQ, "=", "="}, {F_TEXTNE, "<>", "<>"}, {F_TEXT_LT, "<", ">"},
	{F_TEXT_LE, "<=", ">="}, {F_TEXT_GT, ">", "<"}, {F_TEXT_GE, ">=", "<="}
};

static char *condition_of(const DpemPrivateTable *table, Node *node);

/* ---- values ---- */

static char *
quote(const char *text, char mark)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, mark);
	for (; *text != '\0'; text++)
	{
		if (*text == mark)
			appendStringInfoChar(&out, mark);
		appendStringInfoChar(&out, *text);
	}
	appendStringInfoChar(&out, mark);
	return out.data;
}

char *
dpem_column_name(const DpemColumn *column)
{
	return quote(column->name, '"');
}

static bool
is_open(Node *node, void *context)
{
	return node != NULL && (IsA(node, Param) || expression_tree_walker(node, is_open, context));
}

bool
dpem_is_open(Node *expression)
{
	return is_open(expression, NULL);
}

static char *
number_literal(const DpemPrivateTable *table, const Const *value)
{
	double		number = value->consttype == FLOAT4OID ? DatumGetFloat4(value->constvalue) : DatumGetFloat8(value->constvalue);

	if (!isfinite(number))
		dpem_refuse_expression(table, (Node *) value, "A number in WHERE must be finite.");
	return psprintf("%.17g", number);
}

/* what a filter may compare the column with */
static char *
placeholder(const DpemPrivateTable *table, const DpemColumn *column)
{
	char	  **category;
	int			n;

	if (column->kind == DPEM_COLUMN_NUMBER)
		return dpem_column_literal(column);
	category = dpem_binding_load_categories(table->dataset, column->name, &n);
	return quote(n > 0 ? category[0] : "", '\'');
}

char *
dpem_open_condition(const DpemPrivateTable *table, const DpemColumn *column)
{
	return psprintf("%s = %s", dpem_column_name(column), placeholder(table, column));
}

char *
dpem_constant_condition(const DpemPrivateTable *table, const DpemColumn *column, bool is_true)
{
	const char *name = dpem_column_name(column);
	const char *some = placeholder(table, column);

	return psprintf(is_true ? "(%s = %s or %s <> %s)" : "(%s = %s and %s <> %s)", name, some, name, some);
}

/* of a column's kind; a value that is not known yet has a placeholder, as the price and the noise do not depend on it */
static char *
literal_of(const DpemPrivateTable *table, const DpemColumn *column, Node *node)
{
	bool		number = column->kind == DPEM_COLUMN_NUMBER;
	const Const *value = (const Const *) node;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (!IsA(node, Const))
		return placeholder(table, column);
	value = (const Const *) node;
	if (value->constisnull)
		dpem_refuse_expression(table, node, "A value in WHERE must not be NULL: say IS NULL for rows without one.");
	if (number)
		return number_literal(table, value);
	return quote(TextDatumGetCString(value->constvalue), '\'');
}

/* ---- comparisons ---- */

static const Comparison *
find_comparison(Oid operator)
{
	RegProcedure function = get_opcode(operator);

	for (int i = 0; i < lengthof(comparisons); i++)
	{
		if (comparisons[i].function == function)
			return &comparisons[i];
	}
	return NULL;
}

/* labels are compared byte by byte, as this collation must do */
static bool
is_bytewise(const Comparison *comparison, const DpemColumn *column, Oid collation)
{
	if (column->kind == DPEM_COLUMN_NUMBER)
		return true;
	if (comparison->op[0] == '=' || strcmp(comparison->op, "<>") == 0)
		return get_collation_isdeterministic(collation);
	return collation == C_COLLATION_OID || collation == POSIX_COLLATION_OID;
}

/* `column op value` or the other way round; NULL: it is neither */
static char *
comparison_of(const DpemPrivateTable *table, Oid operator, Oid collation, List *arguments)
{
	const Comparison *comparison = find_comparison(operator);
	Node	   *left = linitial(arguments);
	Node	   *right = list_length(arguments) == 2 ? lsecond(arguments) : NULL;
	bool		commuted;
	const DpemColumn *column;

	if (comparison == NULL || right == NULL)
		return NULL;
	commuted = dpem_private_column(table, left) == NULL;
	column = dpem_private_column(table, commuted ? right : left);
	if (column == NULL || dpem_has_lattice(column) || dpem_published_type(column) != exprType(commuted ? right : left) || !dpem_is_value(commuted ? left : right) || !is_bytewise(comparison, column, collation))
		return NULL;
	return psprintf("%s %s %s", dpem_column_name(column), commuted ? comparison->commuted : comparison->op,
					literal_of(table, column, commuted ? left : right));
}

/* column = ANY (array), column <> ALL (array) */
static char *
list_condition(const DpemPrivateTable *table, ScalarArrayOpExpr *node)
{
	const Comparison *comparison = find_comparison(node->opno);
	const DpemColumn *column = dpem_private_column(table, linitial(node->args));
	Node	   *array = lsecond(node->args);
	StringInfoData out;
	ListCell   *cell;

	if (comparison == NULL || column == NULL || dpem_has_lattice(column) || dpem_published_type(column) != exprType(linitial(node->args)) ||
		strcmp(comparison->op, node->useOr ? "=" : "<>") != 0 ||
		!is_bytewise(comparison, column, node->inputcollid) || !dpem_is_value(array))
		return NULL;
	if (!IsA(array, Const))
		return psprintf("%s %s (%s)", dpem_column_name(column), node->useOr ? "in" : "not in", placeholder(table, column));
	if (((Const *) array)->constisnull)
		return NULL;
	initStringInfo(&out);
	foreach(cell, dpem_array_constants((Const *) array))
		appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", literal_of(table, column, lfirst(cell)));
	if (out.len == 0)
		return NULL;
	return psprintf("%s %s (%s)", dpem_column_name(column), node->useOr ? "in" : "not in", out.data);
}

/* ---- conditions on one label, by its categories ---- */

Const *
dpem_value_at(Node *expression, Node *constant)
{
	Node	   *value = dpem_replace_column(expression, constant);

	if (contain_mutable_functions(value))
		return NULL;
	value = eval_const_expressions(NULL, value);
	return IsA(value, Const) ? (Const *) value : NULL;
}

/* what a condition says of a category, or of NULL; NULL: it is not known in advance */
static Const *
verdict_on(const DpemPrivateTable *table, Node *node, const DpemColumn *column, const char *category)
{
	return dpem_value_at(node, (Node *) dpem_category_constant(table, column, category));
}

static bool
holds(const Const *verdict)
{
	return !verdict->constisnull && DatumGetBool(verdict->constvalue);
}

/* the categories that it holds of, as a list; NULL: not known in advance */
static char *
categories_with(const DpemPrivateTable *table, Node *node, const DpemColumn *column)
{
	StringInfoData out;
	int			n;
	char	  **category = dpem_binding_load_categories(table->dataset, column->name, &n);

	initStringInfo(&out);
	for (int i = 0; i < n; i++)
	{
		const Const *verdict = verdict_on(table, node, column, category[i]);

		if (verdict == NULL)
			return NULL;
		if (holds(verdict))
			appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", quote(category[i], '\''));
	}
	if (out.len == 0)
		return dpem_constant_condition(table, column, false);
	return psprintf("%s in (%s)", dpem_column_name(column), out.data);
}

/* a list says NULL of NULL; the condition may say something else */
static char *
condition_on_label(const DpemPrivateTable *table, Node *node)
{
	const DpemColumn *column = contain_subplans(node) ? NULL : dpem_only_column(table, node);
	const Const *of_null;
	char	   *list;

	if (column == NULL || column->kind != DPEM_COLUMN_LABEL)
		return NULL;
	if (!contain_mutable_functions(node) && dpem_is_open(node))
		return dpem_open_condition(table, column);
	list = categories_with(table, node, column);
	of_null = verdict_on(table, node, column, NULL);
	if (list == NULL || of_null == NULL || of_null->constisnull)
		return list;
	return psprintf(holds(of_null) ? "%s or %s is null" : "%s and %s is not null", list, dpem_column_name(column));
}

/* ---- the whole ---- */

/* of a column, or of what rises with it */
static char *
any_comparison(const DpemPrivateTable *table, const OpExpr *node)
{
	char	   *text = comparison_of(table, node->opno, node->inputcollid, node->args);

	return text != NULL ? text : dpem_ascending_comparison(table, node->opno, node->inputcollid, node->args);
}

/* likewise */
static char *
any_list(const DpemPrivateTable *table, ScalarArrayOpExpr *node)
{
	char	   *text = list_condition(table, node);

	return text != NULL ? text : dpem_ascending_list(table, node);
}

static char *
boolean_condition(const DpemPrivateTable *table, BoolExpr *node)
{
	StringInfoData out;
	ListCell   *cell;

	if (node->boolop == NOT_EXPR)
		return psprintf("not (%s)", condition_of(table, linitial(node->args)));
	initStringInfo(&out);
	foreach(cell, node->args)
		appendStringInfo(&out, "%s(%s)", foreach_current_index(cell) == 0 ? "" : node->boolop == AND_EXPR ? " and " : " or ",
						 condition_of(table, lfirst(cell)));
	return out.data;
}

/* column IS DISTINCT FROM value is never NULL */
static char *
distinct_condition(const DpemPrivateTable *table, DistinctExpr *node)
{
	const DpemColumn *column = dpem_private_column(table, linitial(node->args));
	char	   *equal = any_comparison(table, node);

	if (column == NULL || equal == NULL)
		return NULL;
	return psprintf("%s is null or not (%s)", dpem_column_name(column), equal);
}

static char *
null_condition(const DpemPrivateTable *table, NullTest *node)
{
	const DpemColumn *column = dpem_private_column(table, (Node *) node->arg);

	if (column == NULL || node->argisrow)
		return NULL;
	return psprintf("%s is %snull", dpem_column_name(column), node->nulltesttype == IS_NULL ? "" : "not ");
}

/* what a filter has words for; NULL: it has none */
static char *
plain_condition(const DpemPrivateTable *table, Node *node)
{
	switch (nodeTag(node))
	{
		case T_BoolExpr:
			return boolean_condition(table, (BoolExpr *) node);
		case T_OpExpr:
			return any_comparison(table, (OpExpr *) node);
		case T_ScalarArrayOpExpr:
			return any_list(table, (ScalarArrayOpExpr *) node);
		case T_DistinctExpr:
			return distinct_condition(table, (DistinctExpr *) node);
		case T_NullTest:
			return null_condition(table, (NullTest *) node);
		default:
			return NULL;
	}
}

static char *
condition_of(const DpemPrivateTable *table, Node *node)
{
	char	   *text = plain_condition(table, node);

	if (text == NULL)
		text = condition_on_label(table, node);
	if (text == NULL)
		text = dpem_cycle_condition(table, node);
	if (text == NULL)
		dpem_refuse_expression(table, node, HINT);
	return text;
}

char *
dpem_filter_of(const DpemPrivateTable *table, List *conditions)
{
	char	   *text = NULL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		char	   *one = condition_of(table, lfirst(cell));

		text = text == NULL ? psprintf("(%s)", one) : psprintf("%s and (%s)", text, one);
	}
	return text;
}
