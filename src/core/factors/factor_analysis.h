/*
 * factor_analysis.h - x = mean + sum_f z_f loading_f + noise, z standard
 * normal, noise independent with a variance for each coordinate.
 */
#ifndef DPEM_CORE_FACTOR_ANALYSIS_H
#define DPEM_CORE_FACTOR_ANALYSIS_H

#include <stdbool.h>

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"

typedef struct DpemFactors
{
	int			d;
	int			k;				/* factors, 1 <= k < d */
	double	   *loading;		/* k * d: row f holds the loadings of factor f */
	double	   *noise;			/* d, variances */
} DpemFactors;

typedef struct DpemFactorsRule
{
	int			iterations;		/* most EM steps */
	double		tolerance;		/* stop once the log-likelihood rises by less, > 0; 0: never */
	double		sd;				/* noise in a svec entry of the covariance; 0: there is none, or it was cleaned before */
	double		least;			/* least variance of noise; 1e-9 if less */
	bool		two_starts;		/* of two starts the likelier end; else the first alone */
} DpemFactorsRule;

typedef struct DpemFactorsResult
{
	int			iterations;		/* EM steps taken */
	double		log_likelihood; /* of the model for the covariance, per row */
} DpemFactorsResult;

/*
 * Fits by EM (Rubin, Thayer 1982) to the covariance of all rows (d x d,
 * overwritten by its denoised form, see spectrum.h, with variances of columns
 * near the given ones).  Starts: the top eigenvectors
 * times the square roots of their eigenvalues, noise the diagonal; then noise what
 * no other column explains, with the likeliest loadings beside it.
 * Variances stay above 1e-9 and above the noise level (Heywood cases).
 * Loadings come out in the canonical rotation, W' Psi^-1 W diagonal and
 * descending, the largest loading of each factor positive.
 */
extern size_t dpem_factors_fit_work(int d, int k);
extern DpemStatus dpem_factors_fit(const DpemFactorsRule *rule, double *covariance,
								   DpemFactors *factors, DpemFactorsResult *result,
								   DpemWorkspace work);

/*
 * Standard deviations, to first order, of the loadings (k * d) and noise variances
 * (d) of a canonical solution under noise of standard deviation sd per svec entry
 * of the covariance (Lawley, Maxwell 1971, chapter 5, with independent noise in
 * place of sampling; noise variances are treated one at a time, and as known for
 * the loadings).  metric (d x d): the covariance's noise is A N A' for such a matrix N, and
 * metric = A A'; NULL: it is N itself.
 */
extern size_t dpem_factors_noise_work(int d, int k);
extern void dpem_factors_noise_levels(const DpemFactors *factors, double sd, const double *metric, double *loading_sd,
									  double *noise_sd, DpemWorkspace work);

/* a model prepared for evaluation at points */
typedef struct DpemFactorScores
{
	int			d;
	int			k;
	double	   *weight;			/* k * d: posterior mean of z is weight (x - mean) */
	double		log_scale;		/* log-density is log_scale - quadratic form / 2 */
} DpemFactorScores;

extern size_t dpem_factor_scores_work(int d, int k);
extern DpemStatus dpem_factor_scores(const DpemFactors *factors, DpemFactorScores *scores,
									 DpemWorkspace work);

/* out (k) = posterior mean of the factors at a point; centered: point - mean; returns its log-density */
extern double dpem_factor_transform(const DpemFactors *factors, const DpemFactorScores *scores,
									const double *centered, double *out);

/*
 * Log-density of those columns of a point that `apart` (d) does not mark, whatever the others are: of a factor model
 * any columns are one.  work: dpem_factors_columns_work.
 */
extern size_t dpem_factors_columns_work(int k);
extern double dpem_factors_columns_log_density(const DpemFactors *factors, const double *apart, const double *centered,
											   DpemWorkspace work);

#endif							/* DPEM_CORE_FACTOR_ANALYSIS_H */
