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

/* the reach is that of a cluster that a forecast speaks of */
void
dpem_kmeans_forecast_subspace(const DpemKmeansPlan *plan, DpemForecast *forecast)
{
	double		noise = dpem_kmeans_pass_noise(plan);

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

/* steps of a run so far, and what is known of all rows that they read */
typedef struct Passes
{
	DpemKmeansSteps steps;
	double		noise;			/* in a sum, of the present step */
	double		rows;
	double		spread;
} Passes;

/* as many directions as counts along them can bear */
static void
find_axes(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	frame->axes = dpem_subspace_axes(run->plan->request->k, frame->d, frame->rows, dpem_kmeans_cell_noise(run->plan));
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
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	Centers		flat = make_centers(to->means.k, frame->axes);
	DpemKmeansCounts counts = dpem_kmeans_frame_cells(run, frame, to->means.k);
	bool		found;

	found = dpem_kmeans_cluster_counts(&counts, frame->axes, NAN, DPEM_NOISE_GAUSSIAN, &flat.means, to->spread) &&
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

/* centers in the domain's coordinates, which the passes from now on read, and nothing is cut off from */
static void
leave_frame(DpemKmeansRun *run, const DpemKmeansFrame *frame, Centers *of)
{
	double		radius = run->plan->fit.clip_norm;
	double		scale = frame->radius / radius;
	int			d = of->means.d;

	for (int k = 0; k < of->means.k; k++)
	{
		/* as far about in the directions that were not looked along */
		of->spread[k] *= scale * sqrt((double) d / frame->axes);
		for (int j = 0; j < d; j++)
		{
			size_t		at = (size_t) k * d + j;

			of->means.center[at] = frame->center[j] / radius + scale * of->means.center[at];
			/* what is known of a center that no pass will tell more of */
			of->means.center_noise[at] = hypot(scale * of->means.center_noise[at], of->spread[k] / sqrt(d));
		}
	}
	dpem_kmeans_frame_leave(run);
	dpem_kmeans_clamp(of->means.k, d, 1 / radius, of->means.center);
}

static Centers
find_start(DpemKmeansRun *run, const DpemKmeansFrame *frame, double rows)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemKmeansSteps steps = dpem_kmeans_steps(plan, rows, 0);
	double		noise = dpem_kmeans_step_noise(plan, &steps);
	Centers		start = make_centers(dpem_subspace_centers(plan->request->k, plan->fit.d, rows, noise), plan->fit.d);
	bool		found = run_cells(run, frame, &start) && !dpem_subspace_blind(frame->ball_noise);

	leave_frame(run, frame, &start);
	if (!found)
	{
		start.means.k = plan->request->k;
		dpem_kmeans_normal_start(run, frame, &start.means, start.spread);
	}
	return start;
}

/* ---- passes ---- */

/* the release of one step; theta gets the reaches behind the centers */
static DpemNoisyMoments *
release_pass(DpemKmeansRun *run, Passes *p, const Centers *at, double *theta)
{
	const DpemKmeansPlan *plan = run->plan;
	const DpemKmeans *means = &at->means;
	DpemMomentLayout layout = {means->k, means->d, DPEM_SECOND_NORM};
	size_t		n = (size_t) means->k * means->d;
	double		diameter = 2 * fmin(sqrt(means->d) / plan->fit.clip_norm, 1);

	memcpy(theta, means->center, n * sizeof(double));
	for (int k = 0; k < means->k; k++)
		theta[n + k] = dpem_subspace_reach(at->spread[k], p->rows * means->weight[k], means->d, p->noise, diameter);
	return dpem_kmeans_release_step(run, &p->steps, &layout, theta);
}

/* a cluster's rows can be no further about than all rows' spread allows so many of them */
static double
widest(const Passes *p, double share, double share_noise)
{
	return p->spread / sqrt(fmax(share, share_noise));
}

static void
run_pass(DpemKmeansRun *run, Passes *p, Centers *at)
{
	DpemKmeans *means = &at->means;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *theta = dpem_fit_allocate(dpem_nearby_theta_length(means->k, means->d));
	double	   *further = dpem_fit_allocate(means->k);
	DpemNoisyMoments *released;

	p->noise = dpem_kmeans_step_noise(run->plan, &p->steps);
	released = release_pass(run, p, at, theta);
	for (int k = 0; k < means->k; k++)
		further[k] = dpem_subspace_further(p->steps.step, p->steps.n, p->rows * means->weight[k], means->d, p->noise);
	dpem_nearby_step(released, theta + (size_t) means->k * means->d, further, means, dpem_fit_workspace(2 * means->d));
	dpem_nearby_spread(released, theta + (size_t) means->k * means->d, at->spread);
	dpem_kmeans_clamp(means->k, means->d, 1 / run->fit->pass.map.radius, means->center);
	for (int k = 0; k < means->k && p->noise > 0; k++)
		at->spread[k] = fmin(at->spread[k], widest(p, means->weight[k], means->weight_noise[k]));
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
run_first(DpemKmeansRun *run, Passes *p, Centers *from, Centers *to)
{
	run_pass(run, p, from);
	if (run->sizes.n > 0)
		choose(run, from, p->rows, to);
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

/* centers without rows go where there are some */
static void
refill(DpemKmeansRun *run, bool last, Centers *at)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

	dpem_subspace_refill(&at->means, 1 / run->plan->fit.clip_norm, last, at->spread,
						 dpem_fit_workspace(dpem_subspace_refill_work(at->means.k, at->means.d)));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* steps from a start */
static void
run_clusters(DpemKmeansRun *run, Centers first, double rows, double spread, int looks)
{
	int			k = run->means.k;
	Centers		at = {.means = run->means,.spread = dpem_fit_allocate(k),.seen = palloc0(k * sizeof(bool))};
	Passes		p = {.steps = dpem_kmeans_steps(run->plan, rows, looks),.rows = rows,.spread = spread};

	run->fit->sampled = true;
	for (; p.steps.step <= p.steps.n; p.steps.step++)
	{
		if (p.steps.step == 1)
			run_first(run, &p, &first, &at);
		else
			run_pass(run, &p, &at);
		refill(run, p.steps.step == p.steps.n, &at);
	}
	if (run->plan->fit.noisy)
		forget_unseen(&at);
}

/* from centers of a normal law, as looks see it, by the passes that looks leave */
static void
run_narrow(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	Centers		start = make_centers(run->means.k, frame->d);
	int			looks;

	dpem_kmeans_look_nearer(run, frame);
	looks = dpem_kmeans_look_further(run, frame);
	dpem_kmeans_round_start(run, &frame->total, &start.means, start.spread);
	if (looks < run->plan->fit.iterations)
		run_clusters(run, start, frame->total.rows, frame->total.spread, looks);
	else
		dpem_kmeans_total_centers(run, &frame->total);
}

static void
run_wide(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	double		rows = pass_rows(run->plan, frame->rows);

	find_axes(run, frame);
	run_clusters(run, find_start(run, frame, rows), rows, frame->spread, 0);
}

void
dpem_kmeans_run_subspace(DpemKmeansRun *run)
{
	DpemKmeansFrame frame = dpem_kmeans_frame_make(Min(DPEM_CELLS_MAX_AXES, run->plan->fit.d), run->plan->fit.d);

	dpem_kmeans_frame_center(run, &frame);
	if (dpem_kmeans_total_alone(run, &frame))
		dpem_kmeans_run_total(run, &frame);
	else if (dpem_kmeans_is_narrow(run, &frame))
		run_narrow(run, &frame);
	else
		run_wide(run, &frame);
}
