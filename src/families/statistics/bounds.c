/*
 * bounds.c - dp_bounds, dp_bounds_plan: where a column's values are, of a domain of any width.
 *
 * One histogram in bins that grow by powers of two (core/statistics/bounds.h), as dp_histogram releases it.  It is kept
 * as a histogram, too, and bounds are read off whatever is kept of it.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"

#include "core/statistics/bounds.h"
#include "families/statistics/statistics.h"
#include "fit/forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "server/arguments.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_bounds);
PG_FUNCTION_INFO_V1(dp_bounds_plan);

/* bins of the column's registered domain; what is no number is refused with the others when it is bound */
static void
set_edges(DpemBindingRequest *bind, const DpemDataset *dataset)
{
	const DpemColumn *column = dpem_dataset_find_registered(dataset, dpem_dataset_registered(dataset), bind->by);

	if (column->kind != DPEM_COLUMN_NUMBER)
		return;
	bind->edges = palloc((DPEM_BOUNDS_MOST + 1) * sizeof(double));
	bind->bins = dpem_bounds_edges(column->lower, column->upper, bind->edges);
}

static DpemStatisticRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemStatisticRequest *r = palloc0(sizeof(DpemStatisticRequest));
	DpemBindingRequest *bind = &r->fit.bind;

	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	r->statistic = dpem_statistic_from_name("count");
	r->mechanism = dpem_optional_named_text(&a, "mechanism", true);
	r->fit.iterations = 1;
	bind->own_units = true;
	bind->rows = DPEM_BIND_ALONE;
	bind->by = dpem_named_text(&a, "column_name");
	bind->groups = DPEM_BY_BINS;
	bind->bins = 1;
	set_edges(bind, dpem_dataset_load(r->fit.dataset));
	return r;
}

static DpemBounds
find_bounds(const DpemStatisticPlan *plan, const DpemStatisticValue *value)
{
	int			n = plan->fit.groups;
	double	   *count = palloc(n * sizeof(double));
	double		sd = 0;			/* of kept releases as many as agree are averaged, in some bins more than in others */
	DpemBounds	bounds;

	for (int i = 0; i < n; i++)
	{
		bool		hidden = dpem_statistic_is_hidden(&value[i]);

		/* a bin below the minimum is not seen */
		count[i] = hidden ? 0 : value[i].value;
		sd = hidden ? sd : Max(sd, value[i].sd);
	}
	dpem_bounds_estimate(count, n, plan->spec.noise, sd, &bounds);
	pfree(count);
	if (bounds.first < 0)
		ereport(WARNING,
				(errmsg("dp_bounds: no part of the domain has rows that are seen above the noise"),
				 errdetail("The bounds are those of the domain; released numbers say so, not the rows."),
				 errhint("Ask for more epsilon.")));
	return bounds;
}

/* one row (lower, upper, outside, ci_lower, ci_upper) */
Datum
dp_bounds(PG_FUNCTION_ARGS)
{
	DpemStatisticRequest *request = read_arguments(fcinfo, "dp_bounds");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemStatisticPlan *plan;
	const double *edge;
	DpemBounds	bounds;
	Datum		values[5];
	bool		nulls[5] = {false};

	dpem_fit_require_possible(&request->fit);
	plan = dpem_statistic_plan(request);
	edge = plan->fit.binding->grouping->edge;
	bounds = find_bounds(plan, dpem_statistic_answer(plan));
	InitMaterializedSRF(fcinfo, 0);
	values[0] = Float8GetDatum(edge[Max(bounds.first, 0)]);
	values[1] = Float8GetDatum(edge[bounds.first < 0 ? plan->fit.groups : bounds.last + 1]);
	values[2] = Float8GetDatum(bounds.outside);
	values[3] = Float8GetDatum(bounds.outside_lower);
	values[4] = Float8GetDatum(bounds.outside_upper);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	return (Datum) 0;
}

static void
forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemStatisticPlan *plan = (const DpemStatisticPlan *) fit;
	double		sd;
	double		sums;
	double		seconds;

	dpem_statistic_forecast(fit, f);
	dpem_release_noise(&plan->spec, fit->groups, fit->d, fit->charge.lines[plan->line].noise_multiplier, &sd, &sums, &seconds);
	dpem_forecast_remark(f, "rows that are seen", dpem_bounds_threshold(plan->spec.noise, sd, fit->groups));
}

/* the same arguments: the histogram's cost and noise, and how many rows of a bin are seen; reads no row, spends nothing */
Datum
dp_bounds_plan(PG_FUNCTION_ARGS)
{
	DpemStatisticRequest *request = read_arguments(fcinfo, "dp_bounds_plan");

	dpem_require_plannable(&request->fit);
	dpem_emit_plan(fcinfo, &dpem_statistic_plan(request)->fit, forecast);
	return (Datum) 0;
}
