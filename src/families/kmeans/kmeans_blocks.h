/*
 * kmeans_blocks.h - algorithm sample_aggregate: GUPT's mean of k-means within
 * random blocks (core/kernels/block_means.h).
 *
 * The number of blocks follows from the number of rows: the public one, else
 * one released first.
 */
#ifndef DPEM_FAMILY_KMEANS_BLOCKS_H
#define DPEM_FAMILY_KMEANS_BLOCKS_H

#include "families/kmeans/kmeans.h"

extern void dpem_kmeans_plan_blocks(DpemKmeansPlan *plan);
extern void dpem_kmeans_forecast_blocks(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_blocks(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_BLOCKS_H */
