/*
 * gmm_kernel.h - the E-step of a Gaussian mixture on a block of rows.
 *
 * A prepared mixture has only what the scan needs: for component
 * k an offset c_k = log w_k - log det-part, a mean and the inverse Cholesky
 * factor U_k (lower triangular, U_k S_k U_k' = I), so that
 *     logit_k(x) = c_k - |U_k (x - m_k)|^2 / 2.
 * factor holds, by shape: full, d(d+1)/2 numbers in row order per component;
 * diagonal, d (1 / sd_j); spherical, 1 (1 / sd).
 * Means and factors are in unit-ball coordinates.
 */
#ifndef DPEM_CORE_GMM_KERNEL_H
#define DPEM_CORE_GMM_KERNEL_H

#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/kernel_clone.h"
#include "core/pass/moments.h"

#define DPEM_GMM_MAX_COMPONENTS 500 /* keeps quantised responsibilities >= 0 at p = 18 */

typedef struct DpemGmmPrepared
{
	int			k;
	int			d;
	DpemSecondMoment shape;		/* NORM spherical, DIAGONAL, FULL */
	const double *offset;		/* k */
	const double *mean;			/* k * d */
	const double *factor;		/* k * dpem_gmm_factor_length(shape, d) */
} DpemGmmPrepared;

extern size_t dpem_gmm_factor_length(DpemSecondMoment shape, int d);

/*
 * Responsibilities of every row of the block (features already applied with
 * feature_bits = q; x = integers * 2^-q, or plain doubles if q = 0).
 * responsibility_bits = p > 0: integer-valued, sum_k r_k = 2^p exactly for
 * every kept row; p = 0: real, summing to 1 up to rounding.  Null rows and
 * padding rows, up to DPEM_BLOCK_PADDED(rows), get zeros.  The result for a
 * row is a function of that row and the mixture alone: same bits at any
 * position, in any block, on any clone.
 *
 * The first component with the largest responsibility gets the rounding
 * remainder.  An offset of -infinity is a weight of zero; logits that are not
 * finite, or beyond 1e300, count as -1e300 or 1e300, so that every kept row gets
 * a point of the simplex for any mixture.
 * r: k * DPEM_BLOCK_STRIDE doubles.  scratch: dpem_gmm_scratch doubles.
 * Alignment to 64 bytes only makes both faster.
 */
extern size_t dpem_gmm_scratch(int k, int d);
extern void dpem_gmm_responsibilities(const DpemGmmPrepared *mix, const DpemBlock *block,
									  int feature_bits, int responsibility_bits,
									  double *r, double *scratch);

/* the same by a given clone, for tests */
extern void dpem_gmm_responsibilities_clone(DpemClone clone, const DpemGmmPrepared *mix,
											const DpemBlock *block, int feature_bits,
											int responsibility_bits, double *r, double *scratch);

#endif							/* DPEM_CORE_GMM_KERNEL_H */
