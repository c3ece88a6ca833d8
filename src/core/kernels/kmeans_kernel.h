/*
 * kmeans_kernel.h - k-means' assignment of a block of rows.
 *
 * A row belongs wholly to the nearest of k centers, the first of equally near
 * ones: its responsibility is the whole unit there and zero elsewhere.
 */
#ifndef DPEM_CORE_KMEANS_KERNEL_H
#define DPEM_CORE_KMEANS_KERNEL_H

#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/kernel_clone.h"

#define DPEM_KMEANS_MAX_COMPONENTS 1000

/*
 * Responsibilities of every row of the block (features already applied with
 * feature_bits = q; x = integers * 2^-q, or plain doubles if q = 0) for
 * centers in unit-ball coordinates, k rows of block->d numbers: 2^p at the
 * nearest center with p = responsibility_bits, zero elsewhere and in null and
 * padding rows.  The result for a row is a function of that row and the
 * centers alone: same bits at any position, in any block, on any clone.
 *
 * A center whose squared norm overflows gets no rows, except the first center,
 * which gets the rows for which all comparisons fail: every kept row gets a corner
 * of the simplex for any centers.
 * r: k * DPEM_BLOCK_STRIDE doubles.  scratch: dpem_kmeans_scratch doubles.
 */
extern size_t dpem_kmeans_scratch(int k);
extern void dpem_kmeans_respond(int k, const double *center, const DpemBlock *block,
								int feature_bits, int responsibility_bits,
								double *r, double *scratch);

/* the same by a given clone, for tests */
extern void dpem_kmeans_respond_clone(DpemClone clone, int k, const double *center,
									  const DpemBlock *block, int feature_bits,
									  int responsibility_bits, double *r, double *scratch);

#endif							/* DPEM_CORE_KMEANS_KERNEL_H */
