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

typedef struct DpemAverage
{
	double		mean;
	double		weight;			/* sum of inverse variances, relative to the first; 0: of nothing yet */
	double		unit;			/* deviation of the first */
} DpemAverage;

/* deviation above 0 and finite */
extern void dpem_average_add(DpemAverage *average, double value, double deviation);

/* of the average's noise; NaN of nothing */
extern double dpem_average_deviation(const DpemAverage *average);

#endif							/* DPEM_CORE_COMBINE_H */
