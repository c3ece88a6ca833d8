/*
 * logit_curvature.h - the curvature at any coefficients of rows with known second
 * moments, if their scores are normal.
 *
 * A pass releases the curvature at the coefficients it was made with, but it is
 * needed at later ones.  A model of the rows, made from released numbers alone,
 * relates the two: if the score u = m'x is normal and x is linear in u plus an
 * independent remainder,
 *
 *   sum E[omega] x x' = n { E[w] (mu mu' + C - s^2 b b') + E[w (u - m'mu)] (mu b' + b mu')
 *                           + E[w (u - m'mu)^2] b b' },
 *
 * w = E[omega | u] = tanh(c/2) / (2c) with c^2 = u^2 + tr(V sum x x') / n, mu and C mean
 * and covariance of the rows, s^2 = m'C m, b = C m / s^2.  At m = 0, V = 0 it
 * is the second moment over 4, as it is for any rows.
 */
#ifndef DPEM_CORE_LOGIT_CURVATURE_H
#define DPEM_CORE_LOGIT_CURVATURE_H

#include <stdbool.h>

#include "core/kernels/logit_kernel.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"

/* sum x x' of rows, cleaned of its negative eigenvalues */
typedef struct DpemLogitMoments
{
	int			d;
	double		rows;
	const double *second;		/* d x d */
	bool		constant;		/* the last coordinate is constant, so that mu is in `second`; else mu = 0 */
	const double *mean;			/* d: mu instead, of rows times their labels, whose scores are margins; or NULL */
	const DpemMarginLoss *loss; /* NULL: the logistic one */
} DpemLogitMoments;

/*
 * curvature (d x d) for coefficients with that mean (d) and covariance (d x d); work: 3 d.
 * covariance NULL: that of the loss itself at the mean, w = l''(u).  Of the hinge, whose margins are far from
 * normal, it is a multiple of the second moments, by dpem_logit_hinge_curvature, with every row alike.
 */
extern void dpem_logit_model_curvature(const DpemLogitMoments *rows, const double *mean,
									   const double *covariance, double *curvature, DpemWorkspace work);

/* sigma'(score), whatever the extra is; and E[w], E[w (u - middle)] and E[w (u - middle)^2], w = weight_of(u, extra), u ~ N(middle, deviation^2) */
extern double dpem_logit_likelihood_weight(double score, double extra);
extern void dpem_logit_score_moments(double (*weight_of) (double, double), double middle, double deviation, double extra, double moment[3]);

/* mean of the rows mu, that of their scores, b = C mean; returns the variance of scores */
extern double dpem_logit_score_law(const DpemLogitMoments *rows, double n, const double *mean, double *mu, double *b, double *middle);

/* E[w] n C of that of the logistic loss, which is about the mean of the rows alone; returns E[w]; work: 2 d */
extern double dpem_logit_tail_curvature(const DpemLogitMoments *rows, const double *mean, double *curvature,
										DpemWorkspace work);

/*
 * A rule (logit_rules.c): E[l''] of a hinge that a Newton step is made with, where normal margins have that share
 * between 1 - h and 1 + h.  Never less than half of the most.
 */
extern double dpem_logit_hinge_curvature(const DpemMarginLoss *loss, double share);

/* the E[w] of that curvature: of scores, of a hinge margins, with that mean and deviation */
extern double dpem_logit_model_weight(const DpemMarginLoss *loss, double middle, double deviation);

/*
 * lever (d x d) with lever * model * lever' = curvature, for the curvature that
 * a pass released and the model's where it was made: curvature^(1/2) model^(-1/2).
 * The model's curvature at other coefficients, between lever and lever', estimates
 * what the pass would have released there.  Eigenvalues of both are floored at
 * `least`, so that directions with nothing but noise keep the model's curvature.
 */
extern size_t dpem_logit_lever_work(int d);
extern DpemStatus dpem_logit_lever(int d, const double *curvature, const double *model, double least,
								   double *lever, DpemWorkspace work);

/* a := lever a lever'; work: d * d */
extern void dpem_logit_apply_lever(int d, const double *lever, double *a, DpemWorkspace work);

/* a := a without its negative eigenvalues */
extern size_t dpem_logit_clean_work(int d);
extern DpemStatus dpem_logit_clean(int d, double *a, DpemWorkspace work);

#endif							/* DPEM_CORE_LOGIT_CURVATURE_H */
