/*
 * factors_rules.c - what a plan of principal components takes from public
 * quantities (pca.h).  The numbers were chosen by test/bench/factors.pl
 * (docs/factors.md).
 */
#include <math.h>

#include "core/factors/pca.h"

#define LEAST_PASSES	3
#define MOST_PASSES	20

int
dpem_pca_power_passes(double noise)
{
	double		passes = noise > 0 ? rint(0.5 / cbrt(noise)) : MOST_PASSES;

	return (int) fmin(fmax(passes, LEAST_PASSES), MOST_PASSES);
}
