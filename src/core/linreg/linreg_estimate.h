/*
 * linreg_estimate.h - linear regression from released moments.
 *
 * The last coordinate is the target y, the p before it the predictors x.  With
 * S = Cov(x) and c = Cov(x, y) of the rows, their least squares are b = S^-1 c and
 * a = mean(y) - b'mean(x).  What was released is S + E and c + e with noise of
 * known size, so that
 *     c + e - (S + E) b = e - E b ~ N(0, s^2 ((1 + |b|^2) I + b b')),   s = second_sd / sqrt(2):
 * an errors-in-variables problem of known error variance (Fuller 1987, section
 * 2.2; with released sufficient statistics Bernstein, Sheldon 2019, NeurIPS).
 * Everything read here is public.
 */
#ifndef DPEM_CORE_LINREG_ESTIMATE_H
#define DPEM_CORE_LINREG_ESTIMATE_H

#include <stdbool.h>

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemLinregMoments
{
	int			p;				/* predictors */
	double		rows;
	double	   *mean;			/* p + 1 */
	double	   *covariance;		/* (p + 1) x (p + 1) */
	double		mean_sd;		/* of the noise in a coordinate of the mean */
	double	   *center;			/* p: the mean of the rows in which the predictor is known, in which the intercept is right; NULL: mean */
	double	   *center_sd;		/* p: of the noise in it */
	double		second_sd;		/* of the noise in a svec entry of the covariance */
	double		unclipped;		/* variance of rows in parts of what clipping has left of it; 0: 1 */
	const int  *label;			/* p: the label whose category the predictor is, from 0; -1: none; NULL: there are none */
	const double *unit;			/* p: of a predictor, in the units in which it is 1 in its category */
	const double *middle;		/* p: the predictor there where it is 0 here; NULL: not known */
} DpemLinregMoments;

/*
 * From a one-component release with full second moments of p + 1 coordinates;
 * public_rows: 0 if not known.  The square of the mean's noise is taken off
 * again.  center_error: standard deviation of the means about the origin, if a
 * center was released before, towards which they are shrunk; 0: not known.
 */
extern void dpem_linreg_take(const DpemNoisyMoments *released, double public_rows, double center_error,
							 DpemLinregMoments *moments);

/*
 * Of predictors that are at the origin, a center released before, in rows in which they are not known: fills center and
 * center_sd, which the caller has allocated.  known: in how many rows each is, as released (p), with noise of that deviation.
 *
 * With a share u of the rows at c, and m the mean of the others, the least squares of rows that would stand at m are
 * to first order the same but for the intercept, which is b u (c - m) lower, provided that numbers are unknown
 * whatever they are.  The mean of all rows is (1 - u) m + u c, so that it tells m, and far better than margins did.  It
 * is shrunk as means are in dpem_linreg_take, and more where the share of the others has noise; as far as u may be noise
 * it counts less.
 */
extern void dpem_linreg_center_known(const DpemNoisyMoments *released, double center_error, const double *known, double known_sd,
									 DpemLinregMoments *moments);

/*
 * Coefficients are b (p numbers), then a; matrices are (p + 1) x (p + 1).  All in
 * the coordinates of the moments, or of other units after dpem_linreg_transform.
 */
typedef struct DpemLinreg
{
	int			p;
	bool	   *shared;			/* p: the predictor's label is in every row, as far as can be seen */
	double	   *coefficient;	/* p + 1 */
	double	   *error;			/* covariance of the difference from the rows' least squares */
	double	   *noise;			/* covariance of the privacy noise in the coefficients, to first order */
	double	   *sampling;		/* covariance of the least squares of rows drawn at random */
	double	   *middle;			/* p + 1: of intervals for the rows' least squares, without shrinkage */
	double	   *spread;			/* covariance of its difference from these */
	double		residual_variance;	/* of the target about what the model predicts */
	double		residual_sd;	/* of the noise in it */
	double		r2;
	double		r2_sd;			/* of the noise in it */
} DpemLinreg;

/*
 * In the eigenvectors v_i of S + E, with eigenvalues g_i cleaned of their noise
 * (spectrum.h): v_i'c is g_i b_i with noise of variance
 *     tau_i^2 = s^2 (1 + |b|^2 + b_i^2) + mean_sd^2 ((1 + |b|^2) (v_i'mean(x))^2 + a^2),
 * b_i has prior N(0, t), hence mean b_i = g_i v_i'c / (g_i^2 + tau_i^2 / t): a ridge
 * for each eigenvector.  t, which determines the prior's expected R squared, is
 * integrated out over the grid of linreg_rules.h by its marginal likelihood, together
 * with the possibility that b = 0.  Where noise rules, coefficients are near zero
 * and the model is the target's mean.
 *
 * `error` is the posterior second moment of b - S^-1 c, provided that S^-1 c is not
 * 0: noise, ridge and what is not known of t; a direction without signal adds what
 * the prior leaves.
 *
 * `middle` is (S + E)^-1 (c + e), which differs from S^-1 c by exactly (S + E)^-1 (e - E b): no prior
 * is in it, and `spread` is that difference's covariance, s^2 ((1 + |b|^2) I + b b') in the axes, with S + E as released (an
 * eigenvalue of less than a standard deviation of its noise counts as one) and b as long as can be told: what noise hides is as long
 * as the posterior has it, so that intervals of what is seen are no wider than that makes them.  Where noise hides how much a predictor itself varies, b is as
 * long as explains the whole target.  Intervals also
 * cover most coefficients along directions in which the predictors hardly vary, which a ridge takes for small.
 *
 * Where every row has one of a label's categories, these add up to 1 and their
 * coefficients are determined up to a number that all share.  If the variance
 * of that sum cannot be told from 0, the direction is left out, and
 * dpem_linreg_transform lets the label's coefficients add up to 0.
 *
 * Without noise: least squares, with zero along directions in which predictors
 * do not vary.  work: dpem_linreg_estimate_work(p).  DPEM_LAPACK_FAILED.
 */
extern size_t dpem_linreg_estimate_work(int p);
extern DpemStatus dpem_linreg_estimate(const DpemLinregMoments *moments, DpemLinreg *fit, DpemWorkspace work);

/*
 * In place: to coordinates middle_j + unit_j z_j of predictors and target (p + 1
 * numbers each); label as in the moments.  work: dpem_linreg_transform_work(p).
 */
extern size_t dpem_linreg_transform_work(int p);
extern void dpem_linreg_transform(const double *middle, const double *unit, const int *label, DpemLinreg *fit,
								  DpemWorkspace work);

/*
 * A normal law's quantile where its variance has noise of that deviation, in parts of the variance: Student's of
 * 2 / noise^2 degrees of freedom, by the first term of Cornish and Fisher's expansion; beyond two deviations
 * in the same proportion as there.
 */
extern double dpem_linreg_unsure_reach(double quantile, double noise);

#endif							/* DPEM_CORE_LINREG_ESTIMATE_H */
