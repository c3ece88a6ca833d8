/*
 * logit_kernel.c - see logit_kernel.h.
 *
 * Each row's sums run over the coordinates in ascending order, rows are the
 * inner loop (as in projection.c).
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/logit_kernel.h"
#include "core/numeric/fpenv.h"
#include "core/numeric/polya_gamma.h"

#define GROUP	DPEM_BLOCK_GROUP

/* |L'x|^2 for the rows of a group, x in units of the block */
static void
squared_scores(const double *factor, int d, const double *x, double square[GROUP])
{
	memset(square, 0, GROUP * sizeof(double));
	for (int j = 0; j < d; j++)
	{
		double		score[GROUP] = {0};

		for (int i = j; i < d; i++)
		{
			const double *at = x + (size_t) i * DPEM_BLOCK_STRIDE;
			double		weight = *factor++;

			for (int row = 0; row < GROUP; row++)
				score[row] += weight * at[row];
		}
		for (int row = 0; row < GROUP; row++)
			square[row] += score[row] * score[row];
	}
}

void
dpem_logit_respond(const double *factor, const DpemBlock *block, int feature_bits,
				   int responsibility_bits, double *r)
{
	double		unit = ldexp(1, -2 * feature_bits);
	double		one = ldexp(1, responsibility_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(r, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		square[GROUP];

		squared_scores(factor, block->d, block->x + first, square);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
		{
			double		weight = dpem_polya_gamma_share(square[i] * unit);

			/* a score beyond the range of double gives no number, or zero */
			if (block->keep[first + i] != 0 && weight > 0 && weight <= 1)
				r[first + i] = responsibility_bits > 0 ? rint(weight * one) : weight;
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* how much longer a row is than what the clip left of it, from what it left of the constant */
static inline double
stretch_of(double constant, double whole)
{
	return fmax(1, fmin(whole / fabs(constant), DPEM_MOST_STRETCH));
}

void
dpem_group_scores(const double *mean, int d, const double *x, double unit, double whole, double score[GROUP])
{
	memset(score, 0, GROUP * sizeof(double));
	for (int j = 0; j < d; j++)
		for (int row = 0; row < GROUP; row++)
			score[row] += mean[j] * x[(size_t) j * DPEM_BLOCK_STRIDE + row];
	for (int row = 0; row < GROUP; row++)
		score[row] *= unit;
	for (int row = 0; row < GROUP && whole > 0; row++)
		score[row] *= stretch_of(x[(size_t) (d - 1) * DPEM_BLOCK_STRIDE + row] * unit, whole);
}

void
dpem_logit_gradient_respond(const double *mean, double whole, const DpemBlock *block, int feature_bits,
							int responsibility_bits, double *r)
{
	double		unit = ldexp(1, -feature_bits);
	double		one = ldexp(1, responsibility_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(r, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		double		score[GROUP];

		dpem_group_scores(mean, block->d, block->x + first, unit, whole, score);
		for (int i = 0; i < GROUP && first + i < block->rows; i++)
		{
			double		weight = 1 / (1 + exp(score[i]));

			/* a score that is no number gives none */
			if (block->keep[first + i] != 0 && weight > 0 && weight <= 1)
				r[first + i] = responsibility_bits > 0 ? rint(weight * one) : weight;
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
logit_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->d * ((size_t) layout->d + 1) / 2;
}

static void
logit_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
			  int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	(void) layout;
	(void) scratch;
	dpem_logit_respond(theta, block, feature_bits, responsibility_bits, r);
}

const DpemKernel dpem_kernel_logit = {
	.name = "logit",.code = 9,.max_components = 1,.labelled = true,.theta_length = logit_theta_length,
	.scratch_length = dpem_kernel_no_length,.respond = logit_respond
};

static size_t
logit_gradient_theta_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->d + 1;
}

static bool
logit_gradient_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && theta[layout->d] >= 0;
}

static void
logit_gradient_respond(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
					   int feature_bits, int responsibility_bits, double *r, double *scratch)
{
	(void) scratch;
	dpem_logit_gradient_respond(theta, theta[layout->d], block, feature_bits, responsibility_bits, r);
}

const DpemKernel dpem_kernel_logit_gradient = {
	.name = "logit_gradient",.code = 14,.max_components = 1,.labelled = true,.theta_length = logit_gradient_theta_length,
	.theta_valid = logit_gradient_theta_valid,.scratch_length = dpem_kernel_no_length,.respond = logit_gradient_respond
};
