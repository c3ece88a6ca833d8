/*
 * logit_noise.h - the privacy noise in coefficients of a logistic regression of two classes by gradients (logit_estimate.h).
 *
 * As in class_noise.h: what was released is taken again with some more noise, and a gradient is another by as much as that of the rows
 * of class_law.h is.  To first order noise in a step is what its curvature makes of that in its gradient; but where classes are apart
 * the loss hardly bends, and steps leave most of the noise in the coefficients that they are made from.
 */
#ifndef DPEM_CORE_LOGIT_NOISE_H
#define DPEM_CORE_LOGIT_NOISE_H

#include "core/logit/logit_estimate.h"

typedef struct DpemLogitHistory DpemLogitHistory;

/* what a fit has taken, as released */
struct DpemLogitHistory
{
	double		public_rows;
	double		prior_variance;
	double		whole;			/* of dpem_group_scores */
	bool		modelled;		/* steps were by a model of the rows (logit_model.h) */
	int			planned;		/* gradients of the whole fit */
	DpemNoisyMoments first;
	int			gradients;		/* that were released */
	DpemNoisyMoments *gradient; /* gradients */
	double		gradient_scale; /* of dpem_logit_take_gradient */
	double	   *at;				/* gradients x d: coefficients at which they were released */
};

/* a number of draws, for each of so many groups; 0: too many numbers for that.  modelled: of steps by a model of the rows */
extern int	dpem_logit_noise_draws(bool modelled, int d, int gradients, int groups);

typedef struct DpemLogitReplay DpemLogitReplay;

/* of statistics with a constant and a posterior as what was taken has left them; memory is taken of work: dpem_logit_noise_work */
extern size_t dpem_logit_noise_work(const DpemLogitStatistics *s, int gradients);
extern DpemLogitReplay *dpem_logit_noise_begin(const DpemLogitHistory *history, const DpemLogitStatistics *s, DpemWorkspace *work);

/* one draw after the other: column `draw` of moved (d x draws), of which noise in the mean is the sum, times normal deviates */
extern DpemStatus dpem_logit_noise_draw(DpemLogitReplay *replay, int draws, int draw, const double *mean, double *moved);

#endif							/* DPEM_CORE_LOGIT_NOISE_H */
