/*
 * subspace.h - k-means from a start in a few directions.
 *
 * The rows' top principal directions separate k clusters (Kannan, Vempala 2009,
 * section 2.3).  The start is k-means on counts of a grid's cells along these
 * directions, with more than k centers where noise allows.  One Lloyd pass finds
 * the clusters' numbers of rows, their centers in all coordinates and their spread;
 * k-means on these weighted points then avoids the directions that the start
 * ignores and most of its local optima.  Reads released numbers only:
 * post-processing.
 */
#ifndef DPEM_CORE_SUBSPACE_H
#define DPEM_CORE_SUBSPACE_H

#include <stdbool.h>

#include "core/kernels/cells.h"
#include "core/kmeans/kmeans_estimate.h"

/* ---- rules from public numbers (kmeans_rules.c) ---- */

/* directions: 1 .. DPEM_CELLS_MAX_AXES, at most d; sd is the noise in a cell's count, 0 for none */
extern int	dpem_subspace_axes(int k, int d, double rows, double sd);

/*
 * Whether noise of that length in the center of the rows, in radii of the ball that
 * they were looked at in, hides where they are: what is found about such a center is
 * worth less than to know the center better.
 */
extern bool dpem_subspace_blind(double center_noise);

/* are rows so near to their middle that their mean squared distance is hardly seen: so many deviations of noise? */
extern bool dpem_subspace_narrow(double resolution);

/* does noise of that length in the middle of rows that spread so far hide clusters of theirs? */
extern bool dpem_subspace_hides(double center_noise, double spread);

/* whether a second look at the rows is from nearer: from a radius to that which the first suggests */
extern bool dpem_subspace_nearer(double radius, double suggested);

/* half-width of the grid along a direction in which rows of the unit ball have that noisy variance */
extern double dpem_subspace_half(int axes, double variance, double noise);

/* how many cells: sd is the noise in a count, 0 for none */
extern double dpem_subspace_cells(int axes, int centers, double rows, double sd);

/*
 * Number of passes: sum_sd is the noise that a single one would have, in rows
 * and per coordinate; rows 0 if not public.
 */
extern int	dpem_subspace_passes(int k, int d, double rows, double sum_sd);

#define DPEM_SUBSPACE_REACH	1.5	/* of the noisiest passes, in spreads of a cluster */

/* the squared distance of a mean from its center, in reaches, and in how many deviations, that tells of rows beyond the reach */
typedef struct DpemBeyondRule
{
	double		shift;
	double		deviations;
} DpemBeyondRule;

extern const DpemBeyondRule dpem_subspace_beyond;

/*
 * How much further than its step the center of so many rows goes after that one of so many passes, from 1: where
 * clusters run into each other, Lloyd's steps are many and each a part of the way.  Not after the first, which chooses
 * among spare centers, not after the last, whose means are the answer, and not by much noise.
 */
extern double dpem_subspace_further(int pass, int passes, double rows, int d, double sum_sd);

/* centers of the first pass, from k to 2 k + 2; sum_sd: the noise of a pass */
extern int	dpem_subspace_centers(int k, int d, double rows, double sum_sd);

/*
 * Distance from a cluster's center at which its rows are clipped: a larger reach
 * means more noise, a smaller one more bias; at most `diameter`, its value without
 * noise.
 */
extern double dpem_subspace_reach(double spread, double rows, int d, double sum_sd, double diameter);

/* weights of counts, sums and squared norms in the release of a pass */
extern void dpem_subspace_weights(bool replace_one, double *count, double *sum, double *norm);

/* ---- computations ---- */

/*
 * Parts of every axis, all of about the same width, for about the given number of
 * cells, at most DPEM_CELLS_MAX; an axis narrower than a part has one.  half: axes
 * numbers above 0.
 */
extern void dpem_subspace_parts(const double *half, int axes, double cells, int *parts);

/* rows of a normal law, as far as releases tell it */
typedef struct DpemNormalLaw
{
	int			d;
	int			axes;
	const double *axis;			/* axes * d, orthonormal */
	const double *variance;		/* axes: of the rows along them */
	double		spread;			/* root mean square distance of the rows from the mean: variance is no more than its square */
	const double *mean;			/* d */
	double		mean_sd;		/* by which it may be off in a coordinate */
} DpemNormalLaw;

/*
 * The best k centers that are known of rows of which only such a law is: k-means on points drawn from it, in a box of that
 * half-width and the unit ball.  spread: k root mean square distances of a cluster's rows.
 */
extern size_t dpem_normal_centers_work(int k, int d);
extern void dpem_normal_centers(const DpemNormalLaw *law, int k, double half_width, double *center, double *spread,
								DpemWorkspace work);

/* when centers are moved to other clusters' rows (kmeans_rules.c) */
typedef struct DpemRefillRule
{
	double		empty;			/* deviations of noise, below which a count is taken for that of no rows */
	double		full;			/* above which it is taken for rows' */
} DpemRefillRule;

extern const DpemRefillRule dpem_subspace_refill_rule;

/*
 * Centers that no rows are counted about help the heaviest one: all of them become those of a round normal law of its
 * cluster's mean and spread, each with an equal part of its share. `last`, no pass will follow: the heaviest stays where
 * it is, and shares are left as they were counted. What is moved has no noise that is known (0). spread: k.
 */
extern size_t dpem_subspace_refill_work(int k, int d);
extern void dpem_subspace_refill(DpemKmeans *means, double half_width, bool last, double *spread, DpemWorkspace work);

/*
 * to = the to->k best centers of from's, which are points weighted by their
 * clusters' shares, with the merged shares, noise and spreads (root mean square
 * distances of rows).  If fewer of from's centers have rows, the remaining ones are
 * placed beside the heaviest.  from->k >= to->k.
 */
extern size_t dpem_subspace_merge_work(int from, int to, int d);
extern void dpem_subspace_merge(const DpemKmeans *from, const double *spread, DpemKmeans *to,
								double *to_spread, DpemWorkspace work);

#endif							/* DPEM_CORE_SUBSPACE_H */
