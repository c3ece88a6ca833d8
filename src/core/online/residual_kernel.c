/*
 * residual_kernel.c - see residual_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/logit_kernel.h"
#include "core/numeric/fpenv.h"
#include "core/online/residual_kernel.h"

#define GROUP	DPEM_BLOCK_GROUP

static double
clipped(double residual, double bound)
{
	double		part = residual / bound;

	return part >= 1 ? 1 : part <= -1 ? -1 : part > -1 ? part : 0;
}

void
dpem_residual_respond(const double *theta, const DpemBlock *block, int feature_bits, int responsibility_bits, double *a)
{
	double		unit = ldexp(1, -feature_bits);
	double		one = ldexp(1, responsibility_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(a, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		score[GROUP];

		dpem_group_scores(theta + DPEM_RESIDUAL_HEAD, block->d, block->x + first, unit, 0, score);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
		{
			double		part = clipped(-score[i], theta[0]);

			if (block->keep[first + i] != 0)
				a[first + i] = responsibility_bits > 0 ? trunc(part * one) : part;
		}
	}
	dpem_fpenv_leave(&fpenv);
}

static size_t
theta_length(const DpemMomentLayout *layout)
{
	return DPEM_RESIDUAL_HEAD + (size_t) layout->d;
}

static bool
theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && layout->k == 1 && theta[0] > 0 && isfinite(1 / theta[0]);
}

static void
respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
		int responsibility_bits, double *r, double *scratch)
{
	(void) layout;
	(void) scratch;
	dpem_residual_respond(theta, block, feature_bits, responsibility_bits, r);
}

const DpemKernel dpem_kernel_residual = {
	.name = "residual",.code = 60,.contribution = DPEM_PRODUCT,.max_components = 1,.theta_length = theta_length,
	.theta_valid = theta_valid,.scratch_length = dpem_kernel_no_length,.respond = respond
};
