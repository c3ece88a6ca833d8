/*
 * kmeans_algorithms.h - the algorithms that consist neither of Lloyd's passes
 * alone (kmeans_lloyd.h) nor of a grid's counts alone (kmeans_grid.h).
 */
#ifndef DPEM_FAMILY_KMEANS_ALGORITHMS_H
#define DPEM_FAMILY_KMEANS_ALGORITHMS_H

#include "families/kmeans/kmeans.h"

#define DPEM_KMEANS_ALGORITHM(name) \
	extern void dpem_kmeans_plan_##name(DpemKmeansPlan *plan); \
	extern void dpem_kmeans_run_##name(DpemKmeansRun *run)

/*
 * sample_aggregate: GUPT's mean of k-means over random blocks
 * (core/kernels/block_means.h).  The number of blocks depends on the number of
 * rows, which is public or else released first.
 */
DPEM_KMEANS_ALGORITHM(blocks);
extern void dpem_kmeans_forecast_blocks(const DpemKmeansPlan *plan, DpemForecast *forecast);

/*
 * center_of_attention: Nissim, Raskhodnikova and Smith's aggregation of the same blocks' outputs (STOC 2007), coordinate
 * by coordinate, with noise by its smooth sensitivity (core/robust/robust.h).
 */
DPEM_KMEANS_ALGORITHM(attention);
extern void dpem_kmeans_forecast_attention(const DpemKmeansPlan *plan, DpemForecast *forecast);

/* of both: Lloyd's passes within a block, and the number of rows that count as far as it may be known: public, or released */
#define DPEM_KMEANS_BLOCK_ITERATIONS 10
extern double dpem_kmeans_block_rows(DpemKmeansRun *run);

/*
 * genetic: PrivGene's search, whose parents are chosen by the exponential
 * mechanism (core/kmeans/kmeans_genetic.h).  Each pass computes the utility scores
 * of a generation's candidates; parents are chosen one after the other from the
 * remaining candidates, and each choice is paid for.  The last pass chooses the
 * result.
 */
DPEM_KMEANS_ALGORITHM(genetic);
extern void dpem_kmeans_forecast_genetic(const DpemKmeansPlan *plan, DpemForecast *forecast);

/*
 * evolution: private evolution.  Rows vote for the nearest of many candidates, round
 * after round (core/kmeans/evolution.h); the votes of the last are points for k-means.
 */
DPEM_KMEANS_ALGORITHM(evolution);

/* k-means in many coordinates, started from centers found in a plane */
DPEM_KMEANS_ALGORITHM(plane);

/* the same, started from centers found in the subspace of a few privately chosen directions */
DPEM_KMEANS_ALGORITHM(subspace);
extern const double dpem_kmeans_subspace_shares[];	/* of the squared mu, of its DpemKmeansFrameStages */
extern void dpem_kmeans_forecast_subspace(const DpemKmeansPlan *plan, DpemForecast *forecast);

/*
 * Range of d for which `subspace` is the default: below it a grid over all
 * coordinates is feasible, above it the second moment is too large.
 */
#define DPEM_KMEANS_SUBSPACE_MIN_D 4
#define DPEM_KMEANS_SUBSPACE_MAX_D 256

/* ---- entries of dpem_kmeans_postprocesses ---- */

/* Lee and Kifer 2016: the clusters of a dataset that explains all answers */
extern void dpem_kmeans_postprocess_mcmc(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_ALGORITHMS_H */
