/*
 * seeded_kmeans.h - k-means of points in memory from many random starts.
 *
 * For released points: the search is post-processing, may take any time and draws
 * public random numbers.
 */
#ifndef DPEM_CORE_SEEDED_KMEANS_H
#define DPEM_CORE_SEEDED_KMEANS_H

#include <stdbool.h>

#include "core/numeric/lloyd.h"
#include "core/numeric/public_random.h"

/*
 * Variance, along each of d axes, of the rows that a point stands for: that of the
 * innermost box that the point lies in.  Boxes are nested, the first holds everything.
 */
typedef struct DpemBlur
{
	int			levels;			/* >= 1 */
	const double *lower;		/* levels * d; the first d are not read */
	const double *upper;
	const double *variance;		/* levels * d */
} DpemBlur;

/* d variances; of a single level it is all that blur->variance has */
extern const double *dpem_blur_at(const DpemBlur *blur, int d, const double *x);

/*
 * One trial: a start by greedy k-means++ (Arthur, Vassilvitskii 2007), then
 * Lloyd's steps until nothing moves, a hundred at most.  Weights are given and
 * positive.  center gets k * d numbers; returns the weighted sum of squared
 * distances.  work: dpem_seeded_kmeans_work doubles.
 */
extern size_t dpem_seeded_kmeans_work(size_t n, int k, int d);
extern double dpem_seeded_kmeans(const DpemPoints *points, int k, DpemPublicRandom *random,
								 double *center, DpemWorkspace work);

/* number of trials worth their time */
extern int	dpem_seeded_kmeans_trials(size_t n, int k, int d);

/*
 * Shares of the clusters in all weight and, for noise of standard deviation sd in
 * each weight, the standard deviations of shares and (k * d) centers, by linear
 * propagation at fixed assignment.  With noise, points stand for rows of variance
 * blur about them, known no better than one by one.  A cluster without points
 * has zero share and noise.
 */
extern void dpem_seeded_kmeans_shares(const DpemPoints *points, int k, const double *center,
									  double sd, const DpemBlur *blur, double *share,
									  double *share_noise, double *center_noise);

/* summary of a cluster's points, whose weights may have any sign */
typedef struct DpemClusterWeights
{
	double		points;
	double		above;			/* points whose weight is above the threshold */
	double		largest;
	double		sum;
} DpemClusterWeights;

extern void dpem_seeded_kmeans_weights(const DpemPoints *points, int k, const double *center,
									   double threshold, DpemClusterWeights *weights);

/*
 * Selects clusters to drop: the lightest unsupported ones, as long as they have
 * together at most `most` of the weight.  Returns their number; work: k doubles.
 */
extern int	dpem_seeded_kmeans_drop(const DpemPoints *points, int k, const double *center,
									const bool *supported, double most, bool *drop,
									DpemWorkspace work);

/*
 * If there are fewer points than clusters, places the remaining centers beside the
 * heaviest ones, at random with the variance of these.  work: k doubles.
 */
extern void dpem_seeded_kmeans_split(const DpemPoints *points, int k, const DpemBlur *blur,
									 DpemPublicRandom *random, double *center, DpemWorkspace work);

/*
 * Root mean square distances of the clusters' points from their centers, for
 * points that stand for rows of that variance about them; infinity for a
 * cluster without points.  work: k doubles.
 */
extern void dpem_seeded_kmeans_spread(const DpemPoints *points, int k, const double *center, const DpemBlur *blur,
									  double *spread, DpemWorkspace work);

#endif							/* DPEM_CORE_SEEDED_KMEANS_H */
