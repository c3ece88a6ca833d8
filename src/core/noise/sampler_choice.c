/*
 * sampler_choice.c - the exponential mechanism.
 *
 *	 P(i) proportional to exp(gamma score_i), 0 <= i < n
 *
 * (McSherry and Talwar 2007), by rejection: a candidate i is drawn uniformly
 * and kept with probability exp(-g_i), g_i = gamma (greatest score - score_i),
 * which is whether an exponential deviate exceeds g_i.
 *
 * The scores are private, and the number of draws until one is kept would
 * tell of them.  So there are always DPEM_CHOICE_ROUNDS draws per candidate,
 * and of them the first kept one counts: what is drawn, and how long that
 * takes, does not depend on the scores.  That none is kept has probability
 * (1 - 1/n)^(n DPEM_CHOICE_ROUNDS) < 2^-92 at most; then as many are drawn
 * again, DPEM_CHOICE_REPEATS times until it is an entropy failure.
 */
#include "core/noise/sampler.h"

/*
 * whole + part / den = num distance / den, whole cut off at 2^64 - 1; binary
 * long division of a number of 192 bits.
 */
static void
divide_level(DpemUint128 distance, uint64_t num, DpemUint128 den, DpemChoiceLevel *level)
{
	DpemUint128 high;
	uint64_t	low;
	bool		cut = false;

	dpem_multiply(distance, num, &high, &low);
	level->whole = 0;
	level->part = 0;
	for (int i = 191; i >= 0; i--)
	{
		bool		fits;

		level->part = level->part << 1 | ((i >= 64 ? high >> (i - 64) : low >> i) & 1);
		fits = level->part >= den;
		level->part -= fits ? den : 0;
		cut |= level->whole >> 63 != 0;
		level->whole = level->whole << 1 | fits;
	}
	level->whole = cut ? UINT64_MAX : level->whole;
}

/* level[i] = g_i; differences are exact modulo 2^128, where they are below 2^128 */
static void
fill_levels(const DpemInt128 *score, size_t n, uint64_t gamma_num, DpemUint128 gamma_den,
			DpemChoiceLevel *level)
{
	DpemInt128	best = score[0];

	for (size_t i = 1; i < n; i++)
		best = score[i] > best ? score[i] : best;
	for (size_t i = 0; i < n; i++)
		divide_level((DpemUint128) best - (DpemUint128) score[i], gamma_num, gamma_den, &level[i]);
}

/*
 * An exponential deviate *whole + x (von Neumann 1951).  A uniform x is kept
 * with probability exp(-x), which the run of sampler.c decides, and so has
 * density exp(-x) / (1 - exp(-1)); each refusal, of probability exp(-1), adds
 * one to the whole.
 */
static void
sample_exponential(DpemSampler *sampler, uint64_t *whole, DpemUrand *x)
{
	for (*whole = 0; *whole < DPEM_SAMPLER_TRIES; (*whole)++)
	{
		dpem_urand_draw(sampler, x);
		if (!dpem_urand_odd_run(sampler, x))
			return;
	}
	dpem_sampler_give_up(sampler);
}

/* does a new exponential deviate exceed the level? */
bool
dpem_sampler_exceeds(DpemSampler *sampler, const DpemChoiceLevel *level, DpemUint128 den)
{
	DpemUrand	x;
	uint64_t	whole;
	bool		below;

	sample_exponential(sampler, &whole, &x);
	below = dpem_urand_less_fraction(sampler, &x, 0, level->part, den);
	return whole > level->whole || (whole == level->whole && !below);
}

/* the first candidate of a round that is kept, or n */
static size_t
draw_round(DpemSampler *sampler, size_t n, DpemUint128 den, const DpemChoiceLevel *level)
{
	size_t		chosen = n;

	for (size_t draw = 0; draw < n * DPEM_CHOICE_ROUNDS && sampler->status == DPEM_OK; draw++)
	{
		size_t		i = dpem_sampler_below(sampler, n);
		bool		kept = dpem_sampler_exceeds(sampler, &level[i], den);

		chosen = chosen == n && kept ? i : chosen;
	}
	return chosen;
}

DpemStatus
dpem_sample_exponential_choice(DpemSampler *sampler, const DpemInt128 *score, size_t n,
							   uint64_t gamma_num, DpemUint128 gamma_den,
							   DpemChoiceLevel *level, size_t *out)
{
	size_t		chosen = n;

	*out = 0;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (n < 1 || n > DPEM_CHOICE_MAX || gamma_den < 1 || gamma_den > DPEM_CHOICE_DEN_MAX)
		return DPEM_BAD_ARGUMENT;
	fill_levels(score, n, gamma_num, gamma_den, level);
	for (int i = 0; i < DPEM_CHOICE_REPEATS && chosen == n; i++)
		chosen = draw_round(sampler, n, gamma_den, level);
	if (chosen == n)
		dpem_sampler_give_up(sampler);
	if (sampler->status == DPEM_OK)
		*out = chosen;
	return sampler->status;
}
