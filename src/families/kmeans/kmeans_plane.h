/*
 * kmeans_plane.h - k-means in many coordinates from a start in a plane.
 */
#ifndef DPEM_FAMILY_KMEANS_PLANE_H
#define DPEM_FAMILY_KMEANS_PLANE_H

#include "families/kmeans/kmeans.h"

extern void dpem_kmeans_plan_plane(DpemKmeansPlan *plan);
extern void dpem_kmeans_forecast_plane(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_plane(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_PLANE_H */
