/*
 * release_inside.h - the inside of the wall; included by its release_*.c only.
 */
#ifndef DPEM_WALL_RELEASE_INSIDE_H
#define DPEM_WALL_RELEASE_INSIDE_H

#include "wall/release.h"
#include "wall/tape.h"

/* a release of the line, taken (dpem_charge_take): what it paid for, of numbers that change by at most `sensitivity` */
extern DpemDeclared dpem_release_take(DpemCharge *charge, int line, DpemMechanism mechanism, const DpemRowsRead *rows, double sensitivity);

/*
 * dpem_release of moments that were paid for with others, at the noise multiplier that dpem_charge_take gave
 * for them; statistic: what the line is of.
 */
extern DpemNoisyMoments *dpem_release_paid(const char *statistic, double noise_multiplier, DpemRawMoments *raw,
										   const DpemReleaseSpec *spec);

#endif							/* DPEM_WALL_RELEASE_INSIDE_H */
