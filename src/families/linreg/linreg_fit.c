/*
 * linreg_fit.c - the passes of a linear regression, and back into the columns'
 * own units.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_estimate.h"
#include "core/linreg/linreg_rules.h"
#include "families/linreg/linreg.h"
#include "fit/fit_model.h"
#include "server/fit_memory.h"

static DpemLinregMoments *
create_moments(const DpemFitPlan *plan, int dimension)
{
	size_t		d = (size_t) dimension;
	DpemLinregMoments *moments = palloc0(plan->groups * sizeof(DpemLinregMoments));

	for (int g = 0; g < plan->groups; g++)
		moments[g] = (DpemLinregMoments) {
		.p = dimension - 1,.mean = dpem_fit_allocate(d),.covariance = dpem_fit_allocate(d * d)
	};
	return moments;
}

/* what noise says of a center is beyond no bound of its column, nor what it is clamped to */
static void
keep_in_domain(const DpemFitRun *run, int group, DpemLinregMoments *moments)
{
	DpemFeatureMap map = dpem_fit_map(run, group);

	for (int j = 0; j < moments->p; j++)
	{
		double		unit = dpem_fit_unit(&map, run->plan->d, j);
		double		least = map.range ? fmax(map.range[j], -1) : -1;
		double		most = map.range ? fmin(map.range[run->plan->d + j], 1) : 1;
		double		box = fmin(fmax(map.center[j] + unit * moments->center[j], least), most);

		moments->center[j] = (box - map.center[j]) / unit;
	}
}

/* of all groups, in units of their balls */
static DpemNoisyMoments *
release_moments(DpemFitRun *fit, const DpemLinregLocated *located, DpemLinregMoments *moments)
{
	const DpemFitPlan *plan = fit->plan;
	DpemMomentLayout layout = {1, moments->p + 1, DPEM_SECOND_FULL};
	double		rows = fit->sampled ? dpem_fit_sample_rows(plan) : plan->public_rows;
	MemoryContext old = MemoryContextSwitchTo(fit->per_pass);
	DpemNoisyMoments *m = dpem_fit_release_stage_groups(fit, DPEM_LINREG_MOMENTS, &dpem_kernel_sums, &layout);

	for (int g = 0; g < plan->groups; g++)
	{
		dpem_linreg_take(&m[g], rows, located[g].center_error, &moments[g]);
		if (moments[g].center == NULL || located[g].hidden)
			continue;
		dpem_linreg_center_known(&m[g], located[g].center_error, located[g].known, located[g].known_sd, &moments[g]);
		keep_in_domain(fit, g, &moments[g]);
	}
	MemoryContextSwitchTo(old);
	return m;
}

/*
 * Without noise: the last pass is about the means of the one before it, so that nothing is lost of columns narrow in their
 * domains.  Centers of that one are zeros unless numbers are unknown.
 */
static void
frame_exactly(DpemFitRun *fit, const DpemLinregMoments *moments)
{
	int			d = fit->plan->d;

	for (int g = 0; g < fit->plan->groups; g++)
	{
		const double *before = fit->part[g].center;
		double	   *center = dpem_fit_allocate(d);
		double	   *deviation = dpem_fit_allocate(d);
		double		square = 0;	/* of the norm of the box's farthest corner: nothing is clipped */

		for (int j = 0; j < d; j++)
		{
			center[j] = fit->part[g].radius * moments[g].mean[j] + (before ? before[j] : 0);
			deviation[j] = fit->part[g].radius * sqrt(fmax(moments[g].covariance[(size_t) j * d + j], 0));
			square += pow((1 + fabs(center[j])) / (deviation[j] > 0 ? deviation[j] : 1), 2);
		}
		dpem_linreg_set_frame(fit, g, center, deviation, sqrt(square));
	}
}

/*
 * From here on rows are Fourier features, of norm 1, and the target, in the box or in units of so many deviations
 * as it is counted to; without noise it is counted wherever it is.
 */
