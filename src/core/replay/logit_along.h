/*
 * logit_along.h - the posterior of logistic regression's coefficients, about a direction that is known.
 *
 * Where classes are apart coefficients are long in a single direction, which the first release tells, and no one else can tell how long; a prior that is
 * the same in all directions is as wide as a d-th part of that, and takes most of the length away.  So along the direction the prior is flat in
 * the logarithm of the length, and across it coefficients have a variance of their own, learnt as in logit_estimate.h.
 */
#ifndef DPEM_CORE_LOGIT_ALONG_H
#define DPEM_CORE_LOGIT_ALONG_H

#include "core/logit/logit_estimate.h"

/*
 * Mean, covariance and turn for a curvature without noise (s->curvature) and s->origin.  direction: d, of length 1.  prior (d x d): what holds the mean
 * to the origin there, as curvature does: of an axis of which noise leaves a part k, the prior's precision over k.
 * work: dpem_logit_along_work(d).
 */
extern size_t dpem_logit_along_work(int d);
extern DpemStatus dpem_logit_solve_along(const DpemLogitStatistics *s, const double *direction, DpemLogit *fit, double *prior,
										 DpemWorkspace work);

#endif							/* DPEM_CORE_LOGIT_ALONG_H */
