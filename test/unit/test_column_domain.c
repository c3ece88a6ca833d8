/*
 * test_column_domain.c - means and variances that a column's domain allows.
 */
#include <stdlib.h>
#include <string.h>

#include "core/columns/column_domain.h"
#include "core/gmm/gmm_domain.h"
#include "core/numeric/linalg.h"
#include "aligned_zeros.h"
#include "kernel_fixture.h"
#include "unit.h"

static void
check_mean(void)
{
	double		noise = 0;

	CHECK(dpem_domain_mean(0, 10, 7, &noise) == 7 && noise == 0, "without noise a mean in the domain stays");
	CHECK(dpem_domain_mean(0, 10, 12, &noise) == 10 && dpem_domain_mean(0, 10, -3, &noise) == 0, "none is outside");
	noise = 1e6;
	CHECK(fabs(dpem_domain_mean(0, 10, 3e6, &noise) - 5) < 1e-3 && fabs(noise - 5 / sqrt(3)) < 1e-3, "noise alone: the middle, and anywhere, %g", noise);
	noise = 5 / sqrt(3);
	CHECK(fabs(dpem_domain_mean(0, 10, 9, &noise) - 7) < 1e-12 && fabs(noise - 5 / sqrt(6)) < 1e-12,
		  "as much noise as means are expected from the middle: half way");
	noise = 1e300;
	CHECK(isfinite(dpem_domain_mean(-1e308, 1e308, 1e308, &noise)), "domains of all numbers");
}

static double
pulled(double lower, double upper, double variance, double noise)
{
	DpemDomainPull pull = dpem_domain_pull(lower, upper, variance, noise);

	return pull.factor * pull.factor * variance + pull.added;
}

static void
check_variance(void)
{
	double		before = INFINITY;

	CHECK(pulled(0, 10, 8, 0) == 8 && pulled(0, 10, 8, 1e9) == 8, "less than a uniform law's stays, whatever the noise");
	CHECK(fabs(pulled(0, 10, 24, 0) - 24) < 1e-12, "more, too, without noise: a column of two values");
	CHECK(fabs(pulled(0, 10, 60, 0) - 25) < 1e-12, "no more than half the width squared: %g", pulled(0, 10, 60, 0));
	CHECK(fabs(pulled(0, 10, 1e4, 1e6) - 25.0 / 3) < 1e-2, "noise alone: a uniform law's, %g", pulled(0, 10, 1e4, 1e6));
	for (double noise = 0; noise < 1000; noise = 2 * noise + 0.1)
	{
		double		now = pulled(0, 10, 20, noise);

		CHECK(now <= before && now >= 25.0 / 3 && now <= 25, "noise %g: %g after %g", noise, now, before);
		before = now;
	}
	CHECK(isfinite(pulled(-1e150, 1e150, 1e307, 1e307)), "wide domains");
}

/* S = A A', of columns in domains that are unlike, and noise in its entries */
static void
make_component(Rng *rng, int d, double size, DpemGmm *gmm, DpemGmmNoiseLevels *noise)
{
	double	   *a = zeros((size_t) d * d);

	for (int i = 0; i < d * d; i++)
		a[i] = size * rng_normal(rng) * pow(10, i / d);
	for (int i = 0; i < d; i++)
	{
		gmm->mean[i] = size * rng_normal(rng) * pow(10, i);
		noise->mean[i] = size * pow(10, i);
		for (int j = 0; j < d; j++)
		{
			gmm->covariance[i * d + j] = 0;
			for (int l = 0; l < d; l++)
				gmm->covariance[i * d + j] += a[i * d + l] * a[j * d + l];
			noise->covariance[i * d + j] = size * size * pow(10, i + j) * rng_uniform(rng, 0, 1);
		}
	}
	free(a);
}

static void
check_component(Rng *rng, double size, bool alike)
{
	enum
	{
		D = 4
	};
	double		lower[D];
	double		upper[D];
	double		before[D];
	double		noise_before[D * D];
	DpemGmm		gmm = {1, D, DPEM_SECOND_FULL, zeros(1), zeros(D), zeros(D * D)};
	DpemGmmNoiseLevels noise = {zeros(1), zeros(D), zeros(D * D)};
	double	   *memory = zeros(2 * D);
	DpemWorkspace work = {memory, memory + 2 * D};
	double		factor[D * D];

	for (int j = 0; j < D; j++)
	{
		lower[j] = -pow(10, j);
		upper[j] = pow(10, j);
	}
	make_component(rng, D, size, &gmm, &noise);
	for (int j = 0; j < D; j++)
		before[j] = gmm.covariance[j * (D + 1)];
	memcpy(noise_before, noise.covariance, sizeof(noise_before));
	dpem_gmm_within_domain(lower, upper, alike, &gmm, &noise, work);
	CHECK(dpem_linalg_cholesky(D, gmm.covariance, factor) == DPEM_OK, "size %g: positive definite", size);
	for (int j = 0; j < D; j++)
	{
		double		half2 = upper[j] * upper[j];
		double		variance = gmm.covariance[j * (D + 1)];

		CHECK(fabs(gmm.mean[j]) <= upper[j] && noise.mean[j] <= size * upper[j], "size %g: mean %g", size, gmm.mean[j]);
		CHECK(variance > 0 && (alike || variance <= half2 * (1 + 1e-9)), "size %g: variance %g of %g", size, variance, half2);
		CHECK(alike || before[j] > half2 / 3 || variance == before[j], "size %g: %g became %g", size, before[j], variance);
		for (int i = 0; i < D; i++)
			CHECK(noise.covariance[i * D + j] <= noise_before[i * D + j] * (1 + 1e-9), "size %g: noise %d %d", size, i, j);
	}
	free(memory);
	free(gmm.weight);
	free(gmm.mean);
	free(gmm.covariance);
	free(noise.weight);
	free(noise.mean);
	free(noise.covariance);
}

int
main(void)
{
	static const double size[] = {0.01, 0.3, 1, 3, 100, 1e6};
	Rng			rng = {7};

	check_mean();
	check_variance();
	for (int round = 0; round < 20; round++)
		for (int i = 0; i < (int) (sizeof(size) / sizeof(size[0])); i++)
			check_component(&rng, size[i], round % 2);
	return unit_report();
}
