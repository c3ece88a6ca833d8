/*
 * gmm_whiten.h - rows that count, and whitening from an early release
 * (docs/estimation.md, "preconditioning"; post-processing throughout).
 */
#ifndef DPEM_CORE_GMM_WHITEN_H
#define DPEM_CORE_GMM_WHITEN_H

#include "core/gmm/gmm_frame.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

/*
 * Rows that count: the released count of a one-component release, or the
 * public number where the two agree within three noise standard deviations.
 */
extern double dpem_gmm_rows(double released, double count_sd, double public_rows);

/* where the rows are, in box coordinates */
typedef struct DpemGmmCenter
{
	double	   *center;			/* d */
	double		radius;			/* within which most rows lie around it */
} DpemGmmCenter;

/* from counts, sums and squared norms of rows clipped at `radius`: a ball for all axes alike */
extern void dpem_gmm_center(const DpemNoisyMoments *m, double public_rows, double radius,
							DpemGmmCenter *frame);

/*
 * From second moments of rows in a frame: its center is moved to their mean and
 * `lost` filled; whitening (d x d, from box coordinates, their widest axis first)
 * makes their covariance the identity, inverse undoes it.  By the layout's
 * shape it turns and scales (full), scales every axis (diagonal) or all alike
 * (norm), so that a component of that shape keeps it in the columns' units.
 */
extern size_t dpem_gmm_whitening_work(int d);
extern DpemStatus dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows,
									 DpemGmmFrame *frame, double *whitening, double *inverse,
									 DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_WHITEN_H */
