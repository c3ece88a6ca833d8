/*
 * moments.c - layout of the sufficient statistics, and their exact totals.
 */
#include "core/pass/moments.h"
#include "core/pass/moments_dense.h"

size_t
dpem_moments_second_length(const DpemMomentLayout *layout)
{
	size_t		d = layout->d;

	switch (layout->second)
	{
		case DPEM_SECOND_NORM:
			return 1;
		case DPEM_SECOND_DIAGONAL:
			return d;
		case DPEM_SECOND_FULL:
			return d * (d + 1) / 2;
		case DPEM_SECOND_COMPONENTS:
			return layout->k;
		default:
			return 0;
	}
}

size_t
dpem_moments_record(const DpemMomentLayout *layout)
{
	if (layout->second == DPEM_COUNTS_ALONE)
		return 1;
	return 1 + (size_t) layout->d + dpem_moments_second_length(layout);
}

size_t
dpem_moments_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * dpem_moments_record(layout);
}

/* room for ||x||^2 of every row, or for the panels of many coordinates */
size_t
dpem_moments_scratch(const DpemMomentLayout *layout)
{
	return dpem_moments_is_dense(layout) ? dpem_moments_dense_scratch(layout) : DPEM_BLOCK_STRIDE;
}

void
dpem_moments_add_exact(DpemInt128 *total, const double *sums, size_t length)
{
	for (size_t i = 0; i < length; i++)
		total[i] += (int64_t) sums[i];
}

void
dpem_moments_add_located(const DpemMomentLayout *layout, const DpemBlock *block,
						 const int32_t *component, int64_t unit, DpemInt128 *total)
{
	size_t		record = dpem_moments_record(layout);
	int			d = layout->second == DPEM_COUNTS_ALONE ? 0 : layout->d;

	for (int row = 0; row < block->rows; row++)
	{
		DpemInt128 *to;
		int64_t		square = 0;

		if (component[row] < 0)
			continue;
		to = total + (size_t) component[row] * record;
		*to++ += unit;
		for (int j = 0; j < d; j++)
		{
			int64_t		x = (int64_t) block->x[j * DPEM_BLOCK_STRIDE + row];

			*to++ += unit * x;
			square += x * x;
		}
		if (layout->second == DPEM_SECOND_NORM)
			*to += unit * square;
	}
}

void
dpem_moments_add_located_real(const DpemMomentLayout *layout, const DpemBlock *block,
							  const int32_t *component, double *total)
{
	size_t		record = dpem_moments_record(layout);
	int			d = layout->second == DPEM_COUNTS_ALONE ? 0 : layout->d;

	for (int row = 0; row < block->rows; row++)
	{
		double	   *to;
		double		square = 0;

		if (component[row] < 0)
			continue;
		to = total + (size_t) component[row] * record;
		*to++ += 1;
		for (int j = 0; j < d; j++)
		{
			double		x = block->x[j * DPEM_BLOCK_STRIDE + row];

			*to++ += x;
			square += x * x;
		}
		if (layout->second == DPEM_SECOND_NORM)
			*to += square;
	}
}
