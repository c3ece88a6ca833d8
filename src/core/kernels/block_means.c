/*
 * block_means.c - see block_means.h.
 */
#include "core/kernels/block_means.h"
#include "core/kernels/kernel.h"
#include "core/kernels/kmeans_kernel.h"

#include <math.h>
#include <string.h>

#include "core/numeric/bisect.h"
#include "core/numeric/lloyd.h"

void
dpem_block_task_read(const double *theta, DpemBlockTask *task)
{
	*task = (DpemBlockTask) {
		.blocks = (int) theta[0],.steps = (int) theta[1],.capacity = theta[2],
		.start = theta + DPEM_BLOCK_TASK_HEAD
	};
}

void
dpem_block_task_write(const DpemBlockTask *task, size_t n_start, double *theta)
{
	theta[0] = task->blocks;
	theta[1] = task->steps;
	theta[2] = task->capacity;
	memcpy(theta + DPEM_BLOCK_TASK_HEAD, task->start, n_start * sizeof(double));
}

int
dpem_block_count(double rows)
{
	double		blocks = rint(pow(fmax(rows, 1), 0.4));

	return blocks < DPEM_BLOCKS_MAX ? (int) blocks : DPEM_BLOCKS_MAX;
}

size_t
dpem_block_means_work(int k, int d)
{
	return dpem_lloyd_work(k, d);
}

void
dpem_block_means(size_t n, const double *x, int k, int d, int steps, double *center, DpemWorkspace work)
{
	DpemPoints	rows = {.n = n,.d = d,.x = x};

	for (int step = 0; step < steps; step++)
		dpem_lloyd(&rows, k, center, 1, work);
}

static bool
in_ball(const double *center, int d, int bits)
{
	int64_t		square = 0;

	for (int j = 0; j < d; j++)
	{
		if (!(fabs(center[j]) <= ldexp(1.0, bits)))
			return false;
		square += (int64_t) center[j] * (int64_t) center[j];
	}
	return square <= INT64_C(1) << (2 * bits);
}

void
dpem_block_output_exact(int k, int d, const double *center, int feature_bits, int responsibility_bits,
						DpemInt128 *total)
{
	for (int i = 0; i < k; i++, center += d, total += 1 + d)
	{
		bool		counts = in_ball(center, d, feature_bits);

		for (int j = 0; j < d && counts; j++)
			total[1 + j] += (DpemInt128) (int64_t) center[j] * (INT64_C(1) << responsibility_bits);
	}
}

void
dpem_block_output_real(int k, int d, const double *center, double *real)
{
	for (int i = 0; i < k; i++, center += d, real += 1 + d)
		for (int j = 0; j < d; j++)
			real[1 + j] += center[j];
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
blocks_theta_length(const DpemMomentLayout *layout)
{
	return DPEM_BLOCK_TASK_HEAD + (size_t) layout->k * (size_t) layout->d;
}

static bool
blocks_theta_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_NONE && dpem_is_whole(theta[0], 1, DPEM_BLOCKS_MAX) &&
		dpem_is_whole(theta[1], 1, INT32_MAX) && dpem_is_whole(theta[2], 1, 0x1p40);
}

const DpemKernel dpem_kernel_blocks = {
	.name = "blocks",.code = 7,.aggregate = "block_means",.contribution = DPEM_BLOCK_OUTPUT,
	.max_components = DPEM_KMEANS_MAX_COMPONENTS,.theta_length = blocks_theta_length,
	.scratch_length = dpem_kernel_no_length,.theta_valid = blocks_theta_valid
};
