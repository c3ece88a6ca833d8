/*
 * grid.h - from noisy counts on a grid to weighted points for k-means.
 *
 * A grid that is too fine has nothing but noise in its cells, one that is too
 * coarse does not tell where in a cell the rows are.  EUGkM (Su, Cao, Li,
 * Bertino, Jin 2016, section 4.1, after Qardaji, Yang, Li 2013) cuts the domain
 * into M = (N epsilon / 10)^(2d/(d+2)) cells and gives all of them to k-means.
 * Where cells below a threshold are left out, most of the noise goes with
 * them, and the grid may be several times finer.  All of this is
 * post-processing.
 */
#ifndef DPEM_CORE_GRID_H
#define DPEM_CORE_GRID_H

#include "core/accounting/paper_mechanism.h"
#include "core/kernels/cells.h"

/*
 * M = (factor N / sd)^(2d/(d+2)), sd the noise's standard deviation in a cell,
 * but not fewer than so many for each of k clusters, or they could not be told apart
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
 * A threshold for n noisy counts: the least at which what noise alone is
 * expected to leave above it is a small share of what is there, but so low
 * that `least` counts stay above it; 0 if fewer are above 0.  noise is
 * Gaussian or Laplace; sd 0 (no noise): 0.
 */
extern double dpem_grid_threshold(const double *count, int n, DpemNoiseKind noise, double sd, int least);

/*
 * Deviations of its noise that the largest of n counts without rows exceeds
 * with a probability of `chance` at most (union bound).
 */
extern double dpem_grid_surprise(DpemNoiseKind noise, int n, double chance);

/* whether that many of n counts without rows are above so many deviations with a probability of `chance` at most */
extern bool dpem_grid_surprising(DpemNoiseKind noise, double n, double deviations, double above, double chance);

/* moves counts above the threshold, and their points of d numbers, to the front; returns how many */
extern int	dpem_grid_keep(double *count, double *point, int n, int d, double threshold);

/*
 * Cells of the second level: parts per axis of every cell of a grid from its
 * noisy count, one for a count at or below the threshold.  There are fewer of
 * them per cell where all would be more than DPEM_CELLS_MAX.
 */
extern void dpem_grid_refine(const double *count, int n, int axes, double threshold, double next_sd,
							 double *parts);

/*
 * Changes the counts of a second level, which the parts of each cell follow
 * one another in, by equal amounts per cell such that they add up to the best
 * estimate from both levels (least squares; Hay, Rastogi, Miklau, Suciu 2010).
 */
extern void dpem_grid_reconcile(const double *coarse_count, int coarse, double coarse_sd,
								const double *parts, int axes, double *count, double sd);

#endif							/* DPEM_CORE_GRID_H */
