/*
 * gmm_denoise.h - covariances from second moments with noise of known size.
 */
#ifndef DPEM_CORE_GMM_DENOISE_H
#define DPEM_CORE_GMM_DENOISE_H

#include "core/gmm/gmm_estimate.h"

typedef struct DpemGmmNoise
{
	double		second_sd;		/* of a svec entry of a component's second moment, in rows */
	double		total_sd;		/* of a svec entry of the total's second moment, per row */
	double		rows;
	const double *size;			/* k, component sizes */
} DpemGmmNoise;

extern size_t dpem_gmm_denoise_work(int d);

/*
 * Replaces the covariances of gmm by denoised ones.  second: second moment of all
 * rows about the origin, per row, d x d.
 */
extern DpemStatus dpem_gmm_denoise(const DpemGmmNoise *noise, const double *second, DpemGmm *gmm,
								   DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_DENOISE_H */
