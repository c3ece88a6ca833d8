/*
 * statistic_arguments.c - see statistic_arguments.h.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "families/statistics/statistic_arguments.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/arguments.h"

static char *
optional_name(FunctionCallInfo fcinfo, int i, const char *name)
{
	return i <= 0 || PG_ARGISNULL(i) ? NULL : dpem_text_argument(fcinfo, i, name);
}

static char *
required_name(FunctionCallInfo fcinfo, int i, const char *name, const char *statistic)
{
	char	   *value = optional_name(fcinfo, i, name);

	if (value == NULL)
		dpem_refuse_argument(psprintf("%s must not be null for %s", name, statistic),
							 "Name a column that was registered with a lower and an upper bound.");
	return value;
}

/* no column for a statistic of none, but that the rows of a count may be those where one is not null */
static void
column_arguments(FunctionCallInfo fcinfo, const DpemStatisticPositions *at, DpemStatisticRequest *r)
{
	const char *name = r->statistic->name;

	if (r->statistic->columns >= 1)
		r->fit.columns = list_make1(required_name(fcinfo, at->column, "column_name", name));
	else if (optional_name(fcinfo, at->column, "column_name") != NULL)
		r->fit.columns = list_make1(optional_name(fcinfo, at->column, "column_name"));
	if (r->statistic->columns == 2)
		r->fit.columns = lappend(r->fit.columns, required_name(fcinfo, at->other, "other_column", name));
	else if (optional_name(fcinfo, at->other, "other_column") != NULL)
		dpem_refuse_argument(psprintf("other_column must be null for %s", name), "Only a covariance has two columns.");
	r->fit.rows_alone = r->fit.columns == NIL;
}

/* groups of values that are not public are to be found first */
static void
key_argument(DpemStatisticRequest *r)
{
	if (r->fit.by == NULL || !dpem_dataset_is_key(dpem_dataset_load(r->fit.dataset), r->fit.by))
		return;
	r->fit.key = r->fit.by;
	r->fit.by = NULL;
}

/* a histogram counts rows by the bins of a number, or by the categories of a label */
static void
histogram_arguments(FunctionCallInfo fcinfo, const DpemStatisticPositions *at, DpemStatisticRequest *r)
{
	char	   *column = required_name(fcinfo, at->column, "column_name", "histogram");
	DpemDataset *ds = dpem_dataset_load(r->fit.dataset);
	int			n = 0;

	r->fit.columns = NIL;
	r->fit.rows_alone = true;
	if (dpem_dataset_is_label(ds, column))
	{
		if (!PG_ARGISNULL(at->edges))
			dpem_refuse_argument("edges must be null for a label", "A label's bins are its categories.");
		r->fit.by = column;
		return;
	}
	r->fit.binned = column;
	r->fit.bins = dpem_int_argument(fcinfo, at->bins, "bins");
	if (PG_ARGISNULL(at->edges))
		return;
	r->fit.edges = dpem_float8_array_argument(fcinfo, at->edges, "edges", &n);
	r->fit.bins = n - 1;
	if (n < 2)
		dpem_refuse_argument("edges must be at least two numbers", "The first and the last one are the histogram's ends.");
}

DpemStatisticRequest *
dpem_statistic_arguments(FunctionCallInfo fcinfo, const DpemStatisticPositions *at, const char *function,
						 const char *statistic)
{
	DpemStatisticRequest *r = palloc0(sizeof(DpemStatisticRequest));
	bool		histogram = strcmp(statistic, "histogram") == 0;

	r->statistic = dpem_statistic_from_name(histogram ? "count" : statistic);
	if (r->statistic == NULL)
		dpem_refuse_name("statistic", statistic, "count, sum, avg, variance, stddev, covariance, histogram");
	dpem_fit_arguments(fcinfo, &at->fit, function, &r->fit);
	r->fit.iterations = 1;
	if (histogram)
		histogram_arguments(fcinfo, at, r);
	else
	{
		column_arguments(fcinfo, at, r);
		key_argument(r);
	}
	r->mechanism = optional_name(fcinfo, at->mechanism, "mechanism");
	return r;
}
