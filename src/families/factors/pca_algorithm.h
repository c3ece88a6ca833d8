/*
 * pca_algorithm.h - the ways to principal components.
 */
#ifndef DPEM_FAMILY_PCA_ALGORITHM_H
#define DPEM_FAMILY_PCA_ALGORITHM_H

#include "families/factors/factors_run.h"

/* a fit under way, in units of the ball */
typedef struct DpemPcaRun
{
	DpemFitRun *fit;			/* of all groups */
	const DpemFactorsPlan *plan;
	double		rows;
	DpemFactorsBall ball;		/* of mean, total and variances */
	double	   *mean;			/* d; zero about a public center */
	double		mean_sd;
	double		total;			/* variance, and the noise in it */
	double		total_sd;
	DpemPca		pca;
} DpemPcaRun;

struct DpemPcaAlgorithm
{
	const char *name;
	bool		iterates;		/* has a number of passes to choose */
	bool		finds_radius;		/* can look for its ball first */
	bool		samples;		/* Gaussian releases that may be of samples */
	bool		groups;			/* for groups of rows: run gets a run for each */
	int			max_dimensions; /* 0: what memory allows */
	int			max_components; /* 0: as many as there are dimensions */
	const char *limit_hint;		/* why, where there is such a limit */
	void		(*plan) (DpemFactorsPlan *plan);
	void		(*run) (DpemPcaRun *run);
};

/* NULL if there is none of that name; dpem_pca_algorithm_names lists them */
extern const DpemPcaAlgorithm *dpem_pca_algorithm(const char *name);
extern const char dpem_pca_algorithm_names[];

extern const DpemPcaAlgorithm dpem_pca_analyze_gauss;
extern const DpemPcaAlgorithm dpem_pca_power_method;
extern const DpemPcaAlgorithm dpem_pca_exponential;

/* second moments of all rows, and how the budget's squared mu is shared, for plans */
extern DpemReleaseSpec dpem_factors_moments_spec(const DpemFactorsPlan *plan);
extern DpemReleaseSpec dpem_factors_center_spec(const DpemFactorsPlan *plan);
extern DpemReleaseSpec dpem_factors_projection_spec(const DpemFactorsPlan *plan);

/* a line of Gaussian releases of moments with such second ones, unless the plan is one without noise */
extern void dpem_factors_add_stage(DpemFactorsPlan *plan, DpemFactorsStage stage, const char *name,
								   double share, DpemSecondMoment second, double root_sum,
								   int releases);

/* the first stage of those that need no second moments: rows, mean, total variance */
extern void dpem_pca_run_center(DpemPcaRun *run);

/*
 * One pass and release of C q for the run's directions q, C the covariance
 * about `mean` (d numbers in units of the ball, or NULL for the origin of the
 * pass): k * d numbers, each with noise *sd, in the current memory context.
 */
extern double *dpem_pca_product(DpemPcaRun *run, const double *mean, double *sd);

#endif							/* DPEM_FAMILY_PCA_ALGORITHM_H */
