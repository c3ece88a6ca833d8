/*
 * compare_kernel.c - see compare_kernel.h.
 */
#include <math.h>

#include "core/density/compare_kernel.h"
#include "core/kernels/gmm_kernel.h"
#include "core/numeric/bisect.h"
#include "core/numeric/fpenv.h"
#include "core/numeric/linalg.h"

enum
{
	T_RATE, T_UNIT, T_FIRST, T_SECOND, T_HEADER
};

/* three thousand times as likely is as good as a million times; most rows differ by little */
static const double edge[DPEM_COMPARE_LEVELS - 1] = {-6, -3, -1.5, -0.75, -0.35, -0.1, 0.1, 0.35, 0.75, 1.5, 3, 6};
const double dpem_compare_level[DPEM_COMPARE_LEVELS] = {-8, -4.5, -2.25, -1.125, -0.55, -0.225, 0, 0.225, 0.55, 1.125, 2.25, 4.5, 8};

double		(*dpem_compare_uniform) (void) = NULL;

size_t
dpem_compare_theta_length(int first, int second, int d)
{
	return T_HEADER + dpem_gmm_whole_length(first, d) + dpem_gmm_whole_length(second, d);
}

static DpemCompareTask
read_task(int d, double *theta)
{
	int			first = (int) theta[T_FIRST];
	DpemCompareTask task = {.rate = theta[T_RATE],.unit = theta[T_UNIT]};

	dpem_gmm_whole_place(first, d, theta + T_HEADER, &task.mixture[0]);
	dpem_gmm_whole_place((int) theta[T_SECOND], d, theta + T_HEADER + dpem_gmm_whole_length(first, d), &task.mixture[1]);
	return task;
}

DpemCompareTask
dpem_compare_begin(double rate, double unit, int first, int second, int d, double *theta)
{
	theta[T_RATE] = rate;
	theta[T_UNIT] = unit;
	theta[T_FIRST] = first;
	theta[T_SECOND] = second;
	return read_task(d, theta);
}

double
dpem_compare_sum(const double *count, double count_sd, double *sd)
{
	double		sum = 0;
	double		square = 0;

	for (int i = 0; i < DPEM_COMPARE_LEVELS; i++)
	{
		sum += dpem_compare_level[i] * count[i];
		square += dpem_compare_level[i] * dpem_compare_level[i];
	}
	*sd = count_sd * sqrt(square);
	return sum;
}

/* ---- theta ---- */

static size_t
check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	size_t		length;

	if (dpem_compare_uniform == NULL || layout->second != DPEM_COUNTS_ALONE || layout->k != DPEM_COMPARE_LEVELS || available < T_HEADER ||
		!dpem_is_whole(theta[T_FIRST], 1, DPEM_GMM_MAX_COMPONENTS) || !dpem_is_whole(theta[T_SECOND], 1, DPEM_GMM_MAX_COMPONENTS))
		return 0;
	/* where it cannot be loaded no row decides whether it is */
	dpem_linalg_prepare();
	length = dpem_compare_theta_length((int) theta[T_FIRST], (int) theta[T_SECOND], layout->d);
	return available >= length ? length : 0;
}

/* ---- rows ---- */

typedef struct Scratch
{
	double	   *u;				/* drawn for the block's rows */
	double	   *x;				/* a row */
	double	   *logs[2];
	DpemWorkspace work;
} Scratch;

static Scratch
take(int d, DpemWorkspace *memory)
{
	Scratch		s = {.u = dpem_workspace_take(memory, DPEM_BLOCK_STRIDE)};

	s.x = dpem_workspace_take(memory, d);
	for (int i = 0; i < 2; i++)
		s.logs[i] = dpem_workspace_take(memory, dpem_gmm_apart_logs(DPEM_GMM_MAX_COMPONENTS, d));
	s.work = *memory;
	return s;
}

static size_t
scratch_length(const DpemMomentLayout *layout)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take(layout->d, &dry);
	return dpem_workspace_taken(&dry) + dpem_gmm_whole_work(DPEM_GMM_MAX_COMPONENTS, layout->d);
}

/* the cell of a difference; what is no number says nothing */
static int
cell_of(double difference)
{
	int			i = 0;

	if (isnan(difference))
		return DPEM_COMPARE_LEVELS / 2;
	while (i < DPEM_COMPARE_LEVELS - 1 && difference >= edge[i])
		i++;
	return i;
}

/* in the units of the domain */
static void
take_row(const DpemBlock *block, int row, double unit, const DpemGmmWhole *w, double *x)
{
	for (int j = 0; j < w->gmm.d; j++)
	{
		double		middle = w->lower[j] / 2 + w->upper[j] / 2;
		double		half = w->upper[j] / 2 - w->lower[j] / 2;

		x[j] = middle + half * unit * block->x[(size_t) j * DPEM_BLOCK_STRIDE + row];
	}
}

/* before the floating-point environment is entered, as drawing may raise */
static void
draw(const DpemBlock *block, double rate, double *u)
{
	for (int row = 0; row < block->rows; row++)
		u[row] = rate < 1 ? dpem_compare_uniform() : 0;
}

static void
locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits, int32_t *component, double *scratch)
{
	/* the mixtures are read only */
	DpemCompareTask task = read_task(layout->d, (double *) theta);
	Scratch		s = take(layout->d, &(DpemWorkspace) {scratch, scratch + scratch_length(layout)});
	double		unit = ldexp(task.unit, -feature_bits);
	DpemFpenv	fpenv;
	DpemGmmApart apart[2];
	int32_t		cell;

	draw(block, task.rate, s.u);
	dpem_fpenv_enter(&fpenv);
	for (int i = 0; i < 2; i++)
		apart[i] = dpem_gmm_whole_apart(&task.mixture[i], s.logs[i]);
	for (int row = 0; row < block->rows; row++)
	{
		component[row] = -1;
		if (!(s.u[row] < task.rate))
			continue;
		take_row(block, row, unit, &task.mixture[0], s.x);
		cell = cell_of(dpem_gmm_whole_log_density(&task.mixture[0], &apart[0], s.x, s.work) -
					   dpem_gmm_whole_log_density(&task.mixture[1], &apart[1], s.x, s.work));
		/* a row that does not count takes the time of others */
		component[row] = block->keep[row] > 0 ? cell : -1;
	}
	dpem_fpenv_leave(&fpenv);
}

const DpemKernel dpem_kernel_compare = {
	.name = "compare",.code = 62,.max_components = DPEM_COMPARE_LEVELS,.theta_check = check,.scratch_length = scratch_length,
	.fine = true,.locate = locate
};
