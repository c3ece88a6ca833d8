/*
 * logit_kernel.h - the link of Bayesian logistic regression by Polya-Gamma
 * augmentation (Polson, Scott, Windle 2013, JASA; variational Bayes as in
 * Foulds, Park, Chaudhuri, Welling, section 5).
 *
 * A row x with label y = 1 or 0 adds (y - 1/2) x to the linear statistic and
 * E[omega] x x' to the curvature, with E[omega] = tanh(c/2) / (2c) <= 1/4 and
 * c^2 = x' E[beta beta'] x.  The label comes in as the row's sign: z = x or
 * -x, so that (y - 1/2) x = z/2 and x x' = z z'.  The row's responsibility is
 * 4 E[omega], in [0, 1]; it is 1 for c = 0.
 */
#ifndef DPEM_CORE_LOGIT_KERNEL_H
#define DPEM_CORE_LOGIT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/accounting/sensitivity.h"
#include "core/pass/block.h"
#include "core/pass/moments.h"

#define DPEM_LOGIT_MAX_COORDINATES	2000

/*
 * r[row] = 2 tanh(c/2) / c with c^2 = |L'x|^2, in multiples of
 * 2^-responsibility_bits (0 bits: as it is), for every row of the block; 0 for
 * null rows and padding.  factor: the columns of the lower triangular L one after
 * the other, each from the diagonal down: d (d + 1) / 2 numbers.  For any numbers,
 * 0 <= r <= 1, and the bits of a row's r depend on that row alone.
 */
extern void dpem_logit_respond(const double *factor, const DpemBlock *block, int feature_bits,
							   int responsibility_bits, double *r);

/*
 * The same for the gradient of the log-likelihood: (y - sigma(m'x)) x = sigma(-m'z) z, so
 * that r[row] = sigma(-m'z) and sum r z is the gradient.  mean: the d coefficients m; whole: as of dpem_group_scores.
 */
extern void dpem_logit_gradient_respond(const double *mean, double whole, const DpemBlock *block, int feature_bits,
										int responsibility_bits, double *r);

#define DPEM_MOST_STRETCH	16.0	/* a longer row's score is that of one so long, lest steps that it is not part of go too far */

/*
 * score[row] = unit m'x of the rows of a group, whose first value is at x; both kernels' margins, sums in ascending order.
 * whole > 0: the last coordinate is a constant, which is that in rows that were not clipped, and tells how many times
 * longer a clipped one was; its score is that of the row before the clip, for up to DPEM_MOST_STRETCH times.
 */
extern void dpem_group_scores(const double *mean, int d, const double *x, double unit, double whole, double score[DPEM_BLOCK_GROUP]);

/* ---- other losses and more classes (class_kernel.c) ----
 *
 * Gradients of linear classifiers, of all classes in one pass.
 *
 * A problem has a row's margin z = y m'x, y = 1 or -1, and a loss with slope -l'(z) in
 * [0, 1]; the row adds a x to the problem's negative gradient, a = y (-l'(z)).  Two
 * classes are one problem, and the row's label y itself.  C > 2 classes are C problems,
 * one against the rest: y = 1 in the problem of the row's class, -1 in the others
 * (Rifkin, Klautau 2004, JMLR 5).  The multinomial logistic loss is of all of them
 * together, log sum_k exp(m_k'x) less the score of the row's class: a is 1 in the problem of that class, less each
 * class's probability.  The vector of a row's a over all problems, divided
 * by `bound`, is shortened to norm 1, so that the row adds the product of two
 * vectors of the unit ball (docs/proofs.md, 23).
 */

#define DPEM_CLASS_MAX_PROBLEMS		1000
#define DPEM_CLASS_MAX_COORDINATES	4000

typedef enum DpemClassLoss
{
	DPEM_LOSS_NONE,				/* a = 1 in the problem of the row's class, 0 elsewhere; of two classes, its y */
	DPEM_LOSS_LOGISTIC,			/* log(1 + exp(-z)) */
	DPEM_LOSS_HINGE,			/* Huberised: 0 from 1 + h on, 1 - z up to 1 - h, (1 + h - z)^2 / 4h between (Chapelle
								 * 2007, Neural Computation 19, eq. 2.8) */
	DPEM_LOSS_MULTINOMIAL,		/* of several problems together; a gradient's alone */
	DPEM_LOSSES
} DpemClassLoss;

