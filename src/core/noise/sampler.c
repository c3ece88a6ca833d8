/*
 * sampler.c - pool of uniform bits, and the discrete samplers.
 *
 * Densities
 *
 *	 uniform			P(x) = 1/n, 0 <= x < n
 *	 Bernoulli			P(true) = exp(-num/den)
 *	 discrete Laplace	P(x) = (1 - q)/(1 + q) q^|x|, q = exp(-t_den/t_num)
 *
 * on the integers, by Algorithms 1 and 2 of Canonne, Kamath and Steinke, "The
 * discrete Gaussian for differential privacy", NeurIPS 2020 [CKS].
 *
 * One primitive carries them all.  Let g be in [0,1] and let n be the length
 * of the longest run g > u_1 > u_2 > ... > u_n of independent uniform
 * deviates.  The first j fall below g with probability g^j and stand in
 * decreasing order with probability 1/j!, so P(n >= j) = g^j / j! and
 *
 *	 P(n even) = sum_j (-1)^j P(n >= j) = exp(-g)
 *
 * (von Neumann 1951; [CKS] Algorithm 1 draws the same n from Bernoulli(g/j)
 * variates).  Only u_1 is ever compared with the rational g; everything else
 * is a comparison of random words.
 */
#include "core/noise/sampler.h"

/* ----------------------------------------------------------------
 * The pool
 * ----------------------------------------------------------------
 */

/* Erase through a volatile pointer: the stores may not be removed. */
static void
erase_words(uint64_t *words, size_t n)
{
	volatile uint64_t *p = words;

	for (size_t i = 0; i < n; i++)
		p[i] = 0;
}

void
dpem_sampler_init(DpemSampler *sampler, const DpemByteSource *source)
{
	sampler->source = source;
	sampler->words = DPEM_POOL_BYTES / 8;
	sampler->next = sampler->words;
	sampler->bits = 0;
	sampler->nbits = 0;
	sampler->status = DPEM_OK;
}

void
dpem_sampler_wipe(DpemSampler *sampler)
{
	erase_words(sampler->pool, DPEM_POOL_BYTES / 8);
	erase_words(&sampler->bits, 1);
	sampler->nbits = 0;
	sampler->source = NULL;
	sampler->words = 0;
	sampler->next = 0;
	sampler->status = DPEM_ENTROPY_FAILED;
}

/* The source is broken, or the event is rarer than 2^-350. */
bool
dpem_sampler_give_up(DpemSampler *sampler)
{
	sampler->status = DPEM_ENTROPY_FAILED;
	return false;
}

/* Fill the empty pool and hand out its first word; zero on failure. */
uint64_t
dpem_sampler_refill(DpemSampler *sampler)
{
	const DpemByteSource *source = sampler->source;

	if (sampler->status != DPEM_OK)
		return 0;
	if (source == NULL || !source->fill(source->context, sampler->pool, sampler->words * 8))
	{
		erase_words(sampler->pool, sampler->words);
		dpem_sampler_give_up(sampler);
		return 0;
	}
	sampler->next = 1;
	return sampler->pool[0];
}

/* ----------------------------------------------------------------
 * Lazily drawn uniform deviates
 * ----------------------------------------------------------------
 */

/* Make sure that digit i is known; digits come in order, so i <= u->n. */
static inline uint64_t
urand_digit(DpemSampler *sampler, DpemUrand *u, int i)
{
	if (i >= u->n)
	{
		u->digit[i] = dpem_sampler_word(sampler);
		u->n = i + 1;
	}
	return u->digit[i];
}

/* a < b; the digits drawn on the way stay part of a and b */
bool
dpem_urand_less(DpemSampler *sampler, DpemUrand *a, DpemUrand *b)
{
	for (int i = 0; i < DPEM_URAND_DIGITS; i++)
	{
		uint64_t	x = urand_digit(sampler, a, i);
		uint64_t	y = urand_digit(sampler, b, i);

		if (x != y)
			return x < y;
	}
	return dpem_sampler_give_up(sampler);
}

/*
 * v < num / den, 0 <= num < den, for the deviate v made of u's digits from
 * `first` on (first <= u->n).  With leading digit w, v = (w + v') / 2^64 and
 *
 *	 v < num / den  <=>  v' < D / den,  D = 2^64 num - w den,
 *
 * settled by w alone unless 0 < D < den; then D takes the place of num and
 * the next digit that of w.  Equality has probability zero.
 */
bool
dpem_urand_less_fraction(DpemSampler *sampler, DpemUrand *u, int first,
						 DpemUint128 num, DpemUint128 den)
{
	for (int i = first; i < DPEM_URAND_DIGITS; i++)
	{
		DpemUint128 high;
		uint64_t	low;

		dpem_multiply(den, urand_digit(sampler, u, i), &high, &low);
		if (high >= num)
			return false;		/* D <= 0 */
		high = num - high - (low != 0);
		if (high >> 64 != 0)
			return true;		/* D >= 2^128 > den */
		num = (high << 64) | (uint64_t) -low;
		if (num >= den)
			return true;
	}
	return dpem_sampler_give_up(sampler);
}

/* Is the longest run y > z_1 > ... > z_m of new deviates of odd length m? */
bool
dpem_urand_odd_run(DpemSampler *sampler, DpemUrand *y)
{
	DpemUrand	buffer[2];
	bool		odd = false;

	while (dpem_urand_draw_less(sampler, &buffer[odd], y))
	{
		y = &buffer[odd];
		odd = !odd;
	}
	return odd;
}

/* ----------------------------------------------------------------
 * Uniform integers
 * ----------------------------------------------------------------
 */

