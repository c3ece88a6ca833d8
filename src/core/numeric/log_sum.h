/*
 * log_sum.h - sums of numbers whose logarithms are at hand.
 */
#ifndef DPEM_CORE_LOG_SUM_H
#define DPEM_CORE_LOG_SUM_H

#include <math.h>

/* log(e^a + e^b) */
static inline double
dpem_log_sum(double a, double b)
{
	double		most = fmax(a, b);

	return isfinite(most) ? most + log1p(exp(fmin(a, b) - most)) : most;
}

/* value[n]: shares whose logarithms, up to a number that is the same for all, stood in it; their sum is 1 however large that is */
static inline void
dpem_log_shares(double *value, int n, double log_total)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += value[i] = exp(value[i] - log_total);
	for (int i = 0; i < n; i++)
		value[i] /= sum;
}

#endif							/* DPEM_CORE_LOG_SUM_H */
