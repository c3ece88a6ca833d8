/*
 * gmm_plan.c - what a mixture fit will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/gmm_rules.h"
#include "core/kernels/gmm_kernel.h"
#include "core/numeric/linalg.h"
#include "families/gmm/gmm.h"

/* numbers a fit keeps in memory: moments, responsibilities, M-step matrices, and each group's frame */
static double
fit_bytes(double k, double groups, double d, DpemSecondMoment shape)
{
	double		second = shape == DPEM_SECOND_FULL ? d * (d + 1) / 2 : d;

	return 8 * (k * (groups * (1 + d + second) * 8 + DPEM_BLOCK_STRIDE + groups * d * d) + (groups - 1) * 4 * d * d + 20 * d * d);
}

static bool
fits(const DpemGmmRequest *request, int k, int groups, int d)
{
	double		length = dpem_moments_length(&(DpemMomentLayout) {k, d, request->shape});

	return fit_bytes(k, groups, d, request->shape) <= (double) MaxAllocSize &&
		length * groups * sizeof(DpemInt128) <= (double) MaxAllocSize / 2 &&
		(double) k * groups <= DPEM_PASS_MAX_COMPONENTS;
}

static void
check_size(const DpemGmmRequest *request, int groups, int d)
{
	int			most = DPEM_GMM_MAX_COMPONENTS;
	DpemGmmRequest diagonal = *request;

	diagonal.shape = DPEM_SECOND_DIAGONAL;
	while (most > 1 && !fits(request, most, groups, d))
		most--;
	if (!fits(request, 1, groups, d))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a mixture in %d coordinates does not fit into memory%s", d,
						groups > 1 ? psprintf(" for %d groups", groups) : ""),
				 errhint(fits(&diagonal, 1, groups, d) ? "Name fewer columns, or a diagonal or spherical covariance."
						 : groups > 1 ? "Name fewer columns, or leave out by." : "Name fewer columns.")));
	if (request->k < 1 || request->k > most)
		dpem_fit_bad_argument("k", psprintf("%d", request->k),
							  psprintf("between 1 and %d for %d coordinates", most, d));
}

static void
check_start(const DpemGmmRequest *request, int d)
{
	if (request->init_means == NULL)
		return;
	if (request->n_init != request->k * d)
		dpem_fit_bad_argument("init_means", psprintf("an array of %d elements", request->n_init),
					 psprintf("k x d = %d x %d numbers", request->k, d));
}

/* of all groups: a row may leave one for another */
int
dpem_gmm_stage_components(const DpemGmmPlan *plan, DpemGmmStage stage)
{
	if (stage == DPEM_STAGE_COMPARE || (stage == DPEM_STAGE_MIXTURE && plan->method == DPEM_GMM_CELLS))
		return 2;				/* noise in counts does not depend on how many there are */
	if (stage == DPEM_STAGE_CENTER && plan->margins)
		return plan->margins_stage.layout.k;
	return plan->fit.groups * (stage == DPEM_STAGE_MIXTURE && plan->method == DPEM_GMM_PASSES ? plan->request->k : 1);
}

static const char *const stage_names[DPEM_STAGES] = {"center", "second moment", "mixture", "comparison"};
static const char *const method_names[DPEM_GMM_METHODS] = {"mixture", "cells", "total"};

static DpemSecondMoment
stage_second(const DpemGmmPlan *plan, DpemGmmStage stage)
{
	if (stage == DPEM_STAGE_COMPARE || (stage == DPEM_STAGE_MIXTURE && plan->method == DPEM_GMM_CELLS))
		return DPEM_COUNTS_ALONE;
	if (stage == DPEM_STAGE_CENTER)
		return plan->margins ? DPEM_SECOND_NONE : DPEM_SECOND_NORM;
	return plan->request->shape;
}

static const char *
stage_name(const DpemGmmPlan *plan, DpemGmmStage stage)
{
	if (stage == DPEM_STAGE_CENTER && plan->margins)
		return plan->margins_stage.statistic;
	return stage == DPEM_STAGE_MIXTURE ? method_names[plan->method] : stage_names[stage];
}

