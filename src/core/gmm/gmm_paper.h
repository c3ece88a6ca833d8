/*
 * gmm_paper.h - the published M-step ([DPEM] section 4): nothing is averaged
 * over passes, shrunk or reconciled.
 *
 * weights N_k / N, means s_k / N_k, covariances S_k / N_k - m m', all with the
 * *released* counts, floored; then the priors, then the eigenvalue floor.
 */
#ifndef DPEM_CORE_GMM_PAPER_H
#define DPEM_CORE_GMM_PAPER_H

#include "core/gmm/gmm_estimate.h"

/*
 * The floor of released counts: one row, or one standard deviation of the noise
 * if that is more; nearly zero without noise.
 */
extern double dpem_gmm_paper_least_count(const DpemNoisyMoments *released);

/* N: the sum of the floored counts */
extern double dpem_gmm_paper_rows(const DpemNoisyMoments *released);

extern size_t dpem_gmm_paper_work(int d);

/* Overwrites gmm.  Fails only with DPEM_LAPACK_FAILED. */
extern DpemStatus dpem_gmm_paper_maximize(const DpemNoisyMoments *released, const DpemGmmRule *rule,
										  DpemGmm *gmm, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_PAPER_H */
