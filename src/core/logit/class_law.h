/*
 * class_law.h - rows that stand for private ones: of the law that discriminant analysis supposes, normal ones about each class's mean
 * (class_softmax.h), which released numbers tell.  Their gradient is known at any coefficients.
 */
#ifndef DPEM_CORE_CLASS_LAW_H
#define DPEM_CORE_CLASS_LAW_H

#include "core/logit/class_estimate.h"

typedef struct DpemClassLaw
{
	int			d;
	int			classes;
	int			problems;		/* as many, or 1 of two classes, whose margins are those of the second */
	DpemMarginLoss loss;
	int			rows;			/* of each class: pairs on either side of its mean */
	double	   *row;			/* classes x rows x d: in the unit ball */
	double	   *times;			/* classes x rows: what their scores are those of is so many times as long */
	double	   *weight;			/* classes: of a row, so that together they are as many as released */
	double	   *score;			/* rows x problems: of one class's rows */
	double	   *slope;			/* problems x rows */
	double	   *own;			/* problems x d: their gradient */
} DpemClassLaw;

/* of as many rows of a class as its gradients ask for, or `least` */
extern DpemClassLaw dpem_class_law_take(int problems, int d, const DpemMarginLoss *loss, int least, DpemWorkspace *work);

/* of a fit of discriminant analysis, a problem for each class, that has spread and centers */
extern void dpem_class_law_fill(const DpemClassFit *fit, DpemClassLaw *law);

/* out: sum of slopes times x at coefficients, both problems x d, as of dpem_class_gradient_respond with noise */
extern void dpem_class_law_gradient(const double *coefficients, DpemClassLaw *law, double *out);

/* the same of its derivatives there with another sign: (problems x d) x (problems x d), of a multinomial loss */
extern void dpem_class_law_curvature(const double *coefficients, DpemClassLaw *law, double *out, double *scratch);

/* numbers of scratch */
extern size_t dpem_class_law_curvature_work(const DpemClassLaw *law);

/* the same of the margins of two classes: d x d; scratch: dpem_class_law_bend_work(law) */
extern size_t dpem_class_law_bend_work(const DpemClassLaw *law);
extern void dpem_class_law_bend(const double *coefficients, DpemClassLaw *law, double *out, double *scratch);

/* of all classes, where no more are asked for; and operations for a gradient */
extern double dpem_class_law_rows(int problems, int d, const DpemMarginLoss *loss);
extern double dpem_class_law_cost(int problems, int d, const DpemMarginLoss *loss);

#endif							/* DPEM_CORE_CLASS_LAW_H */
