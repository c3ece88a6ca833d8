/*
 * dataset_alter.c - dp_alter_dataset and dp_unregister_column.
 *
 * A charge in the ledger remembers what it took of a dataset's budget as it
 * was (dpem_internal.charge.part_dataset).  So a dataset that is altered gets a row of
 * another id, as if it had been dropped and registered again, but keeps its
 * columns, its role budgets and what was spent.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "api/datasets/dataset_rules.h"
#include "core/accounting/budget_rule.h"
#include "ledger/budget.h"
#include "ledger/registration.h"
#include "ledger/role_number.h"
#include "registry/dataset.h"
#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "registry/unit_carry.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/catalog_lock.h"
#include "server/named_arguments.h"

PG_FUNCTION_INFO_V1(dp_alter_dataset);
PG_FUNCTION_INFO_V1(dp_unregister_column);

/* tables of the dataset's own ledger, and of no other; locks them */
static void
require_same_people(const DpemDataset *ds, const DpemDataset *altered)
{
	Oid			source = altered->source;

	dpem_source_require_registrable(source);
	dpem_source_refuse_borrowed(source);
	if (dpem_registration_begin(altered->name, source) != ds->account)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"%s\" does not read the tables of dataset \"%s\"", get_rel_name(source), ds->name),
				 errhint("Register it as a dataset of its own with dp_register_dataset.")));
	/* what the source reads may have changed before it was locked */
	dpem_source_require_registrable(source);
	if (ds->path != NULL && (altered->unit == NULL || strcmp(ds->unit, altered->unit) != 0))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the unit of dataset \"%s\", %s, cannot be altered", ds->name, ds->path->text),
				 errhint("All tables of these persons have it. Register the source as a dataset of its own.")));
	if (ds->path != NULL && dpem_unit_path_fault(ds->path, source) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit %s %s", ds->path->text, dpem_unit_path_fault(ds->path, source)),
				 errhint("The path is that of the dataset: the new source must have it, too.")));
	if (altered->unit != NULL && ds->path == NULL && !OidIsValid(dpem_source_column_type(source, altered->unit)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("unit column \"%s\" does not exist in \"%s\"", altered->unit, get_rel_name(source)),
				 errhint("Rename the column back, or give a view that has it under this name.")));
	if (altered->unit != NULL && ds->path == NULL)
		dpem_source_require_unit_type(source, altered->unit, ERRCODE_DATATYPE_MISMATCH);
}

/* the row under another id; returns that */
static int64
replace_row(const DpemDataset *ds, const DpemDataset *altered, int64 owner)
{
	Oid			types[] = {INT8OID, TEXTOID, OIDOID, TEXTOID, FLOAT8OID, FLOAT8OID, FLOAT8OID, INT8OID, TEXTOID, INT4OID, INT4OID};
	char		nulls[] = "           ";
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(altered->name),
		ObjectIdGetDatum(altered->source), CStringGetTextDatum(dpem_relation_qualified_name(altered->source)),
		Float8GetDatum(altered->epsilon), Float8GetDatum(altered->delta), Float8GetDatum(altered->keys_share),
		Int64GetDatum(owner), altered->unit ? CStringGetTextDatum(altered->unit) : (Datum) 0,
	Int32GetDatum(altered->max_rows_per_unit), Int32GetDatum(altered->minimum)};

	nulls[8] = altered->unit ? ' ' : 'n';
	if (dpem_spi_query("WITH old AS (DELETE FROM dpem_internal.dataset WHERE id = $1 RETURNING *)"
					   " INSERT INTO dpem_internal.dataset (name, account, source, source_name, unit, max_rows_per_unit,"
					   "  adjacency, accountant, epsilon, delta, owner, keys_share, registered_at, holdout_key, unit_path, unit_relations, minimum,"
					   "  former_names)"
					   " SELECT $2, o.account, $3::regclass, $4, $9, $10, o.adjacency,"
					   "  o.accountant, $5, $6, $8, $7, o.registered_at, o.holdout_key, o.unit_path, o.unit_relations, $11,"
					   "  CASE WHEN o.name = $2 THEN o.former_names ELSE array_remove(o.former_names, $2) || o.name END"
					   " FROM old o RETURNING id",
					   lengthof(types), types, values, nulls, false, SPI_OK_INSERT_RETURNING) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("dataset \"%s\" does not exist", ds->name),
				 errhint("Another session has just changed it: look at dpem.datasets.")));
	return dpem_spi_int64(0, 1);
}

