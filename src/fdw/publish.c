/*
 * publish.c - dp_publish and IMPORT FOREIGN SCHEMA: a private table for a dataset.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fdw/fdw.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_publish);

#define PUBLISHED \
	"SELECT d.name, pg_catalog.string_agg(pg_catalog.quote_ident(c.column_name)" \
	" OPERATOR(pg_catalog.||) CASE WHEN c.kind = 'number' THEN ' double precision' ELSE ' text' END, ', ' ORDER BY c.position)" \
	" FROM dpem.dataset d JOIN dpem.dataset_column c ON c.dataset = d.id AND c.kind IN ('number', 'label', 'key')" \
	" WHERE pg_catalog.pg_has_role($1, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner), 'USAGE')" \
	" GROUP BY d.name ORDER BY d.name"

/* a table for each dataset of the caller's that has columns to publish; the remote schema has no meaning */
List *
dpem_import_schema(ImportForeignSchemaStmt *statement, Oid server)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(GetUserId())};
	List	   *commands = NIL;
	DpemIdentity saved;
	uint64		n;

	dpem_owner_enter(&saved);
	n = dpem_spi_query(PUBLISHED, 1, types, values, NULL, false, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
	{
		char	   *name = dpem_spi_text(i, 1, caller);
		char	   *columns = dpem_spi_text(i, 2, caller);
		MemoryContext old = MemoryContextSwitchTo(caller);

		commands = lappend(commands, psprintf("CREATE FOREIGN TABLE %s (%s) SERVER %s OPTIONS (dataset %s)", quote_identifier(name), columns,
											  quote_identifier(statement->server_name), quote_literal_cstr(name)));
		MemoryContextSwitchTo(old);
	}
	dpem_owner_leave(&saved);
	return commands;
}

/* dp_publish(dataset text, schema regnamespace): the new table.  Raises 42704 for a dataset that is not the caller's, 42P07 for a name in use */
Datum
dp_publish(PG_FUNCTION_ARGS)
{
	char	   *dataset = dpem_text_argument(fcinfo, 0, "dataset");
	DpemIdentity saved;
	char	   *schema;
	Oid			table;

	dpem_require_argument(fcinfo, 1, "schema");
	schema = get_namespace_name(PG_GETARG_OID(1));
	if (schema == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA), errmsg("schema with OID %u does not exist", PG_GETARG_OID(1))));
	dpem_caller_enter(&saved);
	(void) dpem_spi_query(psprintf("IMPORT FOREIGN SCHEMA datasets LIMIT TO (%s) FROM SERVER dpem INTO %s",
								   quote_identifier(dataset), quote_identifier(schema)), 0, NULL, NULL, NULL, false, SPI_OK_UTILITY);
	dpem_owner_leave(&saved);
	table = get_relname_relid(dataset, PG_GETARG_OID(1));
	if (!OidIsValid(table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no dataset \"%s\" of yours with columns to publish", dataset),
				 errhint("The owner of the source registers it with dp_register_dataset, its columns with dp_register_column, and then publishes it.")));
	PG_RETURN_OID(table);
}
