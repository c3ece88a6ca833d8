/*
 * factors_run.c - see factors_run.h.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

#define RADIUS_SHARE	0.1		/* of the squared mu, for a fit that looks for its ball first */
#define NARROW_SHARE	0.05	/* the same in the ball that margins show */
#define MARGINS_SHARE	0.1
#define MARGINS_MOST	0.3		/* for components: MARGINS_SHARE, or as much as leaves margins this noise, or the most */
#define MARGINS_CLEAR	0.02
#define MARGINS_NOISE	0.1		/* of the rows, in a bin, beyond which margins say nothing */
#define STANDARD_BALL	2.0		/* radius that standardised rows are clipped to, in root mean square norms */

/*
 * Always, unless the caller knows the ball: that noise is little in the box says nothing of how little of the
 * box the rows fill.
 */
static bool
choose_radius(const DpemFactorsPlan *plan)
{
	const DpemFactorsRequest *r = plan->request;

	if (r->radius_given)
		return r->radius_first;
	return plan->fit.noisy && !(r->fit.clip_norm > 0);
}

/* a ball that is too large for margins that are noise costs more than the rest of the budget is worth */
static double
choose_margins_share(const DpemFactorsPlan *plan)
{
	double		noise = plan->fit.noisy ? dpem_fit_margins_noise(&plan->fit, &plan->grid, MARGINS_SHARE, dpem_supposed_rows(plan->fit.public_rows)) / MARGINS_CLEAR : 0;

	return plan->request->algorithm ? fmin(fmax(MARGINS_SHARE * noise * noise, MARGINS_SHARE), MARGINS_MOST) : MARGINS_SHARE;
}

/*
 * From public quantities: whenever margins are seen at all, as what little noise hides in the box
 * is what matters in a column that hardly varies (test/bench/utility_factors.pl).
 */
static bool
choose_margins(const DpemFactorsPlan *plan)
{
	const DpemFactorsRequest *r = plan->request;

	if (r->radius_given || !plan->fit.noisy || r->fit.clip_norm > 0)
		return r->margins_first && plan->fit.noisy;
	return dpem_fit_margins_noise(&plan->fit, &plan->grid, plan->margins.share, dpem_supposed_rows(plan->fit.public_rows)) < MARGINS_NOISE;
}

/*
 * Early stages, then the second moments.  Margins show where rows are in domains of any width, but take noise for
 * rows now and then, or suppose rows where noise hides what there is; the distances of rows in their ball correct that.
 */
static void
plan_stages(DpemFactorsPlan *plan)
{
	double		margins = plan->margins_first ? plan->margins.share : 0;
	double		radius = plan->radius_first ? (plan->margins_first ? NARROW_SHARE : RADIUS_SHARE) : 0;
	double		root_sum = sqrt(margins) + sqrt(radius) + sqrt(1 - margins - radius);

	if (margins > 0)
		dpem_factors_add_stage(plan, DPEM_FACTORS_MARGINS, plan->margins.statistic, margins, DPEM_SECOND_NONE, root_sum, 1);
	plan->margins.line = plan->line[DPEM_FACTORS_MARGINS];
	if (radius > 0)
		dpem_factors_add_stage(plan, DPEM_FACTORS_RADIUS, "radius", radius, DPEM_SECOND_NORM, root_sum, 1);
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "moments", 1 - margins - radius, DPEM_SECOND_FULL, root_sum,
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
	plan->margins.share = choose_margins_share(plan);
	plan->spec[DPEM_FACTORS_MARGINS] = plan->margins.spec;
	plan->margins_first = choose_margins(plan);
	plan->radius_first = plan->margins_first ? plan->request->algorithm != NULL : choose_radius(plan);
	plan_stages(plan);
}

/*
 * Spectral norm of the noise in the sum of second moments of rows of norm 1, of a sample made that of all rows.
 * Factors depend on variances that are small beside the whole, so that no noise is little.
 */
static double
spectral_noise(const DpemFactorsPlan *plan)
{
	double		sd[3];

	if (plan->request->algorithm == NULL)
		return INFINITY;
	dpem_release_noise(&plan->spec[DPEM_FACTORS_MOMENTS], plan->fit.groups, plan->fit.d,
					   plan->noise_multiplier[DPEM_FACTORS_MOMENTS], &sd[0], &sd[1], &sd[2]);
	return sqrt(2.0 * plan->fit.d) * sd[2] / plan->fit.sample.rate;
}

/* a pass for the balls of the next one, within those of the rows as they are seen now */
static void
find_balls(DpemFitRun *run, const DpemFactorsPlan *plan, DpemFactorsBall *ball)
{
	int			d = plan->fit.d;
	MemoryContext fit = CurrentMemoryContext;
	DpemNoisyMoments *m;

	dpem_fit_report(run, "radius", 0);
	MemoryContextSwitchTo(run->per_pass);
	m = dpem_fit_release_total(run, plan->line[DPEM_FACTORS_RADIUS], &plan->spec[DPEM_FACTORS_RADIUS], DPEM_SECOND_NORM,
							   DPEM_FIT_ANYWHERE, NULL);
	MemoryContextSwitchTo(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		double	   *center = dpem_fit_allocate(d);

		ball[g].radius = dpem_total_ball(&m[g], plan->fit.public_rows, plan->request->centered, ball[g].radius,
										 spectral_noise(plan), center);
		for (int j = 0; j < d && ball[g].center; j++)
			center[j] += ball[g].center[j];
		ball[g].center = plan->request->centered ? center : NULL;
	}
	MemoryContextReset(run->per_pass);
}

/* the ball of rows whose columns are as the margins show */
static DpemFactorsBall
take_ball(DpemFitRun *run, int group, double noise, const double *center, const double *deviation)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) run->plan;
	DpemFactorsBall ball = {.center = plan->request->centered ? center : NULL};

	ball.radius = dpem_columns_ball(plan->fit.d, plan->fit.clip_norm, noise, center, deviation);
	run->part[group].center = ball.center;
	run->part[group].radius = ball.radius;
	return ball;
}

/* units of the columns' own */
static DpemFactorsBall
take_units(DpemFitRun *run, int group, const double *center, double *deviation)
{
	int			d = run->plan->d;
	DpemFactorsBall ball = {center, STANDARD_BALL * sqrt((double) d), deviation};

	for (int j = 0; j < d; j++)
		deviation[j] = 1 / deviation[j];
	dpem_fit_set_frame(run, group, center, ball.scale, ball.radius);
	return ball;
}

/* a pass for the columns' margins: components do not depend on units, factors have no common one */
static void
find_columns(DpemFitRun *run, const DpemFactorsPlan *plan, DpemFactorsBall *ball, DpemFactorsTotal *total)
{
	bool		centered = plan->request->centered;
	DpemMargins *margins = dpem_fit_release_margins(run, &plan->margins, &plan->grid);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&plan->grid));

	for (int g = 0; g < plan->fit.groups; g++)
	{
		double	   *center = dpem_fit_allocate(plan->fit.d);
		double	   *deviation = dpem_fit_allocate(plan->fit.d);

		CHECK_FOR_INTERRUPTS();
		dpem_column_spread(&margins[g], centered, center, deviation, work);
		ball[g] = plan->request->algorithm ? take_ball(run, g, spectral_noise(plan) / margins[g].rows, center, deviation)
			: take_units(run, g, center, deviation);
		total[g].margins = &margins[g];
		if (plan->request->algorithm == NULL)
			total[g].atom = dpem_fit_column_atoms(run, &margins[g]);
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
	if (plan->margins_first)
		find_columns(run, plan, ball, total);
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
