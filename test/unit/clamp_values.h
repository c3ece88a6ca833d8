/*
 * clamp_values.h - values of columns whose clamps are tested, in box coordinates; j: the column, which does not matter.
 */
#ifndef CLAMP_VALUES_H
#define CLAMP_VALUES_H

#include "margins_release.h"

/* next to an end of bins of every level */
static double
narrow(Rng *rng, int j)
{
	(void) j;
	return 0.00006 + 0.00002 * rng_normal(rng);
}

static double
constant(Rng *rng, int j)
{
	(void) rng;
	(void) j;
	return -0.97;
}

static double
uniform(Rng *rng, int j)
{
	(void) j;
	return rng_uniform(rng, -1, 1);
}

#endif							/* CLAMP_VALUES_H */
