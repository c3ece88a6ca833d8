/*
 * kmeans_heap.c - see kmeans_looks.h.
 *
 * Where the cells of a grid show that rows stand close together, and no more, centers of a finer grid's cells would be
 * as far from them as its noise allows: a heap of so few rows is looked at as a whole first.
 */
#include "postgres.h"

#include <math.h>

#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_looks.h"
#include "server/fit_memory.h"

/* of so many centers, how many may stand beside the heap */
static int
most_beside(int k)
{
	return (k - 1) / 3;
}

DpemKmeansLeft
dpem_kmeans_left_make(const DpemKmeansRun *run)
{
	int			most = run->plan->request->k;

	return (DpemKmeansLeft) {
		.total = dpem_kmeans_total_make(run),.beside = dpem_kmeans_make(most, run->plan->fit.d),.beside_spread = dpem_fit_allocate(most)
	};
}

/* few rows far out may be most of all squared distances: where counts beside the heap add up to some, the largest of them get centers */
void
dpem_kmeans_find_beside(const DpemKmeansRun *run, DpemKmeansCounts *beside, DpemKmeansLeft *left)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemKmeans *to = &left->beside;
	double		rows = 0;

	for (int i = 0; i < beside->n; i++)
		rows += beside->count[i];
	to->k = rows > 0 ? most_beside(run->means.k) : 0;
	if (to->k > 0 && !dpem_kmeans_cluster_counts(beside, run->means.d, plan->threshold, plan->spec.noise, to, left->beside_spread))
		to->k = 0;
}

/* the last of the centers; where they stand is a guess until rows are seen there */
static void
place_beside(DpemKmeansRun *run, const DpemKmeansLeft *left, double *spread)
{
	DpemKmeans *means = &run->means;
	size_t		d = (size_t) means->d;
	size_t		n = left->beside.k * d;
	int			first = means->k - left->beside.k;

	memcpy(means->center + first * d, left->beside.center, n * sizeof(double));
	memset(means->center_noise + first * d, 0, n * sizeof(double));
	memcpy(spread + first, left->beside_spread, left->beside.k * sizeof(double));
}

bool
dpem_kmeans_look_at_heap(DpemKmeansRun *run, DpemKmeansLeft *left, double *spread)
{
	const DpemKmeansGridPlan *plan = &run->plan->grid;
	DpemKmeansTotal *total = &left->total;
	int			d = run->means.d;
	int			k = run->means.k;
	int			made = 0;
	bool		last;

	for (; left->looks > 0 && dpem_nearby_total_hides(d, total); left->looks--)
		dpem_kmeans_look_at_all(run, plan->line[DPEM_GRID_CELLS], "cells" DPEM_ALL_ROWS_PHASE, ++made, total);
	last = plan->nearby && dpem_nearby_total_hides(d, total);
	run->means.k = k - left->beside.k;
	if (last)
	{
		dpem_kmeans_look_at_all(run, plan->line[DPEM_GRID_NEARBY], "rows about centers" DPEM_ALL_ROWS_PHASE, 0, total);
		dpem_kmeans_total_centers(run, total);
	}
	else
		dpem_kmeans_round_start(run, total, &run->means, spread);
	run->means.k = k;
	place_beside(run, left, spread);
	return !last;
}
