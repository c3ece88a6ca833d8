/*
 * margins_release.h - released margins of made-up rows.
 */
#ifndef MARGINS_RELEASE_H
#define MARGINS_RELEASE_H

#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"
#include "margins_fixture.h"

/* margins of n rows of such columns, with noise of that standard deviation in every sum */
static void
release(Rng *rng, Fixture *f, int n, double (*value) (Rng *rng, int j), double sd, DpemNoisyMoments *m)
{
	double		box[MOST_D];

	*m = (DpemNoisyMoments) {.layout = f->layout,.value = numbers(f->length),.sum_sd = sd};
	for (int row = 0; row < n; row++)
	{
		for (int j = 0; j < f->w.d; j++)
			box[j] = value(rng, j);
		put_coordinates(f, row % DPEM_BLOCK_ROWS, box, 1);
		if (row % DPEM_BLOCK_ROWS == DPEM_BLOCK_ROWS - 1 || row == n - 1)
			count_block(f);
	}
	find_sums(f);
	for (size_t i = 0; i < f->length; i++)
		m->value[i] = ldexp(f->sums[i], -P - Q) + (i % (f->w.d + 1) > 0 ? sd * rng_normal(rng) : 0);
}

/* a normal column, a narrow one, a spike with a tail, and ones of every fourth row */
static inline double
four_unlike(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return 0.2 + 0.3 * rng_normal(rng);
		case 1:
			return -0.7 + 0.01 * rng_normal(rng);
		case 2:
			return rng_below(rng, 10) > 0 ? -1 : rng_uniform(rng, -1, -0.5);
		default:
			return rng_below(rng, 4) == 0;
	}
}

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

#endif							/* MARGINS_RELEASE_H */
