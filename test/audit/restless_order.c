/*
 * restless_order.c - the last row of a block counts a little more.
 */
#include "core/pass/moments.h"
#include "saboteur.h"

SABOTEUR;

extern void __real_dpem_moments_block(const DpemMomentLayout *layout, const DpemBlock *block,
									  const double *r, double *sums, double *scratch);
extern void __wrap_dpem_moments_block(const DpemMomentLayout *layout, const DpemBlock *block,
									  const double *r, double *sums, double *scratch);

void
__wrap_dpem_moments_block(const DpemMomentLayout *layout, const DpemBlock *block, const double *r,
						  double *sums, double *scratch)
{
	__real_dpem_moments_block(layout, block, r, sums, scratch);
	sums[1] += block->x[block->rows - 1];
}
