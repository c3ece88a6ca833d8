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

void
dpem_block_tell_known(int n, int told, DpemBlock *block)
{
	for (int j = 0; j < n; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		double	   *known = block->x + (size_t) (told + j) * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
			known[row] = x[row] - x[row] == 0 ? 1 : 0;
	}
}

void
dpem_block_fill_unknown(int n, int told, const double *lower, const double *upper, DpemBlock *block)
{
	for (int j = 0; j < n; j++)
	{
		double	   *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		const double *known = block->x + (size_t) (told + j) * DPEM_BLOCK_STRIDE;
		double		middle = lower[j] / 2 + upper[j] / 2;

		for (int row = 0; row < block->rows; row++)
			x[row] = known[row] > 0 ? x[row] : middle;
	}
}
