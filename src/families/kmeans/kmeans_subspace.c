/*
 * kmeans_subspace.c - see kmeans_algorithms.h, core/kmeans/subspace.h.
 *
 * Four kinds of releases: where the rows are; their second moment there, whose
 * top eigenvectors are the directions; counts on a grid along these, on which
 * k-means finds a start; and a few passes in all coordinates over the rows as
 * seen from their centers (core/kernels/nearby.h), the first of them from more
 * centers than were asked for.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/nearby.h"
#include "core/kmeans/nearby_step.h"
#include "core/kmeans/subspace.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_grid.h"
#include "server/fit_memory.h"

/* of the budget's squared mu, chosen as the constants in core/kmeans/kmeans_rules.c */
const double dpem_kmeans_subspace_shares[DPEM_FRAME_STAGES] = {0.06, 0.15, 0.22, 0.57};

/* at the center, the second from as near as the first saw the rows */
#define CENTER_LOOKS	2

/* ---- plan ---- */

static void
plan_specs(DpemKmeansPlan *plan)
{
	double		count;
	double		sum;
	double		norm;

	dpem_subspace_weights(plan->fit.dataset->replace_one, &count, &sum, &norm);
	plan->joint = dpem_fit_spec(&plan->fit, count, sum, norm);
}

static int
choose_passes(const DpemKmeansPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	int			k = plan->request->k;
	double		sum_sd = 0;
	double		unused;

	if (fit->noisy)
		dpem_release_noise(&plan->joint, k, fit->d, dpem_fit_exact_multiplier(fit, dpem_kmeans_subspace_shares[DPEM_FRAME_PASSES]),
						   &unused, &sum_sd, &unused);
	return dpem_subspace_passes(k, fit->d, fit->public_rows, sum_sd);
}

void
dpem_kmeans_plan_subspace(DpemKmeansPlan *plan)
{
	plan_specs(plan);
	if (plan->fit.iterations == 0)
		plan->fit.iterations = choose_passes(plan);
	dpem_kmeans_frame_stages(plan, dpem_kmeans_subspace_shares, CENTER_LOOKS, "rows about centers", DPEM_SECOND_NORM);
}

/* ---- the start ---- */

/* centers on the way, in the coordinates of the features */
typedef struct Centers
{
	DpemKmeans	means;
	double	   *spread;			/* k: root mean square distances of their rows */
	bool	   *seen;			/* k: a pass counted more rows about it than noise may be */
} Centers;

#define SEEN_DEVIATIONS	3		/* as many as nearby_step.c needs to move a center */

static Centers
make_centers(int k, int d)
{
	return (Centers) {dpem_kmeans_make(k, d), dpem_fit_allocate(k), palloc0(k * sizeof(bool))};
}

/* noise in a sum of one pass over the rows about centers; 0 without noise */
static double
pass_noise(const DpemKmeansPlan *plan)
{
	double		sum_sd = 0;
	double		unused;

	if (plan->fit.noisy)
		dpem_release_noise(&plan->joint, plan->request->k, plan->fit.d, plan->noise_multiplier, &unused, &sum_sd, &unused);
	return sum_sd;
}

/* the reach is that of a cluster that a forecast speaks of */
void
dpem_kmeans_forecast_subspace(const DpemKmeansPlan *plan, DpemForecast *forecast)
{
	double		noise = pass_noise(plan);

	dpem_fit_forecast_stages(&plan->fit, forecast);
	dpem_kmeans_forecast_center(plan, forecast, noise,
								dpem_subspace_reach(1, dpem_kmeans_forecast_size(plan), plan->fit.d, noise, INFINITY));
}

/* rows that a pass over the rows about centers reads */
static double
pass_rows(const DpemKmeansPlan *plan, double rows)
{
	return dpem_fit_is_sampled(&plan->fit) ? rows * plan->fit.request->sampling_rate : rows;
}

/* in the count of a cell; 0 without noise */
static double
cell_noise(const DpemKmeansPlan *plan)
{
	return dpem_kmeans_count_deviation(plan, plan->grid.line[DPEM_GRID_CELLS], &plan->grid.spec);
}

static DpemCellGrid
make_grid(const DpemKmeansRun *run, const DpemKmeansFrame *frame, int centers)
{
	DpemCellGrid grid = {.axes = frame->axes,.d = frame->d,.projection = frame->axis};
	double		half[DPEM_CELLS_MAX_AXES];
	int			parts[DPEM_CELLS_MAX_AXES];

	for (int a = 0; a < frame->axes; a++)
	{
		half[a] = dpem_subspace_half(frame->axes, frame->variance[a], frame->variance_noise);
		if (!(half[a] > 1e-6))	/* all rows are one point */
			half[a] = 1e-6;
	}
	dpem_subspace_parts(half, frame->axes, dpem_subspace_cells(frame->axes, centers, frame->rows, cell_noise(run->plan)),
						parts);
	for (int a = 0; a < frame->axes; a++)
		grid.axis[a] = (DpemCellAxis) {-half[a], half[a], parts[a]};
	return grid;
}

