/*
 * sampler.h - exact samplers over an injected source of uniform bytes.
 *
 * Everything is integer arithmetic: no floating-point number is ever drawn,
 * compared or rounded.  The source is a table of functions; the server's is
 * pg_strong_random (src/server/entropy.c), tests link a seeded one.  A source
 * that fails makes the sampler return DPEM_ENTROPY_FAILED with its output
 * zeroed; there is no weaker fallback.
 */
#ifndef DPEM_CORE_SAMPLER_H
#define DPEM_CORE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/int128.h"
#include "core/numeric/status.h"

typedef struct DpemByteSource
{
	bool		(*fill) (void *context, void *bytes, size_t n); /* false: failed */
	void	   *context;
} DpemByteSource;

#define DPEM_POOL_BYTES 4096

/* Bits are handed out of a pool; dpem_sampler_wipe erases all of it. */
typedef struct DpemSampler
{
	const DpemByteSource *source;
	uint64_t	pool[DPEM_POOL_BYTES / 8];
	size_t		words;			/* words per refill, 1 .. DPEM_POOL_BYTES / 8 */
	size_t		next;			/* words used */
	uint64_t	bits;			/* reservoir for single bits */
	int			nbits;
	DpemStatus	status;			/* sticky: once failed, always failed */
} DpemSampler;

/* A wiped sampler returns DPEM_ENTROPY_FAILED until initialised again. */
extern void dpem_sampler_init(DpemSampler *sampler, const DpemByteSource *source);
extern void dpem_sampler_wipe(DpemSampler *sampler);

/*
 * All samplers return the sampler's status, or DPEM_BAD_ARGUMENT (not sticky)
 * outside the stated domain; after a failure *out is zero.  Running time depends
 * on the value drawn, so a caller draws a whole release before anyone can
 * observe it.
 *
 * "Exact" has one exception.  A draw that needs more than DPEM_URAND_DIGITS
 * words of one deviate, or DPEM_SAMPLER_TRIES rounds of a loop, returns
 * DPEM_ENTROPY_FAILED.  With a uniform source that has probability below
 * 2^-350 per draw; with a stuck source it ends the loop.
 */

/*
 * round(sigma * X), X an exact standard normal deviate (Karney, Algorithm N,
 * ACM TOMS 42(1), 2016), 1 <= sigma <= DPEM_SIGMA_MAX; ties cannot occur
 * because X is irrational with probability one.
 */
#define DPEM_SIGMA_MAX ((DpemUint128) 1 << 110)
extern DpemStatus dpem_sample_rounded_normal(DpemSampler *sampler, DpemUint128 sigma,
											 DpemInt128 *out);

/*
 * Discrete Laplace with scale t_num / t_den in (0, 2^52]: P(x) proportional
 * to exp(-|x| t_den / t_num) (Canonne, Kamath, Steinke 2020, Algorithm 2).
 */
#define DPEM_LAPLACE_SCALE_MAX (UINT64_C(1) << 52)
extern DpemStatus dpem_sample_discrete_laplace(DpemSampler *sampler, uint64_t t_num,
											   uint64_t t_den, int64_t *out);

/* Uniform integer in [0, n), n >= 1, by rejection. */
extern DpemStatus dpem_sample_uniform(DpemSampler *sampler, uint64_t n, uint64_t *out);

/* true with probability exp(-num/den), num, den >= 0 integers, den > 0 */
extern DpemStatus dpem_sample_bernoulli_exp(DpemSampler *sampler, uint64_t num, uint64_t den,
											bool *out);

/*
 * An index i < n with probability proportional to exp(score[i] gamma_num /
 * gamma_den): the exponential mechanism (sampler_choice.c).  1 <= n <=
 * DPEM_CHOICE_MAX, 1 <= gamma_den <= DPEM_CHOICE_DEN_MAX, greatest minus least
 * score below 2^128.  level: room for n; derived from the scores, so the caller
 * must erase them.  The number of draws does not depend on the scores, except with
 * probability below 2^-92.
 */
#define DPEM_CHOICE_MAX 65536
#define DPEM_CHOICE_DEN_MAX ((DpemUint128) 1 << 127)
#define DPEM_CHOICE_ROUNDS	64	/* draws per candidate */
#define DPEM_CHOICE_REPEATS	4	/* repetitions while no candidate was kept */

