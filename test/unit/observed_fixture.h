/*
 * observed_fixture.h - rows of which only some coordinates are known, one at a time, and random parameters for them.
 */
#ifndef OBSERVED_FIXTURE_H
#define OBSERVED_FIXTURE_H

#include "core/mixture/observed.h"
#include "kernel_fixture.h"

#define D	3
#define MOST_K	3
#define TRIANGLE	(D * (D + 1) / 2)

/* parameters of the kernel, and the map of its rows */
typedef struct Case
{
	DpemMomentLayout layout;
	DpemFeatureMap map;
	double		lower[D];
	double		upper[D];
	double		center[D];
	double		range[2 * D];	/* of maps that have one */
	double		whitening[D * D];
	double	   *theta;
	double	   *box;			/* the part of theta in box coordinates */
	double	   *sums;
	double	   *scratch;
	DpemBlock	rows;
} Case;

/* S = B B' / 4 + a I, B random */
static void
random_covariance(Rng *rng, double scale, double *triangle)
{
	double		b[D * D];

	for (int i = 0; i < D * D; i++)
		b[i] = rng_uniform(rng, -1, 1);
	for (int i = 0; i < D; i++)
		for (int j = 0; j <= i; j++)
		{
			double		sum = i == j ? 0.02 : 0;

			for (int s = 0; s < D; s++)
				sum += b[i * D + s] * b[j * D + s] / 4;
			*triangle++ = sum * scale;
		}
}

static void
fill_case(Rng *rng, Case *c, double scale)
{
	int			k = c->layout.k;

	for (int j = 0; j < D; j++)
	{
		c->lower[j] = rng_uniform(rng, -5, 0);
		c->upper[j] = c->lower[j] + rng_uniform(rng, 1, 9);
		c->center[j] = rng_uniform(rng, -0.5, 0.5);
		c->range[j] = rng_uniform(rng, -1, 0.1);
		c->range[D + j] = c->range[j] + rng_uniform(rng, 0, 1);
		for (int i = 0; i < D; i++)
			c->whitening[j * D + i] = rng_uniform(rng, -1, 1) + (i == j ? 2 : 0);
	}
	c->map.radius = rng_uniform(rng, 0.5, 8);
	c->map.range = rng_below(rng, 2) ? c->range : NULL;
	for (int i = 0; i < k; i++)
	{
		c->box[i] = rng_uniform(rng, -3, 0);
		for (int j = 0; j < D; j++)
			c->box[k + i * D + j] = rng_uniform(rng, -1, 1) * fmin(scale, 1e100);
		random_covariance(rng, scale, c->box + k + k * D + i * TRIANGLE);
	}
}

static Case *
case_make(int k, DpemSecondMoment second, int bits)
{
	Case	   *c = calloc(1, sizeof(Case));

	c->layout = (DpemMomentLayout) {k, D, second};
	c->map = (DpemFeatureMap) {
		.d = D,.bits = bits,.lower = c->lower,.upper = c->upper,.center = c->center,.whitening = c->whitening
	};
	c->theta = numbers(dpem_observed_theta_length(&c->layout));
	c->box = (double *) dpem_observed_parameters(&c->layout, c->theta).log_weight;
	c->sums = numbers(dpem_moments_length(&c->layout));
	c->scratch = numbers(dpem_kernel_gmm_observed.scratch_length(&c->layout));
	c->rows = (DpemBlock) {.rows = 1,.d = D,.x = numbers(D * DPEM_BLOCK_STRIDE)};
	return c;
}

static void
case_free(Case *c)
{
	free(c->theta);
	free(c->sums);
	free(c->scratch);
	free(c->rows.x);
	free(c);
}

/* what one row adds */
static void
contribute(Case *c, const double *row)
{
	for (int j = 0; j < D; j++)
		c->rows.x[j * DPEM_BLOCK_STRIDE] = row[j];
	memset(c->sums, 0, dpem_moments_length(&c->layout) * sizeof(double));
	dpem_kernel_gmm_observed.add_incomplete(&c->layout, c->theta, &c->map, &c->rows,
											c->map.bits > 0 ? P : 0, c->sums, c->scratch);
}

#endif							/* OBSERVED_FIXTURE_H */
