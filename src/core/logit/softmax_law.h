/*
 * softmax_law.h - rows that stand for private ones: of the law that discriminant analysis supposes, normal ones about each class's mean
 * (class_softmax.h), which released numbers tell.  Their gradient of a multinomial loss is known at any coefficients.
 */
#ifndef DPEM_CORE_SOFTMAX_LAW_H
#define DPEM_CORE_SOFTMAX_LAW_H

#include "core/logit/class_estimate.h"

typedef struct DpemSoftmaxLaw
{
	int			d;
	int			problems;
	int			rows;			/* of each class: pairs on either side of its mean */
	double	   *row;			/* problems x rows x d */
	double	   *weight;			/* problems: of a row, so that together they are as many as released */
	double	   *score;			/* rows x problems: of one class's rows */
	double	   *slope;			/* problems x rows */
	double	   *own;			/* problems x d: their gradient */
} DpemSoftmaxLaw;

extern DpemSoftmaxLaw dpem_softmax_law_take(int problems, int d, DpemWorkspace *work);

/* of a fit that has spread and centers */
extern void dpem_softmax_law_fill(const DpemClassFit *fit, DpemSoftmaxLaw *law);

/* out: sum (y - p) x at coefficients, both problems x d */
extern void dpem_softmax_law_gradient(const double *coefficients, DpemSoftmaxLaw *law, double *out);

/* operations for that */
extern double dpem_softmax_law_cost(int problems, int d);

#endif							/* DPEM_CORE_SOFTMAX_LAW_H */
