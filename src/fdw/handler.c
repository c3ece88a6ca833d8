/*
 * handler.c - dpem_fdw: the wrapper's functions, and the table by itself, which never gives a row.
 */
#include "postgres.h"

#include "access/reloptions.h"
#include "catalog/pg_foreign_table.h"
#include "commands/defrem.h"
#include "fmgr.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "optimizer/restrictinfo.h"
#include "utils/builtins.h"

#include "fdw/fdw.h"
#include "fdw/fdw_plan.h"
#include "server/arguments.h"
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

/* ---- options ---- */

static void
check_option(DefElem *option, Oid catalog)
{
	if (catalog == ForeignTableRelationId && (strcmp(option->defname, "dataset") == 0 || strcmp(option->defname, "synthetic") == 0))
		(void) defGetString(option);
	else if (catalog == ForeignTableRelationId && strcmp(option->defname, "epsilon") == 0)
		(void) dpem_check_epsilon("epsilon", DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(defGetString(option)))));
	else
		ereport(ERROR,
				(errcode(ERRCODE_FDW_INVALID_OPTION_NAME),
				 errmsg("there is no option \"%s\" here", option->defname),
				 errhint("A private table has the options dataset (the name of a dataset), epsilon (what a query spends that does not say) and synthetic (the model that rows are drawn from).")));
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
	routine->ImportForeignSchema = dpem_import_schema;
	PG_RETURN_POINTER(routine);
}
