/*
 * factors_fixture.h - factor models, noise and workspaces for tests of factor analysis and principal components.
 */
#ifndef DPEM_TEST_FACTORS_FIXTURE_H
#define DPEM_TEST_FACTORS_FIXTURE_H

#include "core/factors/factor_analysis.h"
#include "core/factors/pca.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

static inline DpemWorkspace
workspace(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

static inline DpemFactors
make_factors(int d, int k)
{
	return (DpemFactors) {d, k, numbers((size_t) k * d), numbers(d)};
}

static inline DpemPca
make_pca(int d, int k)
{
	return (DpemPca) {d, k, numbers(k), numbers(k), numbers((size_t) k * d), numbers(k)};
}

/* loadings of falling size, unequal noise variances */
static inline DpemFactors
true_factors(Rng *rng, int d, int k)
{
	DpemFactors f = make_factors(d, k);

	for (int i = 0; i < k * d; i++)
		f.loading[i] = 0.3 * rng_normal(rng) / sqrt(d) / (1 + i / d);
	for (int j = 0; j < d; j++)
		f.noise[j] = rng_uniform(rng, 0.2, 1) * 0.05 / d;
	return f;
}

static inline void
covariance_of(const DpemFactors *f, double *out)
{
	int			d = f->d;

	dpem_linalg_gram(f->k, d, f->loading, out);
	for (int j = 0; j < d; j++)
		out[j * d + j] += f->noise[j];
}

static inline void
add_noise(Rng *rng, int d, double sd, double *a)
{
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
		{
			a[i * d + j] += rng_normal(rng) * (i == j ? sd : sd / sqrt(2));
			a[j * d + i] = a[i * d + j];
		}
}

#endif							/* DPEM_TEST_FACTORS_FIXTURE_H */
