/*
 * seeded_kmeans.h - k-means of points at hand from many random starts.
 *
 * For points that were released: the search is post-processing, may take as
 * long as one likes and draws public random numbers.
 */
#ifndef DPEM_CORE_SEEDED_KMEANS_H
#define DPEM_CORE_SEEDED_KMEANS_H

#include <stdbool.h>

#include "core/numeric/lloyd.h"
#include "core/numeric/public_random.h"

/*
 * One trial: a start by greedy k-means++ (Arthur, Vassilvitskii 2007), then
 * Lloyd's steps until nothing moves, a hundred at most.  Weights are given and
 * positive.  center gets k * d numbers; returns the weighted sum of squared
 * distances.  work: dpem_seeded_kmeans_work doubles.
 */
extern size_t dpem_seeded_kmeans_work(size_t n, int k, int d);
extern double dpem_seeded_kmeans(const DpemPoints *points, int k, DpemPublicRandom *random,
								 double *center, DpemWorkspace work);

/* how many trials are worth their time */
extern int	dpem_seeded_kmeans_trials(size_t n, int k, int d);

/*
 * What noise of standard deviation sd in each weight means for centers found:
 * the clusters' shares of all weight and, by linear propagation at fixed
 * assignment, the deviations in shares and (k * d) centers.  With noise, points
 * stand for rows of variance blur (d) about them, known no better than one by
 * one.  A cluster without points has neither share nor noise.
 */
extern void dpem_seeded_kmeans_shares(const DpemPoints *points, int k, const double *center,
									  double sd, const double *blur, double *share,
									  double *share_noise, double *center_noise);

/* what is known of a cluster's points, weights of any sign */
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
 * Which clusters to do without: the lightest of those that are not supported,
 * as long as all of them together have no more than `most` of the weight.
 * Returns how many; work: k doubles.
 */
extern int	dpem_seeded_kmeans_drop(const DpemPoints *points, int k, const double *center,
									const bool *supported, double most, bool *drop,
									DpemWorkspace work);

/*
 * Where there are fewer points than clusters, those left over are put beside
 * the heaviest ones, at random within `blur` (d) variances about them.  work: k doubles.
 */
extern void dpem_seeded_kmeans_split(const DpemPoints *points, int k, const double *blur,
									 DpemPublicRandom *random, double *center, DpemWorkspace work);

/*
 * Root mean square distances of the clusters' points from their centers, for
 * points that stand for rows of variance `blur` about them; infinity for a
 * cluster without points.  work: k doubles.
 */
extern void dpem_seeded_kmeans_spread(const DpemPoints *points, int k, const double *center, double blur,
									  double *spread, DpemWorkspace work);

#endif							/* DPEM_CORE_SEEDED_KMEANS_H */
