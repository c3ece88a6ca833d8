/*
 * kmeans_grid.c - see kmeans_grid.h.
 *
 * One release of counts, or two in a grid of two levels; which cells to
 * believe, and the search for the best centers of these weighted points from
 * many starts, is post-processing.  Where the number of rows is private, a
 * sliver of the budget buys it first, and the size of the grid follows from
 * that.  Cells that are coarse enough for their noise are too coarse for
 * accurate centers; a last release of sums about the centers, with noise in
 * proportion to the clusters' own size, makes up for it.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/kernels/nearby.h"
#include "core/kmeans/nearby_step.h"
#include "core/kmeans/grid.h"
#include "core/kmeans/zoom.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_grid.h"
#include "families/kmeans/kmeans_looks.h"
#include "server/fit_memory.h"

/* of the budget's squared mu */
#define ROWS_SHARE		0.003
#define NEARBY_SHARE	0.25
#define FIRST_SHARE		0.3		/* of what a grid of two levels has */

/* how far rows are seen about a center, in root mean square distances of the cluster's rows */
#define REACH_FACTOR	2.0

/* weight of counts beside that of sums, where it costs noise; they matter little for a short step */
#define NEARBY_COUNT_WEIGHT 0.3

/* ---- plans ---- */

DpemReleaseSpec
dpem_kmeans_count_spec(const DpemKmeansPlan *plan)
{
	const DpemDataset *ds = plan->fit.dataset;
	bool		laplace = plan->request->noise == DPEM_KMEANS_NOISE_LAPLACE;

	/* a Laplace release is (epsilon, 0)-DP; where that is how calls add up, it has far less noise */
	if (plan->request->noise == DPEM_KMEANS_NOISE_USUAL)
		laplace = dpem_composition_is_classical(plan->fit.composition);
	return (DpemReleaseSpec) {
		.noise = laplace ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN,.count_weight = 1,
			.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
}

DpemFitStage
dpem_kmeans_count_stage(const DpemKmeansPlan *plan, const char *statistic, double share)
{
	return (DpemFitStage) {
		.statistic = statistic,.share = share,.releases = 1,.spec = dpem_kmeans_count_spec(plan),
			.layout = {2, plan->fit.d, DPEM_COUNTS_ALONE}
	};
}

static void
check_grid(const DpemKmeansPlan *plan)
{
	if (plan->fit.d > DPEM_KMEANS_GRID_MAX_D)
		dpem_fit_bad_argument(psprintf("the number of coordinates with algorithm %s", plan->algorithm->name),
							  psprintf("%d", plan->fit.d), psprintf("at most %d", DPEM_KMEANS_GRID_MAX_D));
	if (plan->request->fit.iterations > 0)
		dpem_fit_bad_argument("iterations", psprintf("%d", plan->request->fit.iterations),
							  psprintf("null with algorithm %s", plan->algorithm->name));
}

DpemFitStage
dpem_kmeans_nearby_stage(const DpemKmeansPlan *plan, double share)
{
	return (DpemFitStage) {
		.statistic = "rows about centers",.share = share,.releases = 1,
			.spec = plan->grid.nearby_spec,.layout = {plan->request->k, plan->fit.d, DPEM_SECOND_NONE}
	};
}

/* lines of the charge in the order of the releases */
static void
plan_grid_stages(DpemKmeansPlan *plan)
{
	DpemKmeansGridPlan *grid = &plan->grid;
	DpemFitStage stages[DPEM_FIT_MAX_STAGES];
	int			kind[DPEM_FIT_MAX_STAGES];
	double		left = grid->nearby ? 1 - NEARBY_SHARE : 1;
	double		first = grid->adaptive ? FIRST_SHARE * left : 0;
	int			n = 0;

	if (!(plan->fit.public_rows > 0) && grid->cells == 0)
	{
		kind[n] = DPEM_GRID_ROWS;
		stages[n++] = dpem_kmeans_count_stage(plan, "rows", ROWS_SHARE);
	}
	if (grid->adaptive)
	{
		kind[n] = DPEM_GRID_FIRST;
		stages[n++] = dpem_kmeans_count_stage(plan, "cells", first);
	}
	kind[n] = DPEM_GRID_CELLS;
	stages[n] = dpem_kmeans_count_stage(plan, grid->adaptive ? "parts of cells" : "cells", left - first);
	stages[n++].releases = grid->looks;
	if (grid->nearby)
	{
		kind[n] = DPEM_GRID_NEARBY;
		stages[n++] = dpem_kmeans_nearby_stage(plan, NEARBY_SHARE);
	}
	dpem_fit_add_stages(&plan->fit, stages, n);
	for (int i = 0; i < n; i++)
		grid->line[kind[i]] = stages[i].line;
	if (grid->looks > 1)
		dpem_kmeans_check_grid_pass(plan);
}

/* counts are free beside sums where rows may change places (core/kmeans/kmeans_rules.c) */
static DpemReleaseSpec
nearby_spec(const DpemKmeansPlan *plan)
{
	DpemReleaseSpec spec = dpem_kmeans_count_spec(plan);

	spec.sum_weight = 1;
	if (!spec.replace_one || spec.noise == DPEM_NOISE_LAPLACE)
		spec.count_weight = NEARBY_COUNT_WEIGHT;
	return spec;
}

void
dpem_kmeans_plan_counts(DpemKmeansPlan *plan)
{
	plan->grid = (DpemKmeansGridPlan) {
		.nearby = true,.spec = dpem_kmeans_count_spec(plan),.nearby_spec = nearby_spec(plan),.line = {-1, -1, -1, -1}
	};
}

static void
plan_with(DpemKmeansPlan *plan, const DpemGridRule *rule, double usual_threshold, bool nearby)
{
	const DpemKmeansRequest *r = plan->request;

	check_grid(plan);
	plan->grid = (DpemKmeansGridPlan) {
		.rule = rule,.cells = r->cells,.adaptive = r->adaptive,
		.threshold = isnan(r->threshold) ? usual_threshold : r->threshold,
		.looks = nearby && !r->adaptive && dpem_kmeans_count_spec(plan).noise == DPEM_NOISE_GAUSSIAN ? DPEM_ZOOM_LOOKS : 1,
		.nearby = nearby,.spec = dpem_kmeans_count_spec(plan),.nearby_spec = nearby_spec(plan),
		.line = {-1, -1, -1, -1}
	};
	plan->fit.iterations = 1;
	if (plan->fit.noisy)
		plan_grid_stages(plan);
}

void
dpem_kmeans_plan_grid(DpemKmeansPlan *plan)
{
	const DpemKmeansRequest *r = plan->request;

	/* a threshold makes a finer grid better, and a second level needs one */
	if (r->adaptive || r->threshold > 0)
		plan_with(plan, &dpem_grid_thresholded, NAN, false);
	else
		plan_with(plan, &dpem_grid_published, 0, false);
}

void
dpem_kmeans_plan_sparse_grid(DpemKmeansPlan *plan)
{
	plan_with(plan, &dpem_grid_thresholded, NAN, true);
}

void
dpem_kmeans_forecast_grid(const DpemKmeansPlan *plan, DpemForecast *forecast)
{
	const DpemKmeansGridPlan *grid = &plan->grid;
	DpemForecastRow *sum;

	for (int line = 0; line < plan->fit.charge.nlines; line++)
	{
		if (line == grid->line[DPEM_GRID_NEARBY])
		{
			dpem_forecast_joint(forecast, line, &grid->nearby_spec, plan->request->k, &sum, NULL);
			dpem_kmeans_forecast_center(plan, forecast, sum->deviation, REACH_FACTOR);
		}
		else
			dpem_forecast_joint(forecast, line, &grid->spec, 2, NULL, NULL);
	}
}

/* ---- releases ---- */

double
dpem_kmeans_count_deviation(const DpemKmeansPlan *plan, int line, const DpemReleaseSpec *spec)
{
	double		sd = 0;
	double		unused;

	if (plan->fit.noisy)
		dpem_release_noise(spec, 2, plan->fit.d, plan->fit.charge.lines[line].noise_multiplier, &sd, &unused, &unused);
	return sd;
}

DpemKmeansCounts
dpem_kmeans_count_cells(DpemKmeansRun *run, int line, const DpemReleaseSpec *spec, const DpemCellGrid *grid)
{
	DpemMomentLayout layout = {dpem_cells_number(grid), run->plan->fit.d, DPEM_COUNTS_ALONE};
	double	   *theta = dpem_fit_allocate(dpem_cells_theta_length(grid));
	DpemKmeansCounts counts = {.n = layout.k};
	DpemNoisyMoments *released;
	double	   *variance;

	dpem_cells_write(grid, theta);
	released = dpem_fit_release(run->fit, line, spec, &dpem_kernel_cells, &layout, theta);
	counts.count = released->value;
	counts.sd = released->count_sd;
	variance = dpem_fit_allocate(grid->axes);
	dpem_zoom_blur(grid, variance);
	counts.blur = (DpemBlur) {.levels = 1,.variance = variance};
	counts.middle = dpem_fit_allocate((size_t) layout.k * grid->axes);
	dpem_cells_middles(grid, counts.middle);
	return counts;
}

double
dpem_kmeans_find_rows(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_NONE};

	if (plan->grid.line[DPEM_GRID_ROWS] < 0)
		return plan->fit.public_rows;
	dpem_fit_report(run->fit, "rows", 0);
	return dpem_fit_release(run->fit, plan->grid.line[DPEM_GRID_ROWS], &plan->grid.spec,
							&dpem_kernel_sums, &layout, NULL)->value[0];
}