static void
add_stage(DpemGmmPlan *plan, DpemGmmStage stage, double share, double root_sum, int releases)
{
	DpemCostLine cost = dpem_fit_gaussian_cost(&plan->fit, stage == DPEM_STAGE_MIXTURE, share, root_sum, releases);
	DpemMomentLayout layout = {
		dpem_gmm_stage_components(plan, stage), plan->fit.d, stage_second(plan, stage)
	};

	dpem_release_check(&plan->spec[stage], &layout, cost.noise_multiplier);
	plan->noise_multiplier[stage] = cost.noise_multiplier;
	plan->line[stage] = dpem_fit_add_line(&plan->fit, stage_name(plan, stage), DPEM_MECHANISM_GAUSSIAN, &cost);
}

DpemReleaseSpec
dpem_gmm_counts_spec(const DpemGmmPlan *plan)
{
	return dpem_fit_spec(&plan->fit, 1, 0, 0);
}

static DpemReleaseSpec
stage_spec(const DpemGmmPlan *plan, DpemGmmStage stage)
{
	const DpemGmmWeights *weights = &dpem_gmm_weights[stage];

	return dpem_fit_spec(&plan->fit, weights->count, weights->sum, weights->second);
}

/* where cells may show no components, what matters most is the total */
static DpemGmmMethod
shared_method(const DpemGmmPlan *plan)
{
	return plan->probes ? DPEM_GMM_TOTAL : plan->method;
}

static const DpemGmmSchedule *
margin_schedule(const DpemGmmPlan *plan)
{
	return &dpem_gmm_margin_schedules[plan->blurred ? DPEM_GMM_PASSES : shared_method(plan)];
}

const DpemGmmSchedule *
dpem_gmm_schedule(const DpemGmmPlan *plan)
{
	return plan->margins ? margin_schedule(plan) : &dpem_gmm_schedules[shared_method(plan)];
}

static void
plan_stages(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	const DpemGmmSchedule *schedule = dpem_gmm_schedule(plan);
	double		compare = plan->compares ? DPEM_GMM_COMPARE_SHARE : 0;
	double		share[DPEM_STAGES];
	double		root_sum = 0;

	for (int s = 0; s < DPEM_STAGES; s++)
	{
		plan->line[s] = -1;
		share[s] = s == DPEM_STAGE_COMPARE ? compare : schedule->share[s] * (1 - compare);
		root_sum += sqrt(share[s]);
	}
	if (!plan->fit.noisy)
		return;
	if (r->whiten)
	{
		add_stage(plan, DPEM_STAGE_CENTER, share[DPEM_STAGE_CENTER], root_sum, schedule->looks);
		add_stage(plan, DPEM_STAGE_WHITEN, share[DPEM_STAGE_WHITEN], root_sum, dpem_fit_whiten_looks(&plan->fit, r->shape));
		add_stage(plan, DPEM_STAGE_MIXTURE, share[DPEM_STAGE_MIXTURE], root_sum, plan->fit.iterations);
	}
	else
		add_stage(plan, DPEM_STAGE_MIXTURE, 1, 1, plan->fit.iterations);
	if (plan->compares)
		add_stage(plan, DPEM_STAGE_COMPARE, share[DPEM_STAGE_COMPARE], root_sum, 1);
}

DpemGmmPrediction
dpem_gmm_expected_noise(const DpemGmmPlan *plan, double noise_multiplier)
{
	const DpemGmmRequest *r = plan->request;
	DpemGmmPrediction p = {
		.k = shared_method(plan) == DPEM_GMM_TOTAL ? 1 : r->k,.d = plan->fit.d,.rows = dpem_fit_sample_rows(&plan->fit),.shape = r->shape
	};
	double		count_sd;

	dpem_release_noise(&plan->spec[DPEM_STAGE_MIXTURE], dpem_gmm_stage_components(plan, DPEM_STAGE_MIXTURE),
					   plan->fit.d, noise_multiplier, &count_sd, &p.sum_sd, &p.second_sd);
	return p;
}