static void
move_what_belongs(const DpemDataset *ds, const DpemDataset *altered, int64 id)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id), Int64GetDatum(id)};
	Oid			name_types[] = {TEXTOID, TEXTOID, INT8OID};
	Datum		names[] = {CStringGetTextDatum(ds->name), CStringGetTextDatum(altered->name), Int64GetDatum(ds->account)};

	dpem_spi_query("UPDATE dpem_internal.dataset_column SET dataset = $2 WHERE dataset = $1", 2, types, values,
				   NULL, false, SPI_OK_UPDATE);
	dpem_spi_query("UPDATE dpem_internal.budget SET dataset = $2 WHERE dataset = $1", 2, types, values,
				   NULL, false, SPI_OK_UPDATE);
	/* of another source they are no answers */
	dpem_spi_query(ds->source == altered->source ? "UPDATE dpem_internal.answer SET dataset = $2 WHERE dataset = $1"
				   : "DELETE FROM dpem_internal.answer WHERE dataset = $1 AND $2 IS NOT NULL", 2, types, values,
				   NULL, false, ds->source == altered->source ? SPI_OK_UPDATE : SPI_OK_DELETE);
	if (strcmp(ds->name, altered->name) != 0)
		dpem_spi_query("UPDATE dpem_internal.model SET dataset = $2 WHERE dataset = $1 AND charge IN"
					   " (SELECT c.charge FROM dpem_internal.charge c WHERE c.account = $3)", 3, name_types, names,
					   NULL, false, SPI_OK_UPDATE);
}

/* a budget below what was spent would stop all charges without saying why */
static void
require_affordable(int64 id, const DpemDataset *altered)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	double		spent;
	double		failures;

	if (dpem_spi_query("SELECT dpem_internal.totals_spent(s.accountant, s.total, s.delta, s.keys_share),"
					   " (s.total).failure::float8, (s.total).charges FROM dpem_internal.standing s"
					   " WHERE s.dataset = $1 AND s.role_id = 0 AND (s.total).charges > 0",
					   1, types, values, NULL, false, SPI_OK_SELECT) == 0)
		return;
	spent = dpem_spi_float8(0, 1);
	failures = dpem_spi_float8(0, 2);
	if (!(spent <= altered->epsilon) || !(failures <= altered->delta))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("epsilon %g at delta %g is less than what was spent", altered->epsilon, altered->delta),
				 errdetail("The charges of this ledger come to epsilon %.4g at this delta.", spent),
				 errhint("What was spent stays spent: give a larger epsilon. To stop further charges, revoke the role budgets with dp_revoke_budget.")));
}

static void
record_alteration(int64 id, const char *caller)
{
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(id), CStringGetTextDatum(caller)};

	dpem_spi_query("INSERT INTO dpem_internal.budget_change (account, dataset, change, epsilon, delta, changed_by)"
				   " SELECT account, name, 'alter', epsilon, delta, $2 FROM dpem_internal.dataset WHERE id = $1",
				   2, types, values, NULL, false, SPI_OK_INSERT);
}

static bool
counts_persons_anew(const DpemDataset *ds, const DpemDataset *altered)
{
	return ds->unit == NULL && altered->unit != NULL;
}

/* all datasets of a ledger count in one unit */
static void
require_alone(const DpemDataset *ds)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(ds->account), Int64GetDatum(ds->id)};

	if (dpem_spi_query("SELECT name FROM dpem_internal.dataset WHERE account = $1 AND id <> $2 ORDER BY name LIMIT 1",
					   2, types, values, NULL, false, SPI_OK_SELECT) > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("dataset \"%s\" shares the ledger of \"%s\" and counts in rows",
						dpem_spi_text(0, 1, CurrentMemoryContext), ds->name),
				 errhint("Drop it with dp_drop_dataset, and register it again with the unit afterwards; its charges are carried over, too.")));
}

static void
notice_carried(int64 charges, int rows)
{
	if (charges > 0)
		ereport(NOTICE,
				(errmsg(INT64_FORMAT " charges to rows are carried over to persons of at most %d rows", charges, rows),
				 errdetail("That is an upper bound only if no person had more rows in what these charges read."),
				 errhint("If one had, ROLLBACK and say how many with earlier_rows.")));
}

