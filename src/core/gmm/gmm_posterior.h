/*
 * gmm_posterior.h - prior and eigenvalue floor of every M-step (gmm_maximize.c).
 */
#ifndef DPEM_CORE_GMM_POSTERIOR_H
#define DPEM_CORE_GMM_POSTERIOR_H

#include "core/gmm/gmm_estimate.h"

/* turns a covariance (d x d) into the posterior mode under the rule's prior; mean: ML estimate */
extern void dpem_gmm_apply_prior(const DpemGmmRule *rule, DpemSecondMoment shape, int d,
								 double size, const double *mean, double *covariance);

/* clamps a covariance's eigenvalues to [least, most]; work: 2 d * d + d + dpem_linalg_eigen_work(d) */
extern DpemStatus dpem_gmm_bound_eigenvalues(DpemSecondMoment shape, int d, double least, double most,
											 double *covariance, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_POSTERIOR_H */
