/*
 * linreg_baseline.h - published private regressions, from released moments.
 *
 * Both solve (G + lambda I) b = r for the predictors and a constant, G = sum (x, 1)(x, 1)',
 * r = sum (x, 1) y, with one ridge for all directions.
 */
#ifndef DPEM_CORE_LINREG_BASELINE_H
#define DPEM_CORE_LINREG_BASELINE_H

#include "core/linreg/linreg_estimate.h"

typedef enum DpemLinregBaseline
{
	/*
	 * AdaSSP (Wang 2018, UAI, algorithm 2): lambda is what the noise's norm is below with probability 0.95,
	 * sd sqrt(d log(2 d^2 / 0.05)), less the least eigenvalue, which is that of the released G and not released by itself.
	 */
	DPEM_LINREG_ADASSP,

	/*
	 * Functional mechanism (Zhang, Zhang, Xiao, Yang, Winslett 2012, PVLDB, section 6): lambda four standard deviations
	 * of the noise, directions without positive eigenvalue left out.
	 */
	DPEM_LINREG_FUNCTIONAL
} DpemLinregBaseline;

/*
 * From a one-component release of p + 1 coordinates, the last one the target.
 * Matrices of `fit` as in linreg_estimate.h; `error` is the noise alone, as the
 * methods say nothing about their ridge.  fit->shared is false.  work:
 * dpem_linreg_baseline_work(p).  DPEM_LAPACK_FAILED.
 */
extern size_t dpem_linreg_baseline_work(int p);
extern DpemStatus dpem_linreg_baseline(DpemLinregBaseline method, const DpemNoisyMoments *released, double public_rows,
									   DpemLinreg *fit, DpemWorkspace work);

#endif							/* DPEM_CORE_LINREG_BASELINE_H */
