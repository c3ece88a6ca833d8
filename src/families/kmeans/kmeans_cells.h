/*
 * kmeans_cells.h - centers from released counts of a grid's cells.
 */
#ifndef DPEM_FAMILY_KMEANS_CELLS_H
#define DPEM_FAMILY_KMEANS_CELLS_H

#include "core/accounting/paper_mechanism.h"
#include "core/kernels/cells.h"
#include "core/kmeans/kmeans_estimate.h"
#include "core/kmeans/seeded_kmeans.h"

/* minimum number of cells per cluster above a threshold */
#define DPEM_CELLS_PER_CLUSTER	2

/* released counts of a grid's cells */
typedef struct DpemKmeansCounts
{
	int			n;
	double	   *count;			/* n */
	double	   *middle;			/* n * axes: middles of the cells */
	double		sd;				/* of the noise */
	DpemBlur	blur;			/* variance of rows within a cell */
} DpemKmeansCounts;

/*
 * k-means on the cells above the threshold (NaN: chosen from the noise), which
 * are moved to the front and, as far as they are used, left alone.  Fills k centers in the grid's coordinates, their noise,
 * the clusters' shares and, unless NULL, their spreads (seeded_kmeans.h).  If the
 * threshold is chosen here, light clusters that may be noise alone are replaced
 * by others; those that remain are marked by a noise of zero, like an unused
 * start.  Returns false, and changes nothing, if no cell is above the threshold.
 */
extern bool dpem_kmeans_cluster_counts(DpemKmeansCounts *counts, int axes, double threshold,
									   DpemNoiseKind noise, DpemKmeans *means, double *spread);

#endif							/* DPEM_FAMILY_KMEANS_CELLS_H */
