/*
 * spared_number.c - the first number of every release gets no noise, the others get theirs.
 */
#include "core/noise/noise.h"
#include "wall/draw.h"
#include "saboteur.h"

SABOTEUR;

extern DpemSampler *__real_dpem_draw_begin(void);
extern DpemSampler *__wrap_dpem_draw_begin(void);
extern DpemStatus __real_dpem_noise_draw(DpemSampler *sampler, DpemNoiseKind noise, DpemUint128 scale, DpemInt128 *out);
extern DpemStatus __wrap_dpem_noise_draw(DpemSampler *sampler, DpemNoiseKind noise, DpemUint128 scale, DpemInt128 *out);

static int	drawn = 0;

DpemSampler *
__wrap_dpem_draw_begin(void)
{
	drawn = 0;
	return __real_dpem_draw_begin();
}

DpemStatus
__wrap_dpem_noise_draw(DpemSampler *sampler, DpemNoiseKind noise, DpemUint128 scale, DpemInt128 *out)
{
	DpemStatus	status = __real_dpem_noise_draw(sampler, noise, scale, out);

	if (drawn++ == 0)
		*out = 0;
	return status;
}
