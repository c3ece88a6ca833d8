/*
 * fourier.c - see fourier.h.
 */
#include <math.h>
#include <stddef.h>

#include "core/numeric/public_random.h"
#include "core/pass/fourier.h"

/* in (0, 1) */
static double
next_uniform(DpemPublicRandom *random)
{
	return ((double) (dpem_public_word(random) >> 12) + 0.5) * 0x1p-52;
}

void
dpem_fourier_frequencies(uint64_t seed, int pairs, int waves, double width, double *frequency)
{
	DpemPublicRandom random = {seed};

	/* Box, Muller 1958 */
	for (size_t i = 0; i < (size_t) pairs * waves; i++)
	{
		double		radius = sqrt(-2 * log(next_uniform(&random)));

		frequency[i] = radius * cos(2 * M_PI * next_uniform(&random)) / (2 * M_PI * width);
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

void
dpem_fourier_row(const DpemFourierMap *map, const double *x, double *feature)
{
	for (int j = 0; j < map->waves; j++)
	{
		double		half = map->upper[j] / 2 - map->lower[j] / 2;
		double		value = fmin(fmax(x[j], map->lower[j]), map->upper[j]);

		map->point[j] = map->scale[j] * ((value - map->lower[j]) / half - 1 - map->center[j]);
	}
	dpem_fourier_point(map->pairs, map->waves, map->frequency, map->point, feature);
}
