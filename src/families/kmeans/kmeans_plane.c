/*
 * kmeans_plane.c - see kmeans_algorithms.h.
 *
 * Four kinds of releases: where the rows are and how far they spread; the
 * second moment of rows re-centered and clipped there, whose two top
 * eigenvectors (Analyze Gauss: Dwork, Talwar, Thakurta, Zhang 2014) span the
 * plane that is nearest to the rows; counts on a grid in that plane, on which
 * k-means finds a start; and a few of Lloyd's passes in all coordinates.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "families/kmeans/kmeans_algorithms.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_grid.h"
#include "server/fit_memory.h"

#define AXES			2
#define LLOYD_PASSES	3
#define UNMOVED			1e-9	/* rounding of coordinates in the unit ball */

/* the plane's box, in standard deviations along its axes; rows beyond are counted at its border */
#define BOX_DEVIATIONS	3.0

/* of the budget's squared mu: the passes' answer is the result, the others' serves to find a start */
static const double shares[DPEM_FRAME_STAGES] = {0.1, 0.3, 0.2, 0.4};

/* ---- plan ---- */

static void
plan_specs(DpemKmeansPlan *plan)
{
	double		count;
	double		sum;

	dpem_kmeans_weights(plan->fit.d, plan->fit.dataset->replace_one, &count, &sum);
	plan->joint = dpem_fit_spec(&plan->fit, count, sum, 0);
}

void
dpem_kmeans_plan_plane(DpemKmeansPlan *plan)
{
	if (plan->fit.d < AXES)
		dpem_fit_bad_argument("the number of coordinates with algorithm plane", psprintf("%d", plan->fit.d),
							  psprintf("at least %d", AXES));
	if (plan->fit.iterations == 0)
		plan->fit.iterations = LLOYD_PASSES;
	plan->rule = &dpem_kmeans_careful_rule;
	plan_specs(plan);
	dpem_kmeans_frame_stages(plan, shares, 1, "clusters", DPEM_SECOND_NONE);
}

/* ---- run ---- */

/* features lie in the unit ball, and so do their projections */
static DpemCellGrid
make_grid(const DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	double		sd = dpem_kmeans_count_deviation(run->plan, plan->line[DPEM_GRID_CELLS], &plan->spec);
	int			parts = dpem_grid_parts(&dpem_grid_start, AXES, run->plan->request->k, frame->rows, sd);
	DpemCellGrid grid = {.axes = AXES,.d = run->plan->fit.d,.projection = frame->axis};

	for (int a = 0; a < AXES; a++)
	{
		double		half = fmin(1, BOX_DEVIATIONS * sqrt(fmax(frame->variance[a], 0)));

		if (!(half > 0.01))		/* nothing but noise was seen */
			half = 1;
		grid.axis[a] = (DpemCellAxis) {-half, half, parts};
	}
	return grid;
}

static void
run_cells(DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	DpemKmeans *means = &run->means;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemCellGrid grid = make_grid(run, frame);
	DpemKmeans	flat = {
		.k = means->k,.d = AXES,.weight = means->weight,.weight_noise = means->weight_noise,
		.center = dpem_fit_allocate(means->k * AXES),.center_noise = dpem_fit_allocate(means->k * AXES)
	};
	DpemKmeansCounts counts;

	dpem_fit_report(run->fit, "cells", 0);
	counts = dpem_kmeans_count_cells(run, plan->line[DPEM_GRID_CELLS], &plan->spec, &grid);
	if (dpem_kmeans_cluster_counts(&counts, AXES, NAN, DPEM_NOISE_GAUSSIAN, &flat, NULL))
		dpem_kmeans_frame_lift(frame, &flat, means);
	else
		dpem_kmeans_start(means->k, means->d, 1 / sqrt(means->d), means->center,
						  dpem_fit_workspace(dpem_kmeans_start_work(means->k, means->d)));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* what no pass moved is where the plane put it, and no estimate in the other coordinates */
static void
forget_unmoved(DpemKmeans *means, const double *start)
{
	size_t		d = (size_t) means->d;

	for (size_t k = 0; k < (size_t) means->k; k++)
	{
		double		moved = 0;

		for (size_t j = 0; j < d; j++)
			moved = fmax(moved, fabs(means->center[k * d + j] - start[k * d + j]));
		if (!(moved > UNMOVED))
			memset(means->center_noise + k * d, 0, d * sizeof(double));
	}
}

void
dpem_kmeans_run_plane(DpemKmeansRun *run)
{
	DpemKmeansFrame frame = dpem_kmeans_frame_make(AXES, run->plan->fit.d);
	size_t		n = (size_t) run->means.k * run->means.d;
	double	   *start = dpem_fit_allocate(n);

	dpem_kmeans_frame_center(run, &frame);
	if (dpem_kmeans_total_alone(run, &frame))
	{
		dpem_kmeans_run_total(run, &frame);
		return;
	}
	run->origin = run->fit->pass.map.center;
	run->radius = run->fit->pass.map.radius;
	dpem_kmeans_frame_axes(run, &frame);
	run_cells(run, &frame);
	dpem_kmeans_clamp(run->means.k, run->means.d, 1, run->means.center);
	memcpy(start, run->means.center, n * sizeof(double));
	dpem_kmeans_run_passes(run);
	if (run->plan->fit.noisy)
		forget_unmoved(&run->means, start);
}
