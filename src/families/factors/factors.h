/*
 * factors.h - factor analysis and principal components: what was
 * asked, and what will be done.
 */
#ifndef DPEM_FAMILY_FACTORS_H
#define DPEM_FAMILY_FACTORS_H

#include "core/factors/factor_analysis.h"
#include "core/factors/pca.h"
#include "fit/family.h"
#include "fit/fit_margins.h"
#include "fit/fit_stages.h"

typedef struct DpemPcaAlgorithm DpemPcaAlgorithm;

typedef struct DpemFactorsRequest
{
	DpemFitRequest fit;
	int			k;				/* factors or components */
	bool		centered;		/* about the mean, which is released; else about the middle of the domain */
	const DpemPcaAlgorithm *algorithm;	/* NULL: factor analysis */
	bool		radius_first;			/* spend a part on the ball that most rows are in */
	bool		radius_given;	/* else the plan chooses */
	bool		standardise;	/* factor analysis: with radius_given, spend a part on the columns' margins */
} DpemFactorsRequest;

typedef enum DpemFactorsStage
{
	DPEM_FACTORS_MARGINS,		/* where columns are, and how far they spread */
	DPEM_FACTORS_RADIUS,		/* center and radius of the ball for the second moments */
	DPEM_FACTORS_MOMENTS,		/* second moments, or center and total variance */
	DPEM_FACTORS_CHOICES,		/* directions chosen by the exponential mechanism */
	DPEM_FACTORS_PASSES,		/* products with directions */
	DPEM_FACTORS_STAGES
} DpemFactorsStage;

typedef struct DpemFactorsPlan
{
	DpemFitPlan fit;
	const DpemFactorsRequest *request;
	bool		radius_first;			/* the ball for the second moments is found first */
	bool		standardise;	/* or the columns' own units */
	DpemMarginGrid grid;
	DpemFitStage margins;
	DpemFactorsStage sampled;	/* the stage that reads samples, where they are asked for; the last one */
	int			line[DPEM_FACTORS_STAGES];	/* of the charge; -1: none */
	DpemReleaseSpec spec[DPEM_FACTORS_STAGES];
} DpemFactorsPlan;

/* the plan of either family, and its rows */
extern DpemFitPlan *dpem_factors_plan(const DpemFitRequest *request);
extern void dpem_factors_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* what the models of both families know of their coordinates */
typedef struct DpemFactorsFrame
{
	double	   *mean;			/* columns' own units */
	double	   *mean_noise;
	double	   *unit;			/* a coordinate of the box, -1 to 1, in the column's own units */
} DpemFactorsFrame;

/* fields of a factor model's tables: columns' own units */
enum
{
	DPEM_FA_MEAN, DPEM_FA_MEAN_NOISE, DPEM_FA_VARIANCE, DPEM_FA_VARIANCE_NOISE, DPEM_FA_LOG_LIKELIHOOD,
	DPEM_FA_TABLE2,
	DPEM_FA_LOADING = DPEM_FA_TABLE2, DPEM_FA_LOADING_NOISE
};

/* of principal components' tables: rows scaled to the box, the mean in the columns' own units */
enum
{
	DPEM_PCA_MEAN, DPEM_PCA_MEAN_NOISE, DPEM_PCA_UNIT, DPEM_PCA_TOTAL, DPEM_PCA_TOTAL_NOISE,
	DPEM_PCA_TABLE2,
	DPEM_PCA_VARIANCE = DPEM_PCA_TABLE2, DPEM_PCA_VARIANCE_NOISE, DPEM_PCA_SHARE, DPEM_PCA_ALIGNMENT, DPEM_PCA_DIRECTION
};

/* of DpemFamily */
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

/* what every call of either takes, but the number of factors or components, called `k`, and an algorithm */
extern void dpem_factors_read(const DpemArguments *arguments, const char *k, DpemFactorsRequest *request);

/* what dpem.model says of either */
extern void dpem_factors_describe(const DpemFitPlan *plan, DpemModelRecord *record);

extern const DpemFamily dpem_family_fa;
extern const DpemFamily dpem_family_pca;

#endif							/* DPEM_FAMILY_FACTORS_H */
