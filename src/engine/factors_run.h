/*
 * factors_run.h - what the fits of factors and of components share.
 */
#ifndef DPEM_ENGINE_FACTORS_RUN_H
#define DPEM_ENGINE_FACTORS_RUN_H

#include "core/total_covariance.h"
#include "engine/factors_request.h"

/* Analyze Gauss: a plan of one release of second moments; raises 54000 where they do not fit into memory */
extern void dpem_factors_plan_covariance(DpemFactorsPlan *plan);

/* the release: mean (d) and covariance (d x d) in units of the ball */
extern DpemTotal dpem_factors_release_covariance(DpemFitRun *run, const DpemFactorsPlan *plan,
												 double *mean, double *covariance);

/* mean and units in the columns' own, and the charge */
extern void dpem_factors_fill_frame(const DpemFitRun *run, int k, const double *mean, double mean_sd,
									DpemFactorsFrame *frame);

#endif							/* DPEM_ENGINE_FACTORS_RUN_H */
