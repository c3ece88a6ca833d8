/*
 * kmeans_locate.h - where the rows of every group are, before Lloyd's passes of algorithm `joint`.
 */
#ifndef DPEM_FAMILY_KMEANS_LOCATE_H
#define DPEM_FAMILY_KMEANS_LOCATE_H

#include "families/kmeans/kmeans.h"

/*
 * Plans the stages before the passes, with their shares of the budget: margins of all columns, and counts, sums and squared
 * norms in the ball that they show.  None where the caller knows the ball or the start, or noise would hide where rows are.
 */
extern void dpem_kmeans_plan_locate(DpemKmeansPlan *plan);

/* in a group, for a plan: of a table that has a public number of them its part, else a usual number */
extern double dpem_kmeans_assumed_rows(const DpemFitPlan *plan);

/* the passes' share of the squared mu: of a plan whose passes are not planned yet */
extern double dpem_kmeans_passes_share(const DpemKmeansPlan *plan);

/* runs these stages: fills origin, radius and means, the start, of the run of every group */
extern void dpem_kmeans_locate(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_LOCATE_H */
