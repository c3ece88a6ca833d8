/*
 * block.c - see block.h.
 */
#include "core/pass/block.h"

#include <stddef.h>

#include "core/numeric/column_scale.h"
#include "core/numeric/fpenv.h"

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

void
dpem_block_apply_scales(const double *scale, DpemBlock *block)
{
	DpemFpenv	fpenv;

	if (scale == NULL)
		return;
	dpem_fpenv_enter(&fpenv);
	for (int j = 0; j < block->d; j++)
	{
		double	   *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows && scale[j] != DPEM_SCALE_LINEAR; row++)
			x[row] = dpem_scale_apply((DpemColumnScale) scale[j], x[row]);
	}
	dpem_fpenv_leave(&fpenv);
}
