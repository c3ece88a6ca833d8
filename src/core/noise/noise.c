/*
 * noise.c - see noise.h.
 */
#include "core/noise/noise.h"

#include <math.h>

DpemUint128
dpem_noise_integer_scale(DpemNoiseKind noise, double scale, int bits)
{
	DpemUint128 most = noise == DPEM_NOISE_GAUSSIAN ? DPEM_SIGMA_MAX
		: noise == DPEM_NOISE_LAPLACE ? DPEM_LAPLACE_SCALE_MAX : 0;
	double		scaled = ldexp(scale * (1 + 1e-12), bits);

	return scaled > 0 && scaled < (double) most ? (DpemUint128) scaled + 1 : 0;
}

DpemStatus
dpem_noise_draw(DpemSampler *sampler, DpemNoiseKind noise, DpemUint128 scale, DpemInt128 *out)
{
	int64_t		narrow = 0;
	DpemStatus	status;

	if (noise == DPEM_NOISE_GAUSSIAN)
		return dpem_sample_rounded_normal(sampler, scale, out);
	status = dpem_sample_discrete_laplace(sampler, (uint64_t) scale, 1, &narrow);
	*out = narrow;
	return status;
}

double
dpem_noise_likeliest(DpemNoiseKind noise, DpemUint128 scale)
{
	double		width = noise == DPEM_NOISE_GAUSSIAN ? sqrt(2 * M_PI) : 2;

	return (1 + 1e-15) / (width * (double) scale);
}
