/*
 * gmm_fit.c - the loop of a mixture: center, whiten, then EM passes and M-steps.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/gmm_domain.h"
#include "core/gmm/gmm_rules.h"
#include "core/mixture/gmm_total.h"
#include "core/mixture/observed.h"
#include "core/numeric/linalg.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

/* a start that is neither given nor found from the rows, in unit-ball coordinates */
#define START_RADIUS	0.3
#define START_VARIANCE	0.1

DpemGmm
dpem_gmm_create(int k, int d, DpemSecondMoment shape)
{
	return (DpemGmm) {
		.k = k,.d = d,.shape = shape,
			.weight = dpem_fit_allocate(k),
			.mean = dpem_fit_allocate((size_t) k * d),
			.covariance = dpem_fit_allocate((size_t) k * d * d)
	};
}

static void
prepare_history(const GmmRun *run, GmmGroup *group)
{
	DpemMomentLayout layout = {run->plan->request->k, run->plan->fit.d, run->plan->request->shape};
	DpemGmmPrediction p = dpem_gmm_expected_noise(run->plan, run->plan->noise_multiplier[DPEM_STAGE_MIXTURE]);

	/* without whitening the scale of the rows, and so what noise is little, is unknown */
	group->history.least_step = run->plan->request->whiten ? dpem_gmm_least_step(&p, group->part->radius) : 0;
	/* what a pass reads; the moments of a sample are as they are, and only their proportions matter */
	group->history.public_rows = dpem_fit_sample_rows(&run->plan->fit);
	group->history.seen = group->seen;
	group->history.average.layout = layout;
	group->history.average.value = dpem_fit_allocate(dpem_moments_length(&layout));
	group->history.total = dpem_fit_allocate(dpem_moments_record(&layout));
}

/* whitened rows have mean 0 and covariance I, in units of the radius */
static void
start_whitened(GmmGroup *group)
{
	int			d = group->gmm.d;
	double	   *axes = dpem_fit_allocate((size_t) d * d);
	double	   *value = dpem_fit_allocate(d);
	double	   *mean = dpem_fit_allocate(d);

	for (int j = 0; j < d; j++)
	{
		axes[(size_t) (d - 1 - j) * d + j] = 1;
		value[j] = 1 / (group->part->radius * group->part->radius);
	}
	dpem_gmm_start_from(&group->gmm, mean, axes, value);
	pfree(axes);
	pfree(value);
	pfree(mean);
}

/* what the caller gave of a start, over the usual one */
static void
apply_given_start(const DpemGmmPlan *plan, GmmGroup *group)
{
	const DpemGmmRequest *r = plan->request;
	size_t		d = (size_t) group->gmm.d;
	DpemWorkspace work = dpem_fit_workspace(d * d + 2 * d);
	double	   *means = r->init_means ? dpem_fit_coordinates(&plan->fit, r->init_means, r->k) : NULL;

	for (int k = 0; k < r->k; k++)
	{
		if (means != NULL)
			dpem_fit_require_ok(dpem_affine_inverse_point(&group->affine, means + k * d,
														  group->gmm.mean + k * d, work));
		for (size_t i = 0; r->init_variance > 0 && i < d * d; i++)
			group->gmm.covariance[k * d * d + i] = i % (d + 1) == 0 ? r->init_variance : 0;
	}
	pfree(work.next);
}

