/*
 * linreg_mean.c - the mean of the target, where noise would hide where the
 * columns' values are: margins of the target alone, unless noise would hide where that is, too; then its mean and
 * square about what they say.
 */
#include "postgres.h"

#include <math.h>

#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_rules.h"
#include "core/linreg/linreg_target.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"

DpemMarginGrid
dpem_linreg_target_grid(const DpemFitPlan *plan)
{
	return dpem_margin_grid(1, plan->groups, 1);
}

/*
 * Rows are seen as one number, (target - center) / deviation of box coordinates, clipped at radius: their
 * coordinate `place`, all others being zero.
 */
static void
set_target_frame(DpemFitRun *fit, int group, int place, double center, double deviation, double radius)
{
	size_t		d = (size_t) fit->plan->d;
	double	   *centers = dpem_fit_allocate(d);
	double	   *matrix = dpem_fit_allocate(d * d);

	centers[d - 1] = center;
	matrix[(size_t) place * d + d - 1] = 1 / deviation;
	fit->part[group].center = centers;
	fit->part[group].whitening = matrix;
	fit->part[group].radius = radius;
}

/* margins are those of leading coordinates: the first is the target for this pass */
void
dpem_linreg_locate_target(DpemFitRun *fit, double *center, double *deviation)
{
	const DpemFitPlan *plan = fit->plan;
	DpemMarginGrid grid = dpem_linreg_target_grid(plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&grid));
	const DpemColumnValues *values = dpem_fit_column_values(plan, plan->d);
	DpemMargins *margins;

	for (int g = 0; g < plan->groups; g++)
		set_target_frame(fit, g, 0, 0, 1, grid.radius);
	margins = dpem_fit_release_margins_of_rows(fit, &plan->stage[DPEM_LINREG_LOCATION], &grid);
	for (int g = 0; g < plan->groups; g++)
	{
		margins[g].values = values + plan->d - 1;
		dpem_linreg_locate(&margins[g], dpem_linreg_is_mean(plan), &center[g], &deviation[g], work);
		fit->part[g].center = fit->part[g].whitening = NULL;
		fit->part[g].radius = plan->clip_norm;
	}
}

/* of coefficients nothing was released: they might be anything */
static void
finish_mean(const DpemFitRun *run, int group, const DpemNoisyMoments *m, DpemModel *model)
{
	const DpemFitPlan *plan = run->plan;
	DpemFeatureMap map = dpem_fit_map(run, group);
	double		lower = map.lower[plan->d - 1];
	double		half = map.upper[plan->d - 1] / 2 - lower / 2;
	double		unit = dpem_fit_unit(&map, plan->d, plan->d - 1);
	double		rows = dpem_total_rows(m, run->sampled ? dpem_fit_sample_rows(plan) : plan->public_rows);
	double		mean = m->value[plan->d] / rows;
	double		variance = fmax(m->value[plan->d + 1] / rows - mean * mean, m->second_sd / rows);
	DpemLinreg	fit = dpem_linreg_create(plan);
	size_t		last = (size_t) plan->d * plan->d - 1;

	fit.coefficient[plan->d - 1] = lower + half * (1 + fmin(fmax(map.center[plan->d - 1] + unit * mean, -1), 1));
	for (int j = 0; j < plan->d; j++)
		fit.error[j * (size_t) (plan->d + 1)] = fit.spread[j * (size_t) (plan->d + 1)] = INFINITY;
	half *= unit;
	fit.noise[last] = half * half * m->sum_sd * m->sum_sd / (rows * rows);
	fit.residual_variance = half * half * fmin(variance, 1);
	fit.residual_sd = half * half * m->second_sd / rows;
	fit.r2_sd = 1;
	dpem_linreg_store(run, group, &fit, model);
}

void
dpem_linreg_run_mean(DpemFitRun *fit, DpemFitted *fitted)
{
	DpemMomentLayout layout = {1, fit->plan->d, DPEM_SECOND_NORM};
	double	   *center = dpem_fit_allocate(fit->plan->groups);
	double	   *deviation = dpem_fit_allocate(fit->plan->groups);
	DpemNoisyMoments *m;

	for (int g = 0; g < fit->plan->groups; g++)
		dpem_linreg_anywhere(&center[g], &deviation[g]);
	if (fit->plan->stage[DPEM_LINREG_LOCATION].line >= 0)
		dpem_linreg_locate_target(fit, center, deviation);
	for (int g = 0; g < fit->plan->groups; g++)
		set_target_frame(fit, g, fit->plan->d - 1, center[g], deviation[g], dpem_linreg_mean_radius);
	dpem_fit_report(fit, "mean", 1);
	fit->sampled = dpem_fit_is_sampled(fit->plan);
	m = dpem_fit_release_stage_groups(fit, DPEM_LINREG_MOMENTS, &dpem_kernel_sums, &layout);
	dpem_fit_end(fit);
	for (int g = 0; g < fit->plan->groups; g++)
		finish_mean(fit, g, &m[g], &fitted->model[g]);
	ereport(NOTICE,
			(errmsg("%s: the model is the mean of the target", fit->plan->request->function),
			 errdetail("At this epsilon noise would hide where the columns' values are, and the number of rows says so."),
			 errhint("Ask for more epsilon or fewer columns, or for precondition => 'standardise'.")));
}
