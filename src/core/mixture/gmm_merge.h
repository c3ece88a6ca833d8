/*
 * gmm_merge.h - a mixture of fewer components from one of more.
 */
#ifndef DPEM_CORE_GMM_MERGE_H
#define DPEM_CORE_GMM_MERGE_H

#include "core/gmm/gmm_estimate.h"

/*
 * Makes one component of the two whose merger changes the mixture least, by an upper bound of the
 * Kullback-Leibler divergence (Runnalls 2007, "Kullback-Leibler approach to Gaussian mixture
 * reduction", equation 21), with their weight, mean and covariance; gmm->k, at least 2, falls by one.
 * place: of n components that each went into one of gmm's, kept up; NULL: none.  DPEM_NO_SOLUTION
 * where a covariance is singular.  work: dpem_gmm_merge_work doubles for the k before.
 */
extern size_t dpem_gmm_merge_work(int k, int d);
extern DpemStatus dpem_gmm_merge_nearest(DpemGmm *gmm, int *place, int n, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_MERGE_H */
