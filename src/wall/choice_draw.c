/*
 * choice_draw.c - see choice_draw.h.
 */
#include "postgres.h"

#include "core/accounting/choice.h"
#include "server/entropy.h"
#include "wall/choice_draw.h"

DpemUint128
dpem_choice_drawable_scale(double noise_multiplier, DpemUint128 range)
{
	DpemUint128 scale = dpem_choice_scale(noise_multiplier, range);

	if (scale == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("the choice is too noisy to be drawn")));
	return scale;
}

static size_t
draw(const DpemInt128 *score, size_t n, DpemUint128 scale)
{
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	DpemChoiceLevel *level = palloc(n * sizeof(DpemChoiceLevel));
	size_t		chosen;
	DpemStatus	status;

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	status = dpem_sample_exponential_choice(sampler, score, n, 1, scale, level, &chosen);
	dpem_sampler_wipe(sampler);
	explicit_bzero(level, n * sizeof(DpemChoiceLevel));
	pfree(sampler);
	pfree(level);
	if (status == DPEM_BAD_ARGUMENT)
		elog(ERROR, "dpem: a choice outside the sampler's domain");
	dpem_entropy_check(status);
	return chosen;
}

size_t
dpem_choice_draw(const DpemInt128 *score, size_t n, DpemUint128 scale, const DpemDeclared *rehearsed)
{
	size_t		chosen = draw(score, n, scale);

	return rehearsed ? dpem_tape_choose(score, n, scale, rehearsed, chosen) : chosen;
}

size_t
dpem_choice_draw_fine(const DpemInt128 *score, size_t n, DpemUint128 scale, DpemFineRoom *room, const DpemDeclared *rehearsed)
{
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	size_t		chosen;
	DpemStatus	status;

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	status = dpem_sample_fine_choice(sampler, score, n, scale, room, &chosen);
	dpem_sampler_wipe(sampler);
	pfree(sampler);
	if (status == DPEM_BAD_ARGUMENT)
		elog(ERROR, "dpem: a choice outside the sampler's domain");
	dpem_entropy_check(status);
	return rehearsed ? dpem_tape_choose(score, n, scale, rehearsed, chosen) : chosen;
}
