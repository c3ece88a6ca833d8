/*
 * kmeans_subspace.h - k-means in many coordinates from a start in a few private directions.
 */
#ifndef DPEM_FAMILY_KMEANS_SUBSPACE_H
#define DPEM_FAMILY_KMEANS_SUBSPACE_H

#include "families/kmeans/kmeans.h"

/* coordinates from and up to which it is the usual algorithm: fewer have a grid of their own, more too large a second moment */
#define DPEM_KMEANS_SUBSPACE_MIN_D 4
#define DPEM_KMEANS_SUBSPACE_MAX_D 256

extern void dpem_kmeans_plan_subspace(DpemKmeansPlan *plan);
extern void dpem_kmeans_forecast_subspace(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_subspace(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_SUBSPACE_H */
