/*
 * draw.c - see draw.h.
 */
#include "postgres.h"

#include "server/entropy.h"
#include "wall/draw.h"

DpemSampler *
dpem_draw_begin(void)
{
	DpemSampler *sampler = palloc(sizeof(DpemSampler));

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	return sampler;
}

void
dpem_draw_end(DpemSampler *sampler, DpemStatus status, const char *outside)
{
	dpem_sampler_wipe(sampler);
	pfree(sampler);
	if (status == DPEM_BAD_ARGUMENT)
		elog(ERROR, "%s", outside);
	dpem_entropy_check(status);
}

DpemUint128
dpem_noise_drawable_scale(DpemNoiseKind kind, double scale, int bits, DpemUint128 most)
{
	DpemUint128 drawable = dpem_noise_integer_scale(kind, scale, bits);

	if (drawable == 0 || drawable > most)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epsilon is too small: noise so large cannot be drawn"),
				 errhint("Ask for a larger epsilon.")));
	return drawable;
}
