/*
 * logit_estimate.h - the posterior of logistic regression's coefficients from
 * released statistics.
 *
 * With t = sum (y - 1/2) x and G = sum E[omega] x x' the augmented likelihood
 * is Gaussian: t given beta has mean G beta and covariance G.  Noise adds its
 * own, known variance, which the posterior takes into account (Bernstein, Sheldon
 * 2019, for linear regression).  Everything read here is public.
 */
#ifndef DPEM_CORE_LOGIT_ESTIMATE_H
#define DPEM_CORE_LOGIT_ESTIMATE_H

#include <stdbool.h>

#include "core/kernels/logit_kernel.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemLogitSecant DpemLogitSecant;

typedef struct DpemLogitStatistics
{
	int			d;
	double	   *linear;			/* t: d */
	double		linear_sd;
	double	   *curvature;		/* G: d x d */
	double		curvature_sd;	/* of the noise in a svec entry of G */
	double		unsaid_sd;		/* the same, of noise that the posterior does not know of but noise in the mean is made of, too */
	double		unsaid_square_sd;	/* of noise in all squares of the curvature alike */
	double		curvature_share;	/* 4 E[omega] of a typical row (dpem_logit_share) where G was taken */
	double		rows;
	double		rows_sd;		/* of the noise in their number; 0: it is public, or the posterior does not know of it */
	double	   *second;			/* sum x x', cleaned: d x d */
	double		second_sd;		/* of the noise in a svec entry of it */
	bool		constant;		/* the last coordinate is the intercept's */
	double	   *model;			/* d x d: the model's curvature (logit_curvature.h) where G was taken */
	const double *mean;			/* as in DpemLogitMoments, of another loss */
	const DpemMarginLoss *loss;
	double		value;			/* of the constant, in rows that are not clipped */
	double	   *origin;			/* d: middle of the prior; NULL: zeros */
	double		origin_sd;		/* of the noise in its last coordinate */
	double		slope;			/* expected variance of a coefficient about it, where that is learnt; 0: 1 */
	DpemLogitSecant *secant;	/* logit_secant.h; NULL: gradients' curvature is the model's */
} DpemLogitStatistics;

typedef struct DpemLogit
{
	int			d;
	double	   *mean;			/* d: of the posterior */
	double	   *covariance;		/* d x d: of the posterior, noise included */
	double	   *turn;			/* d x d: noise in the mean is `turn` times independent normal deviates */
	double		precision;		/* expectation of the prior's */
	double		share;			/* of a typical row, at this posterior */
} DpemLogit;

/*
 * Rows, t and sum x x' from the first release, of signed rows at zero
 * coefficients; public_rows: 0 if not known.  Taken, sum x x' has no negative
 * eigenvalues; read, it is as released.  work: dpem_logit_take_work(d).
 */
extern void dpem_logit_read_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s);
extern size_t dpem_logit_take_work(int d);
extern DpemStatus dpem_logit_take_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s,
										DpemWorkspace work);

/*
 * The middle of the prior, after that, and with dpem_logit_slope the variance about it: the log-odds of the second class's
 * share, as noise is not to draw the intercept towards even odds.  The share is its mean over [0, 1], given what was
 * released.  Of rows with a constant.
 */
extern void dpem_logit_find_origin(DpemLogitStatistics *s);

/* the same of least squares, with t = sum y x, y = 1 or -1: the mean of y, which a row's score is where there is nothing but the constant */
extern void dpem_logit_find_middle(DpemLogitStatistics *s);

/*
 * G from a release at the posterior `at`, averaged with the `others` earlier ones
 * already in s, all with noise of the same size.  `scale` is 1 over the fraction of
 * the rows that was read.  work: dpem_logit_take_work(d).
 */
extern void dpem_logit_take_curvature(const DpemNoisyMoments *m, double scale, const DpemLogit *at, int others,
									  DpemLogitStatistics *s, DpemWorkspace work);

/*
 * Takes a gradient g of the log-likelihood released at the coefficients m =
 * at->mean.  To first order g = H (beta - m) for the maximising beta, with H the
 * model's curvature at m, so that t = g + H m is a linear statistic of curvature H
 * whose only noise is that of g (one step of Fisher scoring; the t of Polson,
 * Scott, Windle if m = 0).  Half the edge of the noise's spectrum is added to H, so
 * that steps are short in directions where the second moments are mostly noise, and what
 * logit_secant.h says of tails.  t and G become means over this pass and `before` earlier gradients, with weights 1,
 * 4, 9, ..., as the last are nearest to the maximum.  `scale` as above.  work:
 * dpem_logit_take_work(d).
 */
extern void dpem_logit_take_gradient(const DpemNoisyMoments *m, double scale, const DpemLogit *at, int before,
									 DpemLogitStatistics *s, DpemWorkspace work);

/*
 * The posterior from such gradients, with G as it is.  The mean moves no further
 * than changes scores by 3 (root mean square).  work: dpem_logit_estimate_work(d).
 */