/* from the mean and covariance of all rows: the first of the paid passes */
static void
start_from_total(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_maximize_work(r->k, run->plan->fit.d));
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "total", 0);
	m = dpem_gmm_release_total(run);
	for (int g = 0; g < run->groups; g++)
	{
		dpem_gmm_history_add_total(&run->group[g].history, &m[g]);
		dpem_fit_require_ok(dpem_gmm_history_start(&run->group[g].history, &run->group[g].gmm, work));
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

static void
prepare_group(GmmRun *run, int g)
{
	const DpemGmmRequest *r = run->plan->request;
	int			d = run->plan->fit.d;
	GmmGroup   *group = &run->group[g];
	DpemFeatureMap map = dpem_fit_map(run->fit, g);

	group->affine.offset = dpem_fit_allocate(d);
	group->affine.linear = dpem_fit_allocate((size_t) d * d);
	dpem_affine_from_features(&map, group->inverse, &group->affine);
	group->gmm = dpem_gmm_create(r->k, d, r->shape);
	if (r->paper == NULL)
		prepare_history(run, group);
}

/* sets the parameters of the first E-step; returns the number of EM passes left */
static int
start(GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	int			passes = run->plan->fit.iterations;
	bool		fixed = r->paper || r->init_means != NULL || r->init_variance > 0 || r->k == 1 || passes < 3;

	for (int g = 0; g < run->groups; g++)
	{
		prepare_group(run, g);
		if (r->whiten)
			start_whitened(&run->group[g]);
		else if (fixed)
			dpem_gmm_start(&run->group[g].gmm, START_RADIUS, START_VARIANCE);
	}
	if (!r->whiten && !fixed)
	{
		start_from_total(run);
		passes -= run->plan->fit.noisy ? 1 : 0;
	}
	for (int g = 0; g < run->groups; g++)
		apply_given_start(run->plan, &run->group[g]);
	return passes;
}

static const DpemKernel *
kernel_of(const GmmRun *run)
{
	return run->plan->fit.request->bind.marginal ? &dpem_kernel_gmm_observed : &dpem_kernel_gmm;
}

static void
expect(GmmRun *run)
{
	bool		marginal = kernel_of(run) == &dpem_kernel_gmm_observed;
	DpemMomentLayout layout = {run->plan->request->k, run->plan->fit.d, run->plan->request->shape};
	DpemWorkspace work = dpem_fit_workspace(Max(dpem_gmm_theta_work(layout.d), dpem_observed_theta_work(layout.k, layout.d)));

	for (int g = 0; g < run->groups; g++)
	{
		GmmGroup   *group = &run->group[g];
		DpemFeatureMap map = dpem_fit_map(run->fit, g);
		double	   *theta = dpem_fit_allocate(kernel_of(run)->theta_length(&layout));

		dpem_fit_require_ok(marginal ? dpem_observed_theta(&group->gmm, &map, group->inverse, theta, work)
							: dpem_gmm_theta(&group->gmm, theta, work));
		group->part->theta = theta;
	}
}

static void
maximize(GmmRun *run, const DpemGmmRule *rule, const DpemNoisyMoments *released)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_maximize_work(run->plan->request->k, run->plan->fit.d));

	for (int g = 0; g < run->groups; g++)
	{
		dpem_gmm_history_add(&run->group[g].history, &released[g]);
		dpem_fit_require_ok(dpem_gmm_maximize(&run->group[g].history, rule, &run->group[g].gmm, work));
	}
}

static DpemGmmRule
rule_of(const GmmRun *run)
{
	const DpemGmmRequest *r = run->plan->request;
	DpemGmmRule rule = dpem_gmm_rule(run->plan);

	if (!run->plan->fit.noisy && r->whiten && isnan(r->prior.scale0))
		rule.scale0 = dpem_gmm_open_scale(rule.scale0, run->plan->fit.d, run->group[0].part->radius);
	/* means found in cells are not drawn to the middle, with noise or without */
	if (run->plan->cells_first)
		rule.kappa0 = 0;
	return rule;
}

static void
run_em(GmmRun *run, int passes)
{
	const DpemGmmRequest *r = run->plan->request;
	DpemGmmRule rule = rule_of(run);
	int			of_most = run->candidates.n > 0 ? (int) ceil(passes * DPEM_GMM_CHOICE_PASSES) : 0;
	int			refined = Min(dpem_gmm_refine_passes(run, passes), passes - of_most);

	for (int iteration = 1; iteration <= passes - refined; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

		dpem_fit_report(run->fit, "mixture", iteration);
		expect(run);
		maximize(run, &rule, dpem_gmm_release_pass(run, DPEM_STAGE_MIXTURE, kernel_of(run), run->group[0].gmm.k, r->shape));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
		if (iteration == of_most)
			dpem_gmm_choose_merged(run);
	}
	if (refined > 0)
	{
		dpem_gmm_refine(run, passes - refined, refined);
		return;
	}
	for (int g = 0; g < run->groups; g++)
	{
		run->group[g].noise = run->group[g].history.average;
		if (run->plan->fit.noisy && r->whiten)
			dpem_gmm_unclip_group(&run->group[g]);
	}
}

/*
 * Whether noise turns out to be more than components could differ by: a number of rows that
 * is private is seen in a release only.
 */
static bool
is_hopeless(const GmmRun *run, int passes)
{
	DpemGmmPrediction p = dpem_gmm_noise_by_now(run, passes);

	if (run->plan->request->fit.iterations > 0 || run->groups > 1 || !(run->group[0].rows > 0) || run->plan->request->k == 1)
		return false;
	return dpem_gmm_hopeless(&p, dpem_gmm_comparison_noise(run->plan, p.rows));
}

/* the last stage */
static void
run_components(GmmRun *run, int passes)
{
	const DpemGmmPlan *plan = run->plan;

	run->apart = plan->compares;
	if (plan->probes)
	{
		passes = dpem_gmm_probe(run, passes);
		if (passes > 0)
			run_em(run, passes);
	}
	else if (plan->method == DPEM_GMM_CELLS)
		dpem_gmm_run_cells(run);
	else if (plan->method == DPEM_GMM_TOTAL || (plan->fit.noisy && plan->request->whiten && is_hopeless(run, passes)))
	{
		if (run->candidates.n > 0)
			dpem_gmm_choose_least(run);
		run->apart = false;
		dpem_gmm_run_total(run, passes);
	}
	else
	{
		if (plan->cells_first)
			dpem_gmm_start_in_cells(run);
		run_em(run, passes - dpem_gmm_seed(run, passes));
	}
}

