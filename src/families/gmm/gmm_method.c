/*
 * gmm_method.c - how the last stage of a mixture fit finds components, and whether they are
 * compared with one: from public facts, or from what a release has told of the number of rows.
 */
#include "postgres.h"

#include <math.h>

#include "core/density/compare_kernel.h"
#include "core/gmm/gmm_rules.h"
#include "families/gmm/gmm.h"

/* the noise there would be if a single pass got all of the mixture's share */
static DpemGmmPrediction
predict_one_pass(const DpemGmmPlan *plan)
{
	double		share = plan->request->whiten ? dpem_gmm_schedules[DPEM_GMM_PASSES].share[DPEM_STAGE_MIXTURE] : 1;

	return dpem_gmm_expected_noise(plan, dpem_fit_exact_multiplier(&plan->fit, share));
}

/* noise in a cell's count, in parts of so many rows, where the first stages have the larger shares */
static double
cell_noise(const DpemGmmPlan *plan, double rows)
{
	double		share = dpem_gmm_margin_schedules[DPEM_GMM_PASSES].share[DPEM_STAGE_MIXTURE];
	DpemReleaseSpec spec = dpem_gmm_counts_spec(plan);
	double		sd;
	double		unused;

	dpem_release_noise(&spec, 2, plan->fit.d, dpem_fit_exact_multiplier(&plan->fit, share), &sd, &unused, &unused);
	return sd / rows;
}

bool
dpem_gmm_drowns(const DpemGmmPlan *plan, double rows)
{
	return plan->method == DPEM_GMM_CELLS && dpem_gmm_cells_drown(cell_noise(plan, rows));
}

double
dpem_gmm_compare_noise(const DpemGmmPlan *plan, double noise_multiplier)
{
	static const double none[DPEM_COMPARE_LEVELS];
	double		count_sd;
	double		sd;
	double		unused;

	dpem_release_noise(&plan->spec[DPEM_STAGE_COMPARE], dpem_gmm_stage_components(plan, DPEM_STAGE_COMPARE), plan->fit.d, noise_multiplier,
					   &count_sd, &unused, &unused);
	(void) dpem_compare_sum(none, count_sd, &sd);
	return sd;
}

/* one component has the moments of all rows, whatever its parameters are, and one release of them is worth as much as several */
static bool
passes_are_alike(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;

	return r->k == 1 && r->whiten && !r->fit.bind.marginal && !dpem_fit_is_sampled(&plan->fit);
}

static bool
has_priors(const DpemGmmPrior *prior)
{
	return !(isnan(prior->dirichlet) && isnan(prior->kappa0) && isnan(prior->nu0) && isnan(prior->scale0) &&
			 isnan(prior->floor));
}

bool
dpem_gmm_says_how(const DpemGmmRequest *r)
{
	return !r->whiten || r->fit.iterations > 0 || r->init_means != NULL || r->init_variance > 0 || has_priors(&r->prior);
}

/* not where the caller says how EM is to go, or what counts of the rows */
static bool
can_compare(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	bool		all = plan->fit.groups == 1 && !dpem_fit_is_sampled(&plan->fit) && dpem_fit_whiten_looks(&plan->fit, r->shape) > 1;

	return all && r->k > 1 && !dpem_gmm_says_how(r) && !(r->fit.clip_norm > 0);
}

double
dpem_gmm_comparison_noise(const DpemGmmPlan *plan, double rows)
{
	const DpemGmmRequest *r = plan->request;
	double		sd;

	if (!can_compare(plan))
		return 0;
	sd = dpem_gmm_compare_noise(plan, dpem_fit_exact_multiplier(&plan->fit, DPEM_GMM_COMPARE_SHARE));
	return sd / dpem_gmm_compared_rows(r->k, plan->fit.d, rows, sd);
}

