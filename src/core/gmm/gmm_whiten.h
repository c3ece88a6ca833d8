/*
 * gmm_whiten.h - number of rows, center and whitening from early releases
 * (docs/estimation.md, "preconditioning"; post-processing throughout).
 */
#ifndef DPEM_CORE_GMM_WHITEN_H
#define DPEM_CORE_GMM_WHITEN_H

#include "core/gmm/gmm_frame.h"
#include "core/gmm/gmm_seen.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

#define DPEM_GMM_CENTER_REACH	1.5 /* radius of the ball below, in root mean square distances from its center, at the upper end of these */

/* where the rows are, in box coordinates */
typedef struct DpemGmmCenter
{
	double	   *center;			/* d */
	double		radius;			/* of a ball about it that holds most rows */
} DpemGmmCenter;

/* from counts, sums and squared norms of rows clipped at `radius`; one radius for all axes */
extern void dpem_gmm_center(const DpemNoisyMoments *m, double public_rows, double radius,
							DpemGmmCenter *frame);

/*
 * From second moments of rows in a frame: moves its center to their mean and fills
 * `lost`.  whitening (d x d, applied to box coordinates, widest axis first) makes
 * their covariance the identity; inverse: its inverse.  By the layout's shape it
 * rotates and scales (full), scales each axis (diagonal) or scales all axes alike
 * (norm), so that a component of that shape keeps it in the columns' units.
 */
extern size_t dpem_gmm_whitening_work(int d);
extern DpemStatus dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows,
									 DpemGmmFrame *frame, double *whitening, double *inverse,
									 DpemWorkspace work);

/* what that release says of the rows in the whitened axes, where their mean is 0; work: as for dpem_gmm_whitening */
extern void dpem_gmm_whitened_moments(const DpemNoisyMoments *m, double public_rows, const DpemGmmFrame *frame,
									  const double *whitening, DpemGmmSeen *seen, DpemWorkspace work);

/*
 * Once more, from second moments of rows in whitened axes that were clipped at the frame's radius: axes in which the rows hardly vary, which noise hid
 * in the frame, are seen there, and so on from axes to axes (recursive preconditioning: Kamath, Li, Singhal, Ullman 2019, COLT).  seen: of the
 * whitened rows so far; replaced by what is known now, in the new axes.  work: as above.
 */
extern DpemStatus dpem_gmm_whiten_again(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, DpemGmmSeen *seen,
										double *whitening, double *inverse, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_WHITEN_H */