void
dpem_dataset_alter(DpemDataset *ds, const DpemDataset *altered, int earlier_rows)
{
	char	   *caller = GetUserNameFromId(GetUserId(), false);
	int64		owner;
	int64		id;
	int64		carried = 0;
	DpemIdentity saved;

	/* an older snapshot could overlook charges that were made since */
	dpem_require_read_committed("altered");
	require_same_people(ds, altered);
	owner = dpem_role_number(dpem_relation_owner(altered->source));
	dpem_account_close(ds->account);
	dpem_owner_enter(&saved);
	dpem_require_new_name(altered->name, ds->id);
	dpem_record_rule(ds);
	if (counts_persons_anew(ds, altered))
		require_alone(ds);
	id = replace_row(ds, altered, owner);
	if (counts_persons_anew(ds, altered))
		carried = dpem_ledger_carry_over(altered, earlier_rows);
	dpem_require_same_rule(ds->account, ds->accountant,
						   (DpemLimit) {altered->epsilon, altered->delta, altered->keys_share});
	require_affordable(id, altered);
	move_what_belongs(ds, altered, id);
	dpem_budget_require_reserved(dpem_dataset_load(altered->name));
	record_alteration(id, caller);
	dpem_owner_leave(&saved);
	dpem_source_record(altered->source, ds->account);
	notice_carried(carried, earlier_rows);
}

void
dpem_dataset_unregister_column(DpemDataset *ds, const char *column)
{
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(column)};
	DpemIdentity saved;

	(void) dpem_dataset_find_registered(ds, dpem_dataset_registered(ds), column);
	dpem_refuse_prepare();
	dpem_owner_enter(&saved);
	dpem_spi_query("DELETE FROM dpem_internal.dataset_column WHERE dataset = $1 AND column_name = $2", 2, types,
				   values, NULL, false, SPI_OK_DELETE);
	dpem_owner_leave(&saved);
}

/* the unit and its rows, arguments 6 and 7; returns argument 8, how many rows a person may have had until now */
static int
unit_arguments(FunctionCallInfo fcinfo, const DpemDataset *ds, DpemDataset *altered)
{
	int			earlier;

	if (!PG_ARGISNULL(6))
		altered->unit = dpem_text_argument(fcinfo, 6, "unit");
	if (ds->unit != NULL && strcmp(ds->unit, altered->unit) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("dataset \"%s\" counts in \"%s\" already, and cannot count in \"%s\"", ds->name, ds->unit, altered->unit),
				 errhint("Rows can become persons; one unit cannot become another.")));
	if (!PG_ARGISNULL(7))
		altered->max_rows_per_unit = PG_GETARG_INT32(7);
	earlier = PG_ARGISNULL(8) ? altered->max_rows_per_unit : PG_GETARG_INT32(8);
	(void) dpem_check_max_rows("max_rows_per_unit", altered->max_rows_per_unit, altered->unit);
	return dpem_check_max_rows("earlier_rows", earlier, altered->unit);
}

/*
 * dp_alter_dataset(dataset text, name text, source regclass, epsilon float8, delta float8,
 * keys_share float8, unit text, max_rows_per_unit int, earlier_rows int, minimum int)
 */
Datum
dp_alter_dataset(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	DpemDataset altered = *ds;
	DpemArguments a = dpem_arguments(fcinfo);
	int			earlier_rows;

	dpem_dataset_require_owner(ds);
	if (!PG_ARGISNULL(1))
		altered.name = dpem_text_argument(fcinfo, 1, "name");
	if (!PG_ARGISNULL(2))
		altered.source = PG_GETARG_OID(2);
	if (!PG_ARGISNULL(3))
		altered.epsilon = dpem_budget_argument(fcinfo, 3);
	if (!PG_ARGISNULL(4))
		altered.delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(4));
	if (!PG_ARGISNULL(5))
		altered.keys_share = dpem_keys_share_argument(fcinfo, 5, ds->accountant);
	earlier_rows = unit_arguments(fcinfo, ds, &altered);
	if (!PG_ARGISNULL(9))
		altered.minimum = dpem_named_int_between(&a, "minimum", 0, DPEM_MINIMUM_MOST);
	dpem_dataset_alter(ds, &altered, earlier_rows);
	if (!PG_ARGISNULL(4) || !PG_ARGISNULL(2))
		dpem_dataset_notice_delta(&altered);
	return dpem_dataset_answer(dpem_dataset_load(altered.name));
}

/* dp_unregister_column(dataset text, column_name text) */
Datum
dp_unregister_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));

	dpem_dataset_require_owner(ds);
	dpem_dataset_unregister_column(ds, dpem_text_argument(fcinfo, 1, "column_name"));
	return dpem_dataset_answer(ds);
}
