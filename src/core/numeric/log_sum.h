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

#endif							/* DPEM_CORE_LOG_SUM_H */
