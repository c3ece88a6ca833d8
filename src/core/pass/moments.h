/*
 * moments.h - layout and accumulation of expected sufficient statistics.
 *
 * For every component k one record of `dpem_moments_record` numbers:
 *     N_k = sum r_k,   s_k = sum r_k x (d numbers),   S_k = sum r_k h(x)
 * where h(x) is, by `second`, nothing, ||x||^2, x o x, or the products
 * x_i x_j for j <= i in row order (0,0) (1,0) (1,1) (2,0) ...  A layout of
 * counts alone has N_k only; one of components' products has a kernel's own
 * numbers (DpemKernel.accumulate).  Off-diagonal
 * products are stored once and unscaled; svec's sqrt(2) is applied where
 * norms are taken (release and sensitivity), so that sums stay integers.
 *
 * With responsibilities in units of 2^-p and features in units of 2^-q the
 * sums are integers in units of 2^-p, 2^-(p+q), 2^-(p+2q).  Over one block
 * of B rows they are below 2^(p+2q) B <= 2^53, hence exact in double
 * precision in any order of summation; blocks are added in 128 bits.
 */
#ifndef DPEM_CORE_MOMENTS_H
#define DPEM_CORE_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/int128.h"
#include "core/pass/block.h"

#define DPEM_RESPONSIBILITY_BITS	18	/* p of docs/proofs.md */

typedef enum DpemSecondMoment
{
	DPEM_SECOND_NONE = 0,
	DPEM_SECOND_NORM = 1,		/* ||x||^2: spherical covariance */
	DPEM_SECOND_DIAGONAL = 2,	/* x o x */
	DPEM_SECOND_FULL = 3,		/* x_i x_j, j <= i */
	DPEM_COUNTS_ALONE = 4,		/* no x either: a record is N_k */
	DPEM_SECOND_COMPONENTS = 5,	/* products of component k with every other: k numbers */
	DPEM_SECOND_LAST = DPEM_SECOND_COMPONENTS
} DpemSecondMoment;

typedef struct DpemMomentLayout
{
	int			k;				/* components */
	int			d;				/* coordinates */
	DpemSecondMoment second;
} DpemMomentLayout;

/* numbers in h(x), in one component's record, and in all of them */
extern size_t dpem_moments_second_length(const DpemMomentLayout *layout);
extern size_t dpem_moments_record(const DpemMomentLayout *layout);
extern size_t dpem_moments_length(const DpemMomentLayout *layout);

/*
 * sums[] = the block's moments (overwritten), dpem_moments_length numbers.
 * r: responsibilities, component k's at r[k * DPEM_BLOCK_STRIDE + row], zero
 * for null rows and padding, as is block->x there; block->keep is 1.0 or 0.0
 * (all as dpem_features_apply and dpem_gmm_responsibilities leave them).
 * scratch: dpem_moments_scratch doubles.
 */
extern size_t dpem_moments_scratch(const DpemMomentLayout *layout);
extern void dpem_moments_block(const DpemMomentLayout *layout, const DpemBlock *block,
							   const double *r, double *sums, double *scratch);

/*
 * The moments of rows that belong wholly to one component, for a layout of
 * counts alone, of counts and sums, or with ||x||^2: every row whose component
 * is not negative adds `unit` responsibility there, and unit times its features,
 * which are integers with a squared norm of at most 2^26, and unit times that;
 * and the same for real numbers, in units of one.
 */
extern void dpem_moments_add_located(const DpemMomentLayout *layout, const DpemBlock *block,
									 const int32_t *component, int64_t unit, DpemInt128 *total);
extern void dpem_moments_add_located_real(const DpemMomentLayout *layout, const DpemBlock *block,
										  const int32_t *component, double *total);

/* total += sums, converting exact integer-valued doubles */
extern void dpem_moments_add_exact(DpemInt128 *total, const double *sums, size_t length);

#endif							/* DPEM_CORE_MOMENTS_H */
