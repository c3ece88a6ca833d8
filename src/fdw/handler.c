/*
 * handler.c - dpem_fdw: the wrapper's functions, the table by itself, which never gives a row,
 * and IMPORT FOREIGN SCHEMA.
 */
#include "postgres.h"

#include "access/reloptions.h"
#include "catalog/pg_foreign_table.h"
#include "commands/defrem.h"
#include "fmgr.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "optimizer/restrictinfo.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "fdw/fdw.h"
#include "fdw/fdw_plan.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_fdw_handler);
PG_FUNCTION_INFO_V1(dpem_fdw_validator);

/* public constants: what the planner is told of a table of whatever rows */
#define TABLE_ROWS 1000
#define TABLE_COST 50000

/* ---- planning ---- */

static void
get_rel_size(PlannerInfo *root, RelOptInfo *rel, Oid relation)
{
	rel->fdw_private = dpem_private_table(relation, (int) rel->relid);
	rel->rows = TABLE_ROWS;
	rel->tuples = TABLE_ROWS;
}

/* a plan of it is refused when its first row is wanted: clients ask for the columns of no rows */
static void
get_paths(PlannerInfo *root, RelOptInfo *rel, Oid relation)
{
	add_path(rel, (Path *) dpem_create_scan_path(root, rel, TABLE_ROWS, TABLE_COST));
}

static ForeignScan *
get_plan(PlannerInfo *root, RelOptInfo *rel, Oid relation, ForeignPath *path, List *tlist, List *clauses, Plan *outer)
{
	if (rel->reloptkind == RELOPT_UPPER_REL)
		return dpem_plan_question(rel, tlist, (List *) root->parse->havingQual);
	return make_foreignscan(tlist, extract_actual_clauses(clauses, false), rel->relid, NIL, NIL, NIL, NIL, outer);
}

/* statistics of rows are the rows' */
static bool
analyze_table(Relation relation, AcquireSampleRowsFunc *function, BlockNumber *pages)
{
	return false;
}

/* ---- IMPORT FOREIGN SCHEMA ---- */

#define PUBLISHED \
	"SELECT d.name, pg_catalog.string_agg(pg_catalog.quote_ident(c.column_name)" \
	" OPERATOR(pg_catalog.||) CASE WHEN c.kind = 'number' THEN ' double precision' ELSE ' text' END, ', ' ORDER BY c.position)" \
	" FROM dpem.dataset d JOIN dpem.dataset_column c ON c.dataset = d.id AND c.kind IN ('number', 'label', 'key')" \
	" WHERE pg_catalog.pg_has_role($1, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = d.owner), 'USAGE')" \
	" GROUP BY d.name ORDER BY d.name"

/* a table for each dataset of the caller's that has columns to publish; the remote schema has no meaning */
static List *
import_schema(ImportForeignSchemaStmt *statement, Oid server)
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

/* ---- options ---- */

static void
check_option(DefElem *option, Oid catalog)
{
	if (catalog == ForeignTableRelationId && strcmp(option->defname, "dataset") == 0)
		(void) defGetString(option);
	else if (catalog == ForeignTableRelationId && strcmp(option->defname, "epsilon") == 0)
		(void) dpem_check_epsilon("epsilon", DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(defGetString(option)))));
	else
		ereport(ERROR,
				(errcode(ERRCODE_FDW_INVALID_OPTION_NAME),
				 errmsg("there is no option \"%s\" here", option->defname),
				 errhint("A private table has the options dataset (the name of a dataset) and epsilon (what a query spends that does not say).")));
}

/* dpem_fdw_validator(text[], oid): raises for options that there are not, or values they cannot have */
Datum
dpem_fdw_validator(PG_FUNCTION_ARGS)
{
	ListCell   *cell;

	foreach(cell, untransformRelOptions(PG_GETARG_DATUM(0)))
		check_option(lfirst(cell), PG_GETARG_OID(1));
	PG_RETURN_VOID();
}

/* dpem_fdw_handler(): no way to write, to sample, to lock or to join rows */
Datum
dpem_fdw_handler(PG_FUNCTION_ARGS)
{
	FdwRoutine *routine = makeNode(FdwRoutine);

	routine->GetForeignRelSize = get_rel_size;
	routine->GetForeignPaths = get_paths;
	routine->GetForeignPlan = get_plan;
	routine->GetForeignUpperPaths = dpem_get_upper_paths;
	routine->BeginForeignScan = dpem_begin_scan;
	routine->IterateForeignScan = dpem_iterate_scan;
	routine->ReScanForeignScan = dpem_rescan;
	routine->EndForeignScan = dpem_end_scan;
	routine->ExplainForeignScan = dpem_explain_scan;
	routine->AnalyzeForeignTable = analyze_table;
	routine->ImportForeignSchema = import_schema;
	PG_RETURN_POINTER(routine);
}
