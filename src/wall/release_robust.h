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
#include "core/robust/block_cells.h"
#include "core/robust/robust.h"
#include "ledger/charge.h"
#include "registry/dataset.h"
#include "scan/moments.h"

/*
 * Of rows in cells, or of the outputs of blocks of rows (core/robust/block_cells.h).  A unit has as many of these as rows,
 * or one block where all of its rows are in one.
 */
typedef struct DpemRobustSpec
{
	DpemRobustStatistic statistic;
	int			cells;			/* components of the moments, in ascending order */
	bool		replace_one;
	int			rows_per_unit;
	int			blocks;			/* whose outputs are counted; 0: rows are */
	int			values;			/* tables of so many cells each, one after the other; 0 is 1 */
	DpemNoiseKind noise;		/* of propose-test-release, as the next */
	int			proposal;		/* local sensitivity that is proposed, in cells */
} DpemRobustSpec;

/* raises 22003 if a choice at this noise multiplier cannot be drawn; called before the charge */
extern void dpem_release_smooth_check(double noise_multiplier);

/*
 * Choices by smooth sensitivity, one for each of the spec's values: takes as many releases of the line, of mechanism
 * 'exponential', and erases the raw moments.  chosen: cells, from 0, or of an interquartile range a number of cells.
 */
extern void dpem_release_smooth(DpemCharge *charge, int line, DpemRawMoments *raw, const DpemRobustSpec *spec, int *chosen);

/* raises 22023, saying what is possible instead, where a dataset has no part of its delta for tests that fail */
extern void dpem_release_tested_require(const DpemDataset *ds, const char *instead);

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
 * Takes one release of the distance's line, with the failure that it paid for, and one of all values' if the test lets
 * it; erases the raw moments.  False: refused, and nothing of the values is released.  value: as many as spec says, in
 * cells, with noise.  The distance is the least of all tables.
 */
extern bool dpem_release_tested(DpemCharge *charge, int distance_line, int value_line, DpemRawMoments *raw,
								const DpemRobustSpec *spec, double *value);

/*
 * Smith's estimator: the mean of the blocks' outputs, winsorised to a range made of two released quartiles of them.
 * In cells, with the noise's standard deviation; given the range, which was released, that is public.
 */
typedef struct DpemWinsorised
{
	double		value;
	double		sd;
} DpemWinsorised;

/* raises 22003 or 22023 if quartiles or the mean cannot be drawn at these noise multipliers; called before the charge */
extern void dpem_release_winsorised_check(const DpemRobustSpec *spec, double ends_multiplier, double mean_multiplier);

/* takes two releases of the quartiles' line, of mechanism 'exponential', and one of the mean's; erases the raw moments */
extern DpemWinsorised dpem_release_winsorised(DpemCharge *charge, int ends_line, int mean_line, DpemRawMoments *raw,
											  const DpemRobustSpec *spec);

#endif							/* DPEM_WALL_RELEASE_ROBUST_H */
