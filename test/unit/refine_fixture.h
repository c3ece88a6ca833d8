/*
 * refine_fixture.h - mixtures in the unit ball, and rows for the kernel gmm_refine.
 */
#ifndef REFINE_FIXTURE_H
#define REFINE_FIXTURE_H

#include <math.h>

#include "core/refine/refine.h"
#include "kernel_fixture.h"

#define D	3
#define MOST_K	3

/* a mixture, the kernel's parameters, and one row at a time */
typedef struct Case
{
	DpemMomentLayout layout;
	DpemGmm		gmm;
	double		radius;
	double	   *theta;
	double	   *sums;
	double	   *scratch;
	DpemBlock	rows;
} Case;

static inline DpemWorkspace
work_of(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

static inline Case *
case_make(int k, DpemSecondMoment second)
{
	Case	   *c = calloc(1, sizeof(Case));

	c->layout = (DpemMomentLayout) {k, D, second};
	c->gmm = (DpemGmm) {k, D, second, numbers(k), numbers(k * D), numbers(k * D * D)};
	c->theta = numbers(dpem_refine_theta_length(&c->layout));
	c->sums = numbers(dpem_moments_length(&c->layout));
	c->scratch = numbers(dpem_kernel_gmm_refine.scratch_length(&c->layout));
	c->rows = (DpemBlock) {.rows = 1,.d = D,.x = numbers(D * DPEM_BLOCK_STRIDE),.keep = numbers(DPEM_BLOCK_STRIDE)};
	return c;
}

static inline void
case_free(Case *c)
{
	free(c->gmm.weight);
	free(c->gmm.mean);
	free(c->gmm.covariance);
	free(c->theta);
	free(c->sums);
	free(c->scratch);
	free(c->rows.x);
	free(c->rows.keep);
	free(c);
}

/* S = scale (B B' / 4 + 0.02 I), or its diagonal, or a multiple of I */
static inline void
random_covariance(Rng *rng, DpemSecondMoment shape, double scale, double *s)
{
	double		b[D * D];

	for (int i = 0; i < D * D; i++)
		b[i] = rng_uniform(rng, -1, 1);
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
		{
			double		sum = i == j ? 0.02 : 0;

			for (int a = 0; a < D; a++)
				sum += b[i * D + a] * b[j * D + a] / 4;
			s[i * D + j] = shape == DPEM_SECOND_FULL || i == j ? scale * sum : 0;
		}
	for (int i = 1; i < D && shape == DPEM_SECOND_NORM; i++)
		s[i * D + i] = s[0];
}

static inline void
fill_case(Rng *rng, Case *c, double scale, double radius)
{
	DpemWorkspace work = work_of(dpem_gmm_theta_work(D));

	for (int k = 0; k < c->layout.k; k++)
	{
		c->gmm.weight[k] = rng_uniform(rng, 0.2, 1);
		for (int j = 0; j < D; j++)
			c->gmm.mean[k * D + j] = rng_uniform(rng, -0.5, 0.5);
		random_covariance(rng, c->layout.second, scale, c->gmm.covariance + k * D * D);
	}
	c->radius = radius;
	CHECK(dpem_refine_theta(&c->gmm, radius, c->theta, work) == DPEM_OK, "no parameters");
	free(work.next);
}

/* what one row adds; x: real, or integers of the ball with bits */
static inline void
contribute(Case *c, int bits, const double *x)
{
	memset(c->rows.keep, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	memset(c->rows.x, 0, D * DPEM_BLOCK_STRIDE * sizeof(double));
	c->rows.keep[0] = 1;
	for (int j = 0; j < D; j++)
		c->rows.x[j * DPEM_BLOCK_STRIDE] = x[j];
	dpem_kernel_gmm_refine.accumulate(&c->layout, c->theta, &c->rows, bits, bits > 0 ? P : 0, c->sums, c->scratch);
}

#endif							/* REFINE_FIXTURE_H */
