/*
 * choice_draw.c - see choice_draw.h.
 */
#include "postgres.h"

#include "core/accounting/choice.h"
#include "wall/choice_draw.h"
#include "wall/draw.h"

#define CHOICE_OUTSIDE "dpem: a choice outside the sampler's domain"

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
	DpemSampler *sampler = dpem_draw_begin();
	DpemChoiceLevel *level = palloc(n * sizeof(DpemChoiceLevel));
	size_t		chosen;
	DpemStatus	status;

	status = dpem_sample_exponential_choice(sampler, score, n, 1, scale, level, &chosen);
	explicit_bzero(level, n * sizeof(DpemChoiceLevel));
	pfree(level);
	dpem_draw_end(sampler, status, CHOICE_OUTSIDE);
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
	DpemSampler *sampler = dpem_draw_begin();
	size_t		chosen;
	DpemStatus	status;

	status = dpem_sample_fine_choice(sampler, score, n, scale, room, &chosen);
	dpem_draw_end(sampler, status, CHOICE_OUTSIDE);
	return rehearsed ? dpem_tape_choose(score, n, scale, rehearsed, chosen) : chosen;
}
