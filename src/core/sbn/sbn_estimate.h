/*
 * sbn_estimate.h - a sigmoid belief network from released statistics.
 *
 * With F the bound of sbn_kernel.h summed over the rows, the released gradient
 * is dF/dw_j at the current weights.  As omega <= 1/4, F lies above the
 * parabola with that gradient and curvature G/4, G = sum E[h~ h~'] (Boehning
 * and Lindsay 1988), the same for every column, so that w_j + (G/4 + I/v)^-1 (g_j -
 * w_j / v), or any step less than twice as long, never lowers F - sum |w_j|^2 /
 * (2 v).  Its fixed points are those of the M-step from sum (v_j - 1/2) h~ and sum
 * omega_j h~ h~', which would take (1 + hidden)^2 / 2 numbers per column.
 * Everything read here is public.
 */
#ifndef DPEM_CORE_SBN_ESTIMATE_H
#define DPEM_CORE_SBN_ESTIMATE_H

#include <stdbool.h>

#include "core/kernels/sbn_kernel.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

/* networks between independent columns and one with hidden units, tried one after the other (sbn_trial.h) */
typedef struct DpemSbnTrial
{
	double	   *weight;			/* (1 + hidden) * d: mean of recent steps' */
	double	   *bias;			/* hidden: mean of recent steps' */
	int			averaged;		/* steps in these means */
	int			points;			/* networks to try; 0: none are tried now */
	int			tried;
	bool		ended;			/* the first trial has */
	int			next;			/* step after which the next one begins */
	double		gain;			/* until the last tried */
	double		gain_variance;	/* of the noise in it */
	double		known;			/* the gain, of the trials that have ended */
	double		known_variance;
} DpemSbnTrial;

/* rows in which each column is 1 (sbn_ones.h): d numbers each */
typedef struct DpemSbnOnes
{
	double	   *whole;			/* from passes that clip no row */
	double		whole_sd;		/* of the noise in one of these */
	double	   *clipped;		/* from passes that clip rows far from the columns' shares */
	double		clipped_sd;		/* infinite: none yet */
	bool		moved;			/* clipping has moved those from the others */
	double	   *count;			/* from both */
	double		sd;
	double	   *log_odds;		/* of columns that are independent of each other, from these counts */
} DpemSbnOnes;

typedef struct DpemSbnEstimate
{
	int			d;
	int			hidden;
	double	   *bias;			/* hidden */
	double	   *weight;			/* (1 + hidden) * d */
	double	   *gram;			/* G, (1 + hidden) squared: a mean over the last passes under noise */
	double		gram_sd;		/* of the noise in an entry of it off the diagonal */
	bool		has_gram;
	double		rows;
	double		spread;			/* sum over columns of p (1 - p) */
	double		change;			/* largest of a weight by the last step */
	DpemSbnOnes ones;
	double	   *moved;			/* (1 + hidden) * d: the last step (sbn_gain.h) */
	double		gain;			/* of the bound over independent columns, in all rows */
	double		gain_variance;	/* of the noise in it */
	bool		independent;	/* hidden units were given up */
	DpemSbnTrial trial;
} DpemSbnEstimate;

/*
 * Norm that covers gradients of networks without hidden units and zero
 * weights, sqrt(d) / 2, which makes them sums of v - 1/2: the first release.
 */
extern double dpem_sbn_margin_clip(int d);

/*
 * Rows, visible biases and a start from that release; hidden weights are pseudo-random
 * numbers that depend on d and hidden alone, as large as makes units differ.
 */
extern void dpem_sbn_start(const DpemNoisyMoments *margins, double public_rows, DpemSbnEstimate *fit);

/*
 * Norm to clip a row's gradient to: without noise sqrt(d (1 + hidden)), which none
 * exceeds; with noise 1.2 times the root of the mean square that columns
 * independent of each other would give, sum p (1 - p) times E|h~|^2.
 */
extern double dpem_sbn_clip(const DpemSbnEstimate *fit, bool noisy);

/*
 * One step by a release whose gradients were clipped to `clip`; rate is the
 * part of the rows that was read.  Under noise of standard deviation s the
 * step along each eigenvector of G is multiplied by E / (E + s^2), E being the mean
 * square of that component over the columns, less s^2 (Wiener; James and
 * Stein): steps shorten as they get lost in the noise.  G is replaced by the mean of it
 * and what it was, its negative eigenvalues by zero, and all of them get half
 * the largest eigenvalue of its noise on top, so that no step is too long.
 */
extern size_t dpem_sbn_step_work(int hidden, int d);
extern DpemStatus dpem_sbn_step(const DpemNoisyMoments *m, double clip, double rate, double prior_variance,
								DpemSbnEstimate *fit, DpemWorkspace work);

/* log-odds of `count` of `rows`, no nearer to 0 or 1 than noise of that deviation in the count allows to tell */
extern double dpem_sbn_log_odds(double count, double rows, double sd);

/*
 * Parameters of a pass; of hidden units that are never on if they were given up, and of the columns' log-odds if it
 * clips rows (sbn_ones.h): dpem_sbn_theta_length(1 + hidden, d) numbers.
 */
extern void dpem_sbn_prepare(const DpemSbnEstimate *fit, double clip, double *theta);

/* ---- rules from public quantities ---- */

/* weight of E[h~ h~'] beside the gradient's 1: it costs 3 % of the noise under replace_one, 12 % under add_remove */
extern double dpem_sbn_gram_weight(void);

/* part of the budget that the first release gets */
extern double dpem_sbn_first_share(void);

/*
 * Number of steps: gradient_sd is the noise in an entry of the gradient, in units of its
 * norm, if one release had the whole budget; rows the number of them, 0 if not public.
 */
extern int	dpem_sbn_iterations(int hidden, int d, double rows, double gradient_sd);

#endif							/* DPEM_CORE_SBN_ESTIMATE_H */
