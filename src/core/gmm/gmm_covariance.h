/*
 * gmm_covariance.h - covariances from released second moments.
 */
#ifndef DPEM_CORE_GMM_COVARIANCE_H
#define DPEM_CORE_GMM_COVARIANCE_H

#include "core/numeric/status.h"
#include "core/pass/moments.h"

#define DPEM_GMM_LEAST_EIGENVALUE 1e-6	/* in unit-ball coordinates */

/*
 * Second moment of a record about `mean`, per row of `size`, as a full d x d
 * matrix; zeros off the diagonal for the shapes that know nothing of it.
 */
extern void dpem_gmm_central_moment(const DpemMomentLayout *layout, const double *record, double size,
									const double *mean, double *out);

/*
 * A covariance out of a noisy one (d x d, overwritten by eigenvectors as rows):
 * moved towards its spherical part by the share of the rest that noise of
 * standard deviation `noise` per svec entry explains, eigenvalues floored at
 * what the noise that is left could fake.  expected: a variance per axis that
 * is likely before anything is measured, which noise beyond it leaves standing;
 * 0: none.  eigen_work: dpem_linalg_eigen_work(d).
 */
extern DpemStatus dpem_gmm_regularise(DpemSecondMoment shape, int d, double noise, double expected,
									  double *w, double *value, double *eigen_work);

#endif							/* DPEM_CORE_GMM_COVARIANCE_H */
