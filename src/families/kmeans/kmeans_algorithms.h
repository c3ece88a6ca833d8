/*
 * kmeans_algorithms.h - the algorithms that are no Lloyd's passes alone, nor a
 * grid's counts alone (kmeans_lloyd.h, kmeans_grid.h): each plans its charge,
 * tells its noise and runs.
 */
#ifndef DPEM_FAMILY_KMEANS_ALGORITHMS_H
#define DPEM_FAMILY_KMEANS_ALGORITHMS_H

#include "families/kmeans/kmeans.h"

#define DPEM_KMEANS_ALGORITHM(name) \
	extern void dpem_kmeans_plan_##name(DpemKmeansPlan *plan); \
	extern void dpem_kmeans_forecast_##name(const DpemKmeansPlan *plan, DpemForecast *forecast); \
	extern void dpem_kmeans_run_##name(DpemKmeansRun *run)

/*
 * sample_aggregate: GUPT's mean of k-means within random blocks
 * (core/kernels/block_means.h).  The number of blocks follows from the number
 * of rows: the public one, else one released first.
 */
DPEM_KMEANS_ALGORITHM(blocks);

/*
 * genetic: PrivGene's search, whose parents are chosen by the exponential
 * mechanism (core/kmeans/kmeans_genetic.h).  A pass gives the scores of a
 * generation's candidates; its parents are so many choices, each from the
 * candidates that are left, each paid for.  The last pass chooses one, which is
 * the answer.
 */
DPEM_KMEANS_ALGORITHM(genetic);

/* k-means in many coordinates from a start in a plane */
DPEM_KMEANS_ALGORITHM(plane);

/* ... from a start in a few private directions */
DPEM_KMEANS_ALGORITHM(subspace);

/* coordinates from and up to which that is the usual algorithm: fewer have a grid of their own, more too large a second moment */
#define DPEM_KMEANS_SUBSPACE_MIN_D 4
#define DPEM_KMEANS_SUBSPACE_MAX_D 256

#endif							/* DPEM_FAMILY_KMEANS_ALGORITHMS_H */
