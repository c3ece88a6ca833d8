/*
 * kmeans_blocks.c - see kmeans_algorithms.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"
#include "utils/memutils.h"

#include "core/kernels/block_means.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "server/fit_memory.h"

#define ROWS_SHARE			0.05	/* of the squared mu, for the number of rows */

static DpemMomentLayout
rows_layout(const DpemKmeansPlan *plan)
{
	return (DpemMomentLayout) {1, plan->fit.d, DPEM_SECOND_NONE};
}

static DpemMomentLayout
center_layout(const DpemKmeansPlan *plan)
{
	return (DpemMomentLayout) {plan->request->k, plan->fit.d, DPEM_SECOND_NONE};
}

static DpemReleaseSpec
release_spec(const DpemKmeansPlan *plan)
{
	const DpemDataset *ds = plan->fit.dataset;

	return (DpemReleaseSpec) {
		.noise = plan->request->noise == DPEM_KMEANS_NOISE_LAPLACE ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN,
		.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
}

/* one release at the share of the budget; Laplace releases have equal parts of it */
static int
add_line(DpemKmeansPlan *plan, const char *statistic, const DpemReleaseSpec *spec,
		 const DpemMomentLayout *layout, double share)
{
	DpemFitPlan *fit = &plan->fit;
	bool		laplace = spec->noise == DPEM_NOISE_LAPLACE;
	int			lines = share < 1 ? 2 : 1;
	double		root_sum = share < 1 ? sqrt(ROWS_SHARE) + sqrt(1 - ROWS_SHARE) : 1;
	double		z = laplace ? dpem_fit_pure_multiplier(fit, DPEM_COST_LAPLACE, lines)
		: dpem_fit_noise_multiplier(fit, share, root_sum, 1);
	DpemCostLine cost = dpem_cost_line(laplace ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN, z, 1);

	dpem_release_check(spec, layout, z);
	return dpem_fit_add_line(fit, statistic, laplace ? DPEM_MECHANISM_LAPLACE : DPEM_MECHANISM_GAUSSIAN, &cost);
}

void
dpem_kmeans_plan_blocks(DpemKmeansPlan *plan)
{
	DpemMomentLayout one = rows_layout(plan);
	DpemMomentLayout all = center_layout(plan);
	bool		counts = !(plan->fit.public_rows > 0);

	plan->rows = plan->joint = release_spec(plan);
	plan->rows.count_weight = plan->joint.sum_weight = 1;
	plan->joint.contribution = DPEM_BLOCK_OUTPUT;
	plan->rows_line = -1;
	if (plan->fit.iterations == 0)
		plan->fit.iterations = DPEM_KMEANS_BLOCK_ITERATIONS;
	if (!plan->fit.noisy)
		return;
	if (counts)
		plan->rows_line = add_line(plan, "rows", &plan->rows, &one, ROWS_SHARE);
	plan->line = add_line(plan, "blocks", &plan->joint, &all, counts ? 1 - ROWS_SHARE : 1);
}

void
dpem_kmeans_forecast_blocks(const DpemKmeansPlan *plan, DpemForecast *f)
{
	double		rows = plan->fit.public_rows;
	DpemForecastRow *sum;

	if (plan->rows_line >= 0)
		dpem_forecast_joint(f, plan->rows_line, &plan->rows, 1, NULL, NULL);
	dpem_forecast_joint(f, plan->line, &plan->joint, plan->request->k, &sum, NULL);
	sum->column_deviation = dpem_forecast_columns(&plan->fit, sum->deviation,
												  rows > 0 ? dpem_block_count(rows) : 0, 1);
}

double
dpem_kmeans_block_rows(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMomentLayout layout = rows_layout(plan);
	MemoryContext fit;
	double		rows;

	if (plan->fit.public_rows > 0)
		return plan->fit.public_rows;
	dpem_fit_report(run->fit, "rows", 0);
	fit = MemoryContextSwitchTo(run->fit->per_pass);
	rows = dpem_fit_release(run->fit, plan->rows_line, &plan->rows, &dpem_kernel_sums, &layout, NULL)->value[0];
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	return fmax(rows, 1);
}

static double *
write_task(DpemKmeansRun *run, double rows, DpemBlockTask *task)
{
	const DpemKmeansPlan *plan = run->plan;
	size_t		n = (size_t) plan->request->k * plan->fit.d;
	double	   *theta = dpem_fit_allocate(DPEM_BLOCK_TASK_HEAD + n);

	*task = (DpemBlockTask) {
		.blocks = dpem_block_count(rows),.steps = plan->fit.iterations,
		.capacity = dpem_fit_block_capacity(&plan->fit, rows),.start = run->means.center
	};
	dpem_block_task_write(task, n, theta);
	return theta;
}

/* the mean of the blocks' outputs */
static void
take_mean(DpemKmeansRun *run, const DpemNoisyMoments *sums, int blocks)
{
	DpemKmeans *means = &run->means;
	size_t		d = (size_t) means->d;

	for (size_t i = 0; i < (size_t) means->k; i++)
	{
		for (size_t j = 0; j < d; j++)
		{
			means->center[i * d + j] = sums->value[i * (1 + d) + 1 + j] / blocks;
			means->center_noise[i * d + j] = sums->sum_sd / blocks;
		}
		means->weight[i] = means->weight_noise[i] = get_float8_nan();	/* not released */
	}
	dpem_kmeans_clamp(means->k, means->d, 1 / run->plan->fit.clip_norm, means->center);
}

void
dpem_kmeans_run_blocks(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMomentLayout layout = center_layout(plan);
	MemoryContext fit;
	DpemBlockTask task;
	double	   *theta;

	dpem_kmeans_run_start(run);
	theta = write_task(run, dpem_kmeans_block_rows(run), &task);
	dpem_fit_report(run->fit, "blocks", 0);
	fit = MemoryContextSwitchTo(run->fit->per_pass);
	take_mean(run, dpem_fit_release(run->fit, plan->line, &plan->joint, &dpem_kernel_blocks, &layout, theta),
			  task.blocks);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}
