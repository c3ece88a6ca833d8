/*
 * gmm_estimate.h - from released moments to the parameters of a mixture.
 *
 * Everything here is post-processing of noisy moments and public numbers, in
 * unit-ball coordinates.  Without noise it is the plain M-step, maximum
 * likelihood or maximum a posteriori ([DPEM] section 4; priors: Dirichlet
 * alpha on the weights, normal-inverse-Wishart with m0 = 0).  With noise, whose
 * level is known exactly, it also averages over passes, shrinks covariances
 * towards the pooled one and floors eigenvalues that noise alone could produce
 * (docs/estimation.md).
 */
#ifndef DPEM_CORE_GMM_ESTIMATE_H
#define DPEM_CORE_GMM_ESTIMATE_H

#include <stdbool.h>

#include "core/gmm/gmm_seen.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

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
	bool		tied;			/* all components have the size-weighted mean covariance */
	double		dirichlet;		/* alpha */
	double		kappa0;
	double		nu0;
	double		scale0;			/* S0 = scale0 I */
	double		floor;			/* least eigenvalue of a covariance */
} DpemGmmRule;

/* into one with room for as many components, in as many dimensions */
extern void dpem_gmm_copy(const DpemGmm *from, DpemGmm *to);

/* the priors of docs/estimation.md for d coordinates */
extern DpemGmmRule dpem_gmm_default_rule(int d, bool map);

/*
 * A data-independent start: equal weights, covariances variance * I, and means
 * spread over the ball of the given radius by a fixed design.
 */
extern void dpem_gmm_start(DpemGmm *gmm, double radius, double variance);

/*
 * A start from the mean and covariance of all rows: components spread along the
 * widest axes so that together they have that mean and, where possible, that
 * covariance.  axes: eigenvectors as rows, widest last, as from dpem_linalg_eigen;
 * value: eigenvalues, all positive.
 */
extern void dpem_gmm_start_from(DpemGmm *gmm, const double *mean, const double *axes,
								const double *value);

/* released moments kept over the passes */
typedef struct DpemGmmHistory
{
	int			passes;			/* EM passes averaged */
	double		public_rows;	/* number of valid rows, if public; else 0 */
	double		least_step;		/* least weight of a new pass in the average, at most 1 */
	double		variance;		/* of the average, in units of one pass's noise */
	double		total_weight;	/* passes averaged in the total; its noise is given by */
	double		total_sd[3];	/*   ... these count, sum and second moment deviations */
	DpemNoisyMoments average;	/* per component; value: dpem_moments_length numbers */
	double	   *total;			/* over components, mean over passes; one record */
	const DpemGmmSeen *seen;	/* of the same rows by an earlier release, in units of the ball; NULL: nothing */
} DpemGmmHistory;

/* adds one pass's release; values arrays are the caller's, zeroed before the first pass */
extern void dpem_gmm_history_add(DpemGmmHistory *history, const DpemNoisyMoments *released);

/* adds a one-component release over the same rows, which makes the total more precise */
extern void dpem_gmm_history_add_total(DpemGmmHistory *history, const DpemNoisyMoments *released);

/* the total record (overwritten), of so many rows, with what was seen earlier (gmm_seen.h); returns the noise left.  work: as for dpem_gmm_seen_combine, and d * d + d */
extern DpemGmmTotalNoise dpem_gmm_history_total(const DpemGmmHistory *history, double rows, double *total, DpemWorkspace work);

/* a start from the totals released so far; work as for dpem_gmm_maximize */
extern DpemStatus dpem_gmm_history_start(const DpemGmmHistory *history, DpemGmm *gmm, DpemWorkspace work);

/* doubles of workspace that dpem_gmm_maximize needs */
extern size_t dpem_gmm_maximize_work(int k, int d);

/*
 * The M-step.  Overwrites gmm.  Fails only with DPEM_LAPACK_FAILED.
 */
extern DpemStatus dpem_gmm_maximize(const DpemGmmHistory *history, const DpemGmmRule *rule,
									DpemGmm *gmm, DpemWorkspace work);

/* ---- steps of it ---- */

/* turns a covariance (d x d) into the posterior mode under the rule's prior; mean: ML estimate */
extern void dpem_gmm_apply_prior(const DpemGmmRule *rule, DpemSecondMoment shape, int d,
								 double size, const double *mean, double *covariance);

/* clamps a covariance's eigenvalues to [least, most]; work: 2 d * d + d + dpem_linalg_eigen_work(d) */
extern DpemStatus dpem_gmm_bound_eigenvalues(DpemSecondMoment shape, int d, double least, double most,
											 double *covariance, DpemWorkspace work);

typedef struct DpemGmmNoise
{
	double		second_sd;		/* of a svec entry of a component's second moment, in rows */
	double		total_sd;		/* of a svec entry of the total's second moment, per row */
	double		rows;
	const double *size;			/* k, component sizes */
} DpemGmmNoise;

/*
 * Replaces the covariances of gmm by denoised ones (gmm_denoise.c).  second: second moment of all
 * rows about the origin, per row, d x d.
 */
extern size_t dpem_gmm_denoise_work(int d);
extern DpemStatus dpem_gmm_denoise(const DpemGmmNoise *noise, const double *second, DpemGmm *gmm,
								   DpemWorkspace work);

/* ---- the E-step ---- */

/*
 * theta of the gmm kernel (kernel.h) for these parameters; for the parameters of
 * dpem_gmm_maximize it can fail only by overflow.
 */
extern size_t dpem_gmm_theta_work(int d);
extern DpemStatus dpem_gmm_theta(const DpemGmm *gmm, double *theta, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_ESTIMATE_H */
