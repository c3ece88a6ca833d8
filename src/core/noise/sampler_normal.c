/*
 * sampler_normal.c - the rounded normal deviate round(sigma X).
 *
 *	 P(m) = Phi((m + 1/2) / sigma) - Phi((m - 1/2) / sigma)
 *
 * by Algorithm N of Karney, "Sampling exactly from the normal distribution",
 * ACM TOMS 42(1), article 3, 2016.  Write |X| = k + x with k = 0, 1, ... and
 * x in (0,1).  Its density is proportional to
 *
 *	 exp(-(k + x)^2 / 2)
 *	   = exp(-k/2) * exp(-k (k - 1) / 2) * exp(-x (2k + x) / 2),
 *
 * so k is drawn with probability proportional to exp(-k/2) (steps N1), kept
 * with probability exp(-k (k - 1) / 2) (N2), and a uniform x is kept with
 * probability exp(-x (2k + x) / 2) (N3, N4); a refusal starts afresh.  All
 * three come out of comparisons of lazily drawn uniform deviates, so that X
 * is a real number of which some leading bits are known.  Rounding then
 * draws bits until the integer no longer depends on those to come.
 */
#include "core/noise/sampler.h"

/*
 * Algorithm H: true with probability exp(-1/2), the run of sampler.c with
 * g = 1/2.  The first bit of u_1 says whether u_1 < g; given that it is, the
 * bits of u_1 after the first are uniform, and the first is zero.
 */
static inline bool
half_exponential(DpemSampler *sampler)
{
	DpemUrand	u;

	if (dpem_sampler_bit(sampler))
		return true;
	u.digit[0] = dpem_sampler_word(sampler) >> 1;
	u.n = 1;
	return dpem_urand_odd_run(sampler, &u);
}

/* Algorithm G: P(k) = exp(-k/2) (1 - exp(-1/2)) */
static int
sample_whole(DpemSampler *sampler)
{
	int			k = 0;

	while (half_exponential(sampler))
	{
		if (++k == DPEM_SAMPLER_TRIES)
		{
			dpem_sampler_give_up(sampler);
			return 0;
		}
	}
	return k;
}

/* Algorithm P: true with probability exp(-k (k - 1) / 2) */
static bool
accept_whole(DpemSampler *sampler, int k)
{
	for (int i = k * (k - 1); i > 0; i--)
	{
		if (!half_exponential(sampler))
			return false;
	}
	return true;
}

/*
 * true with probability (2k + x) / (2k + 2): of 2k + 2 equally likely cases
 * one says no, one says r < x for a new deviate r, the others say yes.
 */
static inline bool
wins_round(DpemSampler *sampler, int k, DpemUrand *x)
{
	DpemUrand	r;
	uint64_t	which;

	if (k == 0)
		which = dpem_sampler_bit(sampler);
	else
		which = dpem_sampler_below(sampler, 2 * (uint64_t) k + 2);
	if (which == 0)
		return false;
	if (which == 1)
		return dpem_urand_draw_less(sampler, &r, x);
	return true;
}

/*
 * Algorithm B: true with probability exp(-x (2k + x) / (2k + 2)).  Let n be
 * the length of the longest run x > z_1 > ... > z_n every step of which also
 * wins its round.  P(n >= j) = x^j / j! ((2k + x) / (2k + 2))^j, and P(n even)
 * is the alternating sum of these.
 */
static bool
accept_fraction_once(DpemSampler *sampler, int k, DpemUrand *x)
{
	DpemUrand	buffer[2];
	DpemUrand  *y = x;
	bool		odd = false;

	while (dpem_urand_draw_less(sampler, &buffer[odd], y) && wins_round(sampler, k, x))
	{
		y = &buffer[odd];
		odd = !odd;
	}
	return !odd;
}

/* true with probability exp(-x (2k + x) / 2): B to the power k + 1 */
static bool
accept_fraction(DpemSampler *sampler, int k, DpemUrand *x)
{
	for (int i = 0; i <= k; i++)
	{
		if (!accept_fraction_once(sampler, k, x))
			return false;
	}
	return true;
}

/* |X| = *k + x, at least the first two digits of x known */
static void
sample_magnitude(DpemSampler *sampler, int *k, DpemUrand *x)
{
	for (int tries = 0; tries < DPEM_SAMPLER_TRIES; tries++)
	{
		*k = sample_whole(sampler);
		if (sampler->status != DPEM_OK)
			break;
		if (!accept_whole(sampler, *k))
			continue;
		dpem_urand_draw(sampler, x);
		if (!accept_fraction(sampler, *k, x))
			continue;
		if (x->n == 1)
			x->digit[x->n++] = dpem_sampler_word(sampler);
		return;
	}
	dpem_sampler_give_up(sampler);
}

/*
 * round(sigma x) for x in (0,1).  Let x' be x cut to its first two digits
 * and sigma x' = whole + part / 2^128.  Then sigma x = sigma x' + sigma v /
 * 2^128, v in (0,1) the deviate made of the digits that follow.  Since sigma
 * < 2^128 only the next half-integer above sigma x' can lie in between.  Its
 * distance is gap / 2^128 with
 *
 *	 gap = 2^127 - part			if part < 2^127, below it: whole
 *	 gap = 3 * 2^127 - part		otherwise,		 below it: whole + 1
 *
 * and sigma x lies above it iff v > gap / sigma.  gap - 1 is kept in place
 * of gap, which can be 2^128.
 */
static DpemUint128
round_scaled(DpemSampler *sampler, DpemUint128 sigma, DpemUrand *x)
{
	const DpemUint128 half = (DpemUint128) 1 << 127;
	DpemUint128 high[2];
	uint64_t	low[2];
	DpemUint128 tail;
	DpemUint128 part;
	DpemUint128 whole;
	DpemUint128 gap_less_one;

	dpem_multiply(sigma, x->digit[0], &high[0], &low[0]);
	dpem_multiply(sigma, x->digit[1], &high[1], &low[1]);
	tail = (high[1] << 64) | low[1];
	part = ((DpemUint128) low[0] << 64) + tail;
	whole = high[0] + (high[1] >> 64) + (part < tail);

	gap_less_one = half - 1 - part; /* modulo 2^128 */
	whole += part >= half;
	if (gap_less_one >= sigma - 1)
		return whole;
	if (dpem_urand_less_fraction(sampler, x, 2, gap_less_one + 1, sigma))
		return whole;
	return whole + 1;
}

/* k < 2^10 and sigma <= 2^110 keep the result within 121 bits. */
DpemStatus
dpem_sample_rounded_normal(DpemSampler *sampler, DpemUint128 sigma, DpemInt128 *out)
{
	DpemUrand	x;
	DpemUint128 magnitude;
	int			k;
	bool		negative;

	*out = 0;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (sigma < 1 || sigma > DPEM_SIGMA_MAX)
		return DPEM_BAD_ARGUMENT;
	sample_magnitude(sampler, &k, &x);
	if (sampler->status != DPEM_OK)
		return sampler->status;
	magnitude = sigma * (unsigned int) k + round_scaled(sampler, sigma, &x);
	negative = dpem_sampler_bit(sampler);
	if (sampler->status == DPEM_OK)
		*out = negative ? -(DpemInt128) magnitude : (DpemInt128) magnitude;
	return sampler->status;
}
