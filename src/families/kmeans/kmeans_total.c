/*
 * kmeans_total.c - see kmeans_frame.h, kmeans_lloyd.h.
 *
 * A plan that does not know the number of rows plans for a usual one.  Of a few hundred, passes that
 * are each as noisy as the next one's centers are wide lead away from the rows: then the same releases are
 * about fewer centers, or about the middle of all rows.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/nearby.h"
#include "core/kmeans/nearby_step.h"
#include "core/kmeans/subspace.h"
#include "core/numeric/lloyd.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_lloyd.h"
#include "server/fit_memory.h"

/* ---- steps ---- */

/* noise in a sum of one release; 0 without noise */
double
dpem_kmeans_pass_noise(const DpemKmeansPlan *plan)
{
	double		sum_sd = 0;
	double		unused;

	if (plan->fit.noisy)
		dpem_release_noise(&plan->joint, plan->request->k, plan->fit.d, plan->noise_multiplier, &unused, &sum_sd, &unused);
	return sum_sd;
}

/* of the present step */
static int
step_releases(const DpemKmeansSteps *s)
{
	return s->step * s->releases / s->n - (s->step - 1) * s->releases / s->n;
}

double
dpem_kmeans_step_noise(const DpemKmeansPlan *plan, const DpemKmeansSteps *s)
{
	return dpem_kmeans_pass_noise(plan) / sqrt(step_releases(s));
}

DpemKmeansSteps
dpem_kmeans_steps(const DpemKmeansPlan *plan, double rows)
{
	int			releases = plan->fit.iterations;
	DpemKmeansSteps s = {.n = releases,.step = 1,.releases = releases};

	if (plan->fit.noisy && plan->request->fit.iterations == 0 && !(plan->fit.public_rows > 0))
		s.n = Min(releases, dpem_subspace_passes(plan->request->k, plan->fit.d, rows, dpem_kmeans_pass_noise(plan) / sqrt(releases)));
	return s;
}

DpemNoisyMoments *
dpem_kmeans_release_step(DpemKmeansRun *run, DpemKmeansSteps *s, const DpemMomentLayout *layout, const double *theta)
{
	double	   *mean = dpem_fit_allocate(dpem_moments_length(layout));
	DpemNoisyMoments *m = NULL;

	for (int i = 1; i <= step_releases(s); i++)
	{
		dpem_fit_report(run->fit, "rows about centers", ++s->made);
		m = dpem_fit_release_stage(run->fit, DPEM_FRAME_PASSES, &dpem_kernel_nearby, layout, theta);
		dpem_noisy_moments_average(mean, i, m);
	}
	return m;
}

/* ---- a normal law ---- */

/* the total of a frame, in the domain's coordinates */
static DpemKmeansTotal
frame_total(const DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	DpemKmeansTotal total = {
		.rows = frame->rows,.rows_sd = frame->rows_sd,.mean = dpem_fit_allocate(frame->d),
		.seen = dpem_fit_allocate(frame->d),.seen_sd = frame->center_noise / sqrt(frame->d),.spread = frame->spread
	};

	for (int j = 0; j < frame->d; j++)
		total.mean[j] = total.seen[j] = frame->center[j] / run->plan->fit.clip_norm;
	total.mean_sd = total.seen_sd;
	return total;
}

/* centers of the law with that total and the frame's axes */
static void
normal_centers(DpemKmeansRun *run, const DpemKmeansFrame *frame, const DpemKmeansTotal *total, DpemKmeans *means, double *spread)
{
	double		clip = run->plan->fit.clip_norm;
	double	   *variance = dpem_fit_allocate(frame->axes);
	DpemNormalLaw law = {
		.d = frame->d,.axes = frame->axes,.axis = frame->axis,.variance = variance,
		.spread = total->spread,.mean = total->mean,.mean_sd = total->mean_sd
	};

	for (int a = 0; a < frame->axes; a++)
		variance[a] = frame->variance[a] * frame->radius / clip * frame->radius / clip;
	dpem_normal_centers(&law, means->k, 1 / clip, means->center, spread, dpem_fit_workspace(dpem_normal_centers_work(means->k, means->d)));
	memset(means->center_noise, 0, (size_t) means->k * means->d * sizeof(double));
	for (int k = 0; k < means->k; k++)
		means->weight[k] = 1.0 / means->k;
}

void
dpem_kmeans_normal_start(DpemKmeansRun *run, const DpemKmeansFrame *frame, DpemKmeans *means, double *spread)
{
	DpemKmeansTotal total = frame_total(run, frame);

	normal_centers(run, frame, &total, means, spread);
}

/* ---- the middle of all rows ---- */

bool
dpem_kmeans_total_alone(const DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	return run->plan->fit.noisy && run->sizes.n == 0 && dpem_subspace_blind(frame->center_noise);
}

/* what a release in that ball says, and what is believed then: a mean within the box of the domain */
static void
take_look(const DpemKmeansRun *run, const DpemNoisyMoments *m, const double *center, double reach, DpemKmeansTotal *total)
{
	double		half = 1 / run->plan->fit.clip_norm;

	dpem_nearby_total(m, center, reach, total);
	dpem_nearby_total_within(run->means.d, half, total);
	dpem_kmeans_clamp(1, run->means.d, half, total->mean);
}

