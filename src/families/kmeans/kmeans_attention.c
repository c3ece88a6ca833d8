/*
 * kmeans_attention.c - see kmeans_algorithms.h.
 *
 * Rows go to random blocks, all rows of a unit to the same one, and k-means runs on each from the same centers.  Each
 * coordinate of each center is counted in cells, and released by a choice of its own about its center of attention,
 * whose noise depends on how close together the blocks' outputs are (docs/proofs.md, section 29).
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"

#include "core/kernels/cells.h"
#include "core/robust/block_cells.h"
#include "core/robust/robust_rules.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "server/fit_memory.h"
#include "wall/release_robust.h"

#define MOST_CELLS	4096		/* of a coordinate */

static int
outputs(const DpemKmeansPlan *plan)
{
	return plan->request->k * plan->fit.d;
}

static DpemRobustSpec
spec_of(const DpemKmeansPlan *plan, int blocks)
{
	const DpemDataset *ds = plan->fit.dataset;

	return (DpemRobustSpec) {
		.statistic = DPEM_ROBUST_ATTENTION,.cells = Min(MOST_CELLS, DPEM_CELLS_MAX / outputs(plan)),.values = outputs(plan),
			.blocks = blocks,.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
}

/* ---- plan ---- */

static void
require_cells(const DpemKmeansPlan *plan)
{
	if (outputs(plan) > DPEM_CELLS_MAX / 16)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d centers of %d coordinates are too many for algorithm center_of_attention", plan->request->k, plan->fit.d),
				 errdetail("At most %d coordinates of all centers do.", DPEM_CELLS_MAX / 16),
				 errhint("Name fewer columns, or ask for fewer clusters.")));
}

void
dpem_kmeans_plan_attention(DpemKmeansPlan *plan)
{
	bool		adds = dpem_composition_is_classical(plan->fit.composition);
	bool		counts = !(plan->fit.public_rows > 0);
	const DpemDataset *ds = plan->fit.dataset;
	DpemMomentLayout one = {1, plan->fit.d, DPEM_SECOND_NONE};
	DpemCostLine lines[] = {
		dpem_cost_line(DPEM_COST_CHOICE, 1, outputs(plan)), dpem_cost_line(adds ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN, DPEM_ROBUST_ROWS, 1)
	};

	require_cells(plan);
	plan->rows = (DpemReleaseSpec) {
		.noise = adds ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN,.count_weight = 1,.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
	plan->rows_line = -1;
	if (plan->fit.iterations == 0)
		plan->fit.iterations = DPEM_KMEANS_BLOCK_ITERATIONS;
	if (!plan->fit.noisy)
		return;
	dpem_fit_scale_lines(&plan->fit, lines, counts ? 2 : 1);
	dpem_release_smooth_check(lines[0].noise_multiplier);
	if (counts)
	{
		dpem_release_check(&plan->rows, &one, lines[1].noise_multiplier);
		plan->rows_line = dpem_fit_add_line(&plan->fit, "rows", adds ? DPEM_MECHANISM_LAPLACE : DPEM_MECHANISM_GAUSSIAN, &lines[1]);
	}
	plan->line = dpem_fit_add_line(&plan->fit, "centers", DPEM_MECHANISM_EXPONENTIAL, &lines[0]);
}

/* how much noise there is remains private, but for the law of the smoothing */
void
dpem_kmeans_forecast_attention(const DpemKmeansPlan *plan, DpemForecast *f)
{
	if (plan->rows_line >= 0)
		dpem_forecast_joint(f, plan->rows_line, &plan->rows, 1, NULL, NULL);
	dpem_forecast_release(f, plan->line, NAN, NAN);
	dpem_forecast_remark(f, "smoothing: beta", dpem_smooth_beta(plan->fit.charge.lines[plan->line].noise_multiplier));
}

/* ---- run ---- */

static DpemRawMoments *
count_outputs(DpemKmeansRun *run, const DpemRobustSpec *spec, double rows)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemBlockCells blocks = {
		.analysis = DPEM_BLOCK_CENTERS,.cells = spec->cells,.points = plan->request->k,
			.task = {
			.blocks = spec->blocks,.steps = plan->fit.iterations,.capacity = dpem_fit_block_capacity(&plan->fit, rows),
				.start = run->means.center
		}
	};

	return dpem_fit_count_outputs(run->fit, &blocks, "blocks", 0);
}

/* without noise the center of attention itself, of counts that the caller may see */
static void
read_values(const DpemKmeansPlan *plan, const DpemRobustSpec *spec, const DpemNoisyMoments *counts, int *cell)
{
	DpemInt128 *room = palloc(DPEM_ROBUST_ROOM * (Size) spec->cells * sizeof(DpemInt128));

	for (int i = 0; i < outputs(plan); i++)
		cell[i] = dpem_robust_value_of(spec->statistic, counts->value + (Size) i * spec->cells, 1, spec->cells, room);
}

void
dpem_kmeans_run_attention(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemKmeans *means = &run->means;
	double		rows;
	DpemRobustSpec spec;
	DpemRawMoments *raw;
	int		   *cell = palloc(outputs(plan) * sizeof(int));

	dpem_kmeans_run_start(run);
	rows = dpem_kmeans_block_rows(run);
	spec = spec_of(plan, dpem_robust_blocks(rows));
	raw = count_outputs(run, &spec, rows);
	if (plan->fit.noisy)
		dpem_release_smooth(run->fit->charge, plan->line, raw, &spec, cell);
	else
		read_values(plan, &spec, dpem_release_to_reader(run->fit->reader, raw), cell);
	for (int i = 0; i < outputs(plan); i++)
	{
		means->center[i] = 2 * (cell[i] + 0.5) / spec.cells - 1;
		means->center_noise[i] = plan->fit.noisy ? get_float8_nan() : 0;
	}
	for (int i = 0; i < means->k; i++)
		means->weight[i] = means->weight_noise[i] = get_float8_nan();	/* not released */
	dpem_kmeans_clamp(means->k, means->d, 1 / plan->fit.clip_norm, means->center);
}
