/*
 * pca_power.c - the noisy power method: every iteration is a pass that
 * releases the covariance's product with the directions found so far.
 *
 * Hardt and Price 2014.  About a private center m the rows' second moment is
 * multiplied, and m (m . q) subtracted afterwards, which costs nothing more.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/projection.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

/* shares of the squared mu */
#define CENTER_SHARE	0.1
#define PASSES_SHARE	0.9

#define NOISELESS		100		/* passes without noise */

/* from public quantities alone */
static int
choose_passes(const DpemFactorsPlan *plan)
{
	double		rows = dpem_supposed_rows(plan->fit.public_rows);
	double		z = dpem_fit_exact_multiplier(&plan->fit, PASSES_SHARE);
	double		sd = z * dpem_release_sensitivity(&plan->spec[DPEM_FACTORS_PASSES], plan->request->k, plan->fit.d) / rows;

	return plan->fit.noisy ? dpem_pca_power_passes(sd * sqrt(plan->fit.d)) : NOISELESS;
}

static void
plan_power(DpemFactorsPlan *plan)
{
	double		root_sum = sqrt(CENTER_SHARE) + sqrt(PASSES_SHARE);

	plan->sampled = DPEM_FACTORS_PASSES;
	plan->spec[DPEM_FACTORS_MOMENTS] = dpem_factors_center_spec(plan);
	plan->spec[DPEM_FACTORS_PASSES] = dpem_factors_projection_spec(plan);
	if (plan->fit.iterations == 0)
		plan->fit.iterations = choose_passes(plan);
	dpem_factors_add_stage(plan, DPEM_FACTORS_MOMENTS, "center", CENTER_SHARE, DPEM_SECOND_NORM, root_sum, 1);
	dpem_factors_add_stage(plan, DPEM_FACTORS_PASSES, "products", PASSES_SHARE, DPEM_SECOND_NONE,
						   root_sum, plan->fit.iterations);
}

double *
dpem_pca_product(DpemPcaRun *run, const double *mean, double *sd)
{
	const DpemFactorsPlan *plan = run->plan;
	int			d = plan->fit.d;
	int			k = plan->request->k;
	DpemMomentLayout layout = {k, d, DPEM_SECOND_NONE};
	double		rows = run->rows * (run->fit->sampled ? plan->fit.sample.rate : 1);
	double		scale = dpem_projection_scale(k, run->fit->pass.responsibility_bits) * rows;
	double	   *product = dpem_fit_allocate((size_t) k * d);
	DpemNoisyMoments *m = dpem_fit_release(run->fit, plan->line[DPEM_FACTORS_PASSES],
										   &plan->spec[DPEM_FACTORS_PASSES], &dpem_kernel_projection,
										   &layout, run->pca.direction);

	for (int i = 0; i < k; i++)
	{
		const double *q = run->pca.direction + (size_t) i * d;
		const double *sums = m->value + i * dpem_moments_record(&layout) + 1;
		double		along = 0;

		for (int j = 0; mean != NULL && j < d; j++)
			along += mean[j] * q[j];
		for (int j = 0; j < d; j++)
			product[(size_t) i * d + j] = sums[j] / scale - (mean ? along * mean[j] : 0);
	}
	*sd = m->sum_sd / scale;
	return product;
}

static void
run_power(DpemPcaRun *run)
{
	dpem_pca_run_center(run);
	run->fit->sampled = true;
	dpem_pca_start(run->pca.k, run->pca.d, run->pca.direction);
	for (int iteration = 1; iteration <= run->plan->fit.iterations; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
		double		sd;
		double	   *product;

		dpem_fit_report(run->fit, "products", iteration);
		product = dpem_pca_product(run, run->mean, &sd);
		dpem_fit_require_ok(dpem_pca_power(product, sd, &run->pca,
										   dpem_fit_workspace(dpem_pca_power_work(run->pca.d, run->pca.k))));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
	}
}

const DpemPcaAlgorithm dpem_pca_power_method = {
	.name = "power",.iterates = true,.samples = true,.max_components = DPEM_PROJECTION_MAX,.plan = plan_power,
	.run = run_power
};
