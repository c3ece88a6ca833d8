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