/* the box of the domain, or of the unit ball where rows are clipped to less */
static DpemCellGrid
make_grid(const DpemKmeansRun *run, int parts)
{
	DpemCellGrid grid = {.axes = run->plan->fit.d,.d = run->plan->fit.d};
	double		half = fmin(1 / run->fit->pass.map.radius, 1);

	for (int a = 0; a < grid.axes; a++)
		grid.axis[a] = (DpemCellAxis) {-half, half, parts};
	return grid;
}

static int
choose_parts(DpemKmeansRun *run)
{
	const DpemKmeansGridPlan *grid = &run->plan->grid;
	int			line = grid->line[grid->adaptive ? DPEM_GRID_FIRST : DPEM_GRID_CELLS];
	double		sd = dpem_kmeans_count_deviation(run->plan, line, &grid->spec) / sqrt(grid->looks);

	if (grid->cells > 0)
		return dpem_grid_parts_of(run->plan->fit.d, grid->cells);
	return dpem_grid_parts(grid->rule, run->plan->fit.d, run->plan->request->k, dpem_kmeans_find_rows(run), sd);
}

static DpemKmeansCounts
count_two_levels(DpemKmeansRun *run, DpemCellGrid *grid)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	int			k = run->plan->request->k;
	DpemKmeansCounts first;
	DpemKmeansCounts second;
	double	   *parts;

	dpem_fit_report(run->fit, "cells", 0);
	first = dpem_kmeans_count_cells(run, plan->line[DPEM_GRID_FIRST], &plan->spec, grid);
	parts = dpem_fit_allocate(first.n);
	dpem_grid_refine(first.count, first.n, grid->axes,
					 dpem_grid_threshold(first.count, first.n, plan->spec.noise, first.sd, DPEM_CELLS_PER_CLUSTER * k),
					 dpem_kmeans_count_deviation(run->plan, plan->line[DPEM_GRID_CELLS], &plan->spec), parts);
	grid->parts = parts;
	dpem_fit_report(run->fit, "parts of cells", 0);
	second = dpem_kmeans_count_cells(run, plan->line[DPEM_GRID_CELLS], &plan->spec, grid);
	dpem_grid_reconcile(first.count, first.n, first.sd, parts, grid->axes, second.count, second.sd);
	return second;
}