/* where the rows are, and as many directions as counts along them can bear */
static void
run_frame(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	dpem_kmeans_frame_center(run, frame);
	frame->axes = dpem_subspace_axes(run->plan->request->k, frame->d, frame->rows, cell_noise(run->plan));
	dpem_kmeans_frame_axes(run, frame);
}

/* rows were seen in a cluster */
static bool
any_seen(const DpemKmeans *flat)
{
	for (int i = 0; i < flat->k * flat->d; i++)
		if (flat->center_noise[i] > 0)
			return true;
	return false;
}

/* centers of the cells in the whole space; false if no cluster of cells stands out from the noise */
static bool
run_cells(DpemKmeansRun *run, const DpemKmeansFrame *frame, Centers *to)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	Centers		flat = make_centers(to->means.k, frame->axes);
	DpemCellGrid grid = make_grid(run, frame, to->means.k);
	DpemKmeansCounts counts;
	bool		found;

	dpem_fit_report(run->fit, "cells", 0);
	counts = dpem_kmeans_count_cells(run, plan->line[DPEM_GRID_CELLS], &plan->spec, &grid);
	found = dpem_kmeans_cluster_counts(&counts, grid.axes, NAN, DPEM_NOISE_GAUSSIAN, &flat.means, to->spread) &&
		(!run->plan->fit.noisy || any_seen(&flat.means));
	if (found)
	{
		dpem_kmeans_frame_lift(frame, &flat.means, &to->means);
		memcpy(to->means.weight, flat.means.weight, to->means.k * sizeof(double));
		memcpy(to->means.weight_noise, flat.means.weight_noise, to->means.k * sizeof(double));
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	return found;
}

/* passes from now on read features of the domain, which nothing is cut off from */
static void
leave_frame(DpemKmeansRun *run, const DpemKmeansFrame *frame, Centers *of)
{
	DpemFeatureMap *map = &run->fit->pass.map;
	double		radius = run->plan->fit.clip_norm;
	double		scale = map->radius / radius;
	int			d = of->means.d;

	for (int k = 0; k < of->means.k; k++)
	{
		/* as far about in the directions that were not looked along */
		of->spread[k] *= scale * sqrt((double) d / frame->axes);
		for (int j = 0; j < d; j++)
		{
			size_t		at = (size_t) k * d + j;

			of->means.center[at] = map->center[j] / radius + scale * of->means.center[at];
			/* what is known of a center that no pass will tell more of */
			of->means.center_noise[at] = hypot(scale * of->means.center_noise[at], of->spread[k] / sqrt(d));
		}
	}
	map->center = NULL;
	map->radius = radius;
	dpem_kmeans_clamp(of->means.k, d, 1 / radius, of->means.center);
}

/* nothing was seen: k centers anywhere in the domain, and rows anywhere about them */
static void
spread_out(DpemKmeansRun *run, Centers *to)
{
	int			k = run->means.k;

	dpem_kmeans_run_start(run);
	to->means.k = k;
	memset(to->means.center_noise, 0, (size_t) k * to->means.d * sizeof(double));
	memcpy(to->means.center, run->means.center, (size_t) k * to->means.d * sizeof(double));
	for (int i = 0; i < k; i++)
	{
		to->means.weight[i] = 1.0 / k;
		to->spread[i] = 1;
	}
}

static Centers
find_start(DpemKmeansRun *run, const DpemKmeansFrame *frame)
{
	const DpemKmeansPlan *plan = run->plan;
	Centers		start = make_centers(dpem_subspace_centers(plan->request->k, plan->fit.d, pass_rows(plan, frame->rows),
														   pass_noise(plan)), plan->fit.d);
	bool		found = run_cells(run, frame, &start) && !dpem_subspace_blind(frame->center_noise);

	leave_frame(run, frame, &start);
	if (!found)
		spread_out(run, &start);
	return start;
}

/* ---- passes ---- */

/* the release of one pass; theta gets the reaches behind the centers */
static DpemNoisyMoments *
release_pass(DpemKmeansRun *run, const Centers *at, double rows, double noise, double *theta)
{
	const DpemKmeansPlan *plan = run->plan;
	const DpemKmeans *means = &at->means;
	DpemMomentLayout layout = {means->k, means->d, DPEM_SECOND_NORM};
	size_t		n = (size_t) means->k * means->d;
	double		diameter = 2 * fmin(sqrt(means->d) / plan->fit.clip_norm, 1);

	memcpy(theta, means->center, n * sizeof(double));
	for (int k = 0; k < means->k; k++)
		theta[n + k] = dpem_subspace_reach(at->spread[k], rows * means->weight[k], means->d, noise, diameter);
	return dpem_fit_release_stage(run->fit, DPEM_FRAME_PASSES, &dpem_kernel_nearby, &layout, theta);
}

