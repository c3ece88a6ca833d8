/*
 * gmm_covariance.h - covariances from released second moments.
 */
#ifndef DPEM_CORE_GMM_COVARIANCE_H
#define DPEM_CORE_GMM_COVARIANCE_H

#include "core/numeric/status.h"
#include "core/pass/moments.h"

#define DPEM_GMM_LEAST_EIGENVALUE 1e-6	/* in unit-ball coordinates */

/*
 * Second moment of a record about `mean`, divided by `size` rows, as a full d x d
 * matrix; zeros off the diagonal for shapes without off-diagonal entries.
 */
extern void dpem_gmm_central_moment(const DpemMomentLayout *layout, const double *record, double size,
									const double *mean, double *out);

/*
 * A valid covariance from a noisy one (d x d): shrunk towards its spherical part by
 * the share of the remainder that noise of standard deviation `noise` per svec
 * entry explains, with eigenvalues floored at what the remaining noise could
 * produce.  expected: a prior variance per axis, kept where the noise exceeds it;
 * 0: none.  w is overwritten by eigenvectors as rows.  eigen_work:
 * dpem_linalg_eigen_work(d).
 */
extern DpemStatus dpem_gmm_regularise(DpemSecondMoment shape, int d, double noise, double expected,
									  double *w, double *value, double *eigen_work);

#endif							/* DPEM_CORE_GMM_COVARIANCE_H */
