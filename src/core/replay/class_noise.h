/*
 * class_noise.h - the privacy noise in coefficients of linear classifiers (class_estimate.h).
 *
 * It comes from second moments, sums by class and every gradient, by way of eigenvectors, shrunken differences and learnt precisions; and the
 * less the loss bends, the more a step leaves of the noise in the coefficients that it is made from.  So what was released is
 * taken again, with some more noise of the same law, a number of times: what coefficients are moved by then (a parametric bootstrap, Efron
 * and Tibshirani 1993, chapter 6).  Where they were moved already, a gradient is another by as much as that of the rows of class_law.h is.
 * All of it is post-processing of released numbers.
 */
#ifndef DPEM_CORE_CLASS_NOISE_H
#define DPEM_CORE_CLASS_NOISE_H

#include "core/logit/class_estimate.h"

/* what a fit has taken, as released */
typedef struct DpemClassHistory
{
	double		public_rows;
	DpemNoisyMoments second;
	DpemNoisyMoments sums;
	double		sums_scale;		/* of dpem_class_take_sums */
	int			gradients;		/* that were released */
	DpemNoisyMoments *gradient; /* gradients */
	double		gradient_scale; /* of dpem_class_take_gradient */
	double	   *at;				/* gradients x problems x d: coefficients at which they were released */
} DpemClassHistory;

/* a number of draws of the noise, for each of so many groups; 0: too many numbers for that.  Of the fit, what is known before passes. */
extern int	dpem_class_noise_draws(const DpemClassFit *fit, int gradients, int groups);

typedef struct DpemClassReplay DpemClassReplay;

/* of a fit as what was taken has left it, with draws, and spread and centers where it is by discriminant analysis; memory is taken of work: dpem_class_noise_work */
extern size_t dpem_class_noise_work(const DpemClassFit *fit, int gradients);
extern DpemClassReplay *dpem_class_noise_begin(const DpemClassHistory *history, DpemClassFit *fit, DpemWorkspace *work);

/* one draw after the other: column `draw` of moved of each problem, of which noise in coefficients is the sum, times normal deviates */
extern DpemStatus dpem_class_noise_draw(DpemClassReplay *replay, int draw, DpemClassFit *fit);

#endif							/* DPEM_CORE_CLASS_NOISE_H */
