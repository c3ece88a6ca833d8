/*
 * features_fixture.h - feature maps for tests.
 */
#ifndef DPEM_TEST_FEATURES_FIXTURE_H
#define DPEM_TEST_FEATURES_FIXTURE_H

#include <float.h>

#include "kernel_fixture.h"

/* least and greatest values: some of them beyond the box, or alike */
static inline double *
range_make(Rng *rng, int d)
{
	double	   *range = uniforms(rng, 2 * d, -1.2, 1.2);

	for (int j = 0; j < d; j++)
	{
		double		least = fmin(range[j], range[d + j]);

		range[d + j] = rng_below(rng, 5) == 0 ? least : fmax(range[j], range[d + j]);
		range[j] = least;
	}
	return range;
}

/* a map that is free to be strange: all pointers owned */
static inline DpemFeatureMap
map_make(Rng *rng, int d, int bits, bool center, bool whitening)
{
	DpemFeatureMap map = {d, bits, rng_uniform(rng, 0.3, 1.5) * sqrt(d), NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
	double	   *lower = uniforms(rng, d, -20, 0);
	double	   *upper = numbers(d);

	for (int j = 0; j < d; j++)
		upper[j] = lower[j] + rng_uniform(rng, 0.1, 30);
	map.lower = lower;
	map.upper = upper;
	if (rng_below(rng, 2) == 0)
		map.range = range_make(rng, d);
	if (center)
		map.center = uniforms(rng, d, -0.5, 0.5);
	if (whitening)
		map.whitening = uniforms(rng, (size_t) d * d, -3 / sqrt(d), 3 / sqrt(d));
	return map;
}

/* of matrices some are diagonal, and some of these have zeros there, too; of others some have fewer lines than columns */
static inline void
vary_matrix(Rng *rng, DpemFeatureMap *map)
{
	double	   *matrix = (double *) map->whitening;
	int			d = map->d;

	if (matrix == NULL || rng_below(rng, 3) == 0)
		return;
	if (rng_below(rng, 2) == 0)
		map->outputs = 1 + (int) rng_below(rng, d);
	else
		for (int i = 0; i < d * d; i++)
			matrix[i] *= i % (d + 1) == 0 && rng_below(rng, 5) > 0 ? sqrt(d) : 0;
}

static inline void
map_free(DpemFeatureMap *map)
{
	free((double *) map->lower);
	free((double *) map->upper);
	free((double *) map->range);
	free((double *) map->center);
	free((double *) map->whitening);
}

/* values that have broken clipping code before */
static inline double
adversarial_value(Rng *rng, double lower, double upper)
{
	static const double odd[] = {1e308, -1e308, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324,
		-0.0, 0.0, 1e-310, NAN, INFINITY, -INFINITY, 0x1p52, 1e-8};

	switch (rng_below(rng, 6))
	{
		case 0:
			return lower;
		case 1:
			return upper;
		case 2:
			return nextafter(upper, lower);
		case 3:
			return odd[rng_below(rng, 15)];
		default:
			return rng_uniform(rng, lower / 2, upper / 2) * 2;
	}
}

#endif							/* DPEM_TEST_FEATURES_FIXTURE_H */
