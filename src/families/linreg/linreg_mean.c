/*
 * linreg_mean.c - the mean of the target, where noise would hide where the
 * columns' values are: margins of the target alone, unless noise would hide where that is, too; then its mean and
 * square about what they say.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_target.h"
#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/chi_square.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"

DpemReleaseSpec
dpem_linreg_mean_spec(const DpemFitPlan *plan)
{
	return dpem_fit_spec(plan, 1, 1, dpem_linreg_mean_square);
}

DpemMargins *
dpem_linreg_release_target(DpemFitRun *fit)
{
	const DpemFitPlan *plan = fit->plan;
	const DpemColumnValues *values = dpem_fit_column_values(plan, plan->d);
	DpemMargins *margins = dpem_fit_release_number(fit, &plan->stage[DPEM_LINREG_LOCATION], plan->d - 1);

	for (int g = 0; g < plan->groups; g++)
	{
		margins[g].values = values + plan->d - 1;
		margins[g].regressed = true;
	}
	return margins;
}

void
dpem_linreg_clamp_target(const DpemFitPlan *plan, const DpemMargins *margins, double *low, double *high)
{
	DpemReleaseSpec spec = dpem_linreg_mean_spec(plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_target_locate_work(&margins->grid));
	double		count_sd;
	double		sum_sd;
	double		second_sd;

	dpem_release_noise(&spec, plan->groups, plan->d, dpem_fit_stage_multiplier(plan, DPEM_LINREG_MOMENTS), &count_sd, &sum_sd, &second_sd);
	dpem_target_clamp(margins, sum_sd, margins->rows * plan->sample.rate, low, high, work);
	pfree(work.next);
}

void
dpem_linreg_see_target(DpemFitRun *fit, int group, double low, double high)
{
	int			target = fit->plan->d - 1;

	dpem_fit_see_number(fit, group, target, target, (low + high) / 2, (high - low) / 2, 1);
}

/* of a target clipped at `unit` from its center, in parts of what clipping has left: unless no row is so far out */
static double
unclipped_variance(const DpemFeatureMap *map, int target, double unit, double left)
{
	bool		whole = fabs(map->center[target]) + 1 <= unit;

	return whole ? 1 : dpem_chi_unclipped(1, left, 1, dpem_linreg_most_unclipped) / left;
}

/* of coefficients nothing was released: they might be anything */
void
dpem_linreg_finish_mean(const DpemFitRun *run, int group, const DpemNoisyMoments *m, DpemModel *model)
{
	const DpemFitPlan *plan = run->plan;
	DpemFeatureMap map = dpem_fit_map(run, group);
	double		lower = map.lower[plan->d - 1];
	double		half = map.upper[plan->d - 1] / 2 - lower / 2;
	double		unit = dpem_fit_unit(&map, plan->d, plan->d - 1);
	double		rows = dpem_total_rows(m, run->sampled ? dpem_fit_sample_rows(plan) : plan->public_rows);
	double		sd = m->sum_sd / rows;
	double		mean = dpem_target_within(m->value[plan->d] / rows, sd);
	double		square = m->value[dpem_moments_length(&m->layout) - 1] / rows;
	double		noise = m->second_sd / rows;
	double		variance = fmin(fmax(square - mean * mean + sd * sd, noise), 1);
	double		unclipped = unclipped_variance(&map, plan->d - 1, unit, variance);
	DpemLinreg	fit = dpem_linreg_create(plan);
	size_t		last = (size_t) plan->d * plan->d - 1;

	fit.coefficient[plan->d - 1] = lower + half * (1 + fmin(fmax(map.center[plan->d - 1] + unit * mean, -1), 1));
	for (int j = 0; j < plan->d; j++)
		fit.error[j * (size_t) (plan->d + 1)] = fit.spread[j * (size_t) (plan->d + 1)] = INFINITY;
	half *= unit;
	fit.noise[last] = half * half * sd * sd;
	/* what the mean may be off by is part of what rows differ by from it */
	fit.residual_variance = half * half * (unclipped * variance + sd * sd);
	fit.residual_sd = half * half * unclipped * noise;
	fit.r2_sd = 1;
	dpem_linreg_store(run, group, &fit, model);
}

/* groups' rows are their targets alone */
static void
release_mean(DpemFitRun *fit, DpemFitted *fitted, const char *known)
{
	const DpemFitPlan *plan = fit->plan;
	DpemMomentLayout layout = {1, plan->d, DPEM_SECOND_NORM};
	DpemReleaseSpec spec = dpem_linreg_mean_spec(plan);
	DpemNoisyMoments *m;

	dpem_fit_report(fit, "mean", 1);
	fit->sampled = dpem_fit_is_sampled(plan);
	m = dpem_fit_release_groups(fit, plan->stage[DPEM_LINREG_MOMENTS].line, &spec, &dpem_kernel_sums, &layout);
	dpem_fit_end(fit);
	for (int g = 0; g < plan->groups; g++)
		dpem_linreg_finish_mean(fit, g, &m[g], &fitted->model[g]);
	ereport(NOTICE,
			(errmsg("%s: the model is the mean of the target", plan->request->function),
			 errdetail("At this epsilon noise would hide where the columns' values are, and %s says so.", known),
			 errhint("Ask for more epsilon or fewer columns, or for precondition => 'standardise'.")));
}

void
dpem_linreg_run_mean(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemFitPlan *plan = fit->plan;
	DpemMargins *margins = plan->stage[DPEM_LINREG_LOCATION].line >= 0 ? dpem_linreg_release_target(fit) : NULL;

	for (int g = 0; g < plan->groups; g++)
	{
		double		low = -1;
		double		high = 1;

		if (margins != NULL)
			dpem_linreg_clamp_target(plan, &margins[g], &low, &high);
		dpem_linreg_see_target(fit, g, low, high);
	}
	release_mean(fit, fitted, "the number of rows");
}

void
dpem_linreg_run_hidden(DpemFitRun *fit, DpemFitted *fitted)
{
	release_mean(fit, fitted, "what margins tell of the number of rows");
}
