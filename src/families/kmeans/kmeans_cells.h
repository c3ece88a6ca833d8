/*
 * kmeans_cells.h - from released counts of a grid's cells to centers.
 */
#ifndef DPEM_FAMILY_KMEANS_CELLS_H
#define DPEM_FAMILY_KMEANS_CELLS_H

#include "core/accounting/paper_mechanism.h"
#include "core/kernels/cells.h"
#include "core/kmeans/kmeans_estimate.h"

/* cells per cluster that a threshold leaves, at least */
#define DPEM_CELLS_PER_CLUSTER	2

/* released counts of a grid's cells */
typedef struct DpemKmeansCounts
{
	int			n;
	double	   *count;			/* n */
	double	   *middle;			/* n * axes */
	double		sd;				/* of the noise */
	double		blur[DPEM_CELLS_MAX_AXES];	/* variance of where in its cell a row is, along each axis */
} DpemKmeansCounts;

/*
 * k-means on the cells above the threshold (NaN: chosen from the noise),
 * which are moved to the front: k centers in the grid's coordinates, with
 * what noise there is in them, the clusters' shares and, unless NULL, their
 * spreads (seeded_kmeans.h).  With a threshold that was chosen, light clusters
 * that noise alone may be give way to others; what noise alone may be all the
 * same has no noise, as an untouched start.  False, and nothing is changed, if no
 * cell is above the threshold.
 */
extern bool dpem_kmeans_cluster_counts(DpemKmeansCounts *counts, int axes, double threshold,
									   DpemNoiseKind noise, DpemKmeans *means, double *spread);

#endif							/* DPEM_FAMILY_KMEANS_CELLS_H */
