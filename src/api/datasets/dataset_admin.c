/*
 * dataset_admin.c - registering and dropping datasets and their columns.
 *
 * Arguments have been checked by the SQL function that calls; what is
 * checked here is who may do it and whether the source fits.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "api/datasets/dataset_rules.h"
#include "ledger/budget.h"
#include "ledger/incarnation.h"
#include "ledger/registration.h"
#include "ledger/role_number.h"
#include "registry/calendar.h"
#include "registry/dataset.h"
#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "registry/unit_carry.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/catalog_lock.h"
#include "server/errors.h"

static int64
open_account(const char *dataset)
{
	int64		account;

	dpem_spi_query("INSERT INTO dpem_internal.account DEFAULT VALUES RETURNING id", 0, NULL, NULL, NULL,
				   false, SPI_OK_INSERT_RETURNING);
	account = dpem_spi_int64(0, 1);
	dpem_incarnation_stamp(account, dataset, NULL, NULL);
	return account;
}

/*
 * Charges count in a unit and an adjacency; they cannot be added to charges
 * that count in others, so that all datasets of an account agree in both.
 * Returns the number of charges there are.
 */
static int64
require_same_currency(int64 account, const char *unit, const char *adjacency)
{
	Oid			types[] = {INT8OID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(account), unit ? CStringGetTextDatum(unit) : (Datum) 0,
	CStringGetTextDatum(adjacency)};
	const char	nulls[] = {' ', unit ? ' ' : 'n', ' ', '\0'};
	bool		isnull;

	dpem_spi_query("SELECT (SELECT count(DISTINCT charge) FROM dpem_internal.charge WHERE account = $1),"
				   " EXISTS (SELECT unit, adjacency FROM dpem_internal.charge WHERE account = $1 AND charge >= coalesce("
				   "   (SELECT min(charge) FROM dpem_internal.charge WHERE account = $1 AND mechanism = '" DPEM_CARRY_MECHANISM "'), 0)"
				   "  UNION SELECT unit, adjacency FROM dpem_internal.dataset WHERE account = $1"
				   "  EXCEPT SELECT $2, $3)",
				   3, types, values, nulls, false, SPI_OK_SELECT);
	if (DatumGetBool(dpem_spi_datum(0, 2, &isnull)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the ledger of this source counts in another unit or adjacency"),
				 errhint("Register the source with the same unit and adjacency as its other datasets and charges, which the views dpem.datasets and dpem.ledger show; dp_alter_dataset(dataset, unit => ...) makes persons of rows.")));
	return dpem_spi_int64(0, 1);
}

/* there is nothing in a table that tells whether its rows are people */
static void
notice_unit(const char *name)
{
	ereport(NOTICE,
			(errmsg("one row of \"%s\" is taken as one person", name),
			 errhint("If a person may have several rows, name the column that tells persons apart: SELECT dp_alter_dataset(%s, unit => 'person', max_rows_per_unit => 1).", quote_literal_cstr(name))));
}

void
dpem_dataset_notice_delta(const DpemDataset *ds)
{
	/* their number is public then */
	double		rows = ds->unit == NULL && ds->replace_one ? dpem_dataset_public_rows(ds) : 0;

	if (rows * ds->delta > 1)
		ereport(NOTICE,
				(errmsg("delta %g is above one in %.0f, the number of rows", ds->delta, rows),
				 errdetail("A mechanism that publishes a random row with probability delta each would show somebody's."),
				 errhint("SELECT dp_alter_dataset(%s, delta => %.0e) changes it.", quote_literal_cstr(ds->name), 0.1 / rows)));
}

/* whoever puts a table into a ledger, or reads it on the way to persons, owns it */
static void
require_registrable(Oid source, const DpemUnitPath *path)
{
	ListCell   *cell;

	dpem_source_require_registrable(source);
	foreach(cell, path ? path->steps : NIL)
		dpem_source_require_registrable(((DpemUnitStep *) lfirst(cell))->relation);
}

/* the one ledger of all tables on the way; 0: there is none */
static int64
begin_registration(const char *name, Oid source, const DpemUnitPath *path)
{
	int64		account = dpem_registration_begin(name, source);
	ListCell   *cell;

	foreach(cell, path ? path->steps : NIL)
	{
		const DpemUnitStep *step = lfirst(cell);
		int64		other = dpem_registration_begin(name, step->relation);

		if (account != 0 && other != 0 && account != other)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_IN_USE),
					 errmsg("\"%s\" and %s, on the way to its unit, have different ledgers", get_rel_name(source), step->table),
					 errhint("All tables of these persons share one ledger: register each with the persons' key as unit from the first time on.")));
		account = account != 0 ? account : other;
	}
	return account;
}

