/*
 * factors.h - factor analysis and principal components: request, plan and
 * model fields.
 */
#ifndef DPEM_FAMILY_FACTORS_H
#define DPEM_FAMILY_FACTORS_H

#include "core/factors/factor_analysis.h"
#include "core/factors/pca.h"
#include "core/gmm/gmm_estimate.h"
#include "fit/family.h"
#include "fit/fit_margins.h"
#include "fit/fit_stages.h"

typedef struct DpemPcaAlgorithm DpemPcaAlgorithm;

typedef struct DpemFactorsRequest
{
	DpemFitRequest fit;
	int			k;				/* factors or components */
	bool		centered;		/* about the released mean; else about the middle of the domain */
	const DpemPcaAlgorithm *algorithm;	/* NULL: factor analysis */
	bool		radius_first;			/* spend budget on a ball that holds most rows */
	bool		radius_given;	/* the caller set radius_first, margins_first and whiten; else the plan does */
	bool		margins_first;	/* spend budget on the columns' margins, for their units (factors) or the ball (components) */
	bool		whiten;			/* factor analysis: and on axes of unit variance */
} DpemFactorsRequest;

typedef enum DpemFactorsStage
{
	DPEM_FACTORS_MARGINS,		/* location and spread of each column */
	DPEM_FACTORS_WHITEN,		/* second moments that make later ones those of whitened rows */
	DPEM_FACTORS_RADIUS,		/* center and radius of the ball for the second moments */
	DPEM_FACTORS_MOMENTS,		/* second moments, or center and total variance */
	DPEM_FACTORS_CHOICES,		/* directions chosen by the exponential mechanism */
	DPEM_FACTORS_PASSES,		/* products of the covariance with directions */
	DPEM_FACTORS_STAGES
} DpemFactorsStage;

typedef struct DpemFactorsPlan
{
	DpemFitPlan fit;
	const DpemFactorsRequest *request;
	bool		radius_first;			/* find the ball for the second moments first */
	bool		margins_first;	/* units or the ball are those that margins show */
	bool		whiten;			/* second moments of whitened rows */
	int			looks;			/* before whitening; 0: margins instead */
	double		noise_multiplier[DPEM_FACTORS_STAGES];
	DpemMarginGrid grid;
	DpemFitStage margins;
	DpemFactorsStage sampled;	/* the stage that may read samples: the last one */
	int			line[DPEM_FACTORS_STAGES];	/* of the charge; -1: none */
	DpemReleaseSpec spec[DPEM_FACTORS_STAGES];
} DpemFactorsPlan;

/* plan and forecast of either family */
extern DpemFitPlan *dpem_factors_plan(const DpemFitRequest *request);
extern void dpem_factors_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* coordinates of the models of both families; d numbers each */
typedef struct DpemFactorsFrame
{
	double	   *mean;			/* columns' own units */
	double	   *mean_noise;
	double	   *unit;			/* one unit of a box coordinate (-1 to 1), in the column's units */
} DpemFactorsFrame;

/* fields of the tables of factor analysis, in the columns' own units */
enum
{
	DPEM_FA_MEAN, DPEM_FA_MEAN_NOISE, DPEM_FA_VARIANCE, DPEM_FA_VARIANCE_NOISE, DPEM_FA_LOG_LIKELIHOOD,
	DPEM_FA_ATOM, DPEM_FA_ATOM_LOWER, DPEM_FA_ATOM_UPPER,	/* core/columns/column_atom.h: shares of rows, 0 for none; ends */
	DPEM_FA_REST_SCALE,			/* core/density/atom_rest.h: factors of the deviations beside them */
	DPEM_FA_TABLE2,
	DPEM_FA_LOADING = DPEM_FA_TABLE2, DPEM_FA_LOADING_NOISE
};

/* fields of the tables of PCA: for rows scaled to the box, but the mean in the columns' own units */
enum
{
	DPEM_PCA_MEAN, DPEM_PCA_MEAN_NOISE, DPEM_PCA_UNIT, DPEM_PCA_TOTAL, DPEM_PCA_TOTAL_NOISE,
	DPEM_PCA_TABLE2,
	DPEM_PCA_VARIANCE = DPEM_PCA_TABLE2, DPEM_PCA_VARIANCE_NOISE, DPEM_PCA_SHARE, DPEM_PCA_ALIGNMENT, DPEM_PCA_DIRECTION
};

/* the Gaussian that a factor model is */
extern DpemGmm dpem_factors_gaussian(const DpemFactors *factors, const double *mean);

/* members of DpemFamily */
extern void dpem_fa_run(DpemFitRun *run, DpemFitted *fitted);
extern void dpem_pca_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_fa_load(DpemModel *model);
extern double dpem_fa_log_density(void *ready, const double *x);
extern const double *dpem_fa_transform(void *ready, const double *x, int *n);
extern void dpem_fa_sample(void *ready, DpemSampler *sampler, double *x);
extern void dpem_fa_plot(DpemPlot *plot);
extern void *dpem_pca_load(DpemModel *model);
extern const double *dpem_pca_transform(void *ready, const double *x, int *n);
extern void dpem_pca_plot(DpemPlot *plot);

/* reads the arguments of both families; k: name of the argument for the number of factors or components */
extern void dpem_factors_read(const DpemArguments *arguments, const char *k, DpemFactorsRequest *request);

/* fields of dpem_internal.model for either family */
extern void dpem_factors_describe(const DpemFitPlan *plan, DpemModelRecord *record);

extern const DpemFamily dpem_family_fa;
extern const DpemFamily dpem_family_pca;

#endif							/* DPEM_FAMILY_FACTORS_H */
