/*
 * kmeans_evolution.c - see kmeans_algorithms.h, core/kmeans/evolution.h.
 *
 * Rounds of votes, each one release of counts, as many as the plan says; the last
 * one's are weighted points for k-means, and a release of sums about the centers
 * found (core/kernels/nearby.h) moves these once.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/kernels/nearby.h"
#include "core/kmeans/evolution.h"
#include "core/kmeans/grid.h"
#include "families/kmeans/kmeans_algorithms.h"
#include "families/kmeans/kmeans_grid.h"
#include "server/fit_memory.h"

/* of the budget's squared mu; the votes have the rest */
#define ROWS_SHARE		0.003
#define NEARBY_SHARE	0.35

/* ---- plan ---- */

/* lines of the charge in the order of the releases */
static void
plan_stages(DpemKmeansPlan *plan)
{
	DpemFitStage stages[DPEM_FIT_MAX_STAGES];
	bool		counts = !(plan->fit.public_rows > 0);
	int			n = 0;

	if (counts)
		stages[n++] = dpem_kmeans_count_stage(plan, "rows", ROWS_SHARE);
	stages[n] = dpem_kmeans_count_stage(plan, "votes", 1 - NEARBY_SHARE - (counts ? ROWS_SHARE : 0));
	stages[n++].releases = plan->fit.iterations;
	stages[n++] = dpem_kmeans_nearby_stage(plan, NEARBY_SHARE);
	dpem_fit_add_stages(&plan->fit, stages, n);
	plan->grid.line[DPEM_GRID_ROWS] = counts ? stages[0].line : -1;
	plan->grid.line[DPEM_GRID_CELLS] = stages[n - 2].line;
	plan->grid.line[DPEM_GRID_NEARBY] = stages[n - 1].line;
}

void
dpem_kmeans_plan_evolution(DpemKmeansPlan *plan)
{
	dpem_kmeans_plan_counts(plan);
	if (8.0 * Max(dpem_evolution_most_candidates, plan->request->k) * (plan->fit.d + 1) > MaxAllocSize / 4)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the candidates of algorithm evolution do not fit into memory in %d coordinates", plan->fit.d),
				 errhint("Name fewer columns, or use algorithm joint.")));
	if (plan->fit.iterations == 0)
		plan->fit.iterations = dpem_evolution_rounds;
	if (plan->fit.noisy)
		plan_stages(plan);
}

/* ---- the run ---- */

static DpemCandidates
make_candidates(const DpemKmeansRun *run, int n)
{
	return (DpemCandidates) {
		.n = n,.d = run->plan->fit.d,.half_width = fmin(1 / run->fit->pass.map.radius, 1),
		.x = dpem_fit_allocate((size_t) n * run->plan->fit.d),.scale = dpem_fit_allocate(n)
	};
}

/* the votes of one round, in votes[] */
static double
take_votes(DpemKmeansRun *run, int round, const DpemCandidates *candidates, double *votes)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemMomentLayout layout = {candidates->n, candidates->d, DPEM_COUNTS_ALONE};
	size_t		n = (size_t) candidates->n * candidates->d;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double	   *theta = dpem_fit_allocate(dpem_nearby_theta_length(candidates->n, candidates->d));
	DpemNoisyMoments *released;
	double		sd;

	memcpy(theta, candidates->x, n * sizeof(double));
	for (int i = 0; i < candidates->n; i++)
		theta[n + i] = 1;		/* nothing is summed */
	dpem_fit_report(run->fit, "votes", round);
	released = dpem_fit_release(run->fit, plan->line[DPEM_GRID_CELLS], &plan->spec, &dpem_kernel_nearby, &layout, theta);
	memcpy(votes, released->value, candidates->n * sizeof(double));
	sd = released->count_sd;
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	return sd;
}

/* the generation after those votes */
static void
breed(const DpemKmeansRun *run, const DpemCandidates *from, const double *votes, double sd, DpemCandidates *to)
{
	int			k = run->plan->request->k;
	DpemPublicRandom random = dpem_public_seed(votes, (size_t) from->n);
	double		threshold = dpem_grid_threshold(votes, from->n, run->plan->grid.spec.noise, sd, DPEM_CELLS_PER_CLUSTER * k);

	CHECK_FOR_INTERRUPTS();
	dpem_evolution_breed(from, votes, threshold, k, &random, to,
						 dpem_fit_workspace(dpem_evolution_work(from->n, k, from->d)));
}

/* the candidates of the last round as points, which stand for rows about them */
static DpemKmeansCounts
take_points(const DpemCandidates *last, double *votes, double sd, double *variance)
{
	double		sum = 0;
	double		square = 0;

	for (int i = 0; i < last->n; i++)
	{
		sum += fmax(votes[i], 0);
		square += fmax(votes[i], 0) * last->scale[i] * last->scale[i];
	}
	for (int j = 0; j < last->d; j++)
		variance[j] = sum > 0 ? square / sum / last->d : 0;
	return (DpemKmeansCounts) {
		.n = last->n,.count = votes,.middle = last->x,.sd = sd,.blur = {.levels = 1,.variance = variance}
	};
}

void
dpem_kmeans_run_evolution(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	double		rows = dpem_kmeans_find_rows(run);
	int			n = dpem_evolution_candidates(plan->request->k, rows,
											  dpem_kmeans_count_deviation(plan, plan->grid.line[DPEM_GRID_CELLS], &plan->grid.spec));
	DpemCandidates now = make_candidates(run, n);
	DpemCandidates next = make_candidates(run, n);
	double	   *votes = dpem_fit_allocate(n);
	double	   *spread = dpem_fit_allocate(plan->request->k);
	DpemPublicRandom random = {(uint64_t) n};
	DpemKmeansCounts points;
	double		sd;

	dpem_evolution_begin(&now, &random);
	sd = take_votes(run, 1, &now, votes);
	for (int round = 2; round <= plan->fit.iterations; round++)
	{
		DpemCandidates parents = now;

		breed(run, &now, votes, sd, &next);
		now = next;
		next = parents;
		sd = take_votes(run, round, &now, votes);
	}
	points = take_points(&now, votes, sd, dpem_fit_allocate(now.d));
	if (!dpem_kmeans_cluster_counts(&points, now.d, NAN, plan->grid.spec.noise, &run->means, spread))
		dpem_kmeans_stay_at_start(run, spread);
	dpem_kmeans_clamp(run->means.k, run->means.d, now.half_width, run->means.center);
	dpem_kmeans_run_nearby(run, spread);
}
