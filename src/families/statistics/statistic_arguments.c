/*
 * statistic_arguments.c - the arguments of dp_count, dp_sum, ... and of dp_statistic_plan.
 */
#include "postgres.h"

#include "families/statistics/statistics.h"
#include "families/statistics/within.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

static char *
required_column(const DpemArguments *a, const char *name, const char *statistic)
{
	if (!dpem_is_given(a, name))
		dpem_refuse_argument(psprintf("%s must not be null for %s", name, statistic),
							 strcmp(statistic, "top_k") == 0 ? "Name a column that was registered with categories, or as a key."
							 : "Name a column that was registered with a lower and an upper bound.");
	return dpem_named_text(a, name);
}

/* no column for a statistic of none, but that the rows of a count may be those where one is not null */
static void
column_arguments(const DpemArguments *a, DpemStatisticRequest *r)
{
	DpemBindingRequest *bind = &r->fit.bind;
	const char *name = r->statistic->name;

	if (r->statistic->columns >= 1 || dpem_is_given(a, "column_name"))
		bind->columns = list_make1(required_column(a, "column_name", name));
	if (r->statistic->columns == 2)
		bind->columns = lappend(bind->columns, required_column(a, "other_column", name));
	else if (dpem_is_given(a, "other_column"))
		dpem_refuse_argument(psprintf("other_column must be null for %s", name), "Only a covariance has two columns.");
	bind->rows = bind->columns == NIL ? DPEM_BIND_ALONE : DPEM_BIND_NUMBERS;
	/* groups of values that are not public are to be found first */
	bind->groups = DPEM_BY_VALUES;
}

/* a histogram counts rows by the bins of a number, or by the categories of a label */
static void
histogram_arguments(const DpemArguments *a, DpemStatisticRequest *r)
{
	DpemBindingRequest *bind = &r->fit.bind;
	int			n;

	bind->rows = DPEM_BIND_ALONE;
	bind->by = required_column(a, "column_name", "histogram");
	bind->groups = DPEM_BY_BINS_OR_CATEGORIES;
	bind->bins = dpem_is_given(a, "bins") ? dpem_named_int_between(a, "bins", 1, DPEM_GROUPS_MAX) : -1;
	bind->edges = dpem_named_float8_array(a, "edges", &n);
	if (bind->edges == NULL)
		return;
	bind->bins = n - 1;
	if (n < 2)
		dpem_refuse_argument("edges must be at least two numbers", "The first and the last one are the histogram's ends.");
}

/* counts by a label's categories or a key's values, like dp_count by the column */
static void
top_arguments(const DpemArguments *a, DpemStatisticRequest *r)
{
	r->fit.bind.rows = DPEM_BIND_ALONE;
	r->fit.bind.by = required_column(a, "column_name", "top_k");
	r->fit.bind.groups = DPEM_BY_VALUES;
}

bool
dpem_statistic_is_clamped(const DpemArguments *a)
{
	char	   *clamp = dpem_optional_named_text(a, "clamp", true);

	if (clamp != NULL && strcmp(clamp, "auto") != 0)
		dpem_refuse_name("clamp", clamp, "auto");
	return clamp != NULL;
}

static void
clamp_argument(const DpemArguments *a, DpemStatisticRequest *r)
{
	if (!dpem_statistic_is_clamped(a))
		return;
	if (r->statistic->columns != 1)
		dpem_refuse_argument("clamp must be null for other statistics than sum, avg, variance and stddev",
							 "Only values of one column are clamped.");
	r->clamp = true;
}

DpemStatisticRequest *
dpem_statistic_arguments(FunctionCallInfo fcinfo, const char *function, const char *statistic)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemStatisticRequest *r = palloc0(sizeof(DpemStatisticRequest));
	bool		histogram;
	bool		top;

	if (statistic == NULL)
		statistic = dpem_named_text(&a, "statistic");
	histogram = strcmp(statistic, "histogram") == 0;
	top = strcmp(statistic, "top_k") == 0;
	r->statistic = dpem_statistic_from_name(histogram || top ? "count" : statistic);
	if (r->statistic == NULL)
		dpem_refuse_name("statistic", statistic, "count, sum, avg, variance, stddev, covariance, histogram, top_k");
	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	r->fit.iterations = 1;
	r->fit.bind.own_units = true;
	if (histogram)
		histogram_arguments(&a, r);
	else if (top)
		top_arguments(&a, r);
	else
		column_arguments(&a, r);
	r->mechanism = dpem_optional_named_text(&a, "mechanism", true);
	clamp_argument(&a, r);
	r->within = dpem_within_argument(&a);
	r->rows = dpem_named_magnitude(&a, "rows", 1, 0);
	return r;
}
