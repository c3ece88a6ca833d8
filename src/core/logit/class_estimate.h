/*
 * class_estimate.h - linear classifiers from released statistics: the problems of
 * logit_kernel.h, all from one release of second moments.
 *
 * The first coefficients are those of least squares, S b = sum y x, of two classes in the
 * length that normal margins lose least at, of more for the logistic loss twice as long,
 * which is a Newton step from zero; of more that no gradient follows, those of discriminant
 * analysis (dpem_class_is_discriminant).  Each released gradient then makes a Newton
 * step, as in logistic regression (logit_estimate.h), with the curvature that second
 * moments imply (logit_curvature.h).  Few problems in few coordinates have a curvature
 * matrix each; of more, each is taken to be a multiple of S, whose eigenvectors they share.
 */
#ifndef DPEM_CORE_CLASS_ESTIMATE_H
#define DPEM_CORE_CLASS_ESTIMATE_H

#include "core/logit/logit_estimate.h"

typedef struct DpemClassProblem
{
	DpemLogitStatistics s;		/* rows, second: those of all */
	DpemLogit	fit;			/* mean: the coefficients; in shared axes without covariance and turn */
	double	   *mean;			/* d: of y x */
	double	   *axis;			/* d: coefficients in the axes */
	double	   *gain;			/* d: noise in them; the rest is in shared axes only */
	double	   *g;				/* d: curvature along them */
	double		share;			/* of the rows that are in the class; this and what follows of the multinomial loss only */
	double		part;			/* the same, not so little that curvature would be none */
	double	   *middle;			/* d: of the prior, along the axes; NULL: zeros */
	double		slope;			/* expected variance of a coefficient about it beyond 1, where noise lets it be learnt */
	double		middle_sd;		/* of the noise in its length, in parts of that */
	double	   *center;			/* d: the mean of its rows, as far as it is known; NULL: nobody asks */
	double	   *moved;			/* d x draws: noise in the coefficients is that times independent normal deviates (class_noise.h) */
} DpemClassProblem;

/* that the curvatures of all problems share: row i of vectors (d x d) is the axis in which a sum x x' is value[i] */
typedef struct DpemClassAxes
{
	int			d;
	double	   *vectors;
	double	   *value;
} DpemClassAxes;

typedef struct DpemClassFit
{
	int			d;
	int			problems;		/* 1: two classes */
	DpemMarginLoss loss;
	double		prior_variance; /* of a coefficient; 0: learnt */
	double		constant;		/* in rows that are not clipped; 0: the middle of the prior is zeros */
	bool		together;		/* the first coefficients are those of discriminant analysis (class_softmax.h) */
	bool		hidden;			/* of two classes: noise is so much that coefficients are least squares' of what it leaves */
	bool		shared;			/* axes */
	double		rows;
	double	   *sum;			/* d: sum x */
	double		sum_sd;
	double	   *second;			/* d x d: sum x x' */
	double		second_sd;
	DpemClassAxes axes;			/* of second; only if shared */
	double	   *spread;			/* d x d: normal deviates times it are what rows differ by within a class; NULL: nobody asks */
	int			draws;			/* of noise, in moved; 0: there is none */
	DpemClassProblem *problem;
} DpemClassFit;

/* whether so many problems share axes: all that are found together do */
extern bool dpem_class_shares_axes(bool together, int problems, int d);

/* of the noise of sum x x' */
extern double dpem_class_spectrum_edge(const DpemClassFit *fit);

extern size_t dpem_class_work(int d);

/* rows, sum x and sum x x' of a release; public_rows: 0 if not known */
extern DpemStatus dpem_class_take_second(const DpemNoisyMoments *m, double public_rows, DpemClassFit *fit, DpemWorkspace work);

/*
 * Sums by class (DPEM_LOSS_NONE), times scale, and the first coefficients.  Where noise hides, which is said before the second moments are
 * taken: least squares' about the mean of the rows, which sum x tells, as noise in it would turn coefficients of uneven classes.
 */
extern DpemStatus dpem_class_take_sums(const DpemNoisyMoments *m, double scale, DpemClassFit *fit, DpemWorkspace work);

/*
 * A gradient at the coefficients, `scale` times what was released (the bound, over the
 * fraction of rows that was read), after `before` others; and a step.
 */
