/*
 * release_quantiles.h - several quantiles of groups of rows that pass the wall.
 *
 * The exponential mechanism, from counts of bins, depth by depth of a tree
 * (core/statistics/quantile_tree.h).  All choices of one depth, of all groups, are one release
 * of a line with mechanism 'exponential' and noise multiplier 1 / epsilon: one choice among
 * combinations, whose score is the sum of their scores.
 */
#ifndef DPEM_WALL_RELEASE_QUANTILES_H
#define DPEM_WALL_RELEASE_QUANTILES_H

#include "core/statistics/quantile_tree.h"
#include "ledger/charge.h"
#include "scan/moments.h"

typedef struct DpemQuantilesSpec
{
	const DpemQuantileTree *tree;
	int			groups;			/* of rows */
	int			bins;			/* of a group: components of the moments, in ascending order, group after group */
	int			pieces;			/* of a bin */
	bool		replace_one;
	int			rows_per_unit;
} DpemQuantilesSpec;

/* most that a unit can change one combination's score relative to another's, in rows, at a depth */
extern double dpem_release_quantiles_range(const DpemQuantilesSpec *spec, int depth);

/* raises 22003 if choices at this noise multiplier cannot be drawn; called before the charge */
extern void dpem_release_quantiles_check(const DpemQuantilesSpec *spec, double noise_multiplier);

/*
 * Takes as many releases of the line as the tree has depths, erases the raw moments.
 * cut[group n + i]: the cut that was chosen as the i-th quantile, from 0 to bins pieces.
 */
extern void dpem_release_quantiles(DpemCharge *charge, int line, DpemRawMoments *raw,
								   const DpemQuantilesSpec *spec, int *cut);

#endif							/* DPEM_WALL_RELEASE_QUANTILES_H */
