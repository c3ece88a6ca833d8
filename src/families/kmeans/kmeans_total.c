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
#include "families/kmeans/kmeans_locate.h"
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
dpem_kmeans_steps(const DpemKmeansPlan *plan, double rows, int looks)
{
	int			releases = plan->fit.iterations - looks;
	DpemKmeansSteps s = {.n = releases,.step = 1,.releases = releases,.made = looks};

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

static void
normal_centers(const DpemKmeansRun *run, const DpemNormalLaw *law, DpemKmeans *means, double *spread)
{
	dpem_normal_centers(law, means->k, 1 / run->plan->fit.clip_norm, means->center, spread,
						dpem_fit_workspace(dpem_normal_centers_work(means->k, means->d)));
	memset(means->center_noise, 0, (size_t) means->k * means->d * sizeof(double));
	for (int k = 0; k < means->k; k++)
		means->weight[k] = 1.0 / means->k;
}

void
dpem_kmeans_normal_start(DpemKmeansRun *run, const DpemKmeansFrame *frame, DpemKmeans *means, double *spread)
{
	double	   *mean = dpem_fit_allocate(frame->d);
	double	   *variance = dpem_fit_allocate(frame->axes);
	double		clip = run->plan->fit.clip_norm;
	DpemNormalLaw law = {
		.d = frame->d,.axes = frame->axes,.axis = frame->axis,.variance = variance,
		.spread = frame->spread,.mean = mean,.mean_sd = frame->center_noise / sqrt(frame->d)
	};

	for (int j = 0; j < frame->d; j++)
		mean[j] = frame->center[j] / clip;
	for (int a = 0; a < frame->axes; a++)
		variance[a] = frame->variance[a] * frame->radius / clip * frame->radius / clip;
	normal_centers(run, &law, means, spread);
}

/* ---- the middle of all rows ---- */

bool
dpem_kmeans_total_alone(const DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	return run->plan->fit.noisy && run->sizes.n == 0 && dpem_subspace_blind(frame->ball_noise);
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

void
dpem_kmeans_add_look(const DpemKmeansRun *run, const DpemNoisyMoments *m, const double *center, double reach, DpemKmeansTotal *total)
{
	double		half = 1 / run->plan->fit.clip_norm;

	if (isinf(total->rows_sd))
		know_rows(m, run->plan->fit.public_rows, total);
	dpem_nearby_total(m, center, reach, total);
	dpem_nearby_total_within(run->means.d, half, total);
	dpem_kmeans_clamp(1, run->means.d, half, total->mean);
}

/* of a look at the middle of all rows, whatever a stage was planned for */
static DpemReleaseSpec
look_spec(const DpemFitPlan *plan)
{
	double		count;
	double		sum;
	double		norm;

	dpem_total_weights(plan->dataset->replace_one, &count, &sum, &norm);
	return dpem_fit_spec(plan, count, sum, norm);
}

/* noise in a sum of such a look, by one of the releases that a line of the charge has paid for */
static double
look_noise(const DpemFitPlan *plan, const DpemReleaseSpec *spec, int line)
{
	double		sum_sd;
	double		unused;

	dpem_release_noise(spec, plan->groups, plan->d, plan->charge.lines[line].noise_multiplier, &unused, &sum_sd, &unused);
	return sum_sd;
}

void
dpem_kmeans_check_look(const DpemFitPlan *plan, int line)
{
	DpemReleaseSpec spec = look_spec(plan);
	DpemMomentLayout layout = {1, plan->d, DPEM_SECOND_NORM};

	if (line >= 0)
		dpem_release_check(&spec, &layout, plan->charge.lines[line].noise_multiplier);
}

double
dpem_kmeans_total_ball(DpemKmeansRun *run, int group, double sum_sd, const DpemKmeansTotal *total, double *middle)
{
	double		clip = run->plan->fit.clip_norm;
	double	   *center = dpem_fit_allocate(run->plan->fit.d);
	double		reach = dpem_nearby_total_ball(run->plan->fit.d, sum_sd, total, middle);

	for (int j = 0; j < run->plan->fit.d; j++)
		center[j] = middle[j] * clip;
	run->fit->part[group].center = center;
	run->fit->part[group].radius = reach * clip;
	return reach;
}

void
dpem_kmeans_look_at_all(DpemKmeansRun *run, int line, const char *phase, int look, DpemKmeansTotal *total)
{
	const DpemFitPlan *plan = &run->plan->fit;
	DpemReleaseSpec spec = look_spec(plan);
	DpemMomentLayout layout = {1, plan->d, DPEM_SECOND_NORM};
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *middle = dpem_fit_allocate((size_t) plan->groups * plan->d);
	double	   *reach = dpem_fit_allocate(plan->groups);
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->groups; g++)
		reach[g] = dpem_kmeans_total_ball(run, g, look_noise(plan, &spec, line), &total[g], middle + (size_t) g * plan->d);
	dpem_fit_report(run->fit, phase, look);
	m = dpem_fit_release_groups(run->fit, line, &spec, &dpem_kernel_sums, &layout);
	for (int g = 0; g < plan->groups; g++)
	{
		dpem_kmeans_add_look(run, &m[g], middle + (size_t) g * plan->d, reach[g], &total[g]);
		run->fit->part[g].center = NULL;
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* the same by one of the releases that a stage has paid for */
static void
look_again(DpemKmeansRun *run, int stage, int look, DpemKmeansTotal *total)
{
	const DpemFitStage *s = &run->plan->fit.stage[stage];

	dpem_kmeans_look_at_all(run, s->line, s->statistic, look, total);
}

/* the center nearest to the middle is what is known of it: so that, whatever the others are, the answer is hardly worse than that alone */
static void
keep_middle(const DpemKmeansTotal *total, DpemKmeans *means)
{
	size_t		d = (size_t) means->d;
	size_t		at = d * dpem_nearest_center(means->k, means->d, means->center, total->mean, NULL);
	double		noise = means->k > 1 ? hypot(total->mean_sd, total->spread / sqrt(d)) : total->mean_sd;

	memcpy(means->center + at, total->mean, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		means->center_noise[at + j] = noise;
}

void
dpem_kmeans_round_start(const DpemKmeansRun *run, const DpemKmeansTotal *total, DpemKmeans *means, double *spread)
{
	DpemNormalLaw law = {.d = means->d,.spread = total->spread,.mean = total->mean,.mean_sd = total->mean_sd};

	normal_centers(run, &law, means, spread);
}

void
dpem_kmeans_total_centers(DpemKmeansRun *run, const DpemKmeansTotal *total)
{
	dpem_kmeans_round_start(run, total, &run->means, dpem_fit_allocate(run->means.k));
	keep_middle(total, &run->means);
}

bool
dpem_kmeans_is_narrow(const DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	return run->plan->fit.noisy && run->sizes.n == 0 && dpem_subspace_narrow(frame->resolution);
}

void
dpem_kmeans_look_nearer(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	dpem_kmeans_frame_leave(run);
	look_again(run, DPEM_FRAME_SECOND, 0, &frame->total);
	look_again(run, DPEM_FRAME_CELLS, 0, &frame->total);
}

int
dpem_kmeans_look_further(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	const DpemFitPlan *plan = &run->plan->fit;
	DpemKmeansTotal *total = &frame->total;
	int			looks = 0;

	run->fit->sampled = true;
	total->rows *= plan->sample.rate;
	total->rows_sd *= plan->sample.rate;
	while (looks < plan->iterations && dpem_nearby_total_hides(frame->d, total))
		look_again(run, DPEM_FRAME_PASSES, ++looks, total);
	return looks;
}

void
dpem_kmeans_run_total(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	const DpemFitPlan *plan = &run->plan->fit;
	DpemKmeansTotal *total = &frame->total;

	dpem_kmeans_look_nearer(run, frame);
	for (int look = dpem_kmeans_look_further(run, frame) + 1; look <= plan->iterations; look++)
		look_again(run, DPEM_FRAME_PASSES, look, total);
	dpem_kmeans_total_centers(run, total);
}

/* ---- nothing but looks ---- */

/* the caller says neither where rows are nor how they are read */
static bool
is_left_open(const DpemKmeansPlan *plan)
{
	const DpemKmeansRequest *r = plan->request;

	return r->init_means == NULL && r->postprocess == NULL && r->fit.iterations == 0 && !(r->fit.clip_norm > 0) &&
		!dpem_fit_is_sampled(&plan->fit);
}

/* would noise hide several centers from looks and passes together? */
static bool
hides_clusters(const DpemKmeansPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	DpemReleaseSpec spec = look_spec(fit);
	double		sum_sd;
	double		unused;

	dpem_release_noise(&spec, fit->groups, fit->d, dpem_fit_exact_multiplier(fit, 1), &unused, &sum_sd, &unused);
	return dpem_lloyd_hides(fit->d, dpem_kmeans_assumed_rows(fit), sum_sd);
}

/* not where calls add up by epsilon: so many releases would each have so much more noise */
bool
dpem_kmeans_plan_middle(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;

	plan->middle = fit->noisy && is_left_open(plan) && !dpem_composition_is_classical(fit->composition) &&
		((plan->request->k == 1 && fit->groups == 1) || hides_clusters(plan));
	if (!plan->middle)
		return false;
	plan->joint = look_spec(fit);
	fit->iterations = dpem_total_rule.looks;
	fit->stage[0] = (DpemFitStage) {
		.statistic = "clusters",.share = 1,.releases = fit->iterations,.spec = plan->joint,.layout = {fit->groups, fit->d, DPEM_SECOND_NORM}
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

DpemKmeansTotal
dpem_kmeans_total_make(const DpemKmeansRun *run)
{
	int			d = run->plan->fit.d;
	DpemKmeansTotal total = {.mean = dpem_fit_allocate(d),.seen = dpem_fit_allocate(d)};

	dpem_nearby_total_anywhere(d, 1 / run->plan->fit.clip_norm, &total);
	return total;
}

void
dpem_kmeans_run_middle(DpemKmeansRun *run)
{
	const DpemFitPlan *plan = &run->plan->fit;
	DpemKmeansTotal *total = palloc(plan->groups * sizeof(DpemKmeansTotal));

	for (int g = 0; g < plan->groups; g++)
		total[g] = dpem_kmeans_total_make(&run[g]);
	for (int look = 1; look <= plan->iterations; look++)
		look_again(run, 0, look, total);
	for (int g = 0; g < plan->groups; g++)
		dpem_kmeans_total_centers(&run[g], &total[g]);
}
