/*
 * factors_whiten.c - second moments of whitened rows, for factor analysis: what a
 * mixture of one component learns (docs/estimation.md), put back into columns.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/gmm_rules.h"
#include "core/mixture/gmm_total.h"
#include "core/numeric/linalg.h"
#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

/* by default wherever there is noise, unless the caller knows the ball or the center */
bool
dpem_factors_choose_whiten(const DpemFactorsPlan *plan)
{
	const DpemFactorsRequest *r = plan->request;

	if (r->radius_given || r->algorithm != NULL)
		return r->whiten && plan->fit.noisy;
	return plan->fit.noisy && r->centered && !(r->fit.clip_norm > 0);
}

/* noise of a stage with that noise multiplier, for the rules of mixtures */
static DpemGmmPrediction
predict(const DpemFactorsPlan *plan, DpemFactorsStage stage, DpemSecondMoment shape, double multiplier)
{
	DpemGmmPrediction p = {.k = 1,.d = plan->fit.d,.rows = dpem_factors_stage_rows(plan, stage),.shape = shape};
	double		count_sd;

	dpem_release_noise(&plan->spec[stage], plan->fit.groups, plan->fit.d, multiplier, &count_sd, &p.sum_sd, &p.second_sd);
	return p;
}

static DpemReleaseSpec
mixture_spec(const DpemFactorsPlan *plan, int stage)
{
	const DpemGmmWeights *w = &dpem_gmm_weights[stage];

	return dpem_fit_spec(&plan->fit, w->count, w->sum, w->second);
}

void
dpem_factors_plan_whitened(DpemFactorsPlan *plan)
{
	DpemGmmPrediction p = predict(plan, DPEM_FACTORS_MOMENTS, DPEM_SECOND_FULL,
								  dpem_fit_exact_multiplier(&plan->fit, dpem_gmm_schedules[DPEM_GMM_PASSES].share[2]));
	DpemGmmMethod method = dpem_gmm_method(&p, false, 0);
	const DpemGmmSchedule *schedule = &dpem_gmm_margin_schedules[method];
	bool		margins = dpem_gmm_margins_hint(dpem_fit_margins_noise(&plan->fit, &plan->grid, schedule->share[0], dpem_supposed_rows(plan->fit.public_rows)));
	double		root_sum = 0;

	if (!margins)
		schedule = &dpem_gmm_schedules[method];
	for (int s = 0; s < 3; s++)
		root_sum += sqrt(schedule->share[s]);
	plan->looks = margins ? 0 : schedule->looks;
	plan->spec[DPEM_FACTORS_MARGINS] = margins ? plan->margins.spec : mixture_spec(plan, 0);
	plan->spec[DPEM_FACTORS_WHITEN] = mixture_spec(plan, 1);
	dpem_factors_add_stage(plan, DPEM_FACTORS_MARGINS, margins ? plan->margins.statistic : "center", schedule->share[0],
						   margins ? DPEM_SECOND_NONE : DPEM_SECOND_NORM, root_sum, margins ? 1 : plan->looks);
	plan->margins.line = plan->line[DPEM_FACTORS_MARGINS];
	dpem_factors_add_stage(plan, DPEM_FACTORS_WHITEN, "second moment", schedule->share[1], DPEM_SECOND_FULL, root_sum,
						   dpem_fit_whiten_looks(&plan->fit, DPEM_SECOND_FULL));
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "moments", schedule->share[2], DPEM_SECOND_FULL, root_sum,
						   dpem_factors_passes(plan));
}

/* the first two stages: frames, atoms where margins show them, and what whitening finds */
static DpemFitAxes
find_axes(DpemFitRun *run, const DpemFactorsPlan *plan, DpemGmmFrame *frame, DpemFactorsTotal *total)
{
	DpemGmmPrediction p = predict(plan, DPEM_FACTORS_WHITEN, DPEM_SECOND_FULL, plan->noise_multiplier[DPEM_FACTORS_WHITEN]);

	if (plan->looks == 0)
	{
		DpemMargins *margins = dpem_fit_locate_frames(run, &plan->margins, &plan->grid, dpem_gmm_located_radius(&p), frame);

		for (int g = 0; g < plan->fit.groups; g++)
		{
			total[g].margins = &margins[g];
			total[g].atom = dpem_fit_column_atoms(run, &margins[g]);
		}
	}
	for (int look = 1; look <= plan->looks; look++)
		dpem_fit_zoom_frames(run, plan->line[DPEM_FACTORS_MARGINS], &plan->spec[DPEM_FACTORS_MARGINS],
							 look == 1 ? DPEM_SECOND_NORM : DPEM_SECOND_DIAGONAL, frame);
	return dpem_fit_whiten_frames(run, plan->line[DPEM_FACTORS_WHITEN], &plan->spec[DPEM_FACTORS_WHITEN], DPEM_SECOND_FULL, frame);
}

