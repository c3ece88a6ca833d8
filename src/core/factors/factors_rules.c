/*
 * factors_rules.c - what a plan of principal components takes from public
 * quantities (pca.h).  The numbers were chosen by test/bench/factors.pl
 * (docs/factors.md).
 */
#include <math.h>

#include "core/factors/pca.h"

/* by simulation of 3 to 256 columns; 1.5 + 0.35 sqrt(d) is exceeded by one in 15 releases of noise */
#define NOISE_OF_FEW	2.0
#define NOISE_OF_MANY	0.5

#define LEAST_PASSES	3
#define MOST_PASSES	20

int
dpem_pca_power_passes(double noise)
{
	double		passes = noise > 0 ? rint(0.5 / cbrt(noise)) : MOST_PASSES;

	return (int) fmin(fmax(passes, LEAST_PASSES), MOST_PASSES);
}

double
dpem_pca_largest_of_noise(int d)
{
	return NOISE_OF_FEW + NOISE_OF_MANY * sqrt((double) d);
}
