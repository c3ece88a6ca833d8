/*
 * nominal_noise.h - the noise of the mechanisms of [CDPEM], to study its effect by
 * roles that may read the rows.  It protects nobody.
 *
 * Weights and means get Laplace noise.  Variances get Gamma noise of shape 1
 * and scale t, covariances Wishart noise of d + 1 degrees of freedom and scale
 * matrix (t/2) I ([CDPEM] equations 16 to 18), t = noise multiplier x largest
 * |x|^2.  Both are one-sided: with probability 1 - exp(-1/t) the output is below
 * the statistic of a neighbouring table, where it would be impossible.
 *
 * Random numbers are drawn by the exact samplers on a grid of 2^-30.
 */
#ifndef DPEM_CORE_NOMINAL_NOISE_H
#define DPEM_CORE_NOMINAL_NOISE_H

#include "core/accounting/paper_mechanism.h"
#include "core/noise/sampler.h"
#include "core/pass/noisy_moments.h"

/*
 * Adds noise by kind to exact moments; scale[]: multiplier x sensitivity of each
 * statistic, in rows and unit-ball coordinates, below 2^20.  work: layout.d *
 * (d + 1) doubles.  The caller sets the standard deviations in moments.
 */
extern DpemStatus dpem_nominal_noise(DpemNoisyMoments *moments,
									 const DpemNoiseKind kind[DPEM_PAPER_STATISTICS],
									 const double scale[DPEM_PAPER_STATISTICS],
									 DpemSampler *sampler, double *work);

#endif							/* DPEM_CORE_NOMINAL_NOISE_H */