extern DpemStatus dpem_logit_estimate_step(const DpemLogitStatistics *s, double prior_variance,
										   DpemLogit *fit, DpemWorkspace work);

/* E[4 omega] for c ~ N(0, spread): a row's curvature relative to that at zero coefficients */
extern double dpem_logit_share(double spread);

/*
 * Posterior under beta ~ N(0, prior_variance I), or, for prior_variance 0,
 * N(origin, I/alpha) with alpha ~ Gamma(1, slope) (shape, rate; without a slope 1), by coordinate ascent.
 * Without noise: covariance V = (E[alpha] I + G)^-1, mean V t, E[alpha] = (1 +
 * d/2) / (1 + (|mean|^2 + tr V) / 2).
 *
 * With noise, in the eigenvectors v_i of G, with negative eigenvalues set to zero:
 * v_i't has variance g_i + tau_i^2, where tau_i^2 = linear_sd^2 + curvature_sd^2
 * (|m|^2 + m_i^2) / 2 includes the noise of G times the mean; precision g_i k_i +
 * E[alpha] with k_i = g_i / (g_i + tau_i^2), mean k_i v_i't over that.
 *
 * G belongs to the coefficients it was taken at, and the curvature decreases with
 * the length of the mean.  The model of logit_curvature.h transfers G to the
 * posterior: first its scale, by the share of a typical row (spread: the mean of
 * c^2 over the rows), then, step by step, its shape.  At a fixed point of the
 * passes the model has no effect: it is that of plain coordinate ascent, and is
 * nearly reached in few passes.
 */
extern size_t dpem_logit_estimate_work(int d);
extern DpemStatus dpem_logit_estimate(const DpemLogitStatistics *s, double prior_variance,
									  DpemLogit *fit, DpemWorkspace work);

/* theta of a pass: the columns of the Cholesky factor of E[beta beta'], see logit_kernel.h */
extern size_t dpem_logit_prepare_work(int d);
extern DpemStatus dpem_logit_prepare(const DpemLogit *fit, double *theta, DpemWorkspace work);

/*
 * The distribution of A beta, A (n x d): mean (n), covariance (n x n) and
 * standard deviations of the privacy noise in the mean (n).  work: n * d.
 */
extern void dpem_logit_transform(const DpemLogit *fit, int n, const double *a, double *mean,
								 double *covariance, double *noise, DpemWorkspace work);

/* the last of these, of noise that is `turn` (d x deviates) times normal deviates; work: n * deviates */
extern void dpem_logit_turn_noise(int n, int d, int deviates, const double *a, const double *turn, double *noise, DpemWorkspace work);

/* P(y = 1) for a score of that mean and variance (MacKay 1992, probit approximation) */
extern double dpem_logit_probability(double mean, double variance);

/* ---- rules from public quantities ---- */

/* weights in the stack of the first release, the only one with second moments */
extern void dpem_logit_weights(bool replace_one, double *count, double *sum, double *second);

/*
 * Parts of the budget: of the columns' margins, if rows are standardised, of the first pass, and of the
 * gradients after it, if there are any; of the whole that these make up.
 */
typedef struct DpemLogitShares
{
	double		margins;
	double		first;
	double		gradients;
} DpemLogitShares;

extern const DpemLogitShares dpem_logit_shares;

/* these, with more for margins where their noise, in a first-level bin in parts of the rows, would hide what columns are like */
extern DpemLogitShares dpem_logit_shares_with(DpemLogitShares usual, double noise);

/* passes, the first and gradients after it; noise: of one release with the whole budget, in parts of the rows; without it the most there are */
extern int	dpem_logit_iterations(double noise);

/*
 * Is noise so much that coefficients are those of logit_response.h, and of how many of so many passes after the first are rows at zero coefficients
 * then, before gradients?  noise: of one release with the whole budget, in parts of the rows.
 */
extern bool dpem_logit_is_hidden(double noise);
extern int	dpem_logit_even_passes(double noise, int later);

/* by how much of the most that the loss bends by steps by a model of the rows are held back; noise: in the mean of all gradients, in parts of the rows */
extern double dpem_logit_hold(double noise, int d);

/* of d coefficients of rows whose constant has that value in the ball, such that scores about the intercept vary by 1, or more */
extern double dpem_logit_slope(int d, double value);

/* do rows of two classes keep their constant where they are clipped?  noise: of one release with the whole budget, in parts of the rows */
extern bool dpem_logit_keeps_constant(double noise);

/*
 * The map in which the first pass and the gradients see rows, from the columns' deviations: scale
 * (d) of each box coordinate, the constant's (`constant`: the last coordinate is that) and the radius to clip to.
 * square: mean square norm of rows in units of these deviations, without the constant.
 */
extern void dpem_logit_frame(int d, bool constant, double square, const double *deviation, double *scale, double *radius);

#endif							/* DPEM_CORE_LOGIT_ESTIMATE_H */
