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

/* clusters of one candidate's number in these cells */
static DpemKmeansTrial
cluster_cells(const DpemKmeansRun *run, const DpemKmeansCounts *cells, int axes, int k)
{
	DpemKmeansTrial trial = {dpem_kmeans_make(k, axes), dpem_fit_allocate(k)};
	DpemKmeansCounts copy = copy_counts(cells, axes);

	(void) dpem_kmeans_cluster_counts(&copy, axes, 0, run->plan->grid.spec.noise, &trial.means, trial.spread);
	return trial;
}

int
dpem_kmeans_choose_trial(DpemKmeansRun *run, const DpemKmeansTrial *trial, double rows)
{
	DpemSizes  *sizes = &run->sizes;
	double		log_likelihood[DPEM_SIZES_MAX];
	double		effective[DPEM_SIZES_MAX];
	int			i = 0;

	for (int t = 0; t < sizes->n; t++)
		log_likelihood[t] = dpem_kmeans_likelihood(&trial[t].means, trial[t].spread, rows, &effective[t]);
	run->means.k = dpem_kmeans_choose_size(sizes, trial[0].means.d, log_likelihood, effective);
	while (sizes->k[i] != run->means.k)
		i++;
	return i;
}

bool
dpem_kmeans_choose_clusters(DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, double *spread)
{
	DpemKmeansCounts cells = *counts;
	DpemKmeansTrial trial[DPEM_SIZES_MAX];
	const DpemKmeansTrial *chosen;

	if (!leave_cells(run, counts, axes, &cells))
	{
		run->means.k = dpem_sizes_choose_least(&run->sizes);
		return false;
	}
	for (int i = 0; i < run->sizes.n; i++)
		trial[i] = cluster_cells(run, &cells, axes, run->sizes.k[i]);
	chosen = &trial[dpem_kmeans_choose_trial(run, trial, rows_of(run, counts))];
	dpem_kmeans_copy(&chosen->means, &run->means);
	memcpy(spread, chosen->spread, chosen->means.k * sizeof(double));
	return true;
}
