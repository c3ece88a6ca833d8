/*
 * block.h - a block of rows on its way from the scan to the moments.
 *
 * Coordinates are stored one after the other ("structure of arrays"): element
 * r of coordinate j is x[j * DPEM_BLOCK_STRIDE + r].  SIMD lanes then run
 * across rows, so that every row sees the same sequence of floating-point
 * operations wherever it stands in a block (row purity, docs/proofs.md).
 * The stride is not a power of two on purpose: power-of-two strides alias in
 * the L1 cache.
 */
#ifndef DPEM_CORE_BLOCK_H
#define DPEM_CORE_BLOCK_H

#include <stdint.h>

#define DPEM_BLOCK_ROWS		512
#define DPEM_BLOCK_STRIDE	(DPEM_BLOCK_ROWS + 8)

/*
 * Kernels work on whole groups of rows: rows from `rows` up to the next
 * multiple of this are padding, which dpem_features_apply fills with null
 * rows.
 */
#define DPEM_BLOCK_GROUP	32
#define DPEM_BLOCK_PADDED(rows) \
	(((rows) + DPEM_BLOCK_GROUP - 1) / DPEM_BLOCK_GROUP * DPEM_BLOCK_GROUP)

typedef struct DpemBlock
{
	int			rows;			/* rows filled, <= DPEM_BLOCK_ROWS */
	int			d;				/* coordinates per row */
	double	   *x;				/* d * DPEM_BLOCK_STRIDE, caller-owned, best 64-byte aligned */
	double	   *keep;			/* DPEM_BLOCK_STRIDE; 1.0, or 0.0 for the null row */
	const double *label;		/* a number of each row, anything for null rows; NULL: rows have none */
	const int16_t *code;		/* instead of x and keep, for a kernel that encodes (core/kernels/kernel.h), as it lays them out */
} DpemBlock;

/*
 * Raw values to the coordinates of their columns' scales, in place; scale: a
 * DpemColumnScale (core/numeric/column_scale.h) of each coordinate, or NULL: all are linear.
 */
extern void dpem_block_apply_scales(const double *scale, DpemBlock *block);

/*
 * Which of the first n coordinates, as they were read, are finite numbers: coordinates from `told` on become 1, or 0 where not.
 * Then, of coordinates on their scales, the middle of the domain in place of those that are not.
 */
extern void dpem_block_tell_known(int n, int told, DpemBlock *block);
extern void dpem_block_fill_unknown(int n, int told, const double *lower, const double *upper, DpemBlock *block);

/* x := -x for the rows of the block whose sign is negative; sign has a number for each */
extern void dpem_block_apply_signs(const double *sign, DpemBlock *block);

#endif							/* DPEM_CORE_BLOCK_H */