/* weights of a stage's stack */
static DpemReleaseSpec
method_spec(const DpemGmmPlan *plan, DpemGmmStage stage)
{
	bool		mixture = stage == DPEM_STAGE_MIXTURE;

	if (stage == DPEM_STAGE_CENTER && plan->margins)
		return plan->margins_stage.spec;
	if (stage == DPEM_STAGE_COMPARE || (mixture && plan->method == DPEM_GMM_CELLS))
		return dpem_gmm_counts_spec(plan);
	return stage_spec(plan, mixture && plan->method == DPEM_GMM_TOTAL ? DPEM_STAGE_WHITEN : stage);
}

/*
 * From public facts: wherever each column may have a scale of its own, the caller does not say how
 * long rows are, and margins are seen at all.
 */
static void
choose_margins(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	double		share = margin_schedule(plan)->share[DPEM_STAGE_CENTER];

	if (!plan->fit.noisy || !r->whiten || r->shape == DPEM_SECOND_NORM || r->fit.clip_norm > 0)
		return;
	plan->grid = dpem_margin_grid(plan->fit.d, plan->fit.groups, plan->fit.clip_norm);
	plan->margins_stage = dpem_fit_margins_stage(&plan->fit, &plan->grid, share);
	plan->margins = dpem_gmm_margins_hint(dpem_fit_margins_noise(&plan->fit, &plan->grid, share, dpem_supposed_rows(plan->fit.public_rows)));
}

static void
plan_joint(DpemGmmPlan *plan)
{
	for (int s = 0; s < DPEM_STAGES; s++)
		plan->spec[s] = s == DPEM_STAGE_COMPARE ? dpem_gmm_counts_spec(plan) : stage_spec(plan, s);
	dpem_gmm_choose_method(plan);
	choose_margins(plan);
	dpem_gmm_choose_comparison(plan);
	for (int s = 0; s < DPEM_STAGES; s++)
		plan->spec[s] = method_spec(plan, s);
	plan->fit.iterations = dpem_gmm_choose_iterations(plan, &plan->first_passes);
	plan_stages(plan);
}

/* the normal-inverse-Wishart law exists for nu0 > d - 1 only */
static void
check_prior(const DpemGmmRequest *request, int d)
{
	if (request->prior.nu0 <= d - 1)
		dpem_fit_bad_argument("nu0", psprintf("%g", request->prior.nu0),
					 psprintf("greater than %d, one less than the number of coordinates", d - 1));
}

DpemGmmRule
dpem_gmm_rule(const DpemGmmPlan *plan)
{
	DpemGmmRule rule = dpem_gmm_default_rule(plan->fit.d, plan->request->map);
	const DpemGmmPrior *prior = &plan->request->prior;

	rule.tied = plan->request->tied;
	rule.dirichlet = isnan(prior->dirichlet) ? rule.dirichlet : prior->dirichlet;
	rule.kappa0 = isnan(prior->kappa0) ? rule.kappa0 : prior->kappa0;
	rule.nu0 = isnan(prior->nu0) ? rule.nu0 : prior->nu0;
	rule.scale0 = isnan(prior->scale0) ? rule.scale0 : prior->scale0;
	rule.floor = isnan(prior->floor) ? rule.floor : prior->floor;
	return rule;
}

DpemFitPlan *
dpem_gmm_plan(const DpemFitRequest *fit)
{
	const DpemGmmRequest *request = (const DpemGmmRequest *) fit;
	DpemGmmPlan *plan = palloc0(sizeof(DpemGmmPlan));

	plan->request = request;
	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, &request->fit);
	check_size(request, plan->fit.groups, plan->fit.d);
	dpem_fit_check_marginal(&plan->fit);
	check_start(request, plan->fit.d);
	check_prior(request, plan->fit.d);
	if (request->paper != NULL)
		dpem_gmm_plan_paper(plan);
	else
		plan_joint(plan);
	return &plan->fit;
}
