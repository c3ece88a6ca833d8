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

static DpemKmeansCounts
copy_counts(const DpemKmeansCounts *counts, int axes)
{
	DpemKmeansCounts copy = *counts;

	copy.count = copy_numbers(counts->count, counts->n);
	copy.middle = copy_numbers(counts->middle, (size_t) counts->n * axes);
	return copy;
}

/*
 * The cells that clusters of the largest number are found in: cells that noise alone may have made are
 * out of the way, and all candidates are judged by the same ones.  False if none stands out.
 */
static bool
leave_cells(const DpemKmeansRun *run, DpemKmeansCounts *counts, int axes)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemKmeans	most = dpem_kmeans_make(run->plan->request->k, axes);

	return dpem_kmeans_cluster_counts(counts, axes, plan->threshold, plan->spec.noise, &most, NULL);
}

bool
dpem_kmeans_choose_clusters(DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, double *spread)
{
	DpemSizes  *sizes = &run->sizes;
	double		rows = rows_of(run, counts);
	DpemKmeansCounts cells = copy_counts(counts, axes);
	bool		found = leave_cells(run, &cells, axes);
	double		best = -INFINITY;

	for (int i = 0; found && i < sizes->n; i++)
	{
		DpemKmeansCounts copy = copy_counts(&cells, axes);
		DpemKmeans	trial = dpem_kmeans_make(sizes->k[i], axes);
		double	   *apart = dpem_fit_allocate(sizes->k[i]);

		(void) dpem_kmeans_cluster_counts(&copy, axes, 0, run->plan->grid.spec.noise, &trial, apart);
		dpem_kmeans_score(sizes, i, &trial, apart, rows);
		if (!(sizes->score[i] > best))
			continue;
		best = sizes->score[i];
		dpem_kmeans_copy(&trial, &run->means);
		memcpy(spread, apart, trial.k * sizeof(double));
	}
	run->means.k = dpem_sizes_choose(sizes);
	return found;
}
