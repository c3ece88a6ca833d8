/*
 * kmeans_cells.c - see kmeans_cells.h.
 *
 * All of this is post-processing.  Of thousands of cells without rows some
 * have counts that look like rows', and one that is far from all others is
 * worth a center to k-means however small its count is.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/kmeans/grid.h"
#include "core/kmeans/seeded_kmeans.h"
#include "families/kmeans/kmeans_cells.h"
#include "server/fit_memory.h"

/*
 * Of the weight: how much of it, in clusters that noise alone may be, is done without at most, in one search and in all; and searches for
 * others, of two clusters in a wide domain one for each cell that is noise, or few.
 */
#define DROPPED_AT_ONCE	0.025
#define DROPPED_SHARE	0.05
#define MOST_SEARCHES	40

/*
 * Probability that noise alone makes as much somewhere in a grid; what is no rarer may be noise.  Of two clusters in a domain of 6,000 deviations one
 * fit in forty loses one to noise with 0.01.  On 102 tables of R of two or three columns, k = 4, losses at epsilon 1 and 5 are alike with both.
 */
#define SURPRISE		1e-4

/* the best of some trials */
static void
find_centers(const DpemPoints *points, int k, double *center)
{
	size_t		length = (size_t) k * points->d;
	double	   *trial = dpem_fit_allocate(length);
	DpemWorkspace work = dpem_fit_workspace(dpem_seeded_kmeans_work(points->n, k, points->d));
	DpemPublicRandom random = dpem_public_seed(points->weight, points->n);
	int			trials = dpem_seeded_kmeans_trials(points->n, k, points->d);
	double		least = INFINITY;

	for (int i = 0; i < trials; i++)
	{
		double		squares;

		CHECK_FOR_INTERRUPTS();
		squares = dpem_seeded_kmeans(points, k, &random, trial, work);
		if (!(squares < least))
			continue;
		least = squares;
		memcpy(center, trial, length * sizeof(double));
	}
}

/* without the cells of clusters to drop; returns how many are left */
static size_t
drop_cells(const DpemPoints *points, const DpemKmeans *means, const bool *drop, double *count, double *middle)
{
	size_t		d = (size_t) points->d;
	size_t		kept = 0;

	for (size_t i = 0; i < points->n; i++)
	{
		if (drop[dpem_nearest_center(means->k, points->d, means->center, middle + i * d, NULL)])
			continue;
		count[kept] = count[i];
		memmove(middle + kept * d, middle + i * d, d * sizeof(double));
		kept++;
	}
	return kept;
}

/* all cells, before some of them are left out */
static DpemPoints
copy_cells(const DpemKmeansCounts *counts, int axes)
{
	double	   *count = dpem_fit_allocate(counts->n);
	double	   *middle = dpem_fit_allocate((size_t) counts->n * axes);

	memcpy(count, counts->count, counts->n * sizeof(double));
	memcpy(middle, counts->middle, (size_t) counts->n * axes * sizeof(double));
	return (DpemPoints) {.n = counts->n,.d = axes,.x = middle,.weight = count};
}

/*
 * Clusters in which rows are seen: the largest count is no noise's, or that of
 * all cells is not, or more counts are above the threshold than noise brings there.
 */
static void
find_support(const DpemPoints *all, const DpemKmeansCounts *counts, DpemNoiseKind noise, double threshold,
			 const DpemKmeans *means, bool *supported)
{
	DpemClusterWeights *weights = palloc(means->k * sizeof(DpemClusterWeights));
	double		surprise = dpem_grid_surprise(noise, (int) all->n, SURPRISE) * counts->sd;

	dpem_seeded_kmeans_weights(all, means->k, means->center, threshold, weights);
	for (int c = 0; c < means->k; c++)
		supported[c] = weights[c].largest > surprise || weights[c].sum > surprise * sqrt(weights[c].points) ||
			dpem_grid_surprising(noise, weights[c].points, threshold / counts->sd, weights[c].above, SURPRISE);
	pfree(weights);
}

static double
sum_weights(const DpemPoints *points)
{
	double		sum = 0;

	for (size_t i = 0; i < points->n; i++)
		sum += points->weight[i];
	return sum;
}

/*
 * Centers of the cells left, points, with light clusters that noise alone may
 * be out of the way: a cell far from all others is worth a center of its own to
 * k-means, however small its count.
 */
static void
find_supported(const DpemPoints *all, DpemPoints *points, DpemKmeansCounts *counts, DpemNoiseKind noise,
			   double threshold, bool may_drop, DpemKmeans *means, bool *supported)
{
	double		before = sum_weights(points);
	double		most = DROPPED_AT_ONCE;
	DpemWorkspace work = dpem_fit_workspace(means->k);
	bool	   *drop = palloc(means->k);

	for (int search = 1;; search++)
	{
		find_centers(points, means->k, means->center);
		find_support(all, counts, noise, threshold, means, supported);
		if (!may_drop || search == MOST_SEARCHES ||
			dpem_seeded_kmeans_drop(points, means->k, means->center, supported, most, drop, work) == 0)
			return;
		points->n = drop_cells(points, means, drop, counts->count, counts->middle);
		most = fmin(DROPPED_AT_ONCE, 1 - (1 - DROPPED_SHARE) * before / sum_weights(points));
	}
}

/* noise of what is no estimate from rows is none (kmeans_fit.c) */
static void
forget_unsupported(DpemKmeans *means, const bool *supported)
{
	for (int k = 0; k < means->k; k++)
		if (!supported[k])
			memset(means->center_noise + (size_t) k * means->d, 0, means->d * sizeof(double));
}

static void
find_spread(const DpemPoints *points, const DpemKmeansCounts *counts, const DpemKmeans *means, double *spread)
{
	dpem_seeded_kmeans_spread(points, means->k, means->center, &counts->blur, spread, dpem_fit_workspace(means->k));
	for (int k = 0; k < means->k; k++)
	{
		const double *variance = dpem_blur_at(&counts->blur, means->d, means->center + (size_t) k * means->d);
		double		sum = 0;

		for (int a = 0; a < means->d; a++)
			sum += variance[a];
		spread[k] = isinf(spread[k]) ? sqrt(sum) : spread[k];	/* within a cell of another cluster */
	}
}

bool
dpem_kmeans_cluster_counts(DpemKmeansCounts *counts, int axes, double threshold, DpemNoiseKind noise,
						   DpemKmeans *means, double *spread)
{
	double		above = isnan(threshold)
		? dpem_grid_threshold(counts->count, counts->n, noise, counts->sd, DPEM_CELLS_PER_CLUSTER * means->k)
		: threshold * counts->sd;
	DpemPoints	all = copy_cells(counts, axes);
	DpemPoints	points = {.d = axes,.x = counts->middle,.weight = counts->count};
	DpemPublicRandom random = dpem_public_seed(all.weight, all.n);
	bool	   *supported = palloc(means->k);

	points.n = dpem_grid_keep(counts->count, counts->middle, counts->n, axes, above);
	if (points.n == 0)
		return false;
	find_supported(&all, &points, counts, noise, above, isnan(threshold) && counts->sd > 0, means, supported);
	dpem_seeded_kmeans_shares(&points, means->k, means->center, counts->sd, &counts->blur, means->weight,
							  means->weight_noise, means->center_noise);
	if (spread != NULL)
		find_spread(&points, counts, means, spread);
	dpem_seeded_kmeans_split(&points, means->k, &counts->blur, &random, means->center, dpem_fit_workspace(means->k));
	forget_unsupported(means, supported);
	counts->n = (int) points.n;
	return true;
}
