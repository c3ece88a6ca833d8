/*
 * logit_model.h - steps of logistic regression of two classes by a model of the rows (class_model.h is of several).
 *
 * Newton's steps by the curvature of normal scores (logit_curvature.h) end short of the minimum where classes are apart, or one is rare: there
 * the loss bends less and less along the way, and scores are in two heaps.  So a step leads to where the gradient of rows of the law that discriminant
 * analysis supposes (class_law.h), and what released ones have had beyond it, in the mean with weights 1, 2, 3, ..., and the prior's, cancel, found by
 * Newton's method among released numbers.  Steps are held back by a part of the most that the loss bends by, and by more where two gradients
 * say that rows bend it more than the law does, as those with tails do.  The prior is that of logit_along.h, along the first coefficients.
 *
 * Nothing is read but released numbers.
 */
#ifndef DPEM_CORE_LOGIT_MODEL_H
#define DPEM_CORE_LOGIT_MODEL_H

#include "core/logit/class_law.h"
#include "core/logit/logit_estimate.h"

typedef struct DpemLogitModel
{
	int			d;
	int			gradients;		/* of the whole fit */
	DpemClassFit rows;			/* as discriminant analysis finds them, */
	DpemClassLaw law;			/* and rows of that law */
	double	   *direction;		/* d: of the first coefficients */
	double	   *off;			/* d: what released gradients have had beyond the law's, */
	double		off_sd;			/* and noise in it */
	double		least_hold;
	double		hold;			/* steps are held back by so much, times */
	double	   *whole;			/* d x d: sum x x' / 4 */
	double	   *from;			/* d: where the last gradient was released, */
	double	   *gradient;		/* d: it, */
	double	   *there;			/* d: and the law's */
	double	   *slope;			/* d: of all that is to cancel */
	double	   *begin;			/* d: coefficients that a step begins at */
	double	   *step;			/* d */
	double	   *product;		/* d */
	double	   *prior;			/* d x d */
	double	   *scratch;
} DpemLogitModel;

/* operations for a gradient's steps, about */
extern double dpem_logit_model_cost(int d);

/* of a fit in d coordinates, the last of them constant; work: dpem_logit_model_work(d), but for what calls take besides */
extern size_t dpem_logit_model_work(int d);
extern DpemLogitModel dpem_logit_model_take(int d, DpemWorkspace *work);

/*
 * From the first release as it was taken into s, and the posterior that it has led to.  whole: of dpem_group_scores; gradients: how many
 * there will be.  work, here and below: dpem_logit_model_step_work(d).
 */
extern size_t dpem_logit_model_step_work(int d);
extern DpemStatus dpem_logit_model_begin(const DpemLogitStatistics *s, const DpemNoisyMoments *first, double whole, int gradients, const DpemLogit *fit,
										 DpemLogitModel *model, DpemWorkspace work);

/* the law's rows alone: model->rows and law, for draws of noise */
extern DpemStatus dpem_logit_find_law(const DpemLogitStatistics *s, const DpemNoisyMoments *first, double whole, DpemLogitModel *model,
									  DpemWorkspace work);

/*
 * A gradient that was released at the mean, after `before` others, in place of dpem_logit_take_gradient and dpem_logit_estimate_step: the
 * posterior becomes that of all of them.  s->linear and curvature are overwritten.
 */
extern DpemStatus dpem_logit_model_gradient(const DpemNoisyMoments *m, double scale, int before, DpemLogitStatistics *s, DpemLogit *fit,
											DpemLogitModel *model, DpemWorkspace work);

#endif							/* DPEM_CORE_LOGIT_MODEL_H */
