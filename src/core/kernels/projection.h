/*
 * projection.h - rows projected onto orthonormal directions, as integers.
 *
 * For a row x (integers in units of 2^-q, norm at most 1) and k rows Q of
 * directions the "responsibilities" are signed: y = (1 - sqrt(k) 2^-p) Q x,
 * rounded to multiples of 2^-p.  Scaling by a little less than 1 makes
 * |y| <= 1 certain after rounding, and what rounding adds to the sensitivity
 * of sum x y' is less than what scaling takes from it (docs/proofs.md).
 */
#ifndef DPEM_CORE_PROJECTION_H
#define DPEM_CORE_PROJECTION_H

#include <stdbool.h>

#include "core/pass/block.h"

#define DPEM_PROJECTION_MAX 128	/* directions */

/* the factor in front of Q x; 1 for 0 bits, which stand for real numbers */
extern double dpem_projection_scale(int k, int responsibility_bits);

/* |Q Q' - I| (Frobenius) at most 1e-9, which the proof needs */
extern bool dpem_projection_is_orthonormal(int k, int d, const double *directions);

/*
 * y[i * DPEM_BLOCK_STRIDE + row] for every row of the block, zero for null
 * rows and padding; a row with |y| > 1, which orthonormal directions cannot
 * produce, counts as a null row.  The bits of a row depend on that row alone.
 */
extern void dpem_projection_apply(int k, const double *directions, const DpemBlock *block,
								  int feature_bits, int responsibility_bits, double *y);

#endif							/* DPEM_CORE_PROJECTION_H */