/* all centers in one place: every row is the first one's */
static void
look_about(DpemKmeansRun *run, DpemKmeansSteps *s, DpemKmeansTotal *total)
{
	DpemMomentLayout layout = {run->means.k, run->means.d, DPEM_SECOND_NORM};
	size_t		d = (size_t) layout.d;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *theta = dpem_fit_allocate(dpem_nearby_theta_length(layout.k, layout.d));
	double		reach = fmax(dpem_nearby_total_ball(layout.d, dpem_kmeans_step_noise(run->plan, s), total, theta), 0x1p-12);

	theta[layout.k * d] = reach;
	for (int k = 1; k < layout.k; k++)
	{
		memcpy(theta + k * d, theta, d * sizeof(double));
		theta[layout.k * d + k] = reach;
	}
	take_look(run, dpem_kmeans_release_step(run, s, &layout, theta), theta, reach, total);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* the center nearest to the middle is what is known of it: so that, whatever the others are, the answer is hardly worse than that alone */
static void
keep_middle(const DpemKmeansTotal *total, DpemKmeans *means)
{
	size_t		d = (size_t) means->d;
	size_t		at = d * dpem_nearest_center(means->k, means->d, means->center, total->mean, NULL);

	memcpy(means->center + at, total->mean, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		means->center_noise[at + j] = hypot(total->mean_sd, total->spread / sqrt(d));
}

void
dpem_kmeans_run_total(DpemKmeansRun *run, const DpemKmeansFrame *frame, double rows)
{
	DpemKmeansSteps s = dpem_kmeans_steps(run->plan, rows);
	DpemKmeansTotal total = frame_total(run, frame);

	total.rows_sd *= rows / total.rows;
	total.rows = rows;
	dpem_kmeans_frame_leave(run);
	run->fit->sampled = true;
	dpem_nearby_total_within(frame->d, 1 / run->plan->fit.clip_norm, &total);
	s.n = Min(dpem_total_rule.looks, s.releases);
	for (; s.step <= s.n; s.step++)
		look_about(run, &s, &total);
	normal_centers(run, frame, &total, &run->means, dpem_fit_allocate(run->means.k));
	keep_middle(&total, &run->means);
}

/* ---- one cluster ---- */

/* one cluster, of which the caller says neither where its rows are nor how they are read */
static bool
is_plain_mean(const DpemKmeansPlan *plan)
{
	const DpemKmeansRequest *r = plan->request;

	return r->k == 1 && r->fit.bind.by == NULL && r->init_means == NULL && r->postprocess == NULL && r->fit.iterations == 0 &&
		!(r->fit.clip_norm > 0) && !dpem_fit_is_sampled(&plan->fit);
}

/* not where calls add up by epsilon: so many releases would each have so much more noise */
bool
dpem_kmeans_plan_middle(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	double		count;
	double		sum;
	double		norm;

	plan->middle = fit->noisy && is_plain_mean(plan) && !dpem_composition_is_classical(fit->composition);
	if (!plan->middle)
		return false;
	dpem_total_weights(fit->dataset->replace_one, &count, &sum, &norm);
	plan->joint = dpem_fit_spec(fit, count, sum, norm);
	fit->iterations = dpem_total_rule.looks;
	fit->stage[0] = (DpemFitStage) {
		.statistic = "clusters",.share = 1,.releases = fit->iterations,.spec = plan->joint,.layout = {1, fit->d, DPEM_SECOND_NORM}
	};
	dpem_fit_plan_stages(fit, 1);
	plan->line = fit->stage[0].line;
	plan->noise_multiplier = dpem_fit_stage_multiplier(fit, 0);
	return true;
}

void
dpem_kmeans_forecast_middle(const DpemKmeansPlan *plan, DpemForecast *forecast)
{
	dpem_fit_forecast_stages(&plan->fit, forecast);
	dpem_kmeans_forecast_center(plan, forecast, dpem_fit_stage_noise(&plan->fit, 0).sum, dpem_total_rule.reach);
}

/* the first look's count tells whether the public number of rows is that of those that count */
static void
know_rows(const DpemNoisyMoments *m, double public_rows, DpemKmeansTotal *total)
{
	if (dpem_known_rows(m->value[0], m->count_sd, public_rows) != public_rows)
		return;
	total->rows = public_rows;
	total->rows_sd = 0;
}

static void
look_again(DpemKmeansRun *run, int look, DpemKmeansTotal *total)
{
	const DpemFitPlan *plan = &run->plan->fit;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *center = dpem_fit_allocate(plan->d);
	double	   *middle = dpem_fit_allocate(plan->d);
	double		reach = dpem_nearby_total_ball(plan->d, dpem_fit_stage_noise(plan, 0).sum, total, middle);
	DpemNoisyMoments *m;

	for (int j = 0; j < plan->d; j++)
		center[j] = middle[j] * plan->clip_norm;
	run->fit->part[0].center = center;
	run->fit->part[0].radius = reach * plan->clip_norm;
	dpem_fit_report(run->fit, "clusters", look);
	m = dpem_fit_release_stage_groups(run->fit, 0, &dpem_kernel_sums, &plan->stage[0].layout);
	if (look == 1)
		know_rows(m, plan->public_rows, total);
	take_look(run, m, middle, reach, total);
	run->fit->part[0].center = NULL;
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

void
dpem_kmeans_run_middle(DpemKmeansRun *run)
{
	const DpemFitPlan *plan = &run->plan->fit;
	DpemKmeansTotal total = {.mean = run->means.center,.seen = dpem_fit_allocate(plan->d)};

	dpem_nearby_total_anywhere(plan->d, 1 / plan->clip_norm, &total);
	for (int look = 1; look <= plan->iterations; look++)
		look_again(run, look, &total);
	for (int j = 0; j < plan->d; j++)
		run->means.center_noise[j] = total.mean_sd;
	run->means.weight[0] = 1;
}
