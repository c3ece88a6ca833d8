/*
 * kmeans_algorithms.c - the tables of k-means algorithms and of what can be
 * done with their answers.
 */
#include "postgres.h"

#include "core/kmeans/subspace.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_grid.h"
#include "families/kmeans/kmeans_lloyd.h"
#include "families/kmeans/kmeans.h"

const DpemKmeansAlgorithm dpem_kmeans_algorithms[] = {
	{
		.name = "joint",.iterates = true,.samples = true,.groups = true,.plan = dpem_kmeans_plan_joint,
		.forecast = dpem_kmeans_forecast_joint,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "dpem",.iterates = true,.has_noise_kinds = true,.plan = dpem_kmeans_plan_dpem,
		.forecast = dpem_kmeans_forecast_dpem,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "dplloyd",.iterates = true,.groups = true,.plan = dpem_kmeans_plan_dplloyd,
		.forecast = dpem_kmeans_forecast_joint,.run = dpem_kmeans_run_lloyd
	},
	{
		.name = "genetic",.plan = dpem_kmeans_plan_genetic,
		.forecast = dpem_kmeans_forecast_genetic,.run = dpem_kmeans_run_genetic
	},
	{
		.name = "sample_aggregate",.has_noise_kinds = true,.plan = dpem_kmeans_plan_blocks,
		.forecast = dpem_kmeans_forecast_blocks,.run = dpem_kmeans_run_blocks
	},
	{
		.name = "center_of_attention",.together = true,.plan = dpem_kmeans_plan_attention,
		.forecast = dpem_kmeans_forecast_attention,.run = dpem_kmeans_run_attention
	},
	{
		.name = "grid",.has_noise_kinds = true,.has_grid = true,.chooses = true,.plan = dpem_kmeans_plan_grid,
		.forecast = dpem_kmeans_forecast_grid,.run = dpem_kmeans_run_grid
	},
	{
		.name = "sparse_grid",.has_noise_kinds = true,.has_grid = true,.chooses = true,.plan = dpem_kmeans_plan_sparse_grid,
		.forecast = dpem_kmeans_forecast_grid,.run = dpem_kmeans_run_grid
	},
	{
		.name = "evolution",.has_noise_kinds = true,.plan = dpem_kmeans_plan_evolution,
		.forecast = dpem_kmeans_forecast_grid,.run = dpem_kmeans_run_evolution
	},
	{
		.name = "plane",.samples = true,.plan = dpem_kmeans_plan_plane,
		.run = dpem_kmeans_run_plane
	},
	{
		.name = "subspace",.samples = true,.chooses = true,.plan = dpem_kmeans_plan_subspace,
		.forecast = dpem_kmeans_forecast_subspace,.run = dpem_kmeans_run_subspace
	},
	{.name = NULL}
};

const DpemKmeansPostprocess dpem_kmeans_postprocesses[] = {
	{.name = "mcmc",.apply = dpem_kmeans_postprocess_mcmc},
	{.name = NULL}
};

static const DpemKmeansAlgorithm *
algorithm_named(const char *name)
{
	const DpemKmeansAlgorithm *a = dpem_kmeans_algorithms;

	while (strcmp(a->name, name) != 0)
		a++;
	return a;
}

/* its Laplace noise is far less than that of several Gaussian releases where calls add up by epsilon */
static bool
grid_is_usual(const DpemKmeansPlan *plan)
{
	bool		pure = dpem_composition_is_classical(plan->fit.composition);

	return plan->fit.d < DPEM_KMEANS_SUBSPACE_MIN_D || (pure && plan->fit.d <= DPEM_KMEANS_GRID_MAX_D);
}

/*
 * Where calls add up by epsilon, would noise hide the center of all rows from so many releases?  Margins, which `joint` looks at first, show
 * columns one by one.  Where the caller knows the ball it does not look, and of several k it chooses none.
 */
static bool
subspace_is_blind(const DpemKmeansPlan *plan)
{
	const DpemFitRequest *r = plan->fit.request;

	return dpem_composition_is_classical(plan->fit.composition) && !(r->clip_norm > 0) && r->candidates.n == 0 &&
		dpem_subspace_blind(dpem_kmeans_frame_expected_noise(plan, dpem_kmeans_subspace_shares[DPEM_FRAME_CENTER]));
}

/*
 * Measured on real data (docs/clusters.md): counts on a grid find clusters in
 * few coordinates, a start along a few directions in more.  What Lloyd's passes
 * alone can do, or do by groups, is left to them; a grid's counts are not
 * sampled.  Without noise it is the same, so that such a fit is the one to compare with.
 */
const DpemKmeansAlgorithm *
dpem_kmeans_choose(const DpemKmeansPlan *plan)
{
	const DpemKmeansRequest *r = plan->request;
	int			d = plan->fit.d;

	if (r->k == 1 || r->fit.bind.by != NULL || r->init_means != NULL || r->postprocess != NULL)
		return algorithm_named("joint");
	if (grid_is_usual(plan))
		return algorithm_named(r->fit.iterations > 0 || dpem_fit_is_sampled(&plan->fit) ? "joint" : "sparse_grid");
	return algorithm_named(d <= DPEM_KMEANS_SUBSPACE_MAX_D && !subspace_is_blind(plan) ? "subspace" : "joint");
}
