/*
 * logit_secant.h - how much more a loss curves than the model of normal scores says (logit_curvature.h), from
 * released gradients.
 *
 * Of scores with heavy tails the model is far off: with a class of one row in forty the weight of a mean row is a tenth of
 * the most, but rows of the tail, which are what the curvature along its columns is made of, have nearly the most, so that
 * a step of the model goes several times too far, and the next one further still.  Two gradients g and h, released at m and
 * m + s, say how much the loss curves between them: s'(g - h) is s'Hs for the mean curvature H on the way.  Where
 * that is more than noise may make of it, the part of the model that is about the mean of the rows, E[w] C, counts 1 +
 * `tail` times in all directions.  Reads released numbers only.
 */
#ifndef DPEM_CORE_LOGIT_SECANT_H
#define DPEM_CORE_LOGIT_SECANT_H

#include "core/logit/logit_curvature.h"
#include "core/logit/logit_estimate.h"

struct DpemLogitSecant
{
	double	   *mean;			/* d: where the last gradient was released */
	double	   *gradient;		/* d: it */
	double		sd;				/* of its noise */
	double		share;			/* of it in the t that the next mean followed from */
	double		tail;
	double	   *linear;			/* d: what a tail of 1 adds to t */
	double	   *curvature;		/* d x d: and to G */
};

/* one for rows of d coordinates in that many numbers, which are zero */
extern size_t dpem_logit_secant_length(int d);
extern void dpem_logit_secant_begin(int d, double *numbers, DpemLogitSecant *secant);

/* the same, and its numbers, of a workspace that holds anything; NULL of one without memory */
extern DpemLogitSecant *dpem_logit_secant_create(int d, DpemWorkspace *work);

/* takes what the tail has added away from t and G, and adds it again with what a gradient released at the mean tells */
extern void dpem_logit_secant_leave(DpemLogitStatistics *s);

/*
 * After t and G have moved by `share` towards a gradient (d, of noise sd; the first moves them all the way), released at
 * that posterior; s->linear_sd is still that of the t which it followed from.  work: dpem_logit_secant_work(d).
 */
extern size_t dpem_logit_secant_work(int d);
extern void dpem_logit_secant_take(const double *gradient, double sd, const DpemLogit *at, double share,
								   const DpemLogitMoments *rows, DpemLogitStatistics *s, DpemWorkspace work);

#endif							/* DPEM_CORE_LOGIT_SECANT_H */
