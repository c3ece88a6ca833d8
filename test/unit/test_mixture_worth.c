/*
 * test_mixture_worth.c - components that are more than their noise are told from those that are not.
 *
 * Random numbers have a fixed seed: they always come out the same.
 */
#include "core/mixture/mixture_rules.h"
#include "core/mixture/mixture_worth.h"
#include "mixture_fixture.h"

/* worth of what is found in such moments with that noise, all of them added to */
static double
worth_of(DpemPublicRandom *random, const DpemMixtureRows *rows, const DpemMixture *truth, double sd)
{
	int			n = dpem_mixture_coordinates(rows);
	DpemMixture total = make_mixture(1, D);
	DpemMixture found = make_mixture(K, D);
	DpemMixtureMoments all = make_moments(1, n);
	DpemMixtureMoments moments = make_moments(K, n);
	DpemNoisyMoments m = expected_moments(rows, truth, 1e5, 0.7, sd);
	DpemWorkspace work = {zeros(dpem_mixture_worth_work(rows, K)), NULL};
	double	   *memory = work.next;
	DpemMixturePrior prior;
	double		worth;

	work.end = work.next + dpem_mixture_worth_work(rows, K);
	for (size_t i = 0; i < dpem_moments_length(&m.layout); i++)
		m.value[i] += sd * dpem_public_normal(random);
	dpem_mixture_average(rows, &m, 1, &moments);
	all.count_sd = all.sum_sd = all.square_sd = INFINITY;
	dpem_mixture_pool(rows, &m, &all);
	dpem_mixture_total(rows, &all, &total);
	prior = dpem_mixture_found_prior(rows, &moments, &total);
	dpem_mixture_maximize(rows, &moments, &total, prior, &found);
	worth = dpem_mixture_worth(rows, &moments, &total, prior, &found, work);
	free(memory);
	free(m.value);
	free_mixture(&total);
	free_mixture(&found);
	free_moments(&all);
	free_moments(&moments);
	return worth;
}

/* components apart are worth several times what is asked for; equal ones no more than theirs, mostly */
static void
check_worth(DpemPublicRandom *random, bool missing)
{
	DpemMixtureRows rows = rows_of(missing);
	DpemMixture truth = make_mixture(K, D);
	int			kept = 0;

	fill_mixture(random, &truth);
	CHECK(worth_of(random, &rows, &truth, 30) > 3 * DPEM_MIXTURE_LEAST_WORTH, "missing %d: components apart are not kept", missing);
	for (int c = 0; c < K; c++)
	{
		truth.weight[c] = 1.0 / K;
		memcpy(truth.mean + c * D, truth.mean, D * sizeof(double));
		memcpy(truth.variance + c * D, truth.variance, D * sizeof(double));
	}
	for (int round = 0; round < 10; round++)
		kept += worth_of(random, &rows, &truth, 500) >= DPEM_MIXTURE_LEAST_WORTH;
	CHECK(kept < 5, "missing %d: %d of 10 times noise is taken for components", missing, kept);
	free_mixture(&truth);
}

int
main(void)
{
	DpemPublicRandom random = {20261123};

	for (int round = 0; round < 6; round++)
		check_worth(&random, round % 2);
	return unit_report();
}
