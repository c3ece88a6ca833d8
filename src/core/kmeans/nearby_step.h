/*
 * nearby_step.h - centers from released moments of the rows relative to them (kernels/nearby.h).
 */
#ifndef DPEM_CORE_NEARBY_STEP_H
#define DPEM_CORE_NEARBY_STEP_H

#include <stdbool.h>

#include "core/kmeans/kmeans_estimate.h"

/*
 * Moves fit's centers by the released moments of the rows relative to them.  Noisy
 * steps are shrunk by the positive-part James-Stein factor, as in
 * kmeans_estimate.h, and the noise of a center becomes what step and earlier noise
 * leave unknown; shares of rows are replaced by the new counts.  What is believed of a
 * step is taken so many times more (over-relaxation; Salakhutdinov and Roweis 2003);
 * further NULL: not at all.  A center whose rows are so far on one side that most must be
 * beyond its reach may be as far from them after its step: that is noise, too.  reach, further: of k clusters.
 * work: 2 * d doubles.
 */
extern void dpem_nearby_step(const DpemNoisyMoments *released, const double *reach, const double *further, DpemKmeans *fit,
							 DpemWorkspace work);

/*
 * Root mean square distances of the clusters' rows from their means: what they were
 * before, by themselves as uncertain as they are large, and what counts, sums and squared norms of
 * rows within `reach` of the pass's centers say, by inverse variances; never below what noise alone
 * would produce, and the reach itself where rows are beyond it on one side.  A cluster whose count is
 * noise keeps its spread.
 */
extern void dpem_nearby_spread(const DpemNoisyMoments *released, const double *reach, double *spread);

/* what releases tell of all rows together, each length in the coordinates of the centers */
typedef struct DpemKmeansTotal
{
	double		rows;
	double		rows_sd;		/* 0: public */
	double	   *seen;			/* d: their mean, by the releases alone */
	double		seen_sd;		/* in a coordinate */
	double	   *mean;			/* d: believed, with the domain in mind */
	double		mean_sd;
	double		spread;			/* root mean square distance of the rows from their mean */
	double		square_sd;		/* noise in its square */
} DpemKmeansTotal;

/* before any release: rows are anywhere in a box of that half-width about the origin */
extern void dpem_nearby_total_anywhere(int d, double half_width, DpemKmeansTotal *total);

/* what is believed of the mean, and no wider spread than that of a single heap in such a box */
extern void dpem_nearby_total_within(int d, double half_width, DpemKmeansTotal *total);

/*
 * The ball in which rows are looked at next: its radius, and its center (d).  sum_sd: noise in a sum of rows of norm 1, by
 * that look.
 */
extern double dpem_nearby_total_ball(int d, double sum_sd, const DpemKmeansTotal *total, double *center);

/* does noise hide clusters of these rows: is their middle hardly known for how far they spread, as far as that is more than noise? */
extern bool dpem_nearby_total_hides(int d, const DpemKmeansTotal *total);

/* what is seen after a pass over all rows, its first component, in that ball: of how far they spread only if it has squared norms */
extern void dpem_nearby_total(const DpemNoisyMoments *released, const double *center, double reach, DpemKmeansTotal *total);

/* chosen in kmeans_rules.c */
typedef struct DpemTotalRule
{
	double		reach;			/* of a ball, in root mean square distances */
	double		little_noise;	/* squared, in the mean, over the rows' spread, up to which a ball is larger */
	double		supposed;		/* coordinates of a mean that tell beside those seen how far it is from the middle */
	double		least_share;	/* of what would be believed of a mean anywhere in the box */
	int			looks;			/* at the rows of a single cluster */
} DpemTotalRule;

extern const DpemTotalRule dpem_total_rule;

/* weights of counts, sums and squared norms in one look */
extern void dpem_total_weights(bool replace_one, double *count, double *sum, double *norm);

#endif							/* DPEM_CORE_NEARBY_STEP_H */
