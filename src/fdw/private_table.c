/*
 * private_table.c - a foreign table, its options, and the dataset behind it.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_type.h"
#include "foreign/foreign.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

#include "fdw/fdw.h"
#include "registry/binding.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"
#include "server/errors.h"
#include "server/version_shims.h"

Oid
dpem_published_type(const DpemColumn *column)
{
	switch (column->kind)
	{
		case DPEM_COLUMN_NUMBER:
			return OidIsValid(column->calendar) ? column->calendar : dpem_type_is_whole(column->type) ? column->type : FLOAT8OID;
		case DPEM_COLUMN_LABEL:
			return column->type == BOOLOID || dpem_type_is_whole(column->type) || type_is_enum(column->type) ? column->type : TEXTOID;
		case DPEM_COLUMN_KEY:
			return TEXTOID;
		default:
			return InvalidOid;
	}
}

char *
dpem_column_literal(const DpemColumn *column)
{
	return OidIsValid(column->calendar) ? quote_literal_cstr(dpem_calendar_write(column->calendar, column->lower)) : pstrdup("0");
}

/* ---- categories ---- */

static Oid
enum_value(Oid type, const char *label)
{
	/* a longer one is none, and would be looked for by its beginning */
	return strlen(label) >= NAMEDATALEN ? InvalidOid : GetSysCacheOid2(ENUMTYPOIDNAME, Anum_pg_enum_oid, ObjectIdGetDatum(type), CStringGetDatum(label));
}

/* of what text the value is; false: of none */
static bool
value_of_category(Oid type, const char *category, Datum *value)
{
	int64		number;

	if (type == TEXTOID)
		*value = CStringGetTextDatum(category);
	else if (type == BOOLOID)
	{
		*value = BoolGetDatum(strcmp(category, "true") == 0);
		return DatumGetBool(*value) || strcmp(category, "false") == 0;
	}
	else if (dpem_type_is_whole(type))
	{
		number = strtoi64(category, NULL, 10);
		*value = type == INT2OID ? Int16GetDatum((int16) number) : type == INT4OID ? Int32GetDatum((int32) number) : Int64GetDatum(number);
		return strcmp(category, psprintf(INT64_FORMAT, number)) == 0 &&
			(type == INT8OID || (type == INT4OID ? number == (int32) number : number == (int16) number));
	}
	else
	{
		*value = ObjectIdGetDatum(enum_value(type, category));
		return OidIsValid(DatumGetObjectId(*value));
	}
	return true;
}

Const *
dpem_category_constant(const DpemPrivateTable *table, const DpemColumn *column, const char *category)
{
	Oid			type = dpem_published_type(column);
	Datum		value = (Datum) 0;
	int16		length;
	bool		by_value;

	if (category != NULL && !value_of_category(type, category, &value))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("category \"%s\" of column \"%s\" is no value of type %s", category, column->name, format_type_be(type)),
				 errhint("The dataset's owner can register the column again, with dp_register_column.")));
	get_typlenbyval(type, &length, &by_value);
	return makeConst(type, -1, get_typcollation(type), length, value, category == NULL, by_value);
}

/* ---- options ---- */

static void
read_options(DpemPrivateTable *table, char **dataset)
{
	ListCell   *cell;

	*dataset = get_rel_name(table->relation);
	foreach(cell, GetForeignTable(table->relation)->options)
	{
		DefElem    *option = lfirst(cell);

		if (strcmp(option->defname, "dataset") == 0)
			*dataset = defGetString(option);
		else if (strcmp(option->defname, "epsilon") == 0)
			table->epsilon = DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(defGetString(option))));
	}
}

const char *
dpem_synthetic_model(Oid relation)
{
	ListCell   *cell;

	foreach(cell, GetForeignTable(relation)->options)
	{
		DefElem    *option = lfirst(cell);

		if (strcmp(option->defname, "synthetic") == 0)
			return defGetString(option);
	}
	return NULL;
}

/* ---- columns ---- */

/* the registered column of that name; a table outlives the columns that it was published with */
static DpemColumn *
published_column(const DpemPrivateTable *table, List *registered, const char *name)
{
	char	   *schema = get_namespace_name(get_rel_namespace(table->relation));
	ListCell   *cell;

	foreach(cell, registered)
	{
		DpemColumn *column = lfirst(cell);

		if (strcmp(column->name, name) == 0)
			return column;
	}
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" is not registered in dataset \"%s\"", name, table->dataset->name),
			 errhint("Its owner can publish the dataset again: DROP FOREIGN TABLE %s; SELECT dp_publish(%s, %s).",
					 quote_qualified_identifier(schema, get_rel_name(table->relation)),
					 quote_literal_cstr(table->dataset->name), quote_literal_cstr(schema))));
}

static void
bind_column(DpemPrivateTable *table, List *registered, Form_pg_attribute attribute)
{
	DpemColumn *column = published_column(table, registered, NameStr(attribute->attname));
	Oid			type;

	column->type = dpem_source_column_type(table->dataset->source, column->name);
	type = dpem_published_type(column);
	/* of a source that is gone nothing has a type */
	if (attribute->atttypid != type)
	{
		dpem_dataset_require_source(table->dataset);
		dpem_binding_check_column(table->dataset, column);
	}
	if (attribute->atttypid != type)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of private table \"%s\" has type %s, which dataset \"%s\" does not have it with",
						column->name, get_rel_name(table->relation), format_type_be(attribute->atttypid), table->dataset->name),
				 errhint("Its owner can publish the dataset again, with DROP FOREIGN TABLE and dp_publish; %s.",
						 OidIsValid(type) ? psprintf("the column then has type %s", format_type_be(type)) : "arrays and documents are not published")));
	table->column[attribute->attnum - 1] = column;
}

