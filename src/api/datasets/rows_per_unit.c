/*
 * rows_per_unit.c - dp_choose_max_rows: for the owner of the source.
 *
 * While the histogram is released the dataset is, in this transaction alone, one of units: each has one row, with how
 * many rows it has in the source (dpem_source_units).  All else is a histogram, as of dp_histogram, and a choice from
 * what it released.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "api/datasets/dataset_rules.h"
#include "api/datasets/released_histogram.h"
#include "core/accounting/accountant.h"
#include "core/statistics/quota.h"
#include "ledger/registration.h"
#include "registry/dataset.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/catalog_lock.h"

PG_FUNCTION_INFO_V1(dp_choose_max_rows);

static void
require_rows_of_units(const DpemDataset *ds)
{
	if (ds->unit == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("one row of dataset \"%s\" is one person", ds->name),
				 errhint("Name the column that tells persons apart, as unit of dp_register_dataset or dp_alter_dataset.")));
	if (ds->max_rows_per_unit < 2)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("max_rows_per_unit of dataset \"%s\" is 1, and the chosen one is no greater", ds->name),
				 errhint("Register the dataset with the greatest number that may be chosen.")));
	if (dpem_source_is_distributed(ds->source))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("rows of units are not counted in tables that Citus has distributed"),
				 errhint("Give max_rows_per_unit as a number.")));
}

/* ---- the release ---- */

static void
begin_counting(const DpemDataset *ds)
{
	Oid			types[] = {INT8OID, TEXTOID, INT4OID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(DPEM_ROWS_COLUMN), Int32GetDatum(ds->max_rows_per_unit)};
	DpemIdentity saved;

	dpem_refuse_prepare();
	dpem_owner_enter(&saved);
	if (dpem_spi_query("UPDATE dpem_internal.dataset SET counts_rows = true, max_rows_per_unit = 1 WHERE id = $1", 1, types, values, NULL, false,
					   SPI_OK_UPDATE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("dataset \"%s\" does not exist", ds->name),
				 errhint("Another session has just changed it: look at dpem.datasets.")));
	if (dpem_spi_query("INSERT INTO dpem_internal.dataset_column (dataset, position, column_name, kind, lower, upper)"
					   " VALUES ($1, 0, $2, 'number', 0, $3) ON CONFLICT DO NOTHING", 3, types, values, NULL, false, SPI_OK_INSERT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_COLUMN),
				 errmsg("dataset \"%s\" has a registered column \"%s\" already", ds->name, DPEM_ROWS_COLUMN),
				 errhint("Register it under another name, by a view.")));
	dpem_owner_leave(&saved);
}

/* the row itself is replaced by the altered one, which counts rows no more */
static void
end_counting(const DpemDataset *ds)
{
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(DPEM_ROWS_COLUMN)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query("DELETE FROM dpem_internal.dataset_column WHERE dataset = $1 AND column_name = $2", 2, types, values, NULL, false, SPI_OK_DELETE);
	dpem_owner_leave(&saved);
}

/* numbers of rows are whole: edges half-way between a step and the next number */
static double *
make_edges(const int *step, int n)
{
	double	   *edge = palloc((n + 1) * sizeof(double));

	edge[0] = 0;
	for (int i = 0; i < n - 1; i++)
		edge[i + 1] = step[i] + 0.5;
	edge[n] = step[n - 1];
	return edge;
}

/*
 * units[i], released, or kept of an earlier call; returns the standard deviation of the noise of each, 0 if all are
 * hidden.  A minimum of persons may hide bins: these are taken for nobody's.
 */
static double
release_units(const DpemDataset *ds, double epsilon, double delta, const int *step, int n, double *units)
{
	const DpemStatisticValue *value = dpem_released_histogram("dp_choose_max_rows", ds, DPEM_ROWS_COLUMN, epsilon, delta, make_edges(step, n), n);
	double		noise = 0;

	for (int i = 0; i < n; i++)
	{
		bool		hidden = dpem_statistic_is_hidden(&value[i]);

		units[i] = hidden ? 0 : value[i].value;
		noise = Max(noise, hidden ? 0 : value[i].sd);
	}
	return noise;
}

/* of a count of rows at another epsilon, with Gaussian noise */
static double
noise_at(double noise, double epsilon, double delta, double calls_epsilon)
{
	double		mu;
	double		calls_mu;

	if (dpem_gdp_mu(epsilon, delta, &mu) != DPEM_OK || dpem_gdp_mu(calls_epsilon, delta, &calls_mu) != DPEM_OK)
		return noise;
	return noise * mu / calls_mu;
}

/*
 * dp_choose_max_rows(dataset text, epsilon float8, delta float8, calls_epsilon float8).  Raises 42501 unless the caller
 * owns the source, 55000 where there is nothing to choose, and as dp_histogram does.
 */
Datum
dp_choose_max_rows(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	DpemDataset altered = *ds;
	double		epsilon = dpem_check_epsilon("epsilon", dpem_float8_argument(fcinfo, 1, "epsilon"));
	double		delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, 2, "delta"));
	double		calls = PG_ARGISNULL(3) ? epsilon : dpem_check_epsilon("calls_epsilon", PG_GETARG_FLOAT8(3));
	int			step[DPEM_QUOTA_STEPS];
	double		units[DPEM_QUOTA_STEPS];
	double		noise;
	int			n;

	dpem_dataset_require_owner(ds);
	require_rows_of_units(ds);
	/* before anything is charged */
	dpem_require_read_committed("altered");
	/* else who alters the dataset would wait for this transaction, and this one's charge for theirs */
	(void) dpem_registration_begin(ds->name, ds->source);
	n = dpem_quota_steps(ds->max_rows_per_unit, step);
	begin_counting(ds);
	noise = release_units(ds, epsilon, delta, step, n, units);
	end_counting(ds);
	altered.max_rows_per_unit = step[dpem_quota_choose(units, n, noise, noise_at(noise, epsilon, delta, calls))];
	dpem_dataset_alter(ds, &altered, altered.max_rows_per_unit);
	PG_RETURN_INT32(altered.max_rows_per_unit);
}