/* mean and covariance of the rows in the unit ball of whitened coordinates; seen: what whitening says of them, or NULL */
static DpemGmm
estimate_total(const DpemNoisyMoments *m, double public_rows, double radius, const DpemGmmSeen *seen, DpemTotal *total)
{
	size_t		d = (size_t) m->layout.d;
	DpemGmm		gmm = {1, m->layout.d, DPEM_SECOND_FULL, dpem_fit_allocate(1), dpem_fit_allocate(d), dpem_fit_allocate(d * d)};
	DpemGmmHistory h = {
		.public_rows = public_rows,.total = m->value,.total_sd = {m->count_sd, m->sum_sd, m->second_sd},.seen = seen
	};
	DpemGmmTotalNoise left;

	h.average.layout = m->layout;
	dpem_fit_require_ok(dpem_gmm_total(&h, 1 / (radius * radius), &gmm, &left,
									   dpem_fit_workspace(dpem_gmm_maximize_work(1, m->layout.d))));
	total->rows = dpem_total_rows(m, public_rows);
	total->mean_sd = left.mean;
	total->second_sd = left.second * dpem_gmm_unclip(&gmm);
	return gmm;
}

/* a := D a D with the diagonal D = 1 / unit */
static void
divide_by_units(size_t d, const double *unit, double *a)
{
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			a[i * d + j] /= unit[i] * unit[j];
}

/*
 * From whitened coordinates y, x = center + A y, to columns whose variances are equal and of sum 1.
 */
static void
put_back(const DpemGmmFrame *frame, const double *inverse, double radius, const DpemGmm *gmm, DpemFactorsTotal *total)
{
	size_t		d = (size_t) frame->d;
	double	   *a = dpem_fit_allocate(d * d);
	double	   *product = dpem_fit_allocate(d * d);
	double	   *center = dpem_fit_allocate(d);
	double	   *scale = dpem_fit_allocate(d);

	for (size_t i = 0; i < d * d; i++)
		a[i] = inverse[i] * radius;
	dpem_linalg_multiply((int) d, a, gmm->covariance, product);
	dpem_linalg_multiply_nt((int) d, product, a, total->covariance);
	dpem_linalg_multiply_nt((int) d, a, a, total->metric);
	for (size_t i = 0; i < d; i++)
	{
		center[i] = frame->center[i];
		for (size_t j = 0; j < d; j++)
			center[i] += a[i * d + j] * gmm->mean[j];
		scale[i] = sqrt(d * total->covariance[i * d + i]);
	}
	divide_by_units(d, scale, total->covariance);
	divide_by_units(d, scale, total->metric);
	for (size_t i = 0; i < d; i++)
		scale[i] = 1 / scale[i];
	total->ball = (DpemFactorsBall) {center, 1, scale};
	pfree(product);
	pfree(a);
}

DpemFactorsTotal *
dpem_factors_release_whitened(DpemFitRun *run, const DpemFactorsPlan *plan)
{
	size_t		d = (size_t) plan->fit.d;
	int			groups = plan->fit.groups;
	DpemGmmFrame *frame = dpem_fit_begin_frames(run);
	DpemFactorsTotal *total = palloc0(groups * sizeof(DpemFactorsTotal));
	DpemFitAxes axes = find_axes(run, plan, frame, total);
	DpemGmmPrediction p = predict(plan, DPEM_FACTORS_MOMENTS, DPEM_SECOND_FULL, plan->noise_multiplier[DPEM_FACTORS_MOMENTS]);
	bool		looks = dpem_fit_whiten_looks(&plan->fit, DPEM_SECOND_FULL) > 1;
	DpemNoisyMoments *m;

	for (int g = 0; g < groups; g++)
	{
		run->part[g].radius = dpem_gmm_whitened_radius(&p, frame[g].lost);
		dpem_gmm_seen_rescale(plan->fit.d, run->part[g].radius, &axes.seen[g]);
	}
	run->sampled = true;
	m = dpem_factors_release_moments(run, plan, axes.inverse);
	for (int g = 0; g < groups; g++)
	{
		DpemGmm		gmm = estimate_total(&m[g], dpem_factors_stage_rows(plan, DPEM_FACTORS_MOMENTS), run->part[g].radius,
										 looks ? &axes.seen[g] : NULL, &total[g].total);

		total[g].mean = dpem_fit_allocate(d);
		total[g].covariance = dpem_fit_allocate(d * d);
		total[g].metric = dpem_fit_allocate(d * d);
		put_back(&frame[g], axes.inverse[g], run->part[g].radius, &gmm, &total[g]);
		pfree(axes.inverse[g]);
	}
	return total;
}
