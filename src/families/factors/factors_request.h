/*
 * factors_request.h - factor analysis and principal components: what was
 * asked, and what will be done.
 */
#ifndef DPEM_FAMILY_FACTORS_REQUEST_H
#define DPEM_FAMILY_FACTORS_REQUEST_H

#include "core/factors/factor_analysis.h"
#include "core/factors/pca.h"
#include "fit/fit.h"
#include "fit/forecast.h"

typedef struct DpemPcaAlgorithm DpemPcaAlgorithm;

typedef struct DpemFactorsRequest
{
	DpemFitRequest fit;
	int			k;				/* factors or components */
	bool		centred;		/* about the mean, which is released; else about the middle of the domain */
	const DpemPcaAlgorithm *algorithm;	/* NULL: factor analysis */
	bool		narrow;			/* spend a part on the ball that most rows are in */
	bool		narrow_given;	/* else the plan chooses */
} DpemFactorsRequest;

typedef enum DpemFactorsStage
{
	DPEM_FACTORS_RADIUS,		/* centre and radius of the ball for the second moments */
	DPEM_FACTORS_MOMENTS,		/* second moments, or centre and total variance */
	DPEM_FACTORS_CHOICES,		/* directions chosen by the exponential mechanism */
	DPEM_FACTORS_PASSES,		/* products with directions */
	DPEM_FACTORS_STAGES
} DpemFactorsStage;

typedef struct DpemFactorsPlan
{
	DpemFitPlan fit;
	const DpemFactorsRequest *request;
	bool		narrow;			/* the ball for the second moments is found first */
	DpemFactorsStage sampled;	/* the stage that reads samples, where they are asked for; the last one */
	int			line[DPEM_FACTORS_STAGES];	/* of the charge; -1: none */
	DpemReleaseSpec spec[DPEM_FACTORS_STAGES];
} DpemFactorsPlan;

/* raises 22023 and others for whatever cannot be done */
extern DpemFactorsPlan *dpem_factors_plan(const DpemFactorsRequest *request);

extern void dpem_factors_forecast(const DpemFactorsPlan *plan, DpemForecast *forecast);

/* what the fits of both families know of their charge and coordinates */
typedef struct DpemFactorsFrame
{
	int			d;
	int			k;
	double	   *mean;			/* columns' own units */
	double	   *mean_noise;
	double	   *unit;			/* a coordinate of the box, -1 to 1, in the column's own units */
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemFactorsFrame;

/* a factor model in the columns' own units */
typedef struct DpemFaFit
{
	DpemFactorsFrame frame;
	DpemFactors factors;
	double	   *loading_noise;	/* k * d */
	double	   *noise_noise;	/* d */
	DpemFactorsResult result;	/* log-likelihood per row in the columns' own units */
} DpemFaFit;

/* principal components of the rows scaled to the box; the mean in the columns' own units */
typedef struct DpemPcaFit
{
	DpemFactorsFrame frame;
	DpemPca		pca;			/* alignment NaN where it is not known */
	double		total;			/* variance of all coordinates together */
	double		total_noise;
	double	   *share;			/* k: of the total */
} DpemPcaFit;

/* charge, read, release: a fit for each of plan->fit.groups; raise DP001, DP002, DP003, 42501 */
extern DpemFaFit *dpem_fa_fit(const DpemFactorsPlan *plan);
extern DpemPcaFit *dpem_pca_fit(const DpemFactorsPlan *plan);

#endif							/* DPEM_FAMILY_FACTORS_REQUEST_H */
