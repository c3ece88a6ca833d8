/*
 * absent_noise.c - the normal deviates are all zero.
 */
#include "core/noise/sampler.h"
#include "saboteur.h"

SABOTEUR;

extern DpemStatus __wrap_dpem_sample_rounded_normal(DpemSampler *sampler, DpemUint128 sigma,
													DpemInt128 *out);

DpemStatus
__wrap_dpem_sample_rounded_normal(DpemSampler *sampler, DpemUint128 sigma, DpemInt128 *out)
{
	(void) sigma;
	*out = 0;
	return sampler->status;
}
