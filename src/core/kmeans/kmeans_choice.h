/*
 * kmeans_choice.h - how many clusters, from released shares and spreads.
 */
#ifndef DPEM_CORE_KMEANS_CHOICE_H
#define DPEM_CORE_KMEANS_CHOICE_H

#include "core/kmeans/kmeans_estimate.h"
#include "core/numeric/model_sizes.h"

/*
 * Scores the i-th candidate by the clusters found with it: the log-likelihood of round normal
 * clusters of one variance at the hard assignment (Pelleg, Moore 2000, "X-means", section 3.2),
 *     sum_k w_k log w_k - d/2 log(2 pi e W / d),   W = sum_k w_k spread_k^2,
 * less Schwarz's penalty for the k (d + 1) parameters, where noise in shares and centers counts as
 * fewer rows.  spread: root mean square distances of the clusters' rows.
 */
extern void dpem_kmeans_score(DpemSizes *sizes, int i, const DpemKmeans *means, const double *spread, double rows);

#endif							/* DPEM_CORE_KMEANS_CHOICE_H */
