/*
 * combine.h - several releases of one number, averaged by the inverse variance of their noise.
 *
 * Of independent unbiased numbers with noise of known deviations s_i, the weights 1 / s_i^2 give
 * the average of least variance, 1 / sum 1 / s_i^2 (Cochran 1937, "Problems arising in the analysis
 * of a series of similar experiments", eq. 4).  Weights depend on no released number, so that the
 * average of Gaussian noises is Gaussian.
 */
#ifndef DPEM_CORE_COMBINE_H
#define DPEM_CORE_COMBINE_H

#include <stdbool.h>

/*
 * Releases further apart than so many standard deviations of their difference are of rows that have
 * changed: of rows that have not, one pair in 1.7 million is.
 */
#define DPEM_AVERAGE_APART 5

typedef struct DpemAverage
{
	double		mean;
	double		weight;			/* sum of inverse variances, relative to the first; 0: of nothing yet */
	double		unit;			/* deviation of the first */
} DpemAverage;

/* deviation above 0 and finite */
extern void dpem_average_add(DpemAverage *average, double value, double deviation);

/* are two releases near enough to be averaged? */
extern bool dpem_average_agrees(double value, double deviation, double other, double other_deviation);

/* of the average's noise; NaN of nothing */
extern double dpem_average_deviation(const DpemAverage *average);

#endif							/* DPEM_CORE_COMBINE_H */
