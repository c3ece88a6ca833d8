/*
 * kmeans_genetic.h - algorithm genetic: PrivGene's search, whose parents are
 * chosen by the exponential mechanism (core/kmeans/kmeans_genetic.h).
 *
 * A pass gives the scores of a generation's candidates; its parents are so
 * many choices, each from the candidates that are left, each paid for.  The
 * last pass chooses one, which is the answer.
 */
#ifndef DPEM_FAMILY_KMEANS_GENETIC_H
#define DPEM_FAMILY_KMEANS_GENETIC_H

#include "families/kmeans/kmeans.h"

extern void dpem_kmeans_plan_genetic(DpemKmeansPlan *plan);
extern void dpem_kmeans_forecast_genetic(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_genetic(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_GENETIC_H */
