/*
 * gmm_domain.h - means and covariances that the columns' domains allow (core/columns/column_domain.h).
 */
#ifndef DPEM_CORE_GMM_DOMAIN_H
#define DPEM_CORE_GMM_DOMAIN_H

#include "core/gmm/gmm_noise.h"

/*
 * Of every component; covariances stay positive definite.  lower, upper (d), gmm, noise: in the columns' own units; noise
 * becomes what they may be off by, what they were drawn by included.  alike: all variances are drawn as far as they are on
 * average; work: 2 d.
 */
extern void dpem_gmm_within_domain(const double *lower, const double *upper, bool alike, DpemGmm *gmm, DpemGmmNoiseLevels *noise,
								   DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_DOMAIN_H */