typedef struct DpemChoiceLevel
{
	uint64_t	whole;
	DpemUint128 part;
} DpemChoiceLevel;

extern DpemStatus dpem_sample_exponential_choice(DpemSampler *sampler, const DpemInt128 *score,
												 size_t n, uint64_t gamma_num,
												 DpemUint128 gamma_den, DpemChoiceLevel *level,
												 size_t *out);

/*
 * The same law for many candidates (sampler_fine.c): an index i < n with probability
 * proportional to exp(-min((greatest score - score[i]) / scale, DPEM_FINE_MOST)).
 * 1 <= n <= DPEM_FINE_MAX, 1 <= scale <= DPEM_CHOICE_DEN_MAX.  room: for n; derived from the
 * scores, so the caller must erase it.  The number of draws does not depend on the
 * scores; that none of them is kept, an entropy failure, has probability below 2^-140.
 */
#define DPEM_FINE_MAX	((1 << 20) + 1)
#define DPEM_FINE_MOST	40
#define DPEM_FINE_ROUNDS	512

typedef struct DpemFineRoom
{
	DpemUint128 upto;			/* sum of the weights of this candidate and those before it */
	DpemUint128 part;
	int			whole;
} DpemFineRoom;

extern DpemStatus dpem_sample_fine_choice(DpemSampler *sampler, const DpemInt128 *score, size_t n,
										  DpemUint128 scale, DpemFineRoom *room, size_t *out);

/*
 * What follows is for sampler*.c alone.
 *
 * A DpemUrand is a deviate uniform on (0,1) of which only the leading n digits,
 * in base 2^64, have been drawn so far; a comparison draws further digits only
 * while the known ones are equal (Karney, section 2).
 */
#define DPEM_URAND_DIGITS 8
#define DPEM_SAMPLER_TRIES 1024

typedef struct DpemUrand
{
	int			n;
	uint64_t	digit[DPEM_URAND_DIGITS];
} DpemUrand;

extern uint64_t dpem_sampler_refill(DpemSampler *sampler);
extern bool dpem_sampler_give_up(DpemSampler *sampler);
extern uint64_t dpem_sampler_below(DpemSampler *sampler, uint64_t n);
extern bool dpem_urand_less(DpemSampler *sampler, DpemUrand *a, DpemUrand *b);
extern bool dpem_urand_less_fraction(DpemSampler *sampler, DpemUrand *u, int first,
									 DpemUint128 num, DpemUint128 den);
extern bool dpem_urand_odd_run(DpemSampler *sampler, DpemUrand *y);
extern bool dpem_sampler_exceeds(DpemSampler *sampler, const DpemChoiceLevel *level, DpemUint128 den);

/* 64 uniform bits; zero once the source has failed */
static inline uint64_t
dpem_sampler_word(DpemSampler *sampler)
{
	if (__builtin_expect(sampler->next < sampler->words, 1))
		return sampler->pool[sampler->next++];
	return dpem_sampler_refill(sampler);
}

static inline bool
dpem_sampler_bit(DpemSampler *sampler)
{
	bool		bit;

	if (sampler->nbits == 0)
	{
		sampler->bits = dpem_sampler_word(sampler);
		sampler->nbits = 64;
	}
	bit = sampler->bits & 1;
	sampler->bits >>= 1;
	sampler->nbits--;
	return bit;
}

/* u = a new deviate, one digit known */
static inline void
dpem_urand_draw(DpemSampler *sampler, DpemUrand *u)
{
	u->digit[0] = dpem_sampler_word(sampler);
	u->n = 1;
}

/* z = a new deviate; true if z < y */
static inline bool
dpem_urand_draw_less(DpemSampler *sampler, DpemUrand *z, DpemUrand *y)
{
	dpem_urand_draw(sampler, z);
	if (__builtin_expect(z->digit[0] != y->digit[0], 1))
		return z->digit[0] < y->digit[0];
	return dpem_urand_less(sampler, z, y);
}

/* a * b = *high * 2^64 + *low */
static inline void
dpem_multiply(DpemUint128 a, uint64_t b, DpemUint128 *high, uint64_t *low)
{
	DpemUint128 product = (DpemUint128) (uint64_t) a * b;

	*low = (uint64_t) product;
	*high = (DpemUint128) (uint64_t) (a >> 64) * b + (uint64_t) (product >> 64);
}

#endif							/* DPEM_CORE_SAMPLER_H */
