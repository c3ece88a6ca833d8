/*
 * dataset_alter.c - dp_alter_dataset and dp_unregister_column.
 *
 * A charge in the ledger remembers what it took of a dataset's budget as it
 * was (dpem.charge.part_dataset).  So a dataset that is altered gets a row of
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

#include "api/dataset_rules.h"
#include "core/accounting/budget_rule.h"
#include "ledger/registration.h"
#include "ledger/role_number.h"
#include "registry/dataset.h"
#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/catalog_lock.h"

PG_FUNCTION_INFO_V1(dp_alter_dataset);
PG_FUNCTION_INFO_V1(dp_unregister_column);

/* tables of the dataset's own ledger, and of no other; locks them */
static void
require_same_people(const DpemDataset *ds, Oid source, const char *name)
{
	dpem_source_require_registrable(source);
	dpem_source_refuse_borrowed(source);
	if (dpem_registration_begin(name, source) != ds->account)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"%s\" does not read the tables of dataset \"%s\"", get_rel_name(source), ds->name),
				 errhint("Register it as a dataset of its own with dp_register_dataset.")));
	/* what the source reads may have changed before it was locked */
	dpem_source_require_registrable(source);
	if (ds->unit != NULL && !OidIsValid(dpem_source_column_type(source, ds->unit)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("unit column \"%s\" does not exist in \"%s\"", ds->unit, get_rel_name(source)),
				 errhint("Rename the column back, or give a view that has it under this name.")));
}

/* the row under another id; returns that */
static int64
replace_row(const DpemDataset *ds, const DpemDataset *altered, int64 owner)
{
	Oid			types[] = {INT8OID, TEXTOID, OIDOID, TEXTOID, FLOAT8OID, FLOAT8OID, FLOAT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(altered->name),
		ObjectIdGetDatum(altered->source), CStringGetTextDatum(dpem_relation_qualified_name(altered->source)),
		Float8GetDatum(altered->epsilon), Float8GetDatum(altered->delta), Float8GetDatum(altered->keys_share),
	Int64GetDatum(owner)};

	if (dpem_spi_query("WITH old AS (DELETE FROM dpem.dataset WHERE id = $1 RETURNING *)"
					   " INSERT INTO dpem.dataset (name, account, source, source_name, unit, max_rows_per_unit,"
					   "  adjacency, accountant, epsilon, delta, owner, keys_share, registered_at, holdout_key, former_names)"
					   " SELECT $2, o.account, $3::regclass, $4, o.unit, o.max_rows_per_unit, o.adjacency,"
					   "  o.accountant, $5, $6, $8, $7, o.registered_at, o.holdout_key,"
					   "  CASE WHEN o.name = $2 THEN o.former_names ELSE array_remove(o.former_names, $2) || o.name END"
					   " FROM old o RETURNING id",
					   8, types, values, NULL, false, SPI_OK_INSERT_RETURNING) == 0)
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

	dpem_spi_query("UPDATE dpem.dataset_column SET dataset = $2 WHERE dataset = $1", 2, types, values,
				   NULL, false, SPI_OK_UPDATE);
	dpem_spi_query("UPDATE dpem.budget SET dataset = $2 WHERE dataset = $1", 2, types, values,
				   NULL, false, SPI_OK_UPDATE);
	/* of another source they are no answers */
	dpem_spi_query(ds->source == altered->source ? "UPDATE dpem.answer SET dataset = $2 WHERE dataset = $1"
				   : "DELETE FROM dpem.answer WHERE dataset = $1 AND $2 IS NOT NULL", 2, types, values,
				   NULL, false, ds->source == altered->source ? SPI_OK_UPDATE : SPI_OK_DELETE);
	if (strcmp(ds->name, altered->name) != 0)
		dpem_spi_query("UPDATE dpem.model SET dataset = $2 WHERE dataset = $1 AND charge IN"
					   " (SELECT c.charge FROM dpem.charge c WHERE c.account = $3)", 3, name_types, names,
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

	if (dpem_spi_query("SELECT dpem.totals_spent(s.accountant, s.total, s.delta, s.keys_share),"
					   " (s.total).failure::float8, (s.total).charges FROM dpem.standing s"
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
				 errhint("What was spent stays spent. To stop further charges, revoke the role budgets with dp_revoke_budget.")));
}

static void
record_alteration(int64 id, const char *caller)
{
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(id), CStringGetTextDatum(caller)};

	dpem_spi_query("INSERT INTO dpem.budget_change (account, dataset, change, epsilon, delta, changed_by)"
				   " SELECT account, name, 'alter', epsilon, delta, $2 FROM dpem.dataset WHERE id = $1",
				   2, types, values, NULL, false, SPI_OK_INSERT);
}

void
dpem_dataset_alter(DpemDataset *ds, const DpemDataset *altered)
{
	char	   *caller = GetUserNameFromId(GetUserId(), false);
	int64		owner;
	int64		id;
	DpemIdentity saved;

	require_same_people(ds, altered->source, altered->name);
	owner = dpem_role_number(dpem_relation_owner(altered->source));
	dpem_account_close(ds->account);
	dpem_owner_enter(&saved);
	dpem_require_new_name(altered->name, ds->id);
	dpem_record_rule(ds);
	id = replace_row(ds, altered, owner);
	dpem_require_same_rule(ds->account, ds->accountant,
						   (DpemLimit) {altered->epsilon, altered->delta, altered->keys_share});
	require_affordable(id, altered);
	move_what_belongs(ds, altered, id);
	record_alteration(id, caller);
	dpem_owner_leave(&saved);
	dpem_source_record(altered->source, ds->account);
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
	dpem_spi_query("DELETE FROM dpem.dataset_column WHERE dataset = $1 AND column_name = $2", 2, types,
				   values, NULL, false, SPI_OK_DELETE);
	dpem_owner_leave(&saved);
}

/* dp_alter_dataset(dataset text, name text, source regclass, epsilon float8, delta float8, keys_share float8) */
Datum
dp_alter_dataset(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	DpemDataset altered = *ds;

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
	dpem_dataset_alter(ds, &altered);
	PG_RETURN_VOID();
}

/* dp_unregister_column(dataset text, column_name text) */
Datum
dp_unregister_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));

	dpem_dataset_require_owner(ds);
	dpem_dataset_unregister_column(ds, dpem_text_argument(fcinfo, 1, "column_name"));
	PG_RETURN_VOID();
}
