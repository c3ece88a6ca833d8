/*
 * factors_observed.c - second moments of all rows; of rows of which some columns
 * are unknown by EM (core/mixture/observed.h), a release for each of its passes.
 */
#include "postgres.h"

#include <math.h>

#include "core/mixture/gmm_total.h"
#include "core/mixture/observed.h"
#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

/*
 * The later half is averaged, whose noise does not depend on how many there are; EM needs the more passes the
 * more is unknown (test/bench/utility_missing.pl: at half of the values 8 cost 0.3 nats against 20 at epsilon 1).
 */
#define PASSES	20

int
dpem_factors_passes(const DpemFactorsPlan *plan)
{
	return plan->request->fit.bind.marginal ? PASSES : 1;
}

/* of a mean of releases; adds one with as much noise */
static void
add_release(DpemNoisyMoments *mean, const DpemNoisyMoments *released, int n)
{
	size_t		length = dpem_moments_length(&released->layout);
	double	   *value = n == 1 ? dpem_fit_allocate(length) : mean->value;

	*mean = *released;
	mean->value = value;
	for (size_t i = 0; i < length; i++)
		value[i] += (released->value[i] - value[i]) / n;
	mean->count_sd /= sqrt(n);
	mean->sum_sd /= sqrt(n);
	mean->second_sd /= sqrt(n);
}

/* parameters of the next pass, from what is released of the group's rows */
static void
expect(DpemFitRun *run, const DpemFactorsPlan *plan, int group, const DpemNoisyMoments *m, const double *inverse)
{
	size_t		d = (size_t) m->layout.d;
	DpemFeatureMap map = dpem_fit_map(run, group);
	DpemGmm		gmm = {1, m->layout.d, DPEM_SECOND_FULL, dpem_fit_allocate(1), dpem_fit_allocate(d), dpem_fit_allocate(d * d)};
	DpemGmmHistory h = {
		.public_rows = dpem_factors_stage_rows(plan, DPEM_FACTORS_MOMENTS),.total = m->value,
		.total_sd = {m->count_sd, m->sum_sd, m->second_sd}
	};
	double	   *theta = dpem_fit_allocate(dpem_observed_theta_length(&m->layout));

	h.average.layout = m->layout;
	dpem_fit_require_ok(dpem_gmm_total(&h, plan->whiten ? 1 / (map.radius * map.radius) : 0, &gmm, NULL,
									   dpem_fit_workspace(dpem_gmm_maximize_work(1, m->layout.d))));
	dpem_fit_require_ok(dpem_observed_theta(&gmm, &map, inverse, theta, dpem_fit_workspace(dpem_observed_theta_work(1, m->layout.d))));
	run->part[group].theta = theta;
}

DpemNoisyMoments *
dpem_factors_release_moments(DpemFitRun *run, const DpemFactorsPlan *plan, double *const *inverse)
{
	int			line = plan->line[DPEM_FACTORS_MOMENTS];
	const DpemReleaseSpec *spec = &plan->spec[DPEM_FACTORS_MOMENTS];
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_FULL};
	int			passes = dpem_factors_passes(plan);
	DpemNoisyMoments *mean = palloc0(plan->fit.groups * sizeof(DpemNoisyMoments));

	for (int pass = 1; pass <= passes; pass++)
	{
		bool		first = pass == 1;
		DpemNoisyMoments *m;

		dpem_fit_report(run, "second moments", passes > 1 ? pass : 0);
		m = first ? dpem_fit_release_total(run, line, spec, DPEM_SECOND_FULL, run->part[0].whitening ? 1 : DPEM_FIT_ANYWHERE, inverse)
			: dpem_fit_release_groups(run, line, spec, &dpem_kernel_gmm_observed, &layout);
		for (int g = 0; g < plan->fit.groups; g++)
		{
			add_release(&mean[g], &m[g], pass <= (passes + 1) / 2 ? 1 : pass - passes / 2);
			if (pass < passes)
				expect(run, plan, g, &mean[g], inverse ? inverse[g] : NULL);
		}
	}
	return mean;
}
