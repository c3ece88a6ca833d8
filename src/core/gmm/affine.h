/*
 * affine.h - from fit coordinates (unit ball) to the columns' own units.
 *
 * x = offset + linear y.  The inverse of the feature map of features.h:
 * x = m + h o (c + W^-1 R y), with m and h the middle and half-width of each
 * coordinate's domain, R the radius, c the center and W the whitening matrix.
 */
#ifndef DPEM_CORE_AFFINE_H
#define DPEM_CORE_AFFINE_H

#include "core/gmm/gmm_estimate.h"
#include "core/pass/features.h"

typedef struct DpemAffine
{
	int			d;
	double	   *offset;			/* d */
	double	   *linear;			/* d * d, row-major */
} DpemAffine;

/* inverse: W^-1 (d x d) or NULL with no whitening */
extern void dpem_affine_from_features(const DpemFeatureMap *map, const double *inverse,
									  DpemAffine *affine);

/* fit coordinates of a point in the columns' units; DPEM_LAPACK_FAILED if singular; work: d * d + 2 d */
extern DpemStatus dpem_affine_inverse_point(const DpemAffine *affine, const double *x, double *y,
											DpemWorkspace work);

/* means and covariances of gmm into the columns' units; work: 2 d * d + d */
extern void dpem_affine_apply_gmm(const DpemAffine *affine, DpemGmm *gmm, DpemWorkspace work);

#endif							/* DPEM_CORE_AFFINE_H */
