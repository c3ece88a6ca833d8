/*
 * block_means.c - see block_means.h.
 */
#include "core/kernels/block_means.h"
#include "core/kernels/kernel.h"
#include "core/kernels/kmeans_kernel.h"

#include <math.h>
#include <string.h>

#include "core/numeric/bisect.h"
#include "core/numeric/linalg.h"
#include "core/numeric/lloyd.h"

void
dpem_block_task_read(const double *theta, DpemBlockTask *task)
{
	*task = (DpemBlockTask) {
		.blocks = (int) theta[0],.steps = (int) theta[1],.capacity = theta[2],.reach = theta[3],
		.start = theta + DPEM_BLOCK_TASK_HEAD
	};
}

void
dpem_block_task_write(const DpemBlockTask *task, size_t n_start, double *theta)
{
	theta[0] = task->blocks;
	theta[1] = task->steps;
	theta[2] = task->capacity;
	theta[3] = task->reach;
	memcpy(theta + DPEM_BLOCK_TASK_HEAD, task->start, n_start * sizeof(double));
}

#define SPARE_PLACES	16		/* in a block: sizes of blocks are random */

uint64_t
dpem_block_room(const DpemBlockTask *task)
{
	return (uint64_t) ceil(task->capacity / task->blocks) + SPARE_PLACES;
}

#define SPARE_ROWS	1000		/* room beyond the known number, which may have grown */

double
dpem_block_capacity(int d, double rows, double bytes)
{
	double		most = bytes / (d * sizeof(float));

	return fmax(floor(fmin(2 * rows + SPARE_ROWS, most)), 1);
}

bool
dpem_block_task_valid(const double *theta)
{
	return dpem_is_whole(theta[0], 1, DPEM_BLOCKS_MAX) && dpem_is_whole(theta[1], 1, INT32_MAX) &&
		dpem_is_whole(theta[2], 1, 0x1p40) && theta[3] >= 0 && theta[3] <= 0x1p40;
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

/* ---- least squares --------------------------------------------------------- */

/*
 * Of the predictors' mean variance: without it slopes of collinear columns differ wildly between blocks.  Tried with 0 and 0.05
 * on the data that docs/families/linreg.md reports, hence no evidence for others.
 */
#define RIDGE		0.05
#define SHORTEN		(1 - 0x1p-40)	/* so that rounding leaves no corner of the cube outside the ball */

/*
 * Moments of (x, 1) about their means, the target last; mean: d.  Sums of integers and of their products are exact, so that
 * the order of rows tells nothing; what is lost where means are taken off is far below the ridge of rounding.
 */
static void
add_products(size_t n, const double *x, int d, double *mean, double *product)
{
	double		rows = n > 0 ? (double) n : 1;

	memset(mean, 0, d * sizeof(double));
	memset(product, 0, (size_t) d * d * sizeof(double));
	for (size_t row = 0; row < n; row++)
		for (int i = 0; i < d; i++)
		{
			mean[i] += x[row * d + i];
			for (int j = 0; j <= i; j++)
				product[i * d + j] += x[row * d + i] * x[row * d + j];
		}
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
			product[i * d + j] -= mean[i] * mean[j] / rows;
	for (int i = 0; i < d; i++)
		mean[i] /= rows;
}

/* slopes (d - 1) from products; false: none are found.  A coordinate's rounding is by at most 1/2, as if of variance 1/4 */
static bool
solve_slopes(size_t n, int d, const double *product, double *slope, double *matrix, double *pivots)
{
	int			p = d - 1;
	double		ridge = n / 4.0;
	bool		finite = true;

	for (int i = 0; i < p; i++)
		ridge += RIDGE * product[i * d + i] / p;
	for (int i = 0; i < p; i++)
	{
		for (int j = 0; j < p; j++)
			matrix[i * p + j] = i >= j ? product[i * d + j] : product[j * d + i];
		matrix[i * p + i] += ridge;
		slope[i] = product[p * d + i];
	}
	if (p > 0 && dpem_linalg_solve(p, matrix, slope, pivots) != DPEM_OK)
		return false;
	for (int i = 0; i < p; i++)
		finite &= isfinite(slope[i]);
	return finite;
}

/* of the squares about the prediction, and about the mean */
static void
put_deviations(size_t n, int d, const double *product, const double *slope, double unit, double *out)
{
	double		all = product[d * d - 1];
	double		rest = all;

	for (int j = 0; j < d - 1; j++)
		rest -= slope[j] * product[(d - 1) * d + j];
	memset(out, 0, d * sizeof(double));
	out[0] = unit * fmin(sqrt(fmax(rest, 0) / (n - d) * d) / unit, 1) * M_SQRT1_2 * SHORTEN;
	out[1] = unit * fmin(sqrt(fmax(all, 0) / (n - 1) * d) / unit, 1) * M_SQRT1_2 * SHORTEN;
}

static double
winsorise(double coefficient, double center, double reach)
{
	return fmin(fmax((coefficient - center) / reach, -1), 1);
}

size_t
dpem_block_regression_work(int d)
{
	return 2 * (size_t) d * d + 3 * (size_t) d;
}

void
dpem_block_regression(size_t n, const double *x, int k, int d, double unit, double reach, double *out, DpemWorkspace work)
{
	double	   *product = dpem_workspace_take(&work, (size_t) d * d);
	double	   *matrix = dpem_workspace_take(&work, (size_t) d * d);
	double	   *mean = dpem_workspace_take(&work, d);
	double	   *slope = dpem_workspace_take(&work, d);
	double		size = unit * SHORTEN / sqrt(d);

	add_products(n, x, d, mean, product);
	if (n <= (size_t) d || !solve_slopes(n, d, product, slope, matrix, dpem_workspace_take(&work, d)))
	{
		memset(out, 0, (size_t) k * d * sizeof(double));
		return;
	}
	slope[d - 1] = mean[d - 1] / unit;
	for (int j = 0; j < d - 1; j++)
		slope[d - 1] -= slope[j] * mean[j] / unit;
	for (int j = 0; j < d; j++)
		out[j] = size * winsorise(slope[j], out[j] / unit, j < d - 1 ? reach : reach / sqrt(d));
	if (k > 1)
		put_deviations(n, d, product, slope, unit, out + d);
}

/* ---- outputs --------------------------------------------------------------- */

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
	return layout->second == DPEM_SECOND_NONE && dpem_block_task_valid(theta) && (theta[3] == 0 || layout->k <= 2);
}

const DpemKernel dpem_kernel_blocks = {
	.name = "blocks",.code = 7,.aggregate = "block_means",.contribution = DPEM_BLOCK_OUTPUT,
	.max_components = DPEM_KMEANS_MAX_COMPONENTS,.theta_length = blocks_theta_length,
	.scratch_length = dpem_kernel_no_length,.theta_valid = blocks_theta_valid
};
