/*
 * gmm_density.h - density of a mixture at a point, in any coordinates.
 */
#ifndef DPEM_CORE_GMM_DENSITY_H
#define DPEM_CORE_GMM_DENSITY_H

#include "core/gmm/gmm_estimate.h"

typedef struct DpemGmmDensity
{
	int			k;
	int			d;
	double	   *offset;			/* k: log w - (log det S + d log 2 pi) / 2 */
	double	   *factor;			/* k * d(d+1)/2: inverse Cholesky factors */
	double	   *cholesky;		/* k * d * d: lower Cholesky factors, for sampling */
} DpemGmmDensity;

/* fills offset, factor, cholesky from full covariances; scratch: d * d */
extern DpemStatus dpem_gmm_density_prepare(const DpemGmm *gmm, DpemGmmDensity *density, double *scratch);

/*
 * terms (k) = log w_k N(x; m_k, S_k) of every component; returns their log sum
 * exp.  scratch: d.
 */
extern double dpem_gmm_log_terms(const DpemGmm *gmm, const DpemGmmDensity *density, const double *x,
								 double *terms, double *scratch);

#endif							/* DPEM_CORE_GMM_DENSITY_H */
