/*
 * softmax_search.h - multinomial logistic regression without noise: the minimum of -sum log p(class) + sum_k precision_k |b_k|^2 / 2.
 */
#ifndef DPEM_CORE_SOFTMAX_SEARCH_H
#define DPEM_CORE_SOFTMAX_SEARCH_H

#include "core/logit/class_estimate.h"
#include "core/logit/quasi_newton.h"

typedef struct DpemSoftmaxSearch
{
	DpemClassFit *fit;
	DpemQuasiNewton minimum;	/* coefficients of all problems along the axes of fit */
	double	   *precision;		/* of each class's prior, */
	double	   *diagonal;
	double	   *gradient;
} DpemSoftmaxSearch;

/* from fit's coefficients, with the precisions that are learnt from these; fit has second moments and sums by class */
extern size_t dpem_softmax_search_work(int problems, int d);
extern void dpem_softmax_search_begin(DpemSoftmaxSearch *search, DpemClassFit *fit, DpemWorkspace *work);

/* coefficients (d) of a problem at which the next gradient is wanted, or that were found */
extern void dpem_softmax_search_at(DpemSoftmaxSearch *search, int problem, double *out);

/* after the last gradient: the point that was accepted last is where it was found, or as near as passes came */
extern void dpem_softmax_search_end(DpemSoftmaxSearch *search);

/* takes the gradient there, `scale` times what was released, unless it is found; false: it is now */
extern bool dpem_softmax_search_take(DpemSoftmaxSearch *search, const DpemNoisyMoments *m, double scale);

#endif							/* DPEM_CORE_SOFTMAX_SEARCH_H */
