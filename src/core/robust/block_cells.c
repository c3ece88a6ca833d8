/*
 * block_cells.c - see block_cells.h.
 */
#include "core/robust/block_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/cells.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/numeric/bisect.h"
#include "core/numeric/vector.h"
#include "core/robust/robust_rules.h"

/* ---- theta ---- */

size_t
dpem_block_cells_length(const DpemBlockCells *task, int d)
{
	return DPEM_BLOCK_CELLS_HEAD + DPEM_BLOCK_TASK_HEAD + (size_t) task->points * d;
}

void
dpem_block_cells_write(const DpemBlockCells *task, int d, double *theta)
{
	theta[0] = task->analysis;
	theta[1] = task->cells;
	theta[2] = task->points;
	dpem_block_task_write(&task->task, (size_t) task->points * d, theta + DPEM_BLOCK_CELLS_HEAD);
}

void
dpem_block_cells_of_pass(const DpemKernel *kernel, const DpemMomentLayout *layout, const double *theta, DpemBlockCells *task)
{
	*task = (DpemBlockCells) {.points = layout->k};
	if (kernel == &dpem_kernel_block_cells)
	{
		*task = (DpemBlockCells) {
			.analysis = (DpemBlockAnalysis) theta[0],.cells = (int) theta[1],.points = (int) theta[2]
		};
		theta += DPEM_BLOCK_CELLS_HEAD;
	}
	dpem_block_task_read(theta, &task->task);
	if (kernel == &dpem_kernel_blocks && task->task.reach > 0)
		task->analysis = DPEM_BLOCK_COEFFICIENTS;
}

/* centers have no reach, coefficients have one, and quantiles are of one coordinate */
static bool
fits(DpemBlockAnalysis analysis, double points, int d, double reach)
{
	if (analysis == DPEM_BLOCK_CENTERS)
		return reach == 0;
	return points == 1 && (analysis == DPEM_BLOCK_COEFFICIENTS ? reach > 0 : reach == 0 && d == 1);
}

static size_t
theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	const double *task = theta + DPEM_BLOCK_CELLS_HEAD;
	size_t		head = DPEM_BLOCK_CELLS_HEAD + DPEM_BLOCK_TASK_HEAD;

	if (layout->second != DPEM_COUNTS_ALONE || available < head || !dpem_block_task_valid(task) ||
		!dpem_is_whole(theta[0], 0, DPEM_BLOCK_ANALYSES - 1) || !dpem_is_whole(theta[1], 2, DPEM_CELLS_MAX) ||
		!dpem_is_whole(theta[2], 1, DPEM_KMEANS_MAX_COMPONENTS) || !fits((DpemBlockAnalysis) theta[0], theta[2], layout->d, task[3]) ||
		theta[1] * theta[2] * layout->d != layout->k)
		return 0;
	head += (size_t) theta[2] * layout->d;
	return available < head ? 0 : head;
}

/* ---- analyses ---- */

/* of n > 0 sorted numbers */
static double
quantile(size_t n, const double *x, double q)
{
	double		at = q * (double) (n - 1);
	size_t		below = (size_t) at;

	return below + 1 < n ? x[below] + (at - (double) below) * (x[below + 1] - x[below]) : x[n - 1];
}

size_t
dpem_block_analysis_work(const DpemBlockCells *task, size_t n, int d)
{
	if (task->analysis == DPEM_BLOCK_CENTERS)
		return dpem_block_means_work(task->points, d);
	return task->analysis == DPEM_BLOCK_COEFFICIENTS ? dpem_block_regression_work(d) : n + 1;
}

void
dpem_block_analyse(const DpemBlockCells *task, size_t n, const double *x, int d, double unit, double *out, DpemWorkspace work)
{
	double	   *sorted;

	if (task->analysis == DPEM_BLOCK_COEFFICIENTS)
	{
		dpem_block_regression(n, x, task->points, d, unit, task->task.reach, out, work);
		return;
	}
	out[0] = 0;
	if (n == 0)
		return;
	sorted = dpem_workspace_take(&work, n);
	memcpy(sorted, x, n * sizeof(double));
	qsort(sorted, n, sizeof(double), dpem_ascending);
	out[0] = task->analysis == DPEM_BLOCK_MEDIAN ? quantile(n, sorted, 0.5) : quantile(n, sorted, 0.75) - quantile(n, sorted, 0.25);
}

/* ---- cells ---- */

static int
cell_of(double part, int cells)
{
	if (!(part * cells >= 1))
		return 0;
	return part < 1 && part * cells < cells ? (int) (part * cells) : cells - 1;
}

void
dpem_block_cells_add(const DpemBlockCells *task, int d, const double *out, double unit, int64_t one, DpemInt128 *exact, double *real)
{
	double		half = task->analysis == DPEM_BLOCK_COEFFICIENTS ? unit / sqrt(d) : unit;
	double		lower = task->analysis == DPEM_BLOCK_IQR ? 0 : -half;

	for (size_t i = 0; i < (size_t) task->points * d; i++)
	{
		size_t		cell = i * task->cells + cell_of((out[i] - lower) / (2 * half), task->cells);

		if (exact != NULL)
			exact[cell] += one;
		else
			real[cell] += 1;
	}
}

const DpemKernel dpem_kernel_block_cells = {
	.name = "block_cells",.code = 61,.aggregate = "block_means",.contribution = DPEM_BLOCK_OUTPUT,.max_components = DPEM_CELLS_MAX,
	.theta_check = theta_check,.scratch_length = dpem_kernel_no_length
};

/* ---- Smith's estimator ---- */

int
dpem_robust_blocks(double rows)
{
	return (int) fmin(fmax(rint(pow(fmax(rows, 1), DPEM_ROBUST_BLOCK_POWER)), 1), DPEM_BLOCKS_MAX);
}

DpemWinsorRange
dpem_winsor_range(int first, int third, int cells)
{
	int			low = first < third ? first : third;
	int			high = first < third ? third : first;
	int			wider = (high > low ? high - low : 1) * DPEM_ROBUST_WIDEN;

	return (DpemWinsorRange) {low > wider ? low - wider : 0, high < cells - 1 - wider ? high + wider : cells - 1};
}

DpemInt128
dpem_winsor_sum(const DpemInt128 *count, size_t stride, int cells, DpemWinsorRange range)
{
	DpemInt128	sum = 0;

	for (int c = range.low + 1; c < cells; c++)
		sum += count[(size_t) c * stride] * ((c < range.high ? c : range.high) - range.low);
	return sum;
}
