/*
 * public_random.h - pseudo-random numbers for post-processing.
 *
 * SplitMix64 (Steele, Lea, Flood 2014).  Everything that draws from it reads
 * public numbers only, so that it needs to be neither secret nor strong, and a
 * fixed seed makes a post-processed result a function of what was released.
 * Noise comes from sampler.h and from nowhere else.
 */
#ifndef DPEM_CORE_PUBLIC_RANDOM_H
#define DPEM_CORE_PUBLIC_RANDOM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct DpemPublicRandom
{
	uint64_t	state;
} DpemPublicRandom;

#define DPEM_PUBLIC_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
dpem_public_word(DpemPublicRandom *random)
{
	uint64_t	z = random->state += DPEM_PUBLIC_STEP;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* word n, from 0, of those from state 0 */
static inline uint64_t
dpem_public_word_at(uint64_t n)
{
	DpemPublicRandom random = {n * DPEM_PUBLIC_STEP};

	return dpem_public_word(&random);
}

/* in [0, 1) */
static inline double
dpem_public_uniform(DpemPublicRandom *random)
{
	return (double) (dpem_public_word(random) >> 11) * 0x1p-53;
}

/* one of 0 .. n - 1; n far below 2^53 */
static inline size_t
dpem_public_index(DpemPublicRandom *random, size_t n)
{
	return (size_t) (dpem_public_uniform(random) * (double) n);
}

/* standard normal: Box and Muller's method */
static inline double
dpem_public_normal(DpemPublicRandom *random)
{
	double		radius = sqrt(-2 * log(1 - dpem_public_uniform(random)));

	return radius * cos(2 * M_PI * dpem_public_uniform(random));
}

/* one of n places, with probabilities p */
static inline int
dpem_public_place(DpemPublicRandom *random, const double *p, int n)
{
	double		u = dpem_public_uniform(random);
	int			i = 0;

	while (i < n - 1 && u >= p[i])
		u -= p[i++];
	return i;
}

/* Poisson: Knuth's product of uniform numbers, a rounded normal number from a rate of 50 on */
static inline double
dpem_public_poisson(DpemPublicRandom *random, double rate)
{
	double		left = exp(-rate);
	double		count = 0;

	if (rate > 50)
		return fmax(rint(rate + sqrt(rate) * dpem_public_normal(random)), 0);
	for (double p = dpem_public_uniform(random); p > left; p *= dpem_public_uniform(random))
		count++;
	return count;
}

/* a seed made of released numbers: FNV-1a over their bytes */
static inline DpemPublicRandom
dpem_public_seed(const double *released, size_t n)
{
	uint64_t	hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
	{
		uint64_t	word;

		memcpy(&word, released + i, sizeof(word));
		for (int byte = 0; byte < 8; byte++)
			hash = (hash ^ ((word >> (8 * byte)) & 0xff)) * UINT64_C(0x100000001b3);
	}
	return (DpemPublicRandom) {hash};
}

#endif							/* DPEM_CORE_PUBLIC_RANDOM_H */
