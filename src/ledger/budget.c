/*
 * budget.c - the ledger's totals.
 *
 * Totals are derived from the ledger each time and stored nowhere else, so
 * they cannot disagree with it.  Epsilons and deltas are added as decimals:
 * ten charges of 0.1 are 1.0.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "ledger/budget.h"
#include "server/as_owner.h"

void
dpem_curve_from_array(ArrayType *array, DpemCurve *curve)
{
	if (ARR_NDIM(array) != 1 || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != INT8OID ||
		ARR_DIMS(array)[0] != DPEM_RDP_ORDERS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a Renyi curve must have %d numbers", DPEM_RDP_ORDERS)));
	curve->any = true;
	memcpy(curve->units, ARR_DATA_PTR(array), sizeof(curve->units));
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		if (curve->units[i] < 0 || curve->units[i] > DPEM_COST_UNITS_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a Renyi curve must have no number below 0 or above 2^61")));
}

Datum
dpem_curve_to_array(const DpemCurve *curve)
{
	Datum		units[DPEM_RDP_ORDERS];

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		units[i] = Int64GetDatum(curve->units[i]);
	return PointerGetDatum(construct_array(units, DPEM_RDP_ORDERS, INT8OID, sizeof(int64), true,
										   TYPALIGN_DOUBLE));
}

/* a bigint[] of the last query's result as a curve; NULL: no curve */
static void
read_curve(int column, DpemCurve *curve)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(0, column, &isnull);

	*curve = (DpemCurve) {.any = false};
	if (!isnull)
		dpem_curve_from_array(DatumGetArrayTypeP(value), curve);
}

static void
read_totals(DpemTotals *total)
{
	total->mu2_units = dpem_spi_int64(0, 1);
	total->rho_units = dpem_spi_int64(0, 2);
	total->epsilon = dpem_spi_float8(0, 3);
	total->delta = dpem_spi_float8(0, 4);
	total->epsilon2 = dpem_spi_float8(0, 5);
	total->plain_rho_units = dpem_spi_int64(0, 6);
	read_curve(7, &total->curve);
	total->failure = dpem_spi_float8(0, 8);
}

DpemTotals
dpem_budget_totals(int64 account, Oid role, TimestampTz since, const DpemTotals *extra)
{
	static const DpemTotals none = {0};
	Oid			types[] = {INT8OID, OIDOID, INT8OID, INT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID, INT8OID,
	TIMESTAMPTZOID, FLOAT8OID};
	Datum		values[10];
	char		nulls[] = "          ";
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
	values[7] = Int64GetDatum(extra->plain_rho_units);
	values[8] = TimestampTzGetDatum(since);
	values[9] = Float8GetDatum(extra->failure);
	nulls[1] = OidIsValid(role) ? ' ' : 'n';
	dpem_owner_enter(&saved);
	dpem_spi_query("WITH mine AS (SELECT * FROM dpem.charge WHERE account = $1"
				   "  AND ($2 IS NULL OR role = (SELECT r.id FROM dpem.role_number r WHERE r.role = $2))"
				   "  AND charged_at >= $9)"
				   " SELECT least(coalesce(sum(mu2_units), 0) + $3, 2305843009213693952)::bigint,"
				   " least(coalesce(sum(rho_units), 0) + $4, 2305843009213693952)::bigint,"
				   " (coalesce(sum(epsilon::text::numeric) FILTER (WHERE line = 1), 0)"
				   "  + $5::text::numeric)::float8,"
				   " (coalesce(sum(delta::text::numeric) FILTER (WHERE line = 1), 0)"
				   "  + $6::text::numeric)::float8,"
				   " coalesce(sum(greatest(epsilon, 1e-150) ^ 2) FILTER (WHERE line = 1), 0) + $7,"
				   " least(coalesce(sum(rho_units) FILTER (WHERE rdp_units IS NULL), 0) + $8,"
				   "  2305843009213693952)::bigint,"
				   " dpem.sum_curves(rdp_units),"
				   " (coalesce(sum(failure::text::numeric), 0) + $10::text::numeric)::float8"
				   " FROM mine",
				   10, types, values, nulls, false, SPI_OK_SELECT);
	read_totals(&total);
	dpem_owner_leave(&saved);
	dpem_curve_add(&total.curve, &extra->curve);
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
		if (!request->lines[i].curve.any)
			cost.plain_rho_units += request->lines[i].rho_units;
		cost.plain_rho_units = Min(cost.plain_rho_units, DPEM_COST_UNITS_MAX);
		dpem_curve_add(&cost.curve, &request->lines[i].curve);
		cost.failure += request->lines[i].failure;
	}
	/* kept where SQL's sums and squares neither overflow nor underflow, both of which raise there */
	cost.epsilon = Min(request->epsilon, 1e150);
	cost.delta = request->delta;
	cost.epsilon2 = Max(cost.epsilon, 1e-150) * Max(cost.epsilon, 1e-150);
	return cost;
}