static void
record_relations(Oid source, const DpemUnitPath *path, int64 account)
{
	ListCell   *cell;

	dpem_source_record(source, account);
	foreach(cell, path ? path->steps : NIL)
		dpem_source_record(((DpemUnitStep *) lfirst(cell))->relation, account);
}

void
dpem_dataset_register(const char *name, Oid source, double epsilon, double delta,
					  const char *unit, const DpemUnitPath *path, int max_rows, const char *adjacency,
					  const char *accountant, double keys_share)
{
	Oid			types[] = {TEXTOID, INT8OID, OIDOID, TEXTOID, TEXTOID, INT4OID, TEXTOID, TEXTOID,
	FLOAT8OID, FLOAT8OID, INT8OID, FLOAT8OID, TEXTOID, TEXTOID};
	char		nulls[] = "              ";
	int64		account;
	int64		charges = 0;
	int64		owner;
	DpemIdentity saved;

	/* an older snapshot could overlook the ledger that the source already has */
	dpem_require_read_committed("registered");
	require_registrable(source, path);
	dpem_source_refuse_borrowed(source);
	if (unit != NULL && path == NULL && !OidIsValid(dpem_source_column_type(source, unit)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("unit column \"%s\" does not exist in \"%s\"", unit, get_rel_name(source)),
				 errhint("%sNames are taken as they are written, capitals included%s.", dpem_did_you_mean(unit, dpem_source_column_names(source)),
						 strchr(unit, '.') ? "; the key of a table of persons is schema.table.key" : "")));
	if (unit != NULL && path == NULL)
		dpem_source_require_unit_type(source, unit, ERRCODE_DATATYPE_MISMATCH);
	owner = dpem_role_number(dpem_relation_owner(source));
	account = begin_registration(name, source, path);
	/* what the source reads may have changed before it was locked */
	require_registrable(source, path);
	dpem_owner_enter(&saved);
	dpem_require_new_name(name, 0);
	if (account != 0)
	{
		charges = require_same_currency(account, unit, adjacency);
		dpem_require_same_rule(account, accountant, (DpemLimit) {epsilon, delta, keys_share});
	}
	else
		account = open_account(name);
	nulls[4] = unit ? ' ' : 'n';
	nulls[12] = nulls[13] = path ? ' ' : 'n';
	{
		Datum		values[] = {CStringGetTextDatum(name), Int64GetDatum(account),
			ObjectIdGetDatum(source), CStringGetTextDatum(dpem_relation_qualified_name(source)),
			unit ? CStringGetTextDatum(unit) : (Datum) 0, Int32GetDatum(max_rows),
			CStringGetTextDatum(adjacency), CStringGetTextDatum(accountant),
			Float8GetDatum(epsilon), Float8GetDatum(delta), Int64GetDatum(owner),
			Float8GetDatum(keys_share), path ? CStringGetTextDatum(path->text) : (Datum) 0,
		path ? CStringGetTextDatum(dpem_unit_path_relations(path)) : (Datum) 0};

		dpem_spi_query("INSERT INTO dpem_internal.dataset (name, account, source, source_name, unit,"
					   " max_rows_per_unit, adjacency, accountant, epsilon, delta, owner, keys_share, unit_path, unit_relations)"
					   " VALUES ($1, $2, $3::regclass, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, string_to_array($14, ' ')::oid[]::regclass[])",
					   14, types, values, nulls, false, SPI_OK_INSERT);
	}
	dpem_owner_leave(&saved);
	record_relations(source, path, account);
	if (unit == NULL)
		notice_unit(name);
	dpem_dataset_notice_delta(dpem_dataset_load(name));
	if (charges > 0)
		ereport(NOTICE,
				(errmsg("the ledger of this source continues with " INT64_FORMAT " earlier charges", charges),
				 errdetail("What they spent counts against the new budget; columns and role budgets start afresh.")));
}

/* which domain is replaced by another, in words, or NULL; between enter and leave, where no notice is sent */
static char *
find_replaced(const Oid *types, const Datum *values, const char *nulls, MemoryContext where)
{
	if (dpem_spi_query("SELECT CASE WHEN kind IN ('label', 'text') THEN format('as %s of %s words', kind, cardinality(categories))"
					   " WHEN kind = 'key' THEN 'as a key'"
					   " WHEN calendar = 'date' THEN format('with dates from %s to %s', dpem.date_at(lower), dpem.date_at(upper))"
					   " WHEN calendar IS NOT NULL THEN format('with times from %s to %s', dpem.timestamp_at(lower), dpem.timestamp_at(upper))"
					   " ELSE format('with bounds %s and %s%s', lower, upper, CASE WHEN scale <> 'linear' THEN ' on scale ' || scale END) END"
					   " FROM dpem_internal.dataset_column WHERE dataset = $1 AND column_name = $2"
					   " AND (kind, lower, upper, length, categories, scale, calendar) IS DISTINCT FROM ($3, $4, $5, $6, $7, $8, $9)",
					   9, types, values, nulls, false, SPI_OK_SELECT) == 1)
		return dpem_spi_text(0, 1, where);
	return NULL;
}

