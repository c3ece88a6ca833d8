/*
 * gmm_noise.h - the noise in released parameters.
 *
 * First-order propagation of the exactly known noise of counts, sums and
 * second moments to weights, means and covariances, before priors and
 * shrinkage (which only make it smaller).  With n, s, S the noisy record of
 * a component, m = s / n, C = S / n - m m' and g_i row i of the linear map:
 *   sd(w)      = sd_n sqrt(1 - 2 w + K w^2) / N
 *   var(x_i)   = (sd_s^2 |g_i|^2 + sd_n^2 (g_i.m)^2) / n^2
 *   var(C_ij)  = (sd_S^2 q_ij + sd_s^2 |(g_i.m) g_j + (g_j.m) g_i|^2
 *                 + sd_n^2 (g_i' C g_j - (g_i.m)(g_j.m))^2) / n^2,
 * q_ij = (|g_i|^2 |g_j|^2 + (g_i.g_j)^2) / 2 for full covariances,
 * sum_a g_ia^2 g_ja^2 for diagonal, (g_i.g_j)^2 / d^2 for spherical ones.
 */
#ifndef DPEM_CORE_GMM_NOISE_H
#define DPEM_CORE_GMM_NOISE_H

#include "core/gmm/affine.h"

typedef struct DpemGmmNoiseLevels
{
	double	   *weight;			/* k */
	double	   *mean;			/* k * d, columns' units */
	double	   *covariance;		/* k * d * d, columns' units */
} DpemGmmNoiseLevels;

/* gmm in fit coordinates; rows: N; work: 2 d * d + d */
extern void dpem_gmm_noise_levels(const DpemNoisyMoments *moments, const DpemGmm *gmm, double rows,
								  const DpemAffine *affine, DpemGmmNoiseLevels *levels,
								  DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_NOISE_H */
