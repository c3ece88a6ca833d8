/*
 * factors_run.h - what the fits of factors and of components share.
 */
#ifndef DPEM_FAMILY_FACTORS_RUN_H
#define DPEM_FAMILY_FACTORS_RUN_H

#include "core/gmm/total_covariance.h"
#include "families/factors/factors.h"

/* Analyze Gauss: a plan of one release of second moments; raises 54000 where they do not fit into memory */
extern void dpem_factors_plan_covariance(DpemFactorsPlan *plan);

/* rows that a pass of this stage reads: 0 unless that is public */
extern double dpem_factors_stage_rows(const DpemFactorsPlan *plan, DpemFactorsStage stage);

/* where the coordinates of a result are: the ball about `centre` (box coordinates; NULL: the origin) */
typedef struct DpemFactorsBall
{
	const double *centre;
	double		radius;
} DpemFactorsBall;

/* second moments of one group of rows, in units of its ball */
typedef struct DpemFactorsTotal
{
	DpemFactorsBall ball;
	double	   *mean;			/* d */
	double	   *covariance;		/* d x d */
	DpemTotal	total;
} DpemFactorsTotal;

/* the release of each group's, in a ball of its own, which is found first if the request says so */
extern DpemFactorsTotal *dpem_factors_release_covariance(DpemFitRun *run, const DpemFactorsPlan *plan);

/* mean and units in the columns' own */
extern void dpem_factors_fill_frame(const DpemFitRun *run, const DpemFactorsBall *ball, const double *mean, double mean_sd,
									DpemFactorsFrame *frame);

#endif							/* DPEM_FAMILY_FACTORS_RUN_H */
