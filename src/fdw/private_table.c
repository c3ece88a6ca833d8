/*
 * private_table.c - a foreign table, its options, and the dataset behind it.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "foreign/foreign.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "fdw/fdw.h"
#include "server/errors.h"
#include "server/version_shims.h"

Oid
dpem_published_type(DpemColumnKind kind)
{
	if (kind == DPEM_COLUMN_NUMBER)
		return FLOAT8OID;
	return kind == DPEM_COLUMN_LABEL || kind == DPEM_COLUMN_KEY ? TEXTOID : InvalidOid;
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

/* ---- columns ---- */

static void
bind_column(DpemPrivateTable *table, List *registered, Form_pg_attribute attribute)
{
	DpemColumn *column = dpem_dataset_find_registered(table->dataset, registered, NameStr(attribute->attname));
	Oid			type = dpem_published_type(column->kind);

	if (attribute->atttypid != type)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of private table \"%s\" has type %s, which dataset \"%s\" does not have it with",
						column->name, get_rel_name(table->relation), format_type_be(attribute->atttypid), table->dataset->name),
				 OidIsValid(type) ? errhint("Its owner can publish the dataset again with dp_publish, which gives it type %s.", format_type_be(type))
				 : errhint("Arrays and documents are not published.")));
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

/* whoever makes a table of anybody's dataset would see its columns, bounds and categories */
static void
require_visible(const DpemDataset *ds)
{
	if (!dpem_dataset_is_visible(ds))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"", GetUserNameFromId(GetUserId(), false), ds->name),
				 errhint("The dataset's owner grants one with dp_grant_budget.")));
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
	require_visible(table->dataset);
	bind_columns(table);
	return table;
}

/* ---- expressions of columns ---- */

/* casts of a number that leave its value as it is: to numeric and back, and those that do nothing */
static Node *
strip_casts(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, FuncExpr) && (((FuncExpr *) node)->funcid == F_NUMERIC_FLOAT8 || ((FuncExpr *) node)->funcid == F_FLOAT8_NUMERIC))
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
	return column != NULL && var->vartype == dpem_published_type(column->kind) ? column : NULL;
}

bool
dpem_names_column(Node *expression)
{
	return contain_var_clause(expression);
}

/* as of a query of this table alone, in which it is number 1 */
char *
dpem_deparse(const DpemPrivateTable *table, Node *expression)
{
	Node	   *copy = copyObject(expression);

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