extern DpemStatus dpem_class_take_gradient(const DpemNoisyMoments *m, double scale, int before, DpemClassFit *fit,
										   DpemWorkspace work);

/*
 * Coefficients A beta of a problem (A: n x d) and the standard deviations of the
 * privacy noise in them, to first order.  A NULL: the identity, n = d.  work:
 * dpem_class_transform_work(fit, n).
 */
extern size_t dpem_class_transform_work(const DpemClassFit *fit, int n);
extern void dpem_class_transform(const DpemClassFit *fit, int problem, int n, const double *a, double *coefficient,
								 double *noise, DpemWorkspace work);

/* ---- published baselines ---- */

/*
 * Functional mechanism (Zhang, Zhang, Xiao, Yang, Winslett 2012, PVLDB 5, sections 5 and 6): the minimum of the
 * logistic loss's Taylor polynomial of degree 2 about zero, (sum x x' / 4) b = sum y x / 2, from noisy sums of
 * y x and x x'; the ridge is four standard deviations of the noise, directions without positive eigenvalue
 * are left out.  Mean and turn of fit.  work: dpem_class_functional_work(d).
 */
extern size_t dpem_class_functional_work(int d);
extern DpemStatus dpem_class_functional(const DpemNoisyMoments *m, DpemLogit *fit, DpemWorkspace work);

/* ---- without noise ---- */

/*
 * One problem's exact minimum of sum l(z) + |b|^2 precision / 2 by Newton's method;
 * a step that does not shorten the gradient is halved.
 */
typedef struct DpemClassNewton
{
	double		precision;
	double	   *at;				/* d: the coefficients that the next gradient is wanted at */
	double	   *best;			/* d: the last accepted ones */
	double	   *step;			/* d: from best */
	double		part;			/* of the step that was tried */
	double		square;			/* of the gradient at best */
	bool		found;
} DpemClassNewton;

/* takes sum -l'(z) y x at `at`; true: a curvature is wanted there, before the next gradient */
extern bool dpem_class_newton_gradient(int d, const double *gradient, DpemClassNewton *newton, double *rest);

/* takes sum l''(z) x x' (overwritten) and what the gradient left in rest */
extern DpemStatus dpem_class_newton_curvature(int d, double *curvature, const double *rest, double prior_variance,
											  DpemClassNewton *newton, DpemWorkspace work);

/* ---- rules ---- */

/* width of the Gaussian kernel in d coordinates, of unit deviation or on [-1, 1] */
extern double dpem_class_width(int d, bool standardised);

/* weights in the stack of the second moments, and parts of the budget, as in logit_estimate.h */
extern void dpem_class_weights(bool replace_one, double *count, double *sum, double *second);
extern DpemLogitShares dpem_class_shares(const DpemMarginLoss *loss);

/* of a multinomial loss, that part of what classes' means explain of sum x x' which is taken off it */
extern const double dpem_softmax_explained;

/* variance of scores that a multinomial loss expects beyond that of coefficients of variance 1, where noise lets it be told */
extern const double dpem_softmax_scores;

/*
 * Of a multinomial loss by noise in the mean of its gradients, in parts of the rows, and the least class's part of these: whether steps are by a model
 * of the rows (core/replay/class_model.h), and by how much of the most that the loss bends by they are held back
 */
extern bool dpem_softmax_is_modelled(double noise, int problems, int d, double least);
extern double dpem_softmax_hold(double noise, int problems, int d);

/* what vectors of slopes are divided by */
extern double dpem_class_bound(int problems, bool noisy);

/* are the first coefficients those of discriminant analysis, of so many passes (0: without noise)? */
extern bool dpem_class_is_discriminant(const DpemMarginLoss *loss, int problems, int passes);

/* passes, second moments and sums included; noise as there */
extern int	dpem_class_iterations(const DpemMarginLoss *loss, int problems, double noise);

/* of output perturbation: gradient steps, and the precision of the prior, for that many rows and noise multiplier */
extern int	dpem_class_steps(void);
extern double dpem_class_ridge(const DpemMarginLoss *loss, int d, double rows, double noise_multiplier);

/* of objective perturbation: the ridge's part of mu, and the share of the budget for noise in where steps end */
extern const double dpem_class_ridge_part;
extern const double dpem_class_minimum_share;

#endif							/* DPEM_CORE_CLASS_ESTIMATE_H */