static void
map_rows(DpemFitRun *fit)
{
	const DpemFitPlan *plan = fit->plan;
	double	   *radius = palloc(plan->groups * sizeof(double));

	for (int g = 0; g < plan->groups; g++)
	{
		DpemFeatureMap map = dpem_fit_map(fit, g);
		bool		exact = !plan->noisy && map.whitening != NULL;
		size_t		d = (size_t) plan->d;

		radius[g] = exact ? hypot(1, (1 + fabs(map.center[d - 1])) * map.whitening[d * d - 1]) : M_SQRT2;
	}
	dpem_fit_use_fourier(fit, &((const DpemLinregRequest *) plan->request)->fourier, plan->d - 1, dpem_linreg_width(plan), radius);
	pfree(radius);
}

/* a coordinate of the ball is w ((x - middle of the domain) / half-width - center) / radius */
void
dpem_linreg_units(const DpemFitRun *run, int group, double *middle, double *unit)
{
	DpemFeatureMap map = dpem_fit_map(run, group);
	int			d = run->plan->d;

	int			first = map.pairs > 0 ? d - 1 : 0;
	int			features = 2 * map.pairs;

	for (int j = 0; j < features; j++)
	{
		middle[j] = 0;
		unit[j] = map.radius;
	}
	for (int j = first; j < d; j++)
	{
		double		half = map.upper[j] / 2 - map.lower[j] / 2;

		middle[features + j - first] = dpem_fit_middle(&map, j);
		unit[features + j - first] = half * dpem_fit_unit(&map, d, j);
	}
}

/* the number of each predictor's label among the columns; -1: it is a number */
static int *
find_labels(const DpemBinding *bound)
{
	int		   *label = palloc(Max(dpem_binding_dimension(bound), 1) * sizeof(int));
	ListCell   *cell;
	int			at = 0;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length; i++)
			label[at++] = column->kind == DPEM_COLUMN_LABEL ? foreach_current_index(cell) : -1;
	}
	return label;
}

static double *
number(double value)
{
	double	   *out = dpem_fit_allocate(1);

	*out = value;
	return out;
}

/* square roots of the diagonal of an n x n matrix */
static double *
deviations(int n, const double *matrix)
{
	double	   *out = dpem_fit_allocate(n);

	for (int j = 0; j < n; j++)
		out[j] = sqrt(fmax(matrix[(size_t) j * n + j], 0));
	return out;
}

void
dpem_linreg_store(const DpemFitRun *run, int group, const DpemLinreg *fit, DpemModel *model)
{
	const DpemFitPlan *plan = run->plan;
	int			n = dpem_linreg_dimension(plan);
	double	   *covariance = dpem_fit_allocate((size_t) n * n);
	const char **scale = palloc(sizeof(char *));

	*scale = dpem_scale_name(plan->binding->target->scale);
	for (size_t i = 0; i < (size_t) n * n; i++)
		covariance[i] = fit->error[i] + fit->sampling[i];
	model->k = 1;
	model->d = plan->d - (plan->request->bind.constant ? 2 : 1);
	model->features = n;
	model->value[DPEM_LINREG_TARGET] = &plan->binding->target->name;
	model->value[DPEM_LINREG_SCALE] = scale;
	model->value[DPEM_LINREG_COEFFICIENT] = fit->coefficient;
	model->value[DPEM_LINREG_NOISE] = deviations(n, fit->noise);
	model->value[DPEM_LINREG_MIDDLE] = fit->middle;
	model->value[DPEM_LINREG_ERROR] = deviations(n, fit->spread);
	model->value[DPEM_LINREG_COVARIANCE] = covariance;
	model->value[DPEM_LINREG_LOWER] = number(plan->binding->target->lower);
	model->value[DPEM_LINREG_UPPER] = number(plan->binding->target->upper);
	model->value[DPEM_LINREG_R2] = number(fit->r2);
	model->value[DPEM_LINREG_R2_NOISE] = number(fit->r2_sd);
	model->value[DPEM_LINREG_RESIDUAL] = number(fit->residual_variance);
	model->value[DPEM_LINREG_RESIDUAL_NOISE] = number(fit->residual_sd);
	dpem_fit_put_fourier(run, group, &((const DpemLinregRequest *) plan->request)->fourier, dpem_linreg_width(plan),
						 DPEM_LINREG_DIMENSION, model);
	dpem_linreg_no_trajectory(model);
}

