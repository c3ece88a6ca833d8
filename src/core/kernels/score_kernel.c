/*
 * score_kernel.c - see score_kernel.h.
 *
 * Loops run across rows with the same operations for each, so that a compiler
 * may make vectors of them without changing a bit.
 */
#include "core/kernels/kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/kernels/score_kernel.h"

#include <math.h>
#include <string.h>

#include "core/numeric/fpenv.h"

size_t
dpem_score_scratch(void)
{
	return 2 * DPEM_BLOCK_STRIDE;
}

/* square[row] = squared distance to one center */
static void
center_distances(const DpemBlock *block, const double *center, double feature_unit, double *restrict square)
{
	for (int row = 0; row < block->rows; row++)
		square[row] = 0;
	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
		{
			double		off = x[row] * feature_unit - center[j];

			square[row] += off * off;
		}
	}
}

static void
candidate_marks(const DpemBlock *block, int k, const double *center, double reach, double feature_unit,
				int responsibility_bits, double *restrict r, double *restrict scratch)
{
	double	   *restrict square = scratch;
	double	   *restrict least = scratch + DPEM_BLOCK_STRIDE;
	double		unit = ldexp(1.0, responsibility_bits);

	for (int i = 0; i < k; i++)
	{
		center_distances(block, center + (size_t) i * block->d, feature_unit, square);
		for (int row = 0; row < block->rows; row++)
			least[row] = i == 0 || square[row] < least[row] ? square[row] : least[row];
	}
	for (int row = 0; row < block->rows; row++)
	{
		double		share = least[row] / reach / reach;
		double		mark = share < 1 ? 1 - share : 0;

		mark = responsibility_bits > 0 ? rint(mark * unit) : mark;
		r[row] = block->keep[row] == 1.0 ? mark : 0;
	}
}

void
dpem_score_respond(int candidates, int k, const double *center, double reach, const DpemBlock *block,
				   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	DpemFpenv	fpenv;

	memset(r, 0, (size_t) candidates * DPEM_BLOCK_STRIDE * sizeof(double));
	dpem_fpenv_enter(&fpenv);
	for (size_t c = 0; c < (size_t) candidates; c++)
		candidate_marks(block, k, center + c * k * (size_t) block->d, reach, ldexp(1.0, -feature_bits),
						responsibility_bits, r + c * DPEM_BLOCK_STRIDE, scratch);
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
scores_theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	if (available < 2 || !(theta[0] >= 1 && theta[0] <= DPEM_KMEANS_MAX_COMPONENTS &&
						   theta[0] == rint(theta[0]) && theta[1] > 0))
		return 0;
	return 2 + (size_t) layout->k * (size_t) theta[0] * (size_t) layout->d;
}

static size_t
scores_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_score_scratch();
}

static void
scores_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	dpem_score_respond(layout->k, (int) theta[0], theta + 2, theta[1], block, feature_bits,
					   responsibility_bits, r, scratch);
}

const DpemKernel dpem_kernel_scores = {
	.name = "scores",.code = 6,.contribution = DPEM_MARKS,.max_components = DPEM_SCORE_MAX_CANDIDATES,
	.theta_check = scores_theta_check,.scratch_length = scores_scratch_length,.respond = scores_respond
};
