/*
 * noise.h - the noise that a release adds: its kinds, its scale as an integer,
 * and one draw of it.
 *
 * A release is an exact sum of integers plus integer noise.  The noise's scale is
 * rounded up to whole units of 2^-bits, so that rounding never makes it smaller
 * than what was paid for (docs/proofs.md, "noise").  Deviates are drawn in integer
 * arithmetic alone: sampler.h.
 */
#ifndef DPEM_CORE_NOISE_H
#define DPEM_CORE_NOISE_H

#include "core/noise/sampler.h"
#include "core/numeric/int128.h"
#include "core/numeric/status.h"

typedef enum DpemNoiseKind
{
	DPEM_NOISE_GAUSSIAN,
	DPEM_NOISE_LAPLACE,
	DPEM_NOISE_ONE_SIDED		/* Gamma or Wishart, by the covariance's shape: not private */
} DpemNoiseKind;

/*
 * A standard deviation (Gaussian) or scale (Laplace) > 0 in units of 2^-bits,
 * rounded up; 0 if the sampler of that kind cannot draw it.
 */
extern DpemUint128 dpem_noise_integer_scale(DpemNoiseKind noise, double scale, int bits);

/* noise of such a scale, Gaussian or Laplace, as an integer in the same units; the sampler's status */
extern DpemStatus dpem_noise_draw(DpemSampler *sampler, DpemNoiseKind noise, DpemUint128 scale, DpemInt128 *out);

/*
 * The probability of the likeliest such integer, 0, rounded up: of a rounded normal deviate at most the density's maximum,
 * 1 / (scale sqrt(2 pi)), of discrete Laplace noise tanh(1 / (2 scale)) <= 1 / (2 scale).  No draw is a given one with
 * a greater probability.  scale >= 1.
 */
extern double dpem_noise_likeliest(DpemNoiseKind noise, DpemUint128 scale);

#endif							/* DPEM_CORE_NOISE_H */
