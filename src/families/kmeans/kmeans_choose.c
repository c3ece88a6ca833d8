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

/* of all cells in their order, those that two selections of them have in common, into the first */
static void
keep_common(const DpemKmeansCounts *all, int axes, DpemKmeansCounts *cells, const DpemKmeansCounts *others)
{
	size_t		length = axes * sizeof(double);
	int			kept = 0;
	int			mine = 0;
	int			other = 0;

	for (int i = 0; i < all->n && mine < cells->n; i++)
	{
		const double *x = all->middle + (size_t) i * axes;
		bool		in = memcmp(cells->middle + (size_t) mine * axes, x, length) == 0;
		bool		in_others = other < others->n && memcmp(others->middle + (size_t) other * axes, x, length) == 0;

		if (in && in_others)
		{
			cells->count[kept] = cells->count[mine];
			memmove(cells->middle + (size_t) kept * axes, cells->middle + (size_t) mine * axes, length);
			kept++;
		}
		mine += in;
		other += in_others;
	}
	cells->n = kept;
}

/*
 * The cells that all candidates find clusters in: what one of them takes for a cluster that noise alone
 * may have made is out of the way, and all are judged by the same cells.  False if none stands out.
 */
static bool
leave_cells(const DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, DpemKmeansCounts *cells)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;

	for (int i = 0; i < run->sizes.n; i++)
	{
		DpemKmeans	trial = dpem_kmeans_make(run->sizes.k[i], axes);
		DpemKmeansCounts copy = copy_counts(counts, axes);

		if (!dpem_kmeans_cluster_counts(&copy, axes, plan->threshold, plan->spec.noise, &trial, NULL))
			return false;
		if (i == 0)
			*cells = copy;
		else
			keep_common(counts, axes, cells, &copy);
	}
	return cells->n > 0;
}

bool
dpem_kmeans_choose_clusters(DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, double *spread)
{
	DpemSizes  *sizes = &run->sizes;
	double		rows = rows_of(run, counts);
	DpemKmeansCounts cells = *counts;
	bool		found = leave_cells(run, counts, axes, &cells);
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
