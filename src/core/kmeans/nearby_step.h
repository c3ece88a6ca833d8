/*
 * nearby_step.h - centers from what was released of the rows about them (kernels/nearby.h).
 */
#ifndef DPEM_CORE_NEARBY_STEP_H
#define DPEM_CORE_NEARBY_STEP_H

#include "core/kmeans/kmeans_estimate.h"

/*
 * Moves fit's centers by what was released of the rows about them.  Of a step
 * that noise may have made only the positive-part James-Stein share is
 * believed, as in kmeans_estimate.h; shares of rows become what was
 * counted now.  work: 2 * d doubles.
 */
extern void dpem_nearby_step(const DpemNoisyMoments *released, const double *reach, DpemKmeans *fit,
							 DpemWorkspace work);

/*
 * Root mean square distances of the clusters' rows from their means, as far as
 * rows within `reach` tell, from counts, sums and squared norms about the
 * centers that the rows were seen from: never below what noise alone would make.
 * A cluster whose count is noise keeps the spread that it has.
 */
extern void dpem_nearby_spread(const DpemNoisyMoments *released, const double *reach, double *spread);

#endif							/* DPEM_CORE_NEARBY_STEP_H */
