/*
 * nominal_noise.c - see nominal_noise.h.
 */
#include <math.h>

#include "core/gmm/nominal_noise.h"

#define GRID_BITS 30

static double
laplace(DpemSampler *sampler, double scale)
{
	int64_t		x;

	(void) dpem_sample_discrete_laplace(sampler, (uint64_t) ldexp(scale, GRID_BITS) + 1, 1, &x);
	return ldexp((double) x, -GRID_BITS);
}

static double
normal(DpemSampler *sampler, double sigma)
{
	DpemInt128	x;

	(void) dpem_sample_rounded_normal(sampler, (DpemUint128) ldexp(sigma, GRID_BITS) + 1, &x);
	return ldexp((double) x, -GRID_BITS);
}

/* one number of kind and scale; one-sided: Gamma of shape 1 */
static double
draw(DpemSampler *sampler, DpemNoiseKind kind, double scale)
{
	if (kind == DPEM_NOISE_GAUSSIAN)
		return normal(sampler, scale);
	return kind == DPEM_NOISE_LAPLACE ? laplace(sampler, scale) : fabs(laplace(sampler, scale));
}

/* packed += a Wishart matrix of d + 1 degrees of freedom and scale matrix (scale/2) I */
static void
add_wishart(DpemSampler *sampler, int d, double scale, double *packed, double *work)
{
	for (int i = 0; i < d * (d + 1); i++)
		work[i] = normal(sampler, sqrt(scale / 2));
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++, packed++)
			for (int n = 0; n <= d; n++)
				*packed += work[n * d + i] * work[n * d + j];
}

/* Analyze Gauss: an off-diagonal entry stands in svec with a factor sqrt 2 */
static void
add_to_second(DpemSampler *sampler, const DpemMomentLayout *layout, DpemNoiseKind kind,
			  double scale, double *second, double *work)
{
	if (layout->second != DPEM_SECOND_FULL)
	{
		for (size_t i = 0; i < dpem_moments_second_length(layout); i++)
			second[i] += draw(sampler, kind, scale);
	}
	else if (kind == DPEM_NOISE_ONE_SIDED)
		add_wishart(sampler, layout->d, scale, second, work);
	else
	{
		for (int i = 0; i < layout->d; i++)
			for (int j = 0; j <= i; j++)
				*second++ += draw(sampler, kind, i == j ? scale : scale / M_SQRT2);
	}
}

DpemStatus
dpem_nominal_noise(DpemNoisyMoments *moments, const DpemNoiseKind kind[DPEM_PAPER_STATISTICS],
				   const double scale[DPEM_PAPER_STATISTICS], DpemSampler *sampler, double *work)
{
	const DpemMomentLayout *layout = &moments->layout;
	size_t		record = dpem_moments_record(layout);

	for (int k = 0; k < layout->k; k++)
	{
		double	   *value = moments->value + k * record;

		value[0] += draw(sampler, kind[DPEM_PAPER_WEIGHTS], scale[DPEM_PAPER_WEIGHTS]);
		for (int j = 0; j < layout->d; j++)
			value[1 + j] += draw(sampler, kind[DPEM_PAPER_MEANS], scale[DPEM_PAPER_MEANS]);
		add_to_second(sampler, layout, kind[DPEM_PAPER_COVARIANCES], scale[DPEM_PAPER_COVARIANCES],
					  value + 1 + layout->d, work);
	}
	return sampler->status;
}
