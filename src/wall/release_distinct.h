/*
 * release_distinct.h - numbers of different persons or values that pass the wall.
 *
 * The wall itself starts the scan (scan/query/source_distinct.c): no exact number is seen outside of it.
 */
#ifndef DPEM_WALL_RELEASE_DISTINCT_H
#define DPEM_WALL_RELEASE_DISTINCT_H

#include "core/noise/noise.h"
#include "core/pass/noisy_moments.h"
#include "ledger/charge.h"
#include "scan/query/source.h"

typedef struct DpemDistinctSpec
{
	DpemNoiseKind noise;		/* Gaussian or Laplace */
	bool		persons;		/* else values */
	bool		replace_one;
	int			rows_per_unit;
	int			groups;
	char	  **category;		/* of the groups; NULL: there is one, of all rows */
} DpemDistinctSpec;

/* how far one unit moves the numbers of all groups: L2, or L1 */
extern double dpem_release_distinct_sensitivity(const DpemDistinctSpec *spec);

/* Raises 22023 if noise of this multiplier cannot be drawn, called before the charge; its standard deviation. */
extern double dpem_release_distinct_noise(const DpemDistinctSpec *spec, double noise_multiplier);

/* Scans a source that counts persons or values, takes the single release of the line; a count for each group. */
extern DpemNoisyMoments *dpem_release_distinct(DpemCharge *charge, int line, DpemSource *source, const DpemDistinctSpec *spec);

/* No noise: for a caller who has been shown to have the right to read the rows. */
extern DpemNoisyMoments *dpem_release_distinct_to_reader(const DpemReader *reader, DpemSource *source,
														 const DpemDistinctSpec *spec);

#endif							/* DPEM_WALL_RELEASE_DISTINCT_H */
