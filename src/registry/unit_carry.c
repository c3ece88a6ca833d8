/*
 * unit_carry.c - see unit_carry.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "core/accounting/group.h"
#include "registry/unit_carry.h"
#include "server/as_owner.h"

/* what the charges of one role come to */
typedef struct RoleTotal
{
	int64		role;
	int64		charges;
	int64		mu2_units;
	int64		rho_units;
	int64		plain_rho_units;
	double		epsilon;
	double		epsilon2;
	double		more_delta;		/* filled from its calls */
} RoleTotal;

static void
refuse_failures(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("charges for private keys or tests cannot be carried over from rows to persons"),
			 errdetail("What the probability of telling of one row is for several rows has no bound here."),
			 errhint("Register another table, one that these charges did not read, with the unit.")));
}

/* one for each role, in this memory context */
static List *
read_totals(int64 account)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(account)};
	uint64		n = dpem_spi_query("SELECT r.role, (r.t).charges, (r.t).mu2_units, (r.t).rho_units, (r.t).plain_rho_units,"
								   " (r.t).epsilon::float8, (r.t).epsilon2::float8, (r.t).failure::float8 FROM (SELECT c.role,"
								   "  dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure) AS t"
								   "  FROM dpem_internal.charge c WHERE c.account = $1 GROUP BY c.role) r ORDER BY r.role",
								   1, types, values, NULL, false, SPI_OK_SELECT);
	List	   *totals = NIL;

	for (uint64 i = 0; i < n; i++)
	{
		RoleTotal  *t = palloc0(sizeof(RoleTotal));

		*t = (RoleTotal) {
			.role = dpem_spi_int64(i, 1),.charges = dpem_spi_int64(i, 2),.mu2_units = dpem_spi_int64(i, 3),
				.rho_units = dpem_spi_int64(i, 4),.plain_rho_units = dpem_spi_int64(i, 5),
				.epsilon = dpem_spi_float8(i, 6),.epsilon2 = dpem_spi_float8(i, 7)
		};
		if (dpem_spi_float8(i, 8) != 0)
			refuse_failures();
		totals = lappend(totals, t);
	}
	return totals;
}

static void
add_deltas(RoleTotal *total, int64 account, int rows)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(account), Int64GetDatum(total->role)};
	uint64		n = dpem_spi_query("SELECT c.epsilon, c.delta, count(*) FROM dpem_internal.charge c"
								   " WHERE c.account = $1 AND c.role = $2 AND c.line = 1 GROUP BY 1, 2",
								   2, types, values, NULL, false, SPI_OK_SELECT);

	for (uint64 i = 0; i < n; i++)
	{
		double		delta = dpem_spi_float8(i, 2);

		total->more_delta += dpem_spi_int64(i, 3) * (dpem_group_delta(dpem_spi_float8(i, 1), delta, rows) - delta);
	}
	total->more_delta = fmin(total->more_delta, 1);
}

/* what is not there yet; a line has at least one unit */
static int64
more_units(int64 units, int64 counted, int rows)
{
	return Max(dpem_group_units(units, rows) - counted, 1);
}

static void
insert_charge(const DpemDataset *ds, const RoleTotal *total, int rows)
{
	int64		mu2 = more_units(total->mu2_units, total->mu2_units, rows);
	double		epsilon = dpem_group_more_epsilon(dpem_accountant_from_name(ds->accountant), total->epsilon, total->epsilon2, rows);
	Oid			types[] = {INT8OID, INT8OID, TEXTOID, TEXTOID, INT4OID, FLOAT8OID, FLOAT8OID, INT8OID, INT8OID, FLOAT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->account), Int64GetDatum(total->role), CStringGetTextDatum(ds->name),
		CStringGetTextDatum(ds->unit), Int32GetDatum(rows), Float8GetDatum(epsilon), Float8GetDatum(total->more_delta),
		Int64GetDatum(mu2), Int64GetDatum(more_units(total->rho_units, total->plain_rho_units, rows)),
		Float8GetDatum(sqrt(DPEM_COST_UNITS / mu2)),
	CStringGetTextDatum(psprintf("charges to rows carried over: " INT64_FORMAT, total->charges))};

	/* a curve of rows is replaced by its line, which is above it and in rho, too */
	dpem_spi_query("INSERT INTO dpem_internal.charge (charge, line, account, dataset, role, role_name, function, statistic, mechanism,"
				   " noise_multiplier, releases, adjacency, unit, rows_per_unit, composition, epsilon, delta, mu2_units,"
				   " rho_units, failure, incarnation)"
				   " SELECT nextval('dpem_internal.charge_id_seq'), 1, $1, $3, $2, c.role_name, 'dp_alter_dataset', $11, '" DPEM_CARRY_MECHANISM "',"
				   "  $10, 1, c.adjacency, $4, $5, 'group', $6, $7, $8, $9, 0,"
				   "  (SELECT max(i.id) FROM dpem_internal.incarnation i WHERE i.account = $1)"
				   " FROM dpem_internal.charge c WHERE c.account = $1 AND c.role = $2 ORDER BY c.charge DESC LIMIT 1",
				   lengthof(types), types, values, NULL, false, SPI_OK_INSERT);
}

int64
dpem_ledger_carry_over(const DpemDataset *altered, int rows)
{
	List	   *totals = read_totals(altered->account);
	int64		charges = 0;
	ListCell   *lc;

	foreach(lc, totals)
	{
		RoleTotal  *total = lfirst(lc);

		add_deltas(total, altered->account, rows);
		insert_charge(altered, total, rows);
		charges += total->charges;
	}
	return charges;
}
