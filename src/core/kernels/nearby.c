/*
 * nearby.c - see nearby.h.
 *
 * The clip leaves room for rounding, as in features.c: |y| <= 2^q - sqrt(d)/2
 * before and hence |y| <= 2^q after it, which is checked once more on the
 * integers, so that the bound does not rest on floating-point error analysis.
 */
#include <math.h>

#include "core/kernels/kernel.h"
#include "core/kernels/nearby.h"
#include "core/numeric/fpenv.h"

size_t
dpem_nearby_theta_length(int k, int d)
{
	return (size_t) k * ((size_t) d + 1);
}

bool
dpem_nearby_valid(int k, int d, const double *theta)
{
	const double *reach = theta + (size_t) k * d;

	for (int i = 0; i < k; i++)
	{
		if (!(reach[i] > 0))
			return false;
	}
	return true;
}

/* squared distances to the nearest center so far, and to the one being looked at */
size_t
dpem_nearby_scratch(void)
{
	return 2 * DPEM_BLOCK_STRIDE;
}

/* one center against all rows; every row sees the same operations in the same order */
static void
compare_center(int k, const double *center, const DpemBlock *block, double unit, int32_t *component,
			   double *least, double *distance)
{
	for (int row = 0; row < block->rows; row++)
		distance[row] = 0;
	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
		{
			double		difference = x[row] * unit - center[j];

			distance[row] += difference * difference;
		}
	}
	for (int row = 0; row < block->rows; row++)
	{
		component[row] = distance[row] < least[row] ? k : component[row];
		least[row] = distance[row] < least[row] ? distance[row] : least[row];
	}
}

/* one row's features about its center; false if they are no numbers */
static bool
move_row(double *x, int d, const double *center, double reach, int bits)
{
	double		one = (double) (INT64_C(1) << bits);
	double		limit = (one - (bits > 0 ? 0.5 * sqrt((double) d) : 0)) * (1.0 - (d + 8) * 0x1p-51);
	double		square = 0;
	double		factor = 1;

	for (int j = 0; j < d; j++)
	{
		double	   *y = x + (size_t) j * DPEM_BLOCK_STRIDE;

		*y = (*y - center[j] * one) / reach;
		square += *y * *y;
	}
	if (!(square <= limit * limit))
		factor = fmax(limit, 0) / sqrt(square);
	square = 0;
	for (int j = 0; j < d; j++)
	{
		double	   *y = x + (size_t) j * DPEM_BLOCK_STRIDE;

		*y = bits > 0 ? rint(*y * factor) : *y * factor;
		square += *y * *y;
	}
	return bits > 0 ? square <= one * one : isfinite(square);
}

static void
make_null(DpemBlock *block, int row, int32_t *component)
{
	component[row] = -1;
	block->keep[row] = 0;
	for (int j = 0; j < block->d; j++)
		block->x[(size_t) j * DPEM_BLOCK_STRIDE + row] = 0;
}

void
dpem_nearby_locate(int k, const double *theta, DpemBlock *block, int feature_bits, int32_t *component,
				   double *scratch)
{
	int			d = block->d;
	const double *reach = theta + (size_t) k * d;
	double	   *least = scratch;
	double		unit = 1.0 / (double) (INT64_C(1) << feature_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int row = 0; row < block->rows; row++)
	{
		least[row] = INFINITY;
		component[row] = -1;
	}
	for (int i = 0; i < k; i++)
		compare_center(i, theta + (size_t) i * d, block, unit, component, least, scratch + DPEM_BLOCK_STRIDE);
	for (int row = 0; row < block->rows; row++)
	{
		int			c = block->keep[row] > 0 ? component[row] : -1;

		if (c < 0 || !move_row(block->x + row, d, theta + (size_t) c * d, reach[c], feature_bits))
			make_null(block, row, component);
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
nearby_theta_length(const DpemMomentLayout *layout)
{
	return dpem_nearby_theta_length(layout->k, layout->d);
}

static bool
nearby_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return (layout->second == DPEM_COUNTS_ALONE || layout->second == DPEM_SECOND_NONE ||
			layout->second == DPEM_SECOND_NORM) &&
		dpem_nearby_valid(layout->k, layout->d, theta);
}

static size_t
nearby_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_nearby_scratch();
}

static void
nearby_locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits,
			  int32_t *component, double *scratch)
{
	dpem_nearby_locate(layout->k, theta, block, feature_bits, component, scratch);
}

const DpemKernel dpem_kernel_nearby = {
	.name = "nearby",.code = 8,.max_components = DPEM_NEARBY_MAX_COMPONENTS,.theta_length = nearby_theta_length,
	.theta_valid = nearby_theta_valid,.scratch_length = nearby_scratch_length,.locate = nearby_locate
};
