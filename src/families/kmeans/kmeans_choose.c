/*
 * kmeans_choose.c - how many clusters, where the caller gave several candidates.
 *
 * Nothing is released for the choice: the counts of a grid's cells, or what a pass released of
 * more centers than were asked for, serve every candidate.
 */
#include "postgres.h"

#include <math.h>

#include "core/kmeans/kmeans_choice.h"
#include "families/kmeans/kmeans_grid.h"
#include "server/fit_memory.h"

static double *
copy_numbers(const double *from, size_t n)
{
	return memcpy(dpem_fit_allocate(n), from, n * sizeof(double));
}

/* the counts of all cells, where the number of rows is not public */
static double
rows_of(const DpemKmeansRun *run, const DpemKmeansCounts *counts)
{
	double		sum = 0;

	for (int i = 0; i < counts->n; i++)
		sum += counts->count[i];
	return run->plan->fit.public_rows > 0 ? run->plan->fit.public_rows : sum;
}

/* one candidate's clusters; false if no cell stands out */
static bool
try_candidate(DpemKmeansRun *run, int i, const DpemKmeansCounts *counts, int axes, DpemKmeans *trial, double *spread)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemKmeansCounts copy = *counts;

	copy.count = copy_numbers(counts->count, counts->n);
	copy.middle = copy_numbers(counts->middle, (size_t) counts->n * axes);
	if (!dpem_kmeans_cluster_counts(&copy, axes, plan->threshold, plan->spec.noise, trial, spread))
		return false;
	dpem_kmeans_score(&run->sizes, i, trial, spread, rows_of(run, counts));
	pfree(copy.count);
	pfree(copy.middle);
	return true;
}

bool
dpem_kmeans_choose_clusters(DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, double *spread)
{
	DpemSizes  *sizes = &run->sizes;
	double		best = -INFINITY;
	bool		found = false;

	for (int i = 0; i < sizes->n; i++)
	{
		DpemKmeans	trial = dpem_kmeans_make(sizes->k[i], axes);
		double	   *apart = dpem_fit_allocate(sizes->k[i]);

		sizes->log_likelihood[i] = sizes->score[i] = -INFINITY;
		found |= try_candidate(run, i, counts, axes, &trial, apart);
		if (!(sizes->score[i] > best))
			continue;
		best = sizes->score[i];
		dpem_kmeans_copy(&trial, &run->means);
		memcpy(spread, apart, trial.k * sizeof(double));
	}
	run->means.k = dpem_sizes_choose(sizes);
	return found;
}
