/*
 * nearby_step.h - centers from released moments of the rows relative to them (kernels/nearby.h).
 */
#ifndef DPEM_CORE_NEARBY_STEP_H
#define DPEM_CORE_NEARBY_STEP_H

#include "core/kmeans/kmeans_estimate.h"

/*
 * Moves fit's centers by the released moments of the rows relative to them.  Noisy
 * steps are shrunk by the positive-part James-Stein factor, as in
 * kmeans_estimate.h, and the noise of a center becomes what step and earlier noise
 * leave unknown; shares of rows are replaced by the new counts.  What is believed of a
 * step is taken so many times more (over-relaxation; Salakhutdinov and Roweis 2003);
 * further NULL: not at all.  A center whose rows are so far on one side that most must be
 * beyond its reach may be as far from them after its step: that is noise, too.  reach, further: of k clusters.
 * work: 2 * d doubles.
 */
extern void dpem_nearby_step(const DpemNoisyMoments *released, const double *reach, const double *further, DpemKmeans *fit,
							 DpemWorkspace work);

/*
 * Root mean square distances of the clusters' rows from their means: what they were
 * before, by themselves as uncertain as they are large, and what counts, sums and squared norms of
 * rows within `reach` of the pass's centers say, by inverse variances; never below what noise alone
 * would produce, and the reach itself where rows are beyond it on one side.  A cluster whose count is
 * noise keeps its spread.
 */
extern void dpem_nearby_spread(const DpemNoisyMoments *released, const double *reach, double *spread);

/* what releases tell of all rows together, each length in the coordinates of the centers */
typedef struct DpemKmeansTotal
{
	double		rows;
	double		rows_sd;		/* 0: public */
	double	   *mean;			/* d */
	double		mean_sd;		/* in a coordinate */
	double		spread;			/* root mean square distance of the rows from their mean */
} DpemKmeansTotal;

/* as before any release: they are anywhere in a box of that half-width about the origin; keeps what is known since */
extern void dpem_nearby_total_within(int d, double half_width, DpemKmeansTotal *total);

/* how far rows are looked for about the mean, which may itself be off */
extern double dpem_nearby_total_reach(int d, const DpemKmeansTotal *total);

/* the posterior after a pass over all rows about the mean, its first component, as far as that reach */
extern void dpem_nearby_total(const DpemNoisyMoments *released, double reach, DpemKmeansTotal *total);

#endif							/* DPEM_CORE_NEARBY_STEP_H */
