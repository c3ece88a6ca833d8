/*
 * factors_run.c - see factors_run.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

#define RADIUS_SHARE	0.1		/* of the squared mu, for a fit that looks for its ball first */
#define LITTLE_NOISE	5e-4	/* spectral norm of the noise, in units of the ball's squared radius */
#define ROWS_UNKNOWN	10000	/* assumed where the number of rows is private */
#define MARGINS_SHARE	0.1
#define MARGINS_NOISE	0.1		/* of the rows, in a bin, beyond which margins say nothing */
#define STANDARD_BALL	2.0		/* radius that standardised rows are clipped to, in root mean square norms */

/*
 * From public quantities: worth it unless the caller knows the ball, or the noise is little
 * even in the whole box.  No noise, no need.
 */
static bool
choose_radius(const DpemFactorsPlan *plan)
{
	const DpemFactorsRequest *r = plan->request;
	double		rows = plan->fit.public_rows > 0 ? plan->fit.public_rows : ROWS_UNKNOWN;
	double		sd[3];

	if (r->radius_given)
		return r->radius_first;
	if (!plan->fit.noisy || r->fit.clip_norm > 0)
		return false;
	dpem_release_noise(&plan->spec[DPEM_FACTORS_MOMENTS], plan->fit.groups, plan->fit.d,
					   dpem_fit_exact_multiplier(&plan->fit, 1), &sd[0], &sd[1], &sd[2]);
	return sd[2] / rows * sqrt(2.0 * plan->fit.d) > LITTLE_NOISE;
}

/*
 * From public quantities: whenever margins are seen at all, as what little noise hides in the box
 * is what matters in a column that hardly varies (test/bench/utility_factors.pl).
 */
static bool
choose_standardise(const DpemFactorsPlan *plan)
{
	const DpemFactorsRequest *r = plan->request;
	double		rows = plan->fit.public_rows > 0 ? plan->fit.public_rows : ROWS_UNKNOWN;
	double		sd[3];

	if (r->radius_given || r->algorithm != NULL || !plan->fit.noisy || r->fit.clip_norm > 0)
		return r->standardise && plan->fit.noisy;
	dpem_release_noise(&plan->margins.spec, plan->margins.layout.k, plan->fit.d,
					   dpem_fit_exact_multiplier(&plan->fit, MARGINS_SHARE), &sd[0], &sd[1], &sd[2]);
	return sd[1] / dpem_margin_mark(&plan->grid, 0) / rows < MARGINS_NOISE;
}

static void
plan_standardised(DpemFactorsPlan *plan)
{
	double		root_sum = sqrt(MARGINS_SHARE) + sqrt(1 - MARGINS_SHARE);

	plan->spec[DPEM_FACTORS_MARGINS] = plan->margins.spec;
	dpem_factors_add_stage(plan, DPEM_FACTORS_MARGINS, plan->margins.statistic, MARGINS_SHARE, DPEM_SECOND_NONE, root_sum, 1);
	plan->margins.line = plan->line[DPEM_FACTORS_MARGINS];
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "moments", 1 - MARGINS_SHARE, DPEM_SECOND_FULL, root_sum,
						   dpem_factors_passes(plan));
}

/* what EM of that many factors takes */
static void
check_factors(int d, int k)
{
	size_t		work = Max(dpem_factors_fit_work(d, k), dpem_factors_noise_work(d, k));

	if (!AllocSizeIsValid(work * sizeof(double)))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d factors in %d coordinates do not fit into memory", k, d),
				 errhint("Ask for fewer factors, or name fewer columns.")));
}

void
dpem_factors_plan_covariance(DpemFactorsPlan *plan)
{
	double		root_sum = sqrt(RADIUS_SHARE) + sqrt(1 - RADIUS_SHARE);

	dpem_fit_check_second_moments(&plan->fit, "Name fewer columns, or use dp_pca_fit with algorithm power.");
	if (plan->request->algorithm == NULL)
		check_factors(plan->fit.d, plan->request->k);
	plan->sampled = DPEM_FACTORS_MOMENTS;
	plan->spec[DPEM_FACTORS_RADIUS] = dpem_factors_center_spec(plan);
	plan->spec[DPEM_FACTORS_MOMENTS] = dpem_factors_moments_spec(plan);
	plan->grid = dpem_margin_grid(plan->fit.d, plan->fit.groups, plan->fit.clip_norm);
	plan->margins = dpem_fit_margins_stage(&plan->fit, &plan->grid, MARGINS_SHARE);
	plan->whiten = dpem_factors_choose_whiten(plan);
	if (plan->whiten)
	{
		dpem_factors_plan_whitened(plan);
		return;
	}
	plan->standardise = choose_standardise(plan);
	if (plan->standardise)
	{
		plan_standardised(plan);
		return;
	}
	plan->radius_first = choose_radius(plan);
	if (!plan->radius_first)
	{
		dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "moments", 1, DPEM_SECOND_FULL, 1, dpem_factors_passes(plan));
		return;
	}
	dpem_factors_add_stage(plan, DPEM_FACTORS_RADIUS, "radius", RADIUS_SHARE, DPEM_SECOND_NORM, root_sum, 1);
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "moments", 1 - RADIUS_SHARE, DPEM_SECOND_FULL,
						   root_sum, dpem_factors_passes(plan));
}