/* noise in a cell's count, in parts of a component's rows, where the first pass counts cells of which the others depend */
static double
probe_noise(const DpemGmmPlan *plan)
{
	double		share = dpem_gmm_margin_schedules[DPEM_GMM_TOTAL].share[DPEM_STAGE_MIXTURE] / DPEM_GMM_PROBE_PASSES;
	DpemReleaseSpec spec = dpem_gmm_counts_spec(plan);
	double		sd;
	double		unused;

	dpem_release_noise(&spec, 2, plan->fit.d, dpem_fit_exact_multiplier(&plan->fit, share), &sd, &unused, &unused);
	return sd * plan->request->k / dpem_supposed_rows(plan->fit.public_rows);
}

/* instead of the total alone */
static bool
may_probe(const DpemGmmPlan *plan, const DpemGmmPrediction *p)
{
	const DpemGmmRequest *r = plan->request;

	return r->k > 1 && dpem_gmm_can_refine(plan) && r->shape != DPEM_SECOND_NORM && r->fit.candidates.n == 0 &&
		dpem_gmm_probes(p, probe_noise(plan), dpem_gmm_comparison_noise(plan, dpem_supposed_rows(plan->fit.public_rows)));
}

/* noise: in a cell's count */
static void
look_at_cells(DpemGmmPlan *plan, double noise)
{
	plan->blurred = dpem_gmm_cells_blur(noise) && !dpem_gmm_cells_drown(noise);
	if (dpem_gmm_cells_drown(noise))
		plan->method = DPEM_GMM_TOTAL;
}

/* a grid follows from releases of one group of rows */
void
dpem_gmm_choose_method(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	bool		cells = plan->fit.groups == 1 && !dpem_fit_is_sampled(&plan->fit) && !r->tied && !r->fit.bind.marginal;
	DpemGmmPrediction p;

	plan->method = DPEM_GMM_PASSES;
	if (dpem_gmm_says_how(r))
		return;
	/* passes cost nothing without noise, and cells are coarser than rows: what is found in cells is a start */
	plan->cells_first = !plan->fit.noisy && cells && r->k > 1 && plan->fit.d <= DPEM_GMM_CELLS_MAX_D && r->fit.candidates.n == 0;
	if (!plan->fit.noisy)
		return;
	p = predict_one_pass(plan);
	if (r->k > 1 || passes_are_alike(plan))
		plan->method = dpem_gmm_method(&p, cells, dpem_gmm_comparison_noise(plan, dpem_supposed_rows(plan->fit.public_rows)));
	else if (dpem_gmm_hopeless(&p, 0))
		plan->method = DPEM_GMM_TOTAL;
	if (plan->method == DPEM_GMM_TOTAL && cells && may_probe(plan, &p))
	{
		plan->method = DPEM_GMM_PASSES;
		plan->probes = true;
	}
	if (plan->method == DPEM_GMM_CELLS)
		look_at_cells(plan, cell_noise(plan, dpem_supposed_rows(plan->fit.public_rows)));
	if (plan->method == DPEM_GMM_TOTAL && r->k > 1)
		dpem_fit_notice_equal(&r->fit, r->k);
}

void
dpem_gmm_choose_comparison(DpemGmmPlan *plan)
{
	plan->compares = can_compare(plan) && plan->method != DPEM_GMM_TOTAL &&
		dpem_gmm_comparison_noise(plan, dpem_supposed_rows(plan->fit.public_rows)) <= DPEM_GMM_COMPARE_NOISE;
}

/* not where the call says how EM is to go or what counts of the rows, where these are incomplete, or covariances are tied */
bool
dpem_gmm_can_refine(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;

	return plan->fit.noisy && !dpem_gmm_says_how(r) && !(r->fit.clip_norm > 0) && !r->tied && !r->fit.bind.marginal;
}

int
dpem_gmm_choose_iterations(const DpemGmmPlan *plan, int *first)
{
	const DpemGmmRequest *r = plan->request;
	DpemGmmPrediction p;

	*first = 0;
	if (r->fit.iterations > 0)
		return r->fit.iterations;
	if (plan->method != DPEM_GMM_PASSES || passes_are_alike(plan))
		return 1;
	if (plan->probes)
		return DPEM_GMM_PROBE_PASSES;
	p = predict_one_pass(plan);
	return dpem_gmm_iterations(&p, dpem_gmm_can_refine(plan), first);
}
