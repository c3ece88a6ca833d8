/*
 * seeded_kmeans.h - k-means of points at hand from many random starts.
 *
 * For points that were released: the search is post-processing, may take as
 * long as one likes and draws public random numbers.
 */
#ifndef DPEM_CORE_SEEDED_KMEANS_H
#define DPEM_CORE_SEEDED_KMEANS_H

#include "lloyd.h"
#include "public_random.h"

/*
 * One trial: a start by greedy k-means++ (Arthur, Vassilvitskii 2007), then
 * Lloyd's steps until nothing moves, a hundred at most.  Weights are given and
 * positive.  centre gets k * d numbers; returns the weighted sum of squared
 * distances.  work: dpem_seeded_kmeans_work doubles.
 */
extern size_t dpem_seeded_kmeans_work(size_t n, int k, int d);
extern double dpem_seeded_kmeans(const DpemPoints *points, int k, DpemPublicRandom *random,
								 double *centre, DpemWorkspace work);

/* how many trials are worth their time */
extern int	dpem_seeded_kmeans_trials(size_t n, int k, int d);

/*
 * What noise of standard deviation sd in each weight means for centres found:
 * the clusters' shares of all weight and, by linear propagation at fixed
 * assignment, the deviations in shares and (k * d) centres.
 */
extern void dpem_seeded_kmeans_shares(const DpemPoints *points, int k, const double *centre,
									  double sd, double *share, double *share_noise,
									  double *centre_noise);

/*
 * Root mean square distances of the clusters' points from their centres, for
 * points that stand for rows of variance `blur` about them; infinity for a
 * cluster without points.  work: k doubles.
 */
extern void dpem_seeded_kmeans_spread(const DpemPoints *points, int k, const double *centre, double blur,
									  double *spread, DpemWorkspace work);

#endif							/* DPEM_CORE_SEEDED_KMEANS_H */
