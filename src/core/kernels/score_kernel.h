/*
 * score_kernel.h - utility scores of candidate sets of centers.
 *
 * A row at distance s from the nearest of a candidate's centers gives it the
 * mark max(0, 1 - (s / reach)^2); the candidate's utility score is the sum of its
 * marks: the number of rows minus their clipped squared distances.  Marks are not
 * on the simplex; each is in [0, 1], which suffices for the exponential mechanism
 * (docs/proofs.md).
 */
#ifndef DPEM_CORE_SCORE_KERNEL_H
#define DPEM_CORE_SCORE_KERNEL_H

#include <stddef.h>

#include "core/pass/block.h"

#define DPEM_SCORE_MAX_CANDIDATES 1000

/*
 * r[c * DPEM_BLOCK_STRIDE + row] for every candidate c and row of the block
 * (features already applied with feature_bits = q): integers in [0, 2^p], p =
 * responsibility_bits, or real marks for p = 0; zero for null and padding
 * rows.  center: candidates * k * block->d finite numbers in unit-ball
 * coordinates; reach > 0.  A row's marks are a function of that row and the
 * candidates alone.  scratch: dpem_score_scratch doubles.
 */
extern size_t dpem_score_scratch(void);
extern void dpem_score_respond(int candidates, int k, const double *center, double reach,
							   const DpemBlock *block, int feature_bits, int responsibility_bits,
							   double *r, double *scratch);

#endif							/* DPEM_CORE_SCORE_KERNEL_H */