typedef struct DpemMarginLoss
{
	DpemClassLoss kind;
	double		smoothing;		/* h > 0 of the hinge */
} DpemMarginLoss;

/* -l'(z), in [0, 1] for any z; NaN for NaN */
extern double dpem_loss_slope(const DpemMarginLoss *loss, double margin);

/* l''(z), at most dpem_loss_most_curvature; of the hinge, where it jumps, the greater */
extern double dpem_loss_curvature(const DpemMarginLoss *loss, double margin);
extern double dpem_loss_most_curvature(const DpemMarginLoss *loss);

/* l(z) */
extern double dpem_loss_value(const DpemMarginLoss *loss, double margin);

#define DPEM_CLASS_HEAD	4		/* numbers before the coefficients */

/*
 * Parameters of the kernels `class_gradient` and `class_curvature` (kernel.h): loss,
 * smoothing, then of the first the bound, of the second the problem's class (0: labels are
 * signs), then of the first `whole` of dpem_group_scores, of the others 0, and the coefficients of every problem.
 */
extern void dpem_class_write(const DpemMarginLoss *loss, double bound_or_class, double whole, double *theta);
extern bool dpem_class_gradient_valid(const DpemMomentLayout *layout, const double *theta);
extern bool dpem_class_curvature_valid(const DpemMomentLayout *layout, const double *theta);

/*
 * a[k * DPEM_BLOCK_STRIDE + row] of every problem and row, block->label being y, or the
 * number of the row's class (from 1) where there are several problems: multiples of
 * 2^-responsibility_bits whose squares add up to exactly at most 2^(2 responsibility_bits),
 * or, for 0 bits, real numbers of norm 1 at most.  All 0 for null rows, for rows of a class
 * that is none, and for rows with margins that are no numbers.
 */
extern void dpem_class_gradient_respond(int problems, const double *theta, const DpemBlock *block,
										int feature_bits, int responsibility_bits, double *a);

/* r[row] = l''(z) / most in [0, 1], of one problem; 1 for DPEM_LOSS_NONE; 0 as above */
extern void dpem_class_curvature_respond(const double *theta, const DpemBlock *block, int feature_bits,
										 int responsibility_bits, double *r);

#define DPEM_TILT_REACH	3.0

/*
 * -l'(m'z) of rows z whose signs are their labels, in `digits` numbers of responsibility_bits
 * p each: r[row] + 2^-p r[DPEM_BLOCK_STRIDE + row] + ... is it to 2^-p units of the last, all in [0, 2^p].
 * 1 for DPEM_LOSS_NONE; 0 as above.  For 0 bits the first is all of it.  theta
 * as of class_curvature, but for its third number, a tilt t >= 0: the loss is l(u) + t (R - u)^2 / 2 with R =
 * DPEM_TILT_REACH, and its slope, divided by its greatest for |u| <= R, 1 + 2 t R, is cut to [0, 1].
 */
extern void dpem_slopes_respond(int digits, const double *theta, const DpemBlock *block, int feature_bits,
								int responsibility_bits, double *r);

/* ---- gradient steps, on the private side of the wall ----
 *
 * From zero coefficients, each step is along the negative gradient of sum l(w'z) +
 * ridge |w|^2 / 2, of length 1 / (ridge + n curvature) for the n rows that count:
 * the objective bends no more than that, so a step brings any two points nearer
 * to each other (Wu, Li, Kumar, Chaudhuri, Jha, Naughton 2017, SIGMOD,
 * "bolt-on"; docs/proofs.md, 27).
 */
typedef struct DpemDescent
{
	DpemSteps	steps;
	int			d;
	double		length;			/* of a step */
	double	   *at;				/* d */
} DpemDescent;

/* the first step: number of rows that count, and sum z (d) */
extern void dpem_descent_first(DpemDescent *descent, double rows, const double *sum);

/* a later one: sum -l'(w'z) z at descent->at (d) */
extern void dpem_descent_next(DpemDescent *descent, const double *sum);

#endif							/* DPEM_CORE_LOGIT_KERNEL_H */
