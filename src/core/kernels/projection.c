/*
 * projection.c - see projection.h.
 *
 * No BLAS: the bits of a row would depend on its neighbours in the block.
 * Each row's sum runs over the coordinates in ascending order; loops over the
 * rows are the inner ones, so that they become vector instructions.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/projection.h"
#include "core/numeric/fpenv.h"

#define ORTHONORMAL_SLACK	1e-9

double
dpem_projection_scale(int k, int responsibility_bits)
{
	return responsibility_bits > 0 ? 1 - ldexp(sqrt(k), -responsibility_bits) : 1;
}

bool
dpem_projection_is_orthonormal(int k, int d, const double *directions)
{
	double		square = 0;

	for (int i = 0; i < k; i++)
		for (int j = 0; j < k; j++)
		{
			double		entry = i == j ? -1 : 0;

			for (int l = 0; l < d; l++)
				entry += directions[(size_t) i * d + l] * directions[(size_t) j * d + l];
			square += entry * entry;
		}
	return square <= ORTHONORMAL_SLACK * ORTHONORMAL_SLACK;
}

static void
project(const double *direction, double factor, const DpemBlock *block, double *y)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);

	memset(y, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		double		weight = direction[j] * factor;

		for (int row = 0; row < padded; row++)
			y[row] += weight * x[row];
	}
}

/* squares of integers up to 2^18 add up exactly */
static void
zero_outside(int k, double bound, double *y)
{
	for (int row = 0; row < DPEM_BLOCK_STRIDE; row++)
	{
		double		square = 0;

		for (int i = 0; i < k; i++)
			square += y[(size_t) i * DPEM_BLOCK_STRIDE + row] * y[(size_t) i * DPEM_BLOCK_STRIDE + row];
		for (int i = 0; i < k && !(square <= bound); i++)
			y[(size_t) i * DPEM_BLOCK_STRIDE + row] = 0;
	}
}

void
dpem_projection_apply(int k, const double *directions, const DpemBlock *block,
					  int feature_bits, int responsibility_bits, double *y)
{
	double		factor = ldexp(dpem_projection_scale(k, responsibility_bits), responsibility_bits - feature_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int i = 0; i < k; i++)
	{
		double	   *out = y + (size_t) i * DPEM_BLOCK_STRIDE;

		project(directions + (size_t) i * block->d, factor, block, out);
		for (int row = 0; row < DPEM_BLOCK_STRIDE && responsibility_bits > 0; row++)
			out[row] = rint(out[row]);
	}
	if (responsibility_bits > 0)
		zero_outside(k, ldexp(1, 2 * responsibility_bits), y);
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
projection_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * layout->d;
}

static bool
projection_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && layout->k <= layout->d &&
		dpem_projection_is_orthonormal(layout->k, layout->d, theta);
}

static void
projection_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	(void) scratch;
	dpem_projection_apply(layout->k, theta, block, feature_bits, responsibility_bits, r);
}

const DpemKernel dpem_kernel_projection = {
	.name = "projection",.code = 4,.contribution = DPEM_PROJECTED,.max_components = DPEM_PROJECTION_MAX,
	.theta_length = projection_theta_length,.scratch_length = dpem_kernel_no_length,
	.theta_valid = projection_theta_valid,.respond = projection_respond
};
