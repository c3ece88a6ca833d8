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
	memset(m->value, 0, f->length * sizeof(double));
	for (int row = 0; row < n; row++)
	{
		for (int j = 0; j < f->w.d; j++)
			box[j] = value(rng, j);
		put_row(f, box, 1);
		for (size_t i = 0; i < f->length; i++)
			m->value[i] += ldexp(f->sums[i], -P - Q);
	}
	for (size_t i = 0; i < f->length; i++)
		m->value[i] += i % (f->w.d + 1) > 0 ? sd * rng_normal(rng) : 0;
}

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

#endif							/* MARGINS_RELEASE_H */
