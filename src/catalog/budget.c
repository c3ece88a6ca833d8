/*
 * budget.c - shares of a dataset's budget and the ledger's totals.
 *
 * Totals are derived from the ledger each time and stored nowhere else, so
 * they cannot disagree with it.  Epsilons and deltas are added as decimals:
 * ten charges of 0.1 are 1.0.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "catalog/as_owner.h"
#include "catalog/budget.h"

bool
dpem_budget_load(int64 dataset, Oid role, DpemBudget *budget)
{
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[] = {Int64GetDatum(dataset), ObjectIdGetDatum(role)};
	DpemIdentity saved;
	bool		found;

	dpem_owner_enter(&saved);
	found = dpem_spi_query("SELECT epsilon, delta FROM dpem.budget WHERE dataset = $1 AND role = $2",
						   2, types, values, NULL, false, SPI_OK_SELECT) == 1;
	if (found)
	{
		budget->epsilon = dpem_spi_float8(0, 1);
		budget->delta = dpem_spi_float8(0, 2);
	}
	dpem_owner_leave(&saved);
	return found;
}

void
dpem_budget_grant(const DpemDataset *ds, Oid role, double epsilon, double delta)
{
	Oid			types[] = {INT8OID, OIDOID, FLOAT8OID, FLOAT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role), Float8GetDatum(epsilon),
		Float8GetDatum(delta), CStringGetTextDatum(GetUserNameFromId(GetUserId(), false))};
	DpemIdentity saved;

	/* raises for a role that is gone */
	(void) GetUserNameFromId(role, false);
	dpem_owner_enter(&saved);
	dpem_spi_query("INSERT INTO dpem.budget (dataset, role, epsilon, delta, granted_by)"
				   " VALUES ($1, $2::regrole, $3, $4, $5)"
				   " ON CONFLICT (dataset, role) DO UPDATE SET epsilon = EXCLUDED.epsilon,"
				   " delta = EXCLUDED.delta, granted_by = EXCLUDED.granted_by,"
				   " granted_at = EXCLUDED.granted_at",
				   5, types, values, NULL, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

void
dpem_budget_revoke(const DpemDataset *ds, Oid role)
{
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("DELETE FROM dpem.budget WHERE dataset = $1 AND role = $2",
					   2, types, values, NULL, false, SPI_OK_DELETE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"",
						GetUserNameFromId(role, false), ds->name)));
	dpem_owner_leave(&saved);
}

DpemTotals
dpem_budget_totals(int64 account, Oid role, const DpemTotals *extra)
{
	static const DpemTotals none = {0};
	Oid			types[] = {INT8OID, OIDOID, INT8OID, INT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID};
	Datum		values[7];
	char		nulls[] = "       ";
	DpemTotals	total;
	DpemIdentity saved;

	if (extra == NULL)
		extra = &none;
	values[0] = Int64GetDatum(account);
	values[1] = ObjectIdGetDatum(role);
	values[2] = Int64GetDatum(extra->mu2_units);
	values[3] = Int64GetDatum(extra->rho_units);
	values[4] = Float8GetDatum(extra->epsilon);
	values[5] = Float8GetDatum(extra->delta);
	values[6] = Float8GetDatum(extra->epsilon2);
	nulls[1] = OidIsValid(role) ? ' ' : 'n';
	dpem_owner_enter(&saved);
	dpem_spi_query("SELECT least(coalesce(sum(mu2_units), 0) + $3, 2305843009213693952)::bigint,"
				   " least(coalesce(sum(rho_units), 0) + $4, 2305843009213693952)::bigint,"
				   " (coalesce(sum(epsilon::text::numeric) FILTER (WHERE line = 1), 0)"
				   "  + $5::text::numeric)::float8,"
				   " (coalesce(sum(delta::text::numeric) FILTER (WHERE line = 1), 0)"
				   "  + $6::text::numeric)::float8,"
				   " coalesce(sum(greatest(epsilon, 1e-150) ^ 2) FILTER (WHERE line = 1), 0) + $7"
				   " FROM dpem.charge WHERE account = $1"
				   "  AND ($2 IS NULL OR role = (SELECT r.id FROM dpem.role_number r WHERE r.role = $2))",
				   7, types, values, nulls, false, SPI_OK_SELECT);
	total.mu2_units = dpem_spi_int64(0, 1);
	total.rho_units = dpem_spi_int64(0, 2);
	total.epsilon = dpem_spi_float8(0, 3);
	total.delta = dpem_spi_float8(0, 4);
	total.epsilon2 = dpem_spi_float8(0, 5);
	dpem_owner_leave(&saved);
	return total;
}

DpemTotals
dpem_budget_cost(const DpemChargeRequest *request)
{
	DpemTotals	cost = {0};

	for (int i = 0; i < request->nlines; i++)
	{
		cost.mu2_units += request->lines[i].mu2_units;
		cost.rho_units += request->lines[i].rho_units;
		cost.mu2_units = Min(cost.mu2_units, DPEM_COST_UNITS_MAX);
		cost.rho_units = Min(cost.rho_units, DPEM_COST_UNITS_MAX);
	}
	/* kept where SQL's sums and squares neither overflow nor underflow, both of which raise there */
	cost.epsilon = Min(request->epsilon, 1e150);
	cost.delta = request->delta;
	cost.epsilon2 = Max(cost.epsilon, 1e-150) * Max(cost.epsilon, 1e-150);
	return cost;
}
