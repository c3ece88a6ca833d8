/*
 * release_robust.h - medians and interquartile ranges that pass the wall by the survey's mechanisms, whose noise
 * depends on the table (core/robust/robust.h).
 *
 * How far nearby tables' values are, and the noise that follows from it, are computed behind this door and leave it
 * in no other way than in what is released.
 */
#ifndef DPEM_WALL_RELEASE_ROBUST_H
#define DPEM_WALL_RELEASE_ROBUST_H

#include "core/noise/noise.h"
#include "core/robust/robust.h"
#include "ledger/charge.h"
#include "scan/moments.h"

typedef struct DpemRobustSpec
{
	DpemRobustStatistic statistic;
	int			cells;			/* components of the moments, in ascending order */
	bool		replace_one;
	int			rows_per_unit;
	DpemNoiseKind noise;		/* of propose-test-release, as the next */
	int			proposal;		/* local sensitivity that is proposed, in cells */
} DpemRobustSpec;

/* raises 22003 if a choice at this noise multiplier cannot be drawn; called before the charge */
extern void dpem_release_smooth_check(double noise_multiplier);

/*
 * A choice by smooth sensitivity: takes one release of the line, of mechanism 'exponential', and erases the raw
 * moments.  Returns a cell, from 0, or of an interquartile range a number of cells.
 */
extern int	dpem_release_smooth(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemRobustSpec *spec);

/* noise of propose-test-release, in units and cells, and the noisy distance from which on a value is released */
typedef struct DpemTestLaw
{
	double		distance_sd;
	double		threshold;
	double		value_sd;
} DpemTestLaw;

/* for the noise multipliers of both lines and the failure of the first; raises 22023, called before the charge */
extern DpemTestLaw dpem_release_tested_law(const DpemRobustSpec *spec, double distance_multiplier, double value_multiplier,
										   double failure);

/*
 * Takes one release of the distance's line, with the failure that it paid for, and one of the value's if the test lets
 * it; erases the raw moments.  False: refused, and nothing of the value is released.  *value: in cells, with noise.
 */
extern bool dpem_release_tested(DpemCharge *charge, int distance_line, int value_line, DpemRawMoments *raw,
								const DpemRobustSpec *spec, double *value);

#endif							/* DPEM_WALL_RELEASE_ROBUST_H */
