/*
 * gmm_total.h - what the total alone says of a mixture (post-processing).
 */
#ifndef DPEM_CORE_GMM_TOTAL_H
#define DPEM_CORE_GMM_TOTAL_H

#include "core/gmm/gmm_estimate.h"

/*
 * Equal components, each with the mean and the covariance of all rows as far
 * as the totals released so far tell them.  expected: as of
 * dpem_gmm_regularise, and for the mean, which is likely to be near the
 * origin.  work: as for dpem_gmm_maximize.
 */
extern DpemStatus dpem_gmm_total(const DpemGmmHistory *history, double expected, DpemGmm *gmm,
								 DpemWorkspace work);

/*
 * Covariances of a mixture of rows that were clipped to the unit ball, made
 * larger by what a normal of the whole mixture's variance loses to that clip
 * (chi_square.h).  The mixture was made of released numbers.  Returns the factor, at most 2.
 */
extern double dpem_gmm_unclip(DpemGmm *gmm);

#endif							/* DPEM_CORE_GMM_TOTAL_H */
