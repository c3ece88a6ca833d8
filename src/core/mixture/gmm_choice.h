/*
 * gmm_choice.h - how many components: from a released mixture of more than enough.
 *
 * A mixture of the largest number of components was released; all smaller ones are judged by how
 * well they describe rows drawn from it, free of charge.  Components are merged pair by pair
 * (gmm_merge.h), each candidate is fitted to the drawn rows by some steps of EM, and scored by its mean log-likelihood
 * less Schwarz's penalty.
 */
#ifndef DPEM_CORE_GMM_CHOICE_H
#define DPEM_CORE_GMM_CHOICE_H

#include "core/gmm/gmm_estimate.h"
#include "core/numeric/model_sizes.h"

/*
 * Rows, in the sense of dpem_effective_rows, that released moments are worth to a component's
 * parameters; noise: deviations of the moments behind the mixture.
 */
extern double dpem_gmm_effective_rows(const DpemGmm *gmm, const DpemNoisyMoments *noise, double rows);

/* doubles of workspace */
extern size_t dpem_gmm_choice_work(const DpemSizes *candidates, int k, int d);

/*
 * Scores the candidates, the largest of which is gmm's k, and leaves in gmm the mixture of the one
 * chosen; place: the component of it that each of gmm's went into.  rows: as from
 * dpem_gmm_effective_rows.  tied: one covariance for all components.
 * pause: called from time to time, may not return; NULL: never.  Fails only with DPEM_LAPACK_FAILED
 * or DPEM_NO_SOLUTION.
 */
extern DpemStatus dpem_gmm_choose(DpemSizes *candidates, double rows, bool tied, DpemGmm *gmm, int *place,
								  void (*pause) (void), DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_CHOICE_H */
