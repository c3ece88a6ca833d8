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

/*
 * Where the coordinates of a result are: the ball about `center` (box coordinates; NULL: the origin),
 * of box coordinates times `scale` (NULL: ones).
 */
typedef struct DpemFactorsBall
{
	const double *center;
	double		radius;
	const double *scale;
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

/* a unit of the ball in box coordinates */
extern double dpem_factors_unit(const DpemFactorsBall *ball, int j);

/* mean and units in the columns' own */
extern void dpem_factors_fill_frame(const DpemFitRun *run, const DpemFactorsBall *ball, const double *mean, double mean_sd,
									DpemFactorsFrame *frame);

#endif							/* DPEM_FAMILY_FACTORS_RUN_H */
