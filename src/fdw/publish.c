/*
 * publish.c - dp_publish and IMPORT FOREIGN SCHEMA: a private table for a dataset.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "foreign/foreign.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"
#include "registry/dataset.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_publish);

#define PUBLISHED \
	"SELECT d.name FROM dpem_internal.dataset d JOIN pg_catalog.pg_class c ON c.oid = d.source::oid" \
	" WHERE pg_catalog.pg_has_role($1, c.relowner, 'USAGE') ORDER BY d.name"

/* definitions of the columns that are published; empty: none is */
static char *
column_list(const DpemDataset *ds)
{
	StringInfoData out;
	ListCell   *cell;

	initStringInfo(&out);
	foreach(cell, dpem_dataset_registered(ds))
	{
		DpemColumn *column = lfirst(cell);
		Oid			type;

		column->type = dpem_source_column_type(ds->source, column->name);
		type = dpem_published_type(column);
		if (OidIsValid(type))
			appendStringInfo(&out, "%s%s %s", out.len > 0 ? ", " : "", quote_identifier(column->name),
							 format_type_extended(type, -1, FORMAT_TYPE_FORCE_QUALIFY));
	}
	return out.data;
}

/* names of the caller's */
static List *
own_datasets(void)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(GetUserId())};
	List	   *names;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	names = dpem_spi_texts(dpem_spi_query(PUBLISHED, 1, types, values, NULL, false, SPI_OK_SELECT), caller);
	dpem_owner_leave(&saved);
	return names;
}

/* a table for each dataset of the caller's that has columns to publish; the remote schema has no meaning */
List *
dpem_import_schema(ImportForeignSchemaStmt *statement, Oid server)
{
	List	   *commands = NIL;
	ListCell   *cell;

	foreach(cell, own_datasets())
	{
		const char *columns = column_list(dpem_dataset_load(lfirst(cell)));

		if (columns[0] != '\0')
			commands = lappend(commands, psprintf("CREATE FOREIGN TABLE %s (%s) SERVER %s OPTIONS (dataset %s)", quote_identifier(lfirst(cell)), columns,
												  quote_identifier(statement->server_name), quote_literal_cstr(lfirst(cell))));
	}
	return commands;
}

/* a schema's name, in which the dataset's is in no use yet */
static char *
target_schema(FunctionCallInfo fcinfo, const char *dataset)
{
	char	   *schema;

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("schema must not be null"),
				 errhint("Name one that those who may ask can use, for instance after CREATE SCHEMA private.")));
	schema = get_namespace_name(PG_GETARG_OID(1));
	if (schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA), errmsg("schema with OID %u does not exist", PG_GETARG_OID(1))));
	if (OidIsValid(get_relname_relid(dataset, PG_GETARG_OID(1))))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists in schema \"%s\"", dataset, schema),
				 errhint("To publish it again: DROP FOREIGN TABLE %s.", quote_qualified_identifier(schema, dataset))));
	return schema;
}

/* dp_publish(dataset text, schema regnamespace): the new table.  Raises 42704 for a dataset that is not the caller's, 42P07 for a name in use */
Datum
dp_publish(PG_FUNCTION_ARGS)
{
	char	   *dataset = dpem_text_argument(fcinfo, 0, "dataset");
	char	   *schema = target_schema(fcinfo, dataset);
	DpemIdentity saved;
	Oid			table;

	dpem_caller_enter(&saved);
	(void) dpem_spi_query(psprintf("IMPORT FOREIGN SCHEMA datasets LIMIT TO (%s) FROM SERVER dpem INTO %s",
								   quote_identifier(dataset), quote_identifier(schema)), 0, NULL, NULL, NULL, false, SPI_OK_UTILITY);
	dpem_owner_leave(&saved);
	table = get_relname_relid(dataset, PG_GETARG_OID(1));
	/* raises an error for one that nobody has */
	if (!OidIsValid(table))
		(void) dpem_dataset_load(dataset);
	if (!OidIsValid(table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no dataset \"%s\" of yours with columns to publish", dataset),
				 errhint("The owner of the source registers it with dp_register_dataset, its columns with dp_register_column, and then publishes it.")));
	PG_RETURN_OID(table);
}