DpemLinreg
dpem_linreg_create(const DpemFitPlan *plan)
{
	size_t		n = (size_t) dpem_linreg_dimension(plan);

	return (DpemLinreg) {
		.p = (int) n - 1,.shared = palloc0(n * sizeof(bool)),.coefficient = dpem_fit_allocate(n),
			.error = dpem_fit_allocate(n * n),.noise = dpem_fit_allocate(n * n),.sampling = dpem_fit_allocate(n * n),
			.middle = dpem_fit_allocate(n),.spread = dpem_fit_allocate(n * n)
	};
}

/* unknown numbers are from now on where the intercept takes them to be */
static void
move_centers(DpemFitRun *run, int group, const DpemLinregMoments *moments)
{
	DpemFeatureMap map = dpem_fit_map(run, group);
	int			d = run->plan->d;
	double	   *center = dpem_fit_allocate(d);

	memcpy(center, map.center, d * sizeof(double));
	for (int j = 0; j < moments->p; j++)
		center[j] += dpem_fit_unit(&map, d, j) * moments->center[j];
	run->part[group].center = center;
}

static void
estimate(DpemFitRun *run, int group, DpemLinregMoments *moments, DpemModel *model)
{
	double	   *middle = dpem_fit_allocate(dpem_linreg_dimension(run->plan));
	double	   *unit = dpem_fit_allocate(dpem_linreg_dimension(run->plan));
	DpemLinreg	fit = dpem_linreg_create(run->plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_linreg_estimate_work(fit.p));

	dpem_linreg_units(run, group, middle, unit);
	moments->label = run->plan->features > 0 ? NULL : find_labels(run->plan->binding);
	moments->unit = unit;
	moments->middle = middle;
	dpem_fit_require_ok(dpem_linreg_estimate(moments, &fit, work));
	pfree(work.next);
	dpem_linreg_transform(middle, unit, moments->label, &fit, dpem_fit_workspace(dpem_linreg_transform_work(fit.p)));
	if (moments->center)
		move_centers(run, group, moments);
	dpem_linreg_store(run, group, &fit, model);
}

/* the ball of a baseline is that of the domains; no label's coefficients are made to add up to anything */
static void
estimate_baseline(DpemFitRun *run, int group, const DpemNoisyMoments *released, DpemModel *model)
{
	const DpemFitPlan *plan = run->plan;
	double		rows = run->sampled ? dpem_fit_sample_rows(plan) : plan->public_rows;
	double	   *middle = dpem_fit_allocate(plan->d);
	double	   *unit = dpem_fit_allocate(plan->d);
	DpemLinreg	fit = dpem_linreg_create(plan);
	DpemWorkspace work = dpem_fit_workspace(Max(dpem_linreg_baseline_work(fit.p), dpem_linreg_transform_work(fit.p)));

	dpem_linreg_units(run, group, middle, unit);
	dpem_fit_require_ok(dpem_linreg_baseline(((const DpemLinregRequest *) plan->request)->algorithm->method, released, rows, &fit, work));
	dpem_linreg_transform(middle, unit, NULL, &fit, work);
	dpem_linreg_store(run, group, &fit, model);
}

