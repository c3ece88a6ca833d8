/*
 * moments_dense.h - second moments of one component in many coordinates, by matrix products.
 *
 * On integers any order of summation is exact (moments.h), so BLAS may do it:
 * the numbers are those of moments_kernel.c, whatever the block, the thread or
 * the library.
 */
#ifndef DPEM_CORE_MOMENTS_DENSE_H
#define DPEM_CORE_MOMENTS_DENSE_H

#include "core/pass/moments.h"

/*
 * Coordinates from which this is faster than the kernels' own tiles (twice as
 * fast at 1,024).  Several components share a product there, but not here.
 */
#define DPEM_MOMENTS_DENSE_FROM	128

extern bool dpem_moments_is_dense(const DpemMomentLayout *layout);

/* as dpem_moments_scratch and dpem_moments_block, for layouts that are dense */
extern size_t dpem_moments_dense_scratch(const DpemMomentLayout *layout);
extern void dpem_moments_dense_block(const DpemMomentLayout *layout, const DpemBlock *block,
									 const double *r, double *sums, double *scratch);

#endif							/* DPEM_CORE_MOMENTS_DENSE_H */
