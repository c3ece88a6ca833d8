/*
 * kmeans_lloyd.h - the k-means algorithms that run Lloyd's passes: joint,
 * dpem and dplloyd.  They differ in the releases of a pass and in how centers
 * are computed from them.
 */
#ifndef DPEM_FAMILY_KMEANS_LLOYD_H
#define DPEM_FAMILY_KMEANS_LLOYD_H

#include "families/kmeans/kmeans.h"

/* counts and sums of all clusters together, Gaussian noise */
extern void dpem_kmeans_plan_joint(DpemKmeansPlan *plan);

/* counts, then the sum of each cluster separately ([DPEM] section 7) */
extern void dpem_kmeans_plan_dpem(DpemKmeansPlan *plan);

/*
 * Counts and sums of all clusters together, Laplace noise (SuLQ: Blum, Dwork,
 * McSherry, Nissim 2005; Su, Cao, Li, Bertino, Jin 2016)
 */
extern void dpem_kmeans_plan_dplloyd(DpemKmeansPlan *plan);

/*
 * Of one cluster without groups, or where noise would hide clusters: nothing but looks at the middle of all rows of each group, each from as near
 * as those before it found them (kmeans_total.c).  False, and nothing is planned, elsewhere, or where the caller knows the ball, the
 * start or the passes.
 */
extern bool dpem_kmeans_plan_middle(DpemKmeansPlan *plan);
extern void dpem_kmeans_forecast_middle(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_middle(DpemKmeansRun *run);

extern void dpem_kmeans_forecast_joint(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_forecast_dpem(const DpemKmeansPlan *plan, DpemForecast *forecast);

/* runs any of the three: start and passes */
extern void dpem_kmeans_run_lloyd(DpemKmeansRun *run);

#endif							/* DPEM_FAMILY_KMEANS_LLOYD_H */
