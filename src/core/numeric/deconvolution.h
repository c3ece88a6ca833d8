/*
 * deconvolution.h - many quantities under noise of known size, estimated together.
 *
 * x_i = size_i g_i + N(0, sd^2) with g_i from one unknown distribution on a
 * grid, which is estimated by maximum likelihood (Kiefer and Wolfowitz 1956;
 * Jiang and Zhang 2009); the answer for each i is its posterior mean.  Where
 * noise rules, estimates shrink to what all have in common; where signal
 * rules, they stay.  Post-processing of released numbers.
 */
#ifndef DPEM_CORE_DECONVOLUTION_H
#define DPEM_CORE_DECONVOLUTION_H

#include <stddef.h>

#include "core/numeric/status.h"

#define DPEM_DECONVOLUTION_POINTS 64	/* of a grid, at most */

typedef struct DpemDeconvolution
{
	int			points;
	double		grid[DPEM_DECONVOLUTION_POINTS];
	double		prior[DPEM_DECONVOLUTION_POINTS];	/* the distribution: in and out */
} DpemDeconvolution;

/* 0 and points - 1 numbers from least to most, each the same multiple of the one before; a uniform prior */
extern void dpem_deconvolution_grid(DpemDeconvolution *deconvolution, int points, double least, double most);

/*
 * Estimates the distribution from x[0 .. n-1] (size NULL: all ones) in `steps`
 * steps of expectation maximisation, then mean[i] = E[g_i | x_i].  work:
 * dpem_deconvolution_work doubles.  DPEM_BAD_ARGUMENT unless sd > 0.
 */
extern size_t dpem_deconvolution_work(size_t n);
extern DpemStatus dpem_deconvolve(DpemDeconvolution *deconvolution, size_t n, const double *x,
								  const double *size, double sd, int steps, double *mean, double *work);

#endif							/* DPEM_CORE_DECONVOLUTION_H */
