/*
 * statistic_clamp.c - statistics of values clamped to ends that follow from what is
 * released first, of each group's rows.
 *
 * Noise is as wide as what a value may be, and a domain that takes in every value there might be is
 * often hundreds of times as wide as where values are.  Margins of the column, for a part of the
 * budget, say where they are; the statistic is then released of values clamped there, for
 * the rest.  In one coordinate clipping to a ball about a center is such a clamp.
 */
#include "postgres.h"

#include <math.h>

#include "core/statistics/clamp_choice.h"
#include "families/statistics/statistics.h"
#include "server/fit_memory.h"

/* all groups' margins together are no finer than those of so many columns */
void
dpem_statistic_plan_clamp(DpemStatisticPlan *plan)
{
	DpemCostLine cost;

	plan->clamps = true;
	plan->grid = dpem_margin_grid(plan->fit.groups, 1, plan->fit.clip_norm);
	plan->grid.columns = 1;
	plan->margins = dpem_fit_margins_stage(&plan->fit, &plan->grid, DPEM_STATISTIC_CLAMP_SHARE);
	cost = dpem_statistic_cost(plan, DPEM_STATISTIC_CLAMP_SHARE);
	dpem_release_check(&plan->margins.spec, &plan->margins.layout, cost.noise_multiplier);
	plan->margins.line = dpem_fit_add_line(&plan->fit, plan->margins.statistic, DPEM_MECHANISM_GAUSSIAN, &cost);
}

static DpemStatisticScale
clamped_scale(const DpemStatisticScale *domain, const DpemClamp *clamp)
{
	DpemStatisticScale scale = *domain;

	scale.middle[0] = domain->middle[0] + domain->half[0] * (clamp->low + clamp->high) / 2;
	scale.half[0] = domain->half[0] * (clamp->high - clamp->low) / 2;
	return scale;
}

/* bias: of each group, as DpemClamp has it */
static void
find_clamps(const DpemStatisticPlan *plan, DpemFitRun *run, DpemStatisticScale *scale, double *bias)
{
	DpemMargins *margins = dpem_fit_release_margins(run, &plan->margins, &plan->grid);
	const DpemColumnValues *values = dpem_fit_column_values(&plan->fit, 1);
	DpemWorkspace work = dpem_fit_workspace(dpem_statistic_clamp_work(&plan->grid));
	double		z = plan->fit.charge.lines[plan->line].noise_multiplier;
	double		sd[DPEM_STATISTIC_PARTS];

	dpem_release_noise(&plan->spec, plan->fit.groups, plan->fit.d, z, &sd[DPEM_PART_COUNT], &sd[DPEM_PART_SUM], &sd[DPEM_PART_SECOND]);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemClamp	clamp;
		double	   *center = dpem_fit_allocate(1);

		dpem_fit_pause();
		margins[g].values = values;
		clamp = dpem_statistic_clamp(&margins[g], plan->request->statistic, &plan->scale, sd, work);
		*center = (clamp.low + clamp.high) / 2;
		run->part[g].center = center;
		run->part[g].radius = (clamp.high - clamp.low) / 2;
		scale[g] = clamped_scale(&plan->scale, &clamp);
		bias[g] = clamp.bias;
	}
}

/* in the column's units */
static double
bias_of(const DpemStatisticPlan *plan, double bias, const DpemStatisticValue *released)
{
	double		half = plan->scale.half[0];

	if (plan->request->statistic->second == DPEM_SECOND_NONE)
		return bias * half;
	bias *= half * half;
	if (strcmp(plan->request->statistic->name, "stddev") == 0)
		return sqrt(fmax(released->value * released->value + bias, 0)) - released->value;
	return bias;
}

/* the ends of the clamps are released numbers, and what is expected beyond them follows from such */
static void
tell_clamps(const DpemStatisticPlan *plan, const DpemStatisticScale *scale, const double *bias, const DpemStatisticValue *released)
{
	double		low = INFINITY;
	double		high = -INFINITY;
	double		most = 0;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		low = fmin(low, scale[g].middle[0] - scale[g].half[0]);
		high = fmax(high, scale[g].middle[0] + scale[g].half[0]);
		most = fmax(most, fabs(bias_of(plan, bias[g], &released[g])));
	}
	ereport(NOTICE,
			(errmsg("%s: values were clamped to %s%.4g and %.4g", plan->request->fit.function,
					plan->fit.groups > 1 ? "each group's own, between " : "released ends, ", low, high),
			 errdetail("Values beyond count as the ends, which moves the result by %s%.4g as far as noise lets tails be seen; the interval is that of the clamped values.",
					   plan->fit.groups > 1 ? "up to " : "about ", most)));
}

DpemStatisticValue *
dpem_statistic_run_clamped(const DpemStatisticPlan *plan, DpemFitRun *run)
{
	const DpemStatistic *statistic = plan->request->statistic;
	DpemMomentLayout layout = {1, plan->fit.d, statistic->second};
	DpemStatisticScale *scale = palloc(plan->fit.groups * sizeof(DpemStatisticScale));
	DpemStatisticValue *values = palloc0(plan->fit.groups * sizeof(DpemStatisticValue));
	double	   *bias = dpem_fit_allocate(plan->fit.groups);
	DpemNoisyMoments *released;

	find_clamps(plan, run, scale, bias);
	dpem_fit_report(run, statistic->name, 0);
	released = dpem_fit_release_groups(run, plan->line, &plan->spec, &dpem_kernel_sums, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemStatisticMoments moments;

		dpem_statistic_moments(&released[g], 0, plan->spec.noise, &moments);
		statistic->estimate(&moments, &scale[g], &values[g]);
		values[g].rows = moments.n;
	}
	dpem_fit_end(run);
	tell_clamps(plan, scale, bias, values);
	return values;
}