/* ---- the run ---- */

void
dpem_kmeans_stay_at_start(DpemKmeansRun *run, double *spread)
{
	dpem_kmeans_run_start(run);
	for (int k = 0; k < run->means.k; k++)
	{
		run->means.weight[k] = 1.0 / run->means.k;
		spread[k] = INFINITY;
	}
}

/* centers, noise and shares from counts; spread as in dpem_kmeans_cluster_counts */
static bool
run_cells(DpemKmeansRun *run, double *spread, DpemKmeansLeft *left)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemCellGrid grid = make_grid(run, choose_parts(run));
	DpemKmeansCounts counts;
	bool		found = true;

	counts = plan->adaptive ? count_two_levels(run, &grid) : dpem_kmeans_look(run, &grid, left);
	if (left->heap)
		dpem_kmeans_find_beside(run, &counts, left);
	else
		found = run->sizes.n > 0 ? dpem_kmeans_choose_clusters(run, &counts, grid.axes, spread)
		: dpem_kmeans_cluster_counts(&counts, grid.axes, plan->threshold, plan->spec.noise, &run->means, spread);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	return found;
}

double
dpem_kmeans_diameter(const DpemKmeansRun *run)
{
	return 2 * fmin(1 / run->fit->pass.map.radius, 1) * sqrt(run->means.d);
}

DpemNoisyMoments *
dpem_kmeans_move_nearby(DpemKmeansRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second, const char *phase,
						const double *spread, double *reach)
{
	DpemKmeans *means = &run->means;
	DpemMomentLayout layout = {means->k, means->d, second};
	size_t		n = (size_t) means->k * means->d;
	double	   *theta = dpem_fit_allocate(dpem_nearby_theta_length(means->k, means->d));
	DpemNoisyMoments *released;

	for (int k = 0; k < means->k; k++)
		reach[k] = fmin(REACH_FACTOR * spread[k], dpem_kmeans_diameter(run));
	memcpy(theta, means->center, n * sizeof(double));
	memcpy(theta + n, reach, means->k * sizeof(double));
	dpem_fit_report(run->fit, phase, 0);
	released = dpem_fit_release(run->fit, line, spec, &dpem_kernel_nearby, &layout, theta);
	dpem_nearby_step(released, reach, NULL, means, dpem_fit_workspace(2 * means->d));
	dpem_kmeans_clamp(means->k, means->d, fmin(1 / run->fit->pass.map.radius, 1), means->center);
	return released;
}

void
dpem_kmeans_run_nearby(DpemKmeansRun *run, const double *spread)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *reach = dpem_fit_allocate(run->means.k);

	(void) dpem_kmeans_move_nearby(run, plan->line[DPEM_GRID_NEARBY], &plan->nearby_spec, DPEM_SECOND_NONE,
								   "rows about centers", spread, reach);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

void
dpem_kmeans_run_grid(DpemKmeansRun *run)
{
	double	   *spread = dpem_fit_allocate(run->plan->request->k);
	DpemKmeansLeft left = dpem_kmeans_left_make(run);

	if (!run_cells(run, spread, &left))
		dpem_kmeans_stay_at_start(run, spread);
	if (left.heap && !dpem_kmeans_look_at_heap(run, &left, spread))
		return;
	for (; left.looks > 0; left.looks--)
		dpem_kmeans_run_grid_pass(run, spread);
	if (run->plan->grid.nearby)
		dpem_kmeans_run_nearby(run, spread);
}
