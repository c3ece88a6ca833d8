/*
 * seeded_source.h - deterministic byte sources, for tests and benchmarks only.
 *
 * Never linked into the extension: noise anyone can recompute is no noise.
 */
#ifndef SEEDED_SOURCE_H
#define SEEDED_SOURCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/noise/sampler.h"

typedef struct SeededSource
{
	uint64_t	state;
	long		calls;			/* fills that succeed before all fail; -1: no limit */
	DpemByteSource source;
} SeededSource;

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a mixed Weyl sequence */
static inline uint64_t
seeded_word(SeededSource *seeded)
{
	uint64_t	z = seeded->state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* between 0 and 1, neither of them */
static inline double
seeded_uniform(SeededSource *seeded)
{
	return ((double) (seeded_word(seeded) >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller */
static inline double
seeded_normal(SeededSource *seeded, double sd)
{
	return sd * sqrt(-2 * log(seeded_uniform(seeded))) * cos(6.283185307179586 * seeded_uniform(seeded));
}

static inline bool
seeded_fill(void *context, void *bytes, size_t n)
{
	SeededSource *seeded = context;
	unsigned char *out = bytes;

	if (seeded->calls == 0)
		return false;
	if (seeded->calls > 0)
		seeded->calls--;
	while (n > 0)
	{
		uint64_t	word = seeded_word(seeded);
		size_t		length = n < sizeof(word) ? n : sizeof(word);

		memcpy(out, &word, length);
		out += length;
		n -= length;
	}
	return true;
}

static inline void
seeded_init(SeededSource *seeded, uint64_t seed)
{
	seeded->state = seed;
	seeded->calls = -1;
	seeded->source = (DpemByteSource) {seeded_fill, seeded};
}

/* Hands out the given words once, or for ever in a circle. */
typedef struct ScriptedSource
{
	const uint64_t *words;
	size_t		n;
	size_t		next;
	bool		circular;
	DpemByteSource source;
} ScriptedSource;

static inline bool
scripted_fill(void *context, void *bytes, size_t n)
{
	ScriptedSource *scripted = context;
	unsigned char *out = bytes;

	for (; n >= 8; n -= 8, out += 8)
	{
		if (scripted->next == scripted->n)
		{
			if (!scripted->circular)
				return false;
			scripted->next = 0;
		}
		memcpy(out, &scripted->words[scripted->next++], 8);
	}
	return n == 0;
}

static inline void
scripted_init(ScriptedSource *scripted, const uint64_t *words, size_t n, bool circular)
{
	scripted->words = words;
	scripted->n = n;
	scripted->next = 0;
	scripted->circular = circular;
	scripted->source = (DpemByteSource) {scripted_fill, scripted};
}

#endif							/* SEEDED_SOURCE_H */
