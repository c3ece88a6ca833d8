/*
 * budget_share.c - roles' shares of a dataset's budget, and who changed them.
 *
 * A share may end and may be renewed.  A renewal lets a role spend its share
 * once more and changes nothing about the dataset's own budget, below which
 * all shares stay: what is promised to the persons in the data is that.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "core/accounting/budget_rule.h"
#include "ledger/budget.h"
#include "ledger/standing.h"
#include "server/as_owner.h"
#include "server/catalog_lock.h"

/* one row of the trail for every share of the dataset that is the role's, or (InvalidOid) anybody's */
static void
record_change(const DpemDataset *ds, Oid role, const char *change, Oid caller)
{
	Oid			types[] = {INT8OID, OIDOID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role), CStringGetTextDatum(change),
	CStringGetTextDatum(GetUserNameFromId(caller, false))};
	char		nulls[] = "    ";

	nulls[1] = OidIsValid(role) ? ' ' : 'n';
	dpem_spi_query("INSERT INTO dpem_internal.budget_change (account, dataset, role_name, change, epsilon, delta, expires,"
				   " refresh, changed_by, reserved)"
				   " SELECT d.account, d.name, b.role::text, $3, b.epsilon, b.delta, b.expires, b.refresh, $4, b.reserved"
				   " FROM dpem_internal.budget b JOIN dpem_internal.dataset d ON d.id = b.dataset"
				   " WHERE d.id = $1 AND ($2 IS NULL OR b.role = $2)",
				   4, types, values, nulls, false, SPI_OK_INSERT);
}

/* the share that is replaced by another, epsilon 0 if none is; between enter and leave, where no notice is sent */
static DpemLimit
find_replaced(const Oid *types, const Datum *values)
{
	if (dpem_spi_query("SELECT epsilon, delta FROM dpem_internal.budget WHERE dataset = $1 AND role::oid = $2 AND (epsilon, delta) <> ($3, $4)",
					   4, types, values, NULL, false, SPI_OK_SELECT) == 0)
		return (DpemLimit) {0};
	return (DpemLimit) {.epsilon = dpem_spi_float8(0, 1),.delta = dpem_spi_float8(0, 2)};
}

static void
notice_replaced(DpemLimit before, const char *role)
{
	if (before.epsilon > 0)
		ereport(NOTICE,
				(errmsg("role \"%s\" had a share of epsilon %g at delta %g until now", role, before.epsilon, before.delta),
				 errdetail("What it has spent stays spent and counts against the new share.")));
}

void
dpem_budget_grant(const DpemDataset *ds, Oid role, double epsilon, double delta, const DpemBudgetTerm *term)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID, FLOAT8OID, FLOAT8OID, TEXTOID, TIMESTAMPTZOID, INTERVALOID, BOOLOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role), Float8GetDatum(epsilon),
		Float8GetDatum(delta), CStringGetTextDatum(GetUserNameFromId(caller, false)),
	TimestampTzGetDatum(term->expires), IntervalPGetDatum(term->refresh), BoolGetDatum(term->reserved)};
	char		nulls[] = "        ";
	char	   *name;
	DpemLimit	before;
	DpemIdentity saved;

	nulls[5] = term->ends ? ' ' : 'n';
	nulls[6] = term->refresh ? ' ' : 'n';
	/* raises for a role that is gone */
	name = GetUserNameFromId(role, false);
	dpem_refuse_prepare();
	dpem_owner_enter(&saved);
	before = find_replaced(types, values);
	/* another size or term begins no new period: refreshed_from stays */
	dpem_spi_query("INSERT INTO dpem_internal.budget (dataset, role, epsilon, delta, granted_by, expires, refresh, reserved)"
				   " VALUES ($1, $2::regrole, $3, $4, $5, $6, $7, $8)"
				   " ON CONFLICT (dataset, role) DO UPDATE SET epsilon = EXCLUDED.epsilon,"
				   " delta = EXCLUDED.delta, granted_by = EXCLUDED.granted_by,"
				   " granted_at = EXCLUDED.granted_at, expires = EXCLUDED.expires, refresh = EXCLUDED.refresh,"
				   " reserved = EXCLUDED.reserved",
				   8, types, values, nulls, false, SPI_OK_INSERT);
	record_change(ds, role, "grant", caller);
	dpem_owner_leave(&saved);
	notice_replaced(before, name);
	if (epsilon > ds->epsilon)
		ereport(NOTICE,
				(errmsg("the share of role \"%s\", epsilon %g, is larger than the dataset's budget, epsilon %g",
						name, epsilon, ds->epsilon),
				 errdetail("It can be spent only as far as the dataset's budget lasts.")));
}

void
dpem_budget_require_reserved(const DpemDataset *ds)
{
	DpemStanding standing = dpem_standing_load(ds->id, InvalidOid, NULL);

	if (!dpem_standing_affords(&standing))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the budget of dataset \"%s\", epsilon %g at delta %g, has not enough left for what is reserved of it",
						ds->name, standing.unreserved.limit.epsilon, standing.unreserved.limit.delta),
				 errdetail("What was spent, and reserved shares in all their periods until they expire, must be within it."),
				 errhint("Reserve a smaller share, or fewer periods with an earlier expires, or raise the budget with dp_alter_dataset.")));
}

void
dpem_budget_revoke(const DpemDataset *ds, Oid role)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role)};
	DpemIdentity saved;

	dpem_refuse_prepare();
	dpem_owner_enter(&saved);
	record_change(ds, role, "revoke", caller);
	if (dpem_spi_query("DELETE FROM dpem_internal.budget WHERE dataset = $1 AND role = $2",
					   2, types, values, NULL, false, SPI_OK_DELETE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"",
						GetUserNameFromId(role, false), ds->name),
				 errhint("The view dpem.budgets lists the shares.")));
	dpem_owner_leave(&saved);
}

void
dpem_budget_drop(const DpemDataset *ds, Oid caller)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id)};

	record_change(ds, InvalidOid, "drop", caller);
	dpem_spi_query("DELETE FROM dpem_internal.budget WHERE dataset = $1", 1, types, values, NULL, false, SPI_OK_DELETE);
}
