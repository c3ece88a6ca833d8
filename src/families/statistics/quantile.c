/*
 * quantile.c - see quantile_request.h.
 */
#include "postgres.h"

#include "core/statistics/quantile.h"
#include "core/statistics/quantile_rules.h"
#include "families/statistics/minimum.h"
#include "families/statistics/quantile_request.h"
#include "families/statistics/within.h"

#define STATISTIC "quantile"
#define BINS DPEM_GROUPS_MAX

static void
add_line(DpemQuantilePlan *plan)
{
	DpemMomentLayout layout = {plan->fit.groups, plan->fit.d, DPEM_SECOND_NONE};
	DpemCostLine cost = dpem_cost_line(DPEM_COST_CHOICE, dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_CHOICE, 1), 1);

	dpem_release_choice_check(&plan->spec, &layout, cost.noise_multiplier);
	plan->noise_multiplier = cost.noise_multiplier;
	plan->line = dpem_fit_add_line(&plan->fit, STATISTIC, DPEM_MECHANISM_EXPONENTIAL, &cost);
}

void
dpem_quantile_set_bins(DpemBindingRequest *bind, const DpemDataset *dataset)
{
	const DpemColumn *column = dpem_dataset_find_registered(dataset, dpem_dataset_registered(dataset), bind->by);

	bind->bins = BINS;
	if (!dpem_binding_is_mixable(column))
		return;
	bind->edges = palloc((BINS + 1) * sizeof(double));
	for (int i = 0; i <= BINS; i++)
		bind->edges[i] = dpem_scale_mixed(DPEM_QUANTILE_MIXED, column->lower, column->upper, i, BINS);
}

DpemQuantilePlan *
dpem_quantile_plan(const DpemQuantileRequest *request)
{
	DpemQuantilePlan *plan = palloc0(sizeof(DpemQuantilePlan));

	plan->line = -1;
	plan->within = request->within;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	dpem_fit_require_counted(&plan->fit, "a quantile by itself");
	plan->spec = (DpemChoiceSpec) {
		.quantile_level = request->level,.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
	if (plan->fit.noisy)
		add_line(plan);
	return plan;
}

/* of choices, in rows */
static double
scale_of(const DpemQuantilePlan *plan)
{
	return plan->noise_multiplier * dpem_release_choice_range(&plan->spec);
}

static double
rank_error(const DpemQuantilePlan *plan)
{
	return dpem_quantile_rank_error(scale_of(plan), plan->fit.groups);
}

void
dpem_quantile_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemQuantilePlan *plan = (const DpemQuantilePlan *) fit;

	dpem_forecast_release(f, plan->line, dpem_release_choice_range(&plan->spec), scale_of(plan));
	dpem_forecast_remark(f, "rank error, 95 %", rank_error(plan));
	if (plan->within > 0)
		dpem_within_forecast(f, fit->request->epsilon, rank_error(plan));
}

static double
width_at(const void *request, const DpemFitPlan **fit)
{
	const DpemQuantilePlan *plan = dpem_quantile_plan(request);

	*fit = &plan->fit;
	return rank_error(plan);
}

void
dpem_quantile_find_epsilon(DpemQuantileRequest *request)
{
	dpem_within_find(request, &request->fit, request->within, width_at, "Leave out within.");
}

/* without noise: the first of the best, from counts that are whole numbers */
static size_t
best_bin(const DpemNoisyMoments *counts, int64_t level)
{
	size_t		n = (size_t) counts->layout.k;
	size_t		record = dpem_moments_record(&counts->layout);
	DpemInt128 *count = palloc(n * sizeof(DpemInt128));
	DpemInt128 *score = palloc(n * sizeof(DpemInt128));
	size_t		best = 0;

	for (size_t i = 0; i < n; i++)
		count[i] = (DpemInt128) counts->value[i * record];
	dpem_quantile_scores(count, 1, n, level, score);
	for (size_t i = 1; i < n; i++)
		best = score[i] > score[best] ? i : best;
	pfree(count);
	pfree(score);
	return best;
}

/* where the coordinate of the column's scale is half-way */
static double
middle_of(DpemColumnScale scale, double lower, double upper)
{
	return scale == DPEM_SCALE_LINEAR ? lower / 2 + upper / 2 : dpem_scale_between(scale, lower, upper, 1, 2);
}

DpemQuantileValue
dpem_quantile_run(const DpemQuantilePlan *plan)
{
	const DpemGrouping *bins = plan->fit.binding->grouping;
	const double *edge = bins->edge;
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_NONE};
	DpemFitRun	run = {0};
	DpemRawMoments *raw;
	size_t		bin;

	dpem_fit_begin(&run, &plan->fit);
	dpem_fit_report(&run, STATISTIC, 0);
	raw = dpem_fit_scan(&run, &dpem_kernel_sums, &layout, NULL);
	if (plan->fit.noisy)
		bin = dpem_release_choice(run.charge, plan->line, raw, &plan->spec);
	else
		bin = best_bin(dpem_release_to_reader(run.reader, raw), plan->spec.quantile_level);
	return (DpemQuantileValue) {
		.value = middle_of(bins->column.scale, edge[bin], edge[bin + 1]),.lower = edge[bin],.upper = edge[bin + 1],
			.rank_error = rank_error(plan)
	};
}
