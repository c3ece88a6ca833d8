/*
 * grid.h - weighted points for k-means from noisy counts on a grid.
 *
 * If a grid is too fine, its cells hold only noise; if it is too coarse, rows are
 * located imprecisely within cells.  EUGkM (Su, Cao, Li,
 * Bertino, Jin 2016, section 4.1, after Qardaji, Yang, Li 2013) cuts the domain
 * into M = (N epsilon / 10)^(2d/(d+2)) cells and gives all of them to k-means.
 * Leaving out cells below a threshold removes most of the noise, so that the grid
 * may be several times finer.  All of this is post-processing.
 */
#ifndef DPEM_CORE_GRID_H
#define DPEM_CORE_GRID_H

#include "core/accounting/paper_mechanism.h"
#include "core/kernels/cells.h"

/*
 * M = (factor N / sd)^(2d/(d+2)), sd the noise's standard deviation in a cell, but
 * at least a minimum for each of k clusters, which else could not be separated
 */
typedef struct DpemGridRule
{
	double		factor;
	double		per_cluster;
	double		most_cells;
} DpemGridRule;

extern const DpemGridRule dpem_grid_published;	/* sd of Laplace noise: sqrt(2) / epsilon */
extern const DpemGridRule dpem_grid_thresholded;	/* for cells that a threshold will choose from */
extern const DpemGridRule dpem_grid_start;	/* the same, for a start only */
extern const DpemGridRule dpem_grid_second_level;	/* for the rows of one cell */

/* parts of every axis: between 1 and what the rule and DPEM_CELLS_MAX allow; rows may be negative */
extern int	dpem_grid_parts(const DpemGridRule *rule, int axes, int k, double rows, double sd);

/* the same for a number of cells that was asked for */
extern int	dpem_grid_parts_of(int axes, double cells);

/*
 * A threshold for n noisy counts: the least at which noise alone is expected to
 * contribute only a small share of what exceeds it, but low enough that `least`
 * counts stay above it; 0 if fewer are above 0.  noise is
 * Gaussian or Laplace; sd 0 (no noise): 0.
 */
extern double dpem_grid_threshold(const double *count, int n, DpemNoiseKind noise, double sd, int least);

/*
 * The number of noise deviations that the largest of n counts without rows exceeds
 * with probability at most `chance` (union bound).
 */
extern double dpem_grid_surprise(DpemNoiseKind noise, int n, double chance);

/* whether that many of n counts without rows are above so many deviations with a probability of `chance` at most */
extern bool dpem_grid_surprising(DpemNoiseKind noise, double n, double deviations, double above, double chance);

/* moves counts above the threshold, with their points of d numbers, to the front; returns their number */
extern int	dpem_grid_keep(double *count, double *point, int n, int d, double threshold);

/*
 * Second level of a grid: parts per axis of every cell, from its noisy count; one
 * for a count at or below the threshold.  Reduced where the total would exceed
 * DPEM_CELLS_MAX.
 */
extern void dpem_grid_refine(const double *count, int n, int axes, double threshold, double next_sd,
							 double *parts);

/*
 * Changes the counts of a second level (ordered by cell, then by part) by equal
 * amounts within each cell, so that they add up to the least-squares estimate from
 * both levels (Hay, Rastogi, Miklau, Suciu 2010).
 */
extern void dpem_grid_reconcile(const double *coarse_count, int coarse, double coarse_sd,
								const double *parts, int axes, double *count, double sd);

#endif							/* DPEM_CORE_GRID_H */