void
dpem_dataset_register_column(DpemDataset *ds, const char *column, DpemColumnKind kind,
							 double lower, double upper, int length, DpemColumnScale scale, Oid calendar, Datum categories)
{
	static const char *const kinds[] = {"number", "array", "label", "text", "key"};
	bool		numeric = kind == DPEM_COLUMN_NUMBER || kind == DPEM_COLUMN_ARRAY;
	Oid			types[] = {INT8OID, TEXTOID, TEXTOID, FLOAT8OID, FLOAT8OID, INT4OID, TEXTARRAYOID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(column),
		CStringGetTextDatum(kinds[kind]), Float8GetDatum(lower), Float8GetDatum(upper),
	Int32GetDatum(length), categories, CStringGetTextDatum(dpem_scale_name(scale)),
	OidIsValid(calendar) ? CStringGetTextDatum(dpem_calendar_name(calendar)) : (Datum) 0};
	char		nulls[] = "         ";
	MemoryContext caller = CurrentMemoryContext;
	char	   *replaced;
	DpemIdentity saved;

	nulls[3] = nulls[4] = numeric ? ' ' : 'n';
	nulls[5] = kind == DPEM_COLUMN_ARRAY ? ' ' : 'n';
	nulls[8] = OidIsValid(calendar) ? ' ' : 'n';
	nulls[6] = numeric || kind == DPEM_COLUMN_KEY ? 'n' : ' ';
	dpem_refuse_prepare();
	dpem_owner_enter(&saved);
	replaced = find_replaced(types, values, nulls, caller);
	dpem_spi_query("INSERT INTO dpem_internal.dataset_column (dataset, position, column_name, kind, lower,"
				   " upper, length, categories, scale, calendar)"
				   " SELECT $1, coalesce(max(position), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9"
				   " FROM dpem_internal.dataset_column WHERE dataset = $1"
				   " ON CONFLICT (dataset, column_name) DO UPDATE SET kind = EXCLUDED.kind,"
				   " lower = EXCLUDED.lower, upper = EXCLUDED.upper, length = EXCLUDED.length,"
				   " categories = EXCLUDED.categories, scale = EXCLUDED.scale, calendar = EXCLUDED.calendar,"
				   " aggregate = NULL, detail = NULL, detail_path = NULL, detail_relations = NULL, detail_filter = NULL",
				   9, types, values, nulls, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
	if (replaced != NULL)
		ereport(NOTICE,
				(errmsg("column \"%s\" was registered %s until now", column, replaced),
				 errdetail("Models that were made before keep the domain that they were made with.")));
}

void
dpem_dataset_drop(DpemDataset *ds)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id), Int64GetDatum(ds->account)};
	int64		columns,
				roles,
				charges;
	Oid			caller = GetUserId();
	DpemIdentity saved;

	dpem_account_close(ds->account);
	dpem_owner_enter(&saved);
	/* the charge worker locks the account: no charge is half-way while we drop */
	dpem_spi_query("SELECT id FROM dpem_internal.account WHERE id = $2 AND $1 IS NOT NULL FOR UPDATE",
				   2, types, values, NULL, false, SPI_OK_SELECT);
	dpem_spi_query("SELECT (SELECT count(*) FROM dpem_internal.dataset_column WHERE dataset = $1),"
				   " (SELECT count(*) FROM dpem_internal.budget WHERE dataset = $1),"
				   " (SELECT count(DISTINCT charge) FROM dpem_internal.charge WHERE account = $2)",
				   2, types, values, NULL, false, SPI_OK_SELECT);
	columns = dpem_spi_int64(0, 1);
	roles = dpem_spi_int64(0, 2);
	charges = dpem_spi_int64(0, 3);
	dpem_budget_drop(ds, caller);
	dpem_record_rule(ds);
	dpem_spi_query("WITH c AS (DELETE FROM dpem_internal.dataset_column WHERE dataset = $1), a AS (DELETE FROM dpem_internal.answer WHERE dataset = $1)"
				   " DELETE FROM dpem_internal.dataset WHERE id = $1 AND $2 IS NOT NULL", 2, types, values,
				   NULL, false, SPI_OK_DELETE);
	dpem_owner_leave(&saved);
	ereport(NOTICE,
			(errmsg("dataset \"%s\" is dropped: " INT64_FORMAT " column domains and " INT64_FORMAT
					" role budgets are forgotten", ds->name, columns, roles),
			 errdetail("Its ledger of " INT64_FORMAT " charges is kept and continues when the source is registered again.",
					   charges)));
}
