/*
 * positive_mean.h - what a noisy estimate says of a number that is not below 0.
 */
#ifndef DPEM_CORE_POSITIVE_MEAN_H
#define DPEM_CORE_POSITIVE_MEAN_H

#include <math.h>

/* mean of a normal variable of that mean and deviation (0: exact), given that it is not below 0 */
static inline double
dpem_positive_mean(double mean, double sd)
{
	double		z = mean / sd;

	if (!(sd > 0) || z > 30)
		return fmax(mean, 0);
	/* the tail's expansion: the quotient of density and distribution is |z| + 1 / |z| - ... */
	if (z < -20)
		return sd / -z;
	return mean + sd * exp(-z * z / 2) / sqrt(2 * M_PI) / (erfc(-z / M_SQRT2) / 2);
}

#endif							/* DPEM_CORE_POSITIVE_MEAN_H */