static void
run_pass(DpemKmeansRun *run, int pass, Centers *at, double rows)
{
	DpemKmeans *means = &at->means;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *theta = dpem_fit_allocate(dpem_nearby_theta_length(means->k, means->d));
	double	   *further = dpem_fit_allocate(means->k);
	double		noise = pass_noise(run->plan);
	DpemNoisyMoments *released = release_pass(run, at, rows, noise, theta);

	for (int k = 0; k < means->k; k++)
		further[k] = dpem_subspace_further(pass, run->plan->fit.iterations, rows * means->weight[k], means->d, noise);
	dpem_nearby_step(released, theta + (size_t) means->k * means->d, further, means, dpem_fit_workspace(2 * means->d));
	dpem_nearby_spread(released, theta + (size_t) means->k * means->d, at->spread);
	dpem_kmeans_clamp(means->k, means->d, 1 / run->fit->pass.map.radius, means->center);
	for (int k = 0; k < means->k; k++)
		at->seen[k] = at->seen[k] || means->weight[k] > SEEN_DEVIATIONS * means->weight_noise[k];
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/*
 * The centers asked for, of more.  Those that no rows were seen about give
 * way, as long as there are enough of the others.
 */
static void
merge(Centers *from, Centers *to)
{
	int			k = to->means.k;
	int			seen = 0;

	for (int i = 0; i < from->means.k; i++)
		seen += from->seen[i];
	for (int i = 0; i < from->means.k && seen >= k; i++)
		from->means.weight[i] = from->seen[i] ? from->means.weight[i] : 0;
	dpem_subspace_merge(&from->means, from->spread, &to->means, to->spread,
						dpem_fit_workspace(dpem_subspace_merge_work(from->means.k, k, to->means.d)));
	for (int i = 0; i < k; i++)
		to->seen[i] = seen >= k;
}

static void
copy_centers(const Centers *from, Centers *to)
{
	dpem_kmeans_copy(&from->means, &to->means);
	memcpy(to->spread, from->spread, from->means.k * sizeof(double));
	memcpy(to->seen, from->seen, from->means.k * sizeof(bool));
}

/* as many centers as `to` has, of those of the first pass */
static void
leave(Centers *from, Centers *to)
{
	if (from->means.k > to->means.k)
		merge(from, to);
	else
		copy_centers(from, to);
}

/* those of a candidate's number */
static Centers
merge_to(const Centers *from, int k)
{
	Centers		all = make_centers(from->means.k, from->means.d);
	Centers		to = make_centers(k, from->means.d);

	copy_centers(from, &all);
	leave(&all, &to);
	return to;
}

/* merges to every candidate's number, which are judged in all coordinates */
static void
choose(DpemKmeansRun *run, const Centers *from, double rows, Centers *to)
{
	Centers		merged[DPEM_SIZES_MAX];
	DpemKmeansTrial trial[DPEM_SIZES_MAX];

	for (int i = 0; i < run->sizes.n; i++)
	{
		merged[i] = merge_to(from, run->sizes.k[i]);
		trial[i] = (DpemKmeansTrial) {merged[i].means, merged[i].spread};
	}
	copy_centers(&merged[dpem_kmeans_choose_trial(run, trial, rows)], to);
}

/* the first pass, from all centers of the start, and the k that it leaves */
static void
run_first(DpemKmeansRun *run, Centers *from, double rows, Centers *to)
{
	run_pass(run, 1, from, rows);
	if (run->sizes.n > 0)
		choose(run, from, rows, to);
	else
		leave(from, to);
}

/* noise of what is no estimate from rows is none (kmeans_fit.c) */
static void
forget_unseen(Centers *at)
{
	size_t		d = (size_t) at->means.d;

	for (size_t k = 0; k < (size_t) at->means.k; k++)
		if (!at->seen[k])
			memset(at->means.center_noise + k * d, 0, d * sizeof(double));
}

void
dpem_kmeans_run_subspace(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	int			k = run->means.k;
	DpemKmeansFrame frame = dpem_kmeans_frame_make(Min(DPEM_CELLS_MAX_AXES, plan->fit.d), plan->fit.d);
	Centers		at = {.means = run->means,.spread = dpem_fit_allocate(k),.seen = palloc0(k * sizeof(bool))};
	Centers		first;
	double		rows;

	run_frame(run, &frame);
	first = find_start(run, &frame);
	rows = pass_rows(plan, frame.rows);
	run->fit->sampled = true;
	for (int iteration = 1; iteration <= plan->fit.iterations; iteration++)
	{
		dpem_fit_report(run->fit, "rows about centers", iteration);
		if (iteration == 1)
			run_first(run, &first, rows, &at);
		else
			run_pass(run, iteration, &at, rows);
	}
	if (plan->fit.noisy)
		forget_unseen(&at);
}
