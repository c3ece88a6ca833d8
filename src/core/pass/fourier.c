/*
 * fourier.c - see fourier.h.
 */
#include <math.h>
#include <stddef.h>

#include "core/pass/fourier.h"

/* Steele, Lea, Flood 2014, OOPSLA: SplitMix64 */
static uint64_t
next_bits(uint64_t *state)
{
	uint64_t	z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* in (0, 1) */
static double
next_uniform(uint64_t *state)
{
	return ((double) (next_bits(state) >> 12) + 0.5) * 0x1p-52;
}

void
dpem_fourier_frequencies(uint64_t seed, int pairs, int waves, double width, double *frequency)
{
	uint64_t	state = seed;

	/* Box, Muller 1958 */
	for (size_t i = 0; i < (size_t) pairs * waves; i++)
	{
		double		radius = sqrt(-2 * log(next_uniform(&state)));

		frequency[i] = radius * cos(2 * M_PI * next_uniform(&state)) / (2 * M_PI * width);
	}
}

void
dpem_fourier_point(int pairs, int waves, const double *frequency, const double *y, double *feature)
{
	double		size = 1 / sqrt(pairs);

	for (int i = 0; i < pairs; i++)
	{
		double		turn = 0;

		for (int j = 0; j < waves; j++)
			turn += frequency[(size_t) i * waves + j] * y[j];
		turn -= rint(turn);
		feature[i] = cos(2 * M_PI * turn) * size;
		feature[pairs + i] = sin(2 * M_PI * turn) * size;
	}
}
