/*
 * block.c - see block.h.
 */
#include "core/pass/block.h"

#include <stddef.h>

void
dpem_block_apply_signs(const double *sign, DpemBlock *block)
{
	for (int j = 0; j < block->d; j++)
	{
		double	   *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
			x[row] = sign[row] < 0 ? -x[row] : x[row];
	}
}
