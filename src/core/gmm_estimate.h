/*
 * gmm_estimate.h - from released moments to the parameters of a mixture.
 *
 * Everything here is post-processing of noisy moments and public numbers, in
 * unit-ball coordinates.  Without noise it is the plain M-step, maximum
 * likelihood or maximum a posteriori ([DPEM] section 4; priors: Dirichlet
 * alpha on the weights, normal-inverse-Wishart with m0 = 0).  With noise the
 * levels of which are known exactly it also averages over passes, shrinks
 * covariances towards the pooled one and floors what noise could have made
 * of nothing (docs/estimation.md).
 */
#ifndef DPEM_CORE_GMM_ESTIMATE_H
#define DPEM_CORE_GMM_ESTIMATE_H

#include <stdbool.h>

#include "noisy_moments.h"
#include "status.h"
#include "workspace.h"

/* parameters; covariances are full d x d matrices whatever the shape */
typedef struct DpemGmm
{
	int			k;
	int			d;
	DpemSecondMoment shape;
	double	   *weight;			/* k */
	double	   *mean;			/* k * d */
	double	   *covariance;		/* k * d * d */
} DpemGmm;

typedef struct DpemGmmRule
{
	bool		map;			/* else maximum likelihood */
	double		dirichlet;		/* alpha */
	double		kappa0;
	double		nu0;
	double		scale0;			/* S0 = scale0 I */
	double		floor;			/* least eigenvalue of a covariance */
} DpemGmmRule;

/* the priors of docs/estimation.md for d coordinates */
extern DpemGmmRule dpem_gmm_default_rule(int d, bool map);

/*
 * The start that looks at no row: equal weights, covariance variance * I and
 * means spread over the ball: a regular simplex of the given radius in the
 * first k - 1 coordinates if k <= d + 1, else a Halton design in the ball.
 */
extern void dpem_gmm_start(DpemGmm *gmm, double radius, double variance);

/* released moments kept over the passes */
typedef struct DpemGmmHistory
{
	int			passes;
	double		public_rows;	/* rows that count, if public; else 0 */
	double		variance;		/* of the average, in units of one pass's noise */
	DpemNoisyMoments average;	/* per component; value: dpem_moments_length numbers */
	double	   *total;			/* over components, mean over passes; one record */
} DpemGmmHistory;

/* adds one pass's release; values arrays are the caller's, zeroed before the first pass */
extern void dpem_gmm_history_add(DpemGmmHistory *history, const DpemNoisyMoments *released);

/* doubles of workspace that dpem_gmm_maximize needs */
extern size_t dpem_gmm_maximize_work(int k, int d);

/*
 * The M-step.  Overwrites gmm.  Fails only with DPEM_LAPACK_FAILED.
 */
extern DpemStatus dpem_gmm_maximize(const DpemGmmHistory *history, const DpemGmmRule *rule,
									DpemGmm *gmm, DpemWorkspace work);

/*
 * theta of the gmm family (model.h) for these parameters; with the parameters
 * as dpem_gmm_maximize leaves them it cannot fail but for overflow.
 */
extern size_t dpem_gmm_theta_work(int d);
extern DpemStatus dpem_gmm_theta(const DpemGmm *gmm, double *theta, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_ESTIMATE_H */
