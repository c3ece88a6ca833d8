/*
 * pca_algorithm.h - the algorithms for principal components.
 */
#ifndef DPEM_FAMILY_PCA_ALGORITHM_H
#define DPEM_FAMILY_PCA_ALGORITHM_H

#include "families/factors/factors_run.h"

/* a running fit of one group of rows, in units of the ball */
typedef struct DpemPcaRun
{
	DpemFitRun *fit;			/* of all groups */
	const DpemFactorsPlan *plan;
	double		rows;
	DpemFactorsBall ball;		/* of mean, total and variances */
	double	   *mean;			/* d; zero about a public center */
	double		mean_sd;
	double		total;			/* total variance, and the noise in it */
	double		total_sd;
	DpemPca		pca;
	DpemSizes	sizes;			/* with their scores, if there is a choice; then pca.k is the one chosen */
} DpemPcaRun;

struct DpemPcaAlgorithm
{
	const char *name;
	bool		iterates;		/* takes a number of passes */
	bool		finds_radius;		/* can find its ball first */
	bool		samples;		/* its Gaussian releases may read samples */
	bool		groups;			/* handles groups of rows: run gets an array, one run per group */
	bool		chooses;		/* among several numbers of components, by what it releases anyway */
	int			max_dimensions; /* 0: what memory allows */
	int			max_components; /* 0: as many as there are dimensions */
	const char *limit_hint;		/* reason of the limit, if any */
	void		(*plan) (DpemFactorsPlan *plan);
	void		(*run) (DpemPcaRun *run);
};

/* NULL if there is none of that name; dpem_pca_algorithm_names lists them */
extern const DpemPcaAlgorithm *dpem_pca_algorithm(const char *name);
extern const char dpem_pca_algorithm_names[];

extern const DpemPcaAlgorithm dpem_pca_analyze_gauss;
extern const DpemPcaAlgorithm dpem_pca_power_method;
extern const DpemPcaAlgorithm dpem_pca_exponential;

/* specs of the releases, for plans: all second moments; center and total variance; products */
extern DpemReleaseSpec dpem_factors_moments_spec(const DpemFactorsPlan *plan);
extern DpemReleaseSpec dpem_factors_center_spec(const DpemFactorsPlan *plan);
extern DpemReleaseSpec dpem_factors_projection_spec(const DpemFactorsPlan *plan);

/* adds a line of Gaussian releases of moments, with second moments `second`; none without noise */
extern void dpem_factors_add_stage(DpemFactorsPlan *plan, DpemFactorsStage stage, const char *name,
								   double share, DpemSecondMoment second, double root_sum,
								   int releases);

/* first stage of the algorithms that release no second moments: rows, mean, total variance */
extern void dpem_pca_run_center(DpemPcaRun *run);

/*
 * One pass and release of C q for the run's k directions q, where C is the
 * covariance about `mean` (d numbers in units of the ball; NULL: the origin of
 * the pass).  Returns k * d numbers in the current memory context; *sd is the
 * noise's standard deviation in each.
 */
extern double *dpem_pca_product(DpemPcaRun *run, const double *mean, double *sd);

#endif							/* DPEM_FAMILY_PCA_ALGORITHM_H */