static void
run_baseline(DpemFitRun *fit, DpemFitted *fitted)
{
	DpemMomentLayout layout = {1, fit->plan->d, DPEM_SECOND_FULL};
	DpemNoisyMoments *m;

	dpem_fit_report(fit, "moments", 1);
	fit->sampled = dpem_fit_is_sampled(fit->plan);
	m = dpem_fit_release_stage_groups(fit, DPEM_LINREG_MOMENTS, &dpem_kernel_sums, &layout);
	dpem_fit_end(fit);
	for (int g = 0; g < fit->plan->groups; g++)
		estimate_baseline(fit, g, &m[g], &fitted->model[g]);
}

/* how many groups' columns noise hides, which from here on are seen as their targets alone */
static int
hide_groups(DpemFitRun *fit, const DpemLinregLocated *located)
{
	int			hidden = 0;

	for (int g = 0; g < fit->plan->groups; g++)
	{
		if (located[g].hidden)
			dpem_linreg_see_target(fit, g, located[g].low, located[g].high);
		hidden += located[g].hidden;
	}
	return hidden;
}

/* what the moments are of, before they are released */
static void
frame_rows(DpemFitRun *fit, const DpemLinregLocated *located, DpemLinregMoments *moments)
{
	const DpemFitPlan *plan = fit->plan;

	for (int g = 0; g < plan->groups && located[g].known; g++)
	{
		moments[g].center = dpem_fit_allocate(plan->d);
		moments[g].center_sd = dpem_fit_allocate(plan->d);
	}
	if (plan->iterations > 1)
	{
		DpemLinregMoments *box = create_moments(plan, plan->d);

		dpem_fit_report(fit, "means", 1);
		dpem_fit_center_unknown(fit);
		(void) release_moments(fit, located, box);
		MemoryContextReset(fit->per_pass);
		frame_exactly(fit, box);
	}
	if (plan->features > 0)
		map_rows(fit);
}

static void
estimate_groups(DpemFitRun *fit, const DpemLinregLocated *located, const DpemNoisyMoments *released, DpemLinregMoments *moments, DpemFitted *fitted)
{
	for (int g = 0; g < fit->plan->groups; g++)
	{
		if (located[g].hidden)
			dpem_linreg_finish_mean(fit, g, &released[g], &fitted->model[g]);
		else
			estimate(fit, g, &moments[g], &fitted->model[g]);
	}
}

static void
run_ridge(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemFitPlan *plan = fit->plan;
	DpemLinregLocated *located = palloc0(plan->groups * sizeof(DpemLinregLocated));
	DpemLinregMoments *moments = create_moments(plan, dpem_linreg_dimension(plan));
	DpemNoisyMoments *released;

	if (plan->stage[DPEM_LINREG_MARGINS].line >= 0)
		dpem_linreg_standardise(fit, located);
	if (hide_groups(fit, located) == plan->groups)
	{
		dpem_linreg_run_hidden(fit, fitted);
		return;
	}
	frame_rows(fit, located, moments);
	dpem_fit_report(fit, "moments", plan->iterations);
	fit->sampled = dpem_fit_is_sampled(plan);
	released = release_moments(fit, located, moments);
	/* what follows needs no rows */
	dpem_fit_end(fit);
	estimate_groups(fit, located, released, moments, fitted);
	MemoryContextReset(fit->per_pass);
}

void
dpem_linreg_run(DpemFitRun *fit, DpemFitted *fitted)
{
	if (dpem_linreg_is_mean(fit->plan))
		dpem_linreg_run_mean(fit, fitted);
	else if (dpem_linreg_is_online(fit->plan))
		dpem_linreg_run_online(fit, fitted);
	else if (dpem_linreg_is_tested(fit->plan))
		dpem_linreg_run_tested(fit, fitted);
	else if (dpem_linreg_is_blocks(fit->plan))
		dpem_linreg_run_blocks(fit, fitted);
	else if (dpem_linreg_is_baseline(fit->plan))
		run_baseline(fit, fitted);
	else
		run_ridge(fit, fitted);
}
