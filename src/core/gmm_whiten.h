/*
 * gmm_whiten.h - centre, radius and whitening from two early releases
 * (docs/estimation.md, "preconditioning"; post-processing throughout).
 */
#ifndef DPEM_CORE_GMM_WHITEN_H
#define DPEM_CORE_GMM_WHITEN_H

#include "noisy_moments.h"
#include "status.h"
#include "workspace.h"

/*
 * Rows that count: the released count of a one-component release, or the
 * public number where the two agree within three noise standard deviations.
 */
extern double dpem_gmm_rows(double released, double count_sd, double public_rows);

/*
 * From counts, sums and squared norms of rows clipped at `radius` (box
 * coordinates) the centre (d, box coordinates) and the radius within which
 * most rows lie around it.
 */
extern double dpem_gmm_centre(const DpemNoisyMoments *m, double public_rows, double radius,
							  double *centre);

/*
 * From second moments of rows re-centred and clipped at `radius`: the centre
 * is moved to their mean, whitening (d x d) makes their covariance the
 * identity, inverse undoes it.
 */
extern size_t dpem_gmm_whitening_work(int d);
extern DpemStatus dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows, double radius,
									 double *centre, double *whitening, double *inverse,
									 DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_WHITEN_H */