static void
bind_columns(DpemPrivateTable *table)
{
	List	   *registered = dpem_dataset_registered(table->dataset);
	Relation	relation = table_open(table->relation, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(relation);

	table->columns = desc->natts;
	table->column = palloc0(Max(desc->natts, 1) * sizeof(DpemColumn *));
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);

		if (!attribute->attisdropped)
			bind_column(table, registered, attribute);
	}
	table_close(relation, NoLock);
}

DpemPrivateTable *
dpem_private_table(Oid relation, int number)
{
	DpemPrivateTable *table = palloc0(sizeof(DpemPrivateTable));
	char	   *dataset;

	table->relation = relation;
	table->number = number;
	read_options(table, &dataset);
	table->dataset = dpem_dataset_load(dataset);
	/* whoever makes a table of anybody's dataset would see its columns, bounds and categories */
	dpem_dataset_require_visible(table->dataset);
	bind_columns(table);
	return table;
}

/* ---- expressions of columns ---- */

bool
dpem_cast_keeps_value(RegProcedure function)
{
	switch (function)
	{
		case F_NUMERIC_FLOAT8:
		case F_FLOAT8_NUMERIC:
		case F_INT4_INT2:
		case F_INT8_INT2:
		case F_INT8_INT4:
		case F_FLOAT8_INT2:
		case F_FLOAT8_INT4:
		case F_FLOAT8_INT8:
		case F_NUMERIC_INT2:
		case F_NUMERIC_INT4:
		case F_NUMERIC_INT8:
			return true;
		default:
			return false;
	}
}

static Node *
strip_casts(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, FuncExpr) && dpem_cast_keeps_value(((FuncExpr *) node)->funcid))
			node = linitial(((FuncExpr *) node)->args);
		else
			return node;
	}
}

const DpemColumn *
dpem_private_column(const DpemPrivateTable *table, Node *expression)
{
	Var		   *var = (Var *) strip_casts(expression);
	const DpemColumn *column;

	if (!IsA(var, Var) || var->varlevelsup != 0 || var->varno != table->number || var->varattno < 1 || var->varattno > table->columns)
		return NULL;
	column = table->column[var->varattno - 1];
	/* whoever owns the table may have altered it since the query was planned, from a function in the query */
	return column != NULL && var->vartype == dpem_published_type(column) ? column : NULL;
}

const DpemColumn *
dpem_only_column(const DpemPrivateTable *table, Node *expression)
{
	List	   *vars = pull_var_clause(expression, PVC_INCLUDE_AGGREGATES);
	const DpemColumn *column = vars == NIL ? NULL : dpem_private_column(table, linitial(vars));
	ListCell   *cell;

	foreach(cell, vars)
	{
		if (dpem_private_column(table, lfirst(cell)) != column)
			return NULL;
	}
	return column;
}

static Node *
replace_column(Node *node, void *by)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
		return copyObject((Node *) by);
	return expression_tree_mutator(node, replace_column, by);
}

Node *
dpem_replace_column(Node *expression, Node *by)
{
	return replace_column(expression, by);
}

/* does it speak of the value of a CASE, or of an array's element, that is outside of it? */
static bool
is_part_of_case(Node *node, void *context)
{
	ListCell   *cell;

	if (node == NULL)
		return false;
	if (IsA(node, CaseTestExpr))
		return true;
	if (IsA(node, ArrayCoerceExpr))
		return is_part_of_case((Node *) ((ArrayCoerceExpr *) node)->arg, context);
	if (!IsA(node, CaseExpr) || ((CaseExpr *) node)->arg == NULL)
		return expression_tree_walker(node, is_part_of_case, context);
	foreach(cell, ((CaseExpr *) node)->args)
	{
		if (is_part_of_case((Node *) ((CaseWhen *) lfirst(cell))->result, context))
			return true;
	}
	return is_part_of_case((Node *) ((CaseExpr *) node)->arg, context) || is_part_of_case((Node *) ((CaseExpr *) node)->defresult, context);
}

bool
dpem_is_value(Node *expression)
{
	return !contain_var_clause(expression) && !contain_volatile_functions(expression) && !contain_subplans(expression) &&
		!contain_agg_clause(expression) && !is_part_of_case(expression, NULL);
}

/* what a subquery gives, as a parameter: from version 17 on the server looks for its name in a plan, and here is none */
static Node *
without_plan(Node *node, void *context)
{
	Param	   *value;

	if (node == NULL || !IsA(node, Param) || ((Param *) node)->paramkind != PARAM_EXEC)
		return node == NULL ? NULL : expression_tree_mutator(node, without_plan, context);
	value = copyObject((Param *) node);
	value->paramkind = PARAM_EXTERN;
	return (Node *) value;
}

/* as of a query of this table alone, in which it is number 1 */
char *
dpem_deparse(const DpemPrivateTable *table, Node *expression)
{
	Node	   *copy = without_plan(copyObject(expression), NULL);

	if (table->number != 1)
		ChangeVarNodes(copy, table->number, 1, 0);
	return deparse_expression(copy, deparse_context_for(get_rel_name(table->relation), table->relation), false, false);
}

void
dpem_refuse_altered(const DpemPrivateTable *table)
{
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
			 errmsg("dataset \"%s\" or its columns were altered just now", table->dataset->name),
			 errhint("Ask once more.")));
}

void
dpem_refuse_expression(const DpemPrivateTable *table, Node *expression, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s cannot be asked of private table \"%s\"", dpem_deparse(table, expression), get_rel_name(table->relation)),
			 errhint("%s", hint)));
}