/*
 * Uniform on [0, n): the high word h of w n, w a uniform word, accepted if
 * the low word l is at least 2^64 mod n.  Among the w with high word h, l
 * runs through an arithmetic progression of step n; exactly floor(2^64 / n)
 * of its terms pass, whatever h is (Lemire, ACM TOMACS 29(1), 2019, Lemma
 * 4.1).
 */
uint64_t
dpem_sampler_below(DpemSampler *sampler, uint64_t n)
{
	for (int tries = 0; tries < DPEM_SAMPLER_TRIES; tries++)
	{
		DpemUint128 product = (DpemUint128) dpem_sampler_word(sampler) * n;
		uint64_t	low = (uint64_t) product;

		if (low >= n || low >= -n % n)
			return (uint64_t) (product >> 64);
	}
	dpem_sampler_give_up(sampler);
	return 0;
}

DpemStatus
dpem_sample_uniform(DpemSampler *sampler, uint64_t n, uint64_t *out)
{
	uint64_t	value;

	*out = 0;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (n == 0)
		return DPEM_BAD_ARGUMENT;
	value = dpem_sampler_below(sampler, n);
	if (sampler->status == DPEM_OK)
		*out = value;
	return sampler->status;
}

/* ----------------------------------------------------------------
 * Bernoulli(exp(-g))
 * ----------------------------------------------------------------
 */

/* g = 1: the first deviate is below g for certain */
static bool
bernoulli_exp_one(DpemSampler *sampler)
{
	DpemUrand	u;

	dpem_urand_draw(sampler, &u);
	return dpem_urand_odd_run(sampler, &u);
}

/* g = num / den < 1 */
static bool
bernoulli_exp_fraction(DpemSampler *sampler, DpemUint128 num, DpemUint128 den)
{
	DpemUrand	u;

	dpem_urand_draw(sampler, &u);
	if (!dpem_urand_less_fraction(sampler, &u, 0, num, den))
		return true;			/* the run is empty */
	return dpem_urand_odd_run(sampler, &u);
}

/*
 * g = (top 2^128 + num) / den, den < 2^127.  exp(-g) is the product of
 * floor(g) factors exp(-1) and one exp(-(g - floor(g))); the first failure
 * decides, after 1.6 factors on average, so that repeated subtraction is
 * cheaper than division however large g is.
 */
static bool
bernoulli_exp_ratio(DpemSampler *sampler, uint64_t top, DpemUint128 num, DpemUint128 den)
{
	for (int tries = 0; tries < DPEM_SAMPLER_TRIES; tries++)
	{
		if (top == 0 && num < den)
			return bernoulli_exp_fraction(sampler, num, den);
		if (!bernoulli_exp_one(sampler))
			return false;
		top -= num < den;
		num -= den;
	}
	return dpem_sampler_give_up(sampler);
}

DpemStatus
dpem_sample_bernoulli_exp(DpemSampler *sampler, uint64_t num, uint64_t den, bool *out)
{
	bool		value;

	*out = false;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (den == 0)
		return DPEM_BAD_ARGUMENT;
	value = bernoulli_exp_ratio(sampler, 0, num, den);
	if (sampler->status == DPEM_OK)
		*out = value;
	return sampler->status;
}

/* ----------------------------------------------------------------
 * Discrete Laplace
 * ----------------------------------------------------------------
 */

/*
 * P(x) proportional to exp(-x/t) on x = 0, 1, 2, ...: x = u + t v, u uniform
 * on [0, t) accepted with probability exp(-u/t), v geometric with ratio
 * exp(-1) ([CKS] Algorithm 2, first half).
 */
static DpemUint128
sample_geometric(DpemSampler *sampler, uint64_t t)
{
	for (int tries = 0; tries < DPEM_SAMPLER_TRIES; tries++)
	{
		uint64_t	u = dpem_sampler_below(sampler, t);
		int			v = 0;

		if (!bernoulli_exp_fraction(sampler, u, t))
			continue;
		while (v < DPEM_SAMPLER_TRIES && bernoulli_exp_one(sampler))
			v++;
		if (v == DPEM_SAMPLER_TRIES)
			break;
		return (DpemUint128) t * (unsigned int) v + u;
	}
	dpem_sampler_give_up(sampler);
	return 0;
}

/*
 * x = floor(g / t_den), g geometric with scale t_num, has P(x) proportional
 * to exp(-x t_den / t_num); a random sign, with -0 drawn again, makes it
 * two-sided ([CKS] Algorithm 2, second half).  x < 1025 t_num / t_den, which
 * stays below 2^63 for scales up to 2^52.
 */
static int64_t
sample_laplace(DpemSampler *sampler, uint64_t t_num, uint64_t t_den)
{
	for (int tries = 0; tries < DPEM_SAMPLER_TRIES; tries++)
	{
		DpemUint128 x = sample_geometric(sampler, t_num);
		bool		negative = dpem_sampler_bit(sampler);

		if (t_den != 1)
			x = x >> 64 != 0 ? x / t_den : (uint64_t) x / t_den;
		if (sampler->status != DPEM_OK)
			return 0;
		if (x != 0 || !negative)
			return negative ? -(int64_t) x : (int64_t) x;
	}
	dpem_sampler_give_up(sampler);
	return 0;
}

DpemStatus
dpem_sample_discrete_laplace(DpemSampler *sampler, uint64_t t_num, uint64_t t_den, int64_t *out)
{
	int64_t		value;

	*out = 0;
	if (sampler->status != DPEM_OK)
		return sampler->status;
	if (t_num == 0 || t_den == 0 ||
		t_num > (DpemUint128) t_den * DPEM_LAPLACE_SCALE_MAX)
		return DPEM_BAD_ARGUMENT;
	value = sample_laplace(sampler, t_num, t_den);
	if (sampler->status == DPEM_OK)
		*out = value;
	return sampler->status;
}