/* a pass for the balls of the next one */
static void
find_balls(DpemFitRun *run, const DpemFactorsPlan *plan, DpemFactorsBall *ball)
{
	MemoryContext fit = CurrentMemoryContext;
	DpemNoisyMoments *m;

	dpem_fit_report(run, "radius", 0);
	MemoryContextSwitchTo(run->per_pass);
	m = dpem_fit_release_total(run, plan->line[DPEM_FACTORS_RADIUS], &plan->spec[DPEM_FACTORS_RADIUS], DPEM_SECOND_NORM,
							   DPEM_FIT_ANYWHERE, NULL);
	MemoryContextSwitchTo(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		double	   *center = dpem_fit_allocate(plan->fit.d);

		ball[g].radius = dpem_total_ball(&m[g], plan->fit.public_rows, plan->request->centered, ball[g].radius, center);
		ball[g].center = plan->request->centered ? center : NULL;
	}
	MemoryContextReset(run->per_pass);
}

/* a pass for units of the columns' own */
static void
find_units(DpemFitRun *run, const DpemFactorsPlan *plan, DpemFactorsBall *ball)
{
	size_t		d = (size_t) plan->fit.d;
	DpemMargins *margins = dpem_fit_release_margins(run, &plan->margins, &plan->grid);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&plan->grid));

	for (int g = 0; g < plan->fit.groups; g++)
	{
		double	   *center = dpem_fit_allocate(d);
		double	   *scale = dpem_fit_allocate(d);

		dpem_column_spread(&margins[g], plan->request->centered, center, scale, work);
		for (size_t j = 0; j < d; j++)
			scale[j] = 1 / scale[j];
		ball[g] = (DpemFactorsBall) {center, STANDARD_BALL * sqrt((double) d), scale};
		dpem_fit_set_frame(run, g, center, scale, ball[g].radius);
	}
}

DpemFactorsTotal *
dpem_factors_release_covariance(DpemFitRun *run, const DpemFactorsPlan *plan)
{
	size_t		d = (size_t) plan->fit.d;
	int			groups = plan->fit.groups;
	DpemFactorsTotal *total = palloc0(groups * sizeof(DpemFactorsTotal));
	DpemFactorsBall *ball = palloc0(groups * sizeof(DpemFactorsBall));
	MemoryContext fit = CurrentMemoryContext;
	DpemNoisyMoments *m;

	if (plan->whiten)
		return dpem_factors_release_whitened(run, plan);
	for (int g = 0; g < groups; g++)
		ball[g].radius = plan->fit.clip_norm;
	if (plan->standardise)
		find_units(run, plan, ball);
	if (plan->radius_first)
		find_balls(run, plan, ball);
	for (int g = 0; g < groups; g++)
	{
		total[g].ball = ball[g];
		total[g].mean = dpem_fit_allocate(d);
		total[g].covariance = dpem_fit_allocate(d * d);
		run->part[g].center = ball[g].center;
		run->part[g].radius = ball[g].radius;
	}
	run->sampled = true;
	MemoryContextSwitchTo(run->per_pass);
	m = dpem_factors_release_moments(run, plan, NULL);
	for (int g = 0; g < groups; g++)
		total[g].total = dpem_total_covariance(&m[g], dpem_factors_stage_rows(plan, DPEM_FACTORS_MOMENTS),
											   plan->request->centered, total[g].mean, total[g].covariance);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->per_pass);
	return total;
}

double
dpem_factors_unit(const DpemFactorsBall *ball, int j)
{
	return ball->radius / (ball->scale ? ball->scale[j] : 1);
}

/* the mean of rows that were clamped to the domain lies in it */
void
dpem_factors_fill_frame(const DpemFitRun *run, const DpemFactorsBall *ball, const double *mean, double mean_sd,
						DpemFactorsFrame *frame)
{
	const DpemFeatureMap *map = &run->pass.map;
	int			d = run->plan->d;

	frame->mean = dpem_fit_allocate(d);
	frame->mean_noise = dpem_fit_allocate(d);
	frame->unit = dpem_fit_allocate(d);
	for (int j = 0; j < d; j++)
	{
		double		scaled = (ball->center ? ball->center[j] : 0) + dpem_factors_unit(ball, j) * mean[j];
		double		value;

		frame->unit[j] = map->upper[j] / 2 - map->lower[j] / 2;
		value = map->lower[j] / 2 + map->upper[j] / 2 + frame->unit[j] * scaled;
		frame->mean[j] = run->plan->noisy ? fmin(fmax(value, map->lower[j]), map->upper[j]) : value;
		frame->mean_noise[j] = frame->unit[j] * dpem_factors_unit(ball, j) * mean_sd;
	}
}
