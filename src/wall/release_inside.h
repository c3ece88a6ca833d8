/*
 * release_inside.h - the inside of the wall; included by its release_*.c only.
 */
#ifndef DPEM_WALL_RELEASE_INSIDE_H
#define DPEM_WALL_RELEASE_INSIDE_H

#include "wall/release.h"

/*
 * dpem_release of moments that were paid for with others, at the noise multiplier that dpem_charge_take gave
 * for them; statistic: what the line is of.
 */
extern DpemNoisyMoments *dpem_release_paid(const char *statistic, double noise_multiplier, DpemRawMoments *raw,
										   const DpemReleaseSpec *spec);

#endif							/* DPEM_WALL_RELEASE_INSIDE_H */