/* rows were clamped to the domain; a paper's mechanism answers as published */
static void
keep_within_domain(const GmmRun *run, DpemGmm *gmm, DpemGmmNoiseLevels *levels)
{
	const DpemFeatureMap *map = &run->fit->pass.map;
	const DpemGmmRequest *r = run->plan->request;

	if (!run->plan->fit.noisy || r->paper)
		return;
	dpem_gmm_within_domain(map->lower, map->upper, r->shape == DPEM_SECOND_NORM, gmm, levels, dpem_fit_workspace(2 * (size_t) gmm->d));
}

/* what is stored can be evaluated: finite numbers, covariances that factorise */
static void
require_usable(const DpemGmm *gmm, double *scratch)
{
	size_t		d = (size_t) gmm->d;
	size_t		n = d * d;

	for (int k = 0; k < gmm->k; k++)
	{
		bool		finite = isfinite(gmm->weight[k]);

		for (size_t i = 0; i < d; i++)
			finite &= isfinite(gmm->mean[k * d + i]);
		for (size_t i = 0; i < n; i++)
			finite &= isfinite(gmm->covariance[k * n + i]);
		dpem_fit_require_ok(finite ? dpem_linalg_cholesky(gmm->d, gmm->covariance + k * n, scratch) : DPEM_NO_SOLUTION);
	}
}

/* EM by a paper's mechanism, which has no stages before it */
static void
run_paper(GmmRun *run, int passes)
{
	run->paper = (DpemGmmPaperRun) {
		.plan = run->plan,.fit = run->fit
	};
	for (int iteration = 1; iteration <= passes; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

		dpem_fit_report(run->fit, "mixture", iteration);
		dpem_fit_require_ok(dpem_gmm_paper_iterate(&run->paper, &run->group[0].gmm));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
	}
}

void
dpem_gmm_finish(const GmmRun *run, GmmGroup *group, DpemModel *model)
{
	size_t		k = (size_t) run->plan->request->k;
	size_t		d = (size_t) run->plan->fit.d;
	DpemGmmNoiseLevels levels = {dpem_fit_allocate(k), dpem_fit_allocate(k * d), dpem_fit_allocate(k * d * d)};
	DpemWorkspace work = dpem_fit_workspace(2 * d * d + d);

	if (run->plan->request->paper)
		dpem_gmm_noise_levels(&run->paper.released, &group->gmm, run->paper.rows, &group->affine, &levels, work);
	else if (group->refined == NULL)
		dpem_gmm_noise_levels(&group->noise, &group->gmm, fmax(group->history.total[0], 1),
							  &group->affine, &levels, work);
	dpem_affine_apply_gmm(&group->affine, &group->gmm, work);
	if (group->refined != NULL)
		dpem_refine_noise_levels(group->refined, group->noise.count_sd, &group->gmm, &levels);
	keep_within_domain(run, &group->gmm, &levels);
	if (run->plan->fit.noisy)
		require_usable(&group->gmm, work.next);
	pfree(work.next);
	/* a fit without noise has none, as it has no background */
	dpem_fit_store_atoms(run->fit, group->margins, run->plan->fit.noisy ? group->atom : NULL, &group->gmm, &model->value[DPEM_GMM_ATOM]);
	model->k = (int) k;
	model->value[DPEM_GMM_WEIGHT] = group->gmm.weight;
	model->value[DPEM_GMM_WEIGHT_NOISE] = levels.weight;
	model->value[DPEM_GMM_MEAN] = group->gmm.mean;
	model->value[DPEM_GMM_MEAN_NOISE] = levels.mean;
	model->value[DPEM_GMM_COVARIANCE] = group->gmm.covariance;
	model->value[DPEM_GMM_COVARIANCE_NOISE] = levels.covariance;
}

void
dpem_gmm_run(DpemFitRun *fit, DpemFitted *fitted)
{
	GmmRun	   *run = palloc0(sizeof(GmmRun));
	const DpemGmmPlan *plan = (const DpemGmmPlan *) fit->plan;

	run->fit = fit;
	run->plan = plan;
	run->groups = plan->fit.groups;
	run->candidates = plan->fit.request->candidates;
	run->group = palloc0(run->groups * sizeof(GmmGroup));
	for (int g = 0; g < run->groups; g++)
		run->group[g].part = &fit->part[g];
	if (plan->request->whiten)
		dpem_gmm_precondition(run);
	/* center and whitening need few releases and every row */
	fit->sampled = true;
	if (plan->request->paper)
		run_paper(run, start(run));
	else
		run_components(run, start(run));
	run->spread = dpem_gmm_spread(&run->group[0].gmm);
	for (int g = 0; g < run->groups; g++)
	{
		dpem_gmm_finish(run, &run->group[g], &fitted->model[g]);
		fitted->model[g].candidates = run->candidates.n > 0 ? &run->candidates : NULL;
	}
	if (run->plan->compares)
		dpem_gmm_compare(run, &fitted->model[0]);
}
