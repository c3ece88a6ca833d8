/*
 * gmm_total.h - a mixture from the moments of all rows together (post-processing).
 */
#ifndef DPEM_CORE_GMM_TOTAL_H
#define DPEM_CORE_GMM_TOTAL_H

#include "core/gmm/gmm_estimate.h"

/*
 * Equal components, each with the mean and covariance of all rows, as estimated
 * from the totals released so far.  expected: as for dpem_gmm_regularise, and
 * also the mean's prior variance about the origin.  Returns in `left`, unless it is NULL, the noise
 * in the total's mean and covariance.  work: as for dpem_gmm_maximize.
 */
extern DpemStatus dpem_gmm_total(const DpemGmmHistory *history, double expected, DpemGmm *gmm,
								 DpemGmmTotalNoise *left, DpemWorkspace work);

/* variance of a mixture's rows, mean over the axes */
extern double dpem_gmm_spread(const DpemGmm *gmm);

/*
 * Scales up the covariances of a mixture fitted to rows clipped to the unit ball by
 * the factor that a normal with the whole mixture's variance loses to that clip
 * (chi_square.h).  Returns the factor, at most 2.
 */
extern double dpem_gmm_unclip(DpemGmm *gmm);

#endif							/* DPEM_CORE_GMM_TOTAL_H */
