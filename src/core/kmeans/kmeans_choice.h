/*
 * kmeans_choice.h - how many clusters, from released shares and spreads.
 */
#ifndef DPEM_CORE_KMEANS_CHOICE_H
#define DPEM_CORE_KMEANS_CHOICE_H

#include "core/kmeans/kmeans_estimate.h"
#include "core/numeric/model_sizes.h"

/*
 * Mean log-likelihood of a row for the clusters found with a candidate, as round normal clusters of one
 * variance at the hard assignment (Pelleg, Moore 2000, "X-means", section 3.2):
 *     sum_k w_k log w_k - d/2 log(2 pi e W / d),   W = sum_k w_k spread_k^2.
 * spread: root mean square distances of the clusters' rows.  *effective: rows in the sense of
 * dpem_effective_rows, for the noise in shares and centers.
 */
extern double dpem_kmeans_likelihood(const DpemKmeans *means, const double *spread, double rows, double *effective);

/*
 * Scores all candidates by Schwarz's criterion for their k (d + 1) parameters, with the least of their
 * effective rows, and chooses: a cluster in which no rows are seen has no noise that is known.
 */
extern int	dpem_kmeans_choose_size(DpemSizes *sizes, int d, const double *log_likelihood, const double *effective);

#endif							/* DPEM_CORE_KMEANS_CHOICE_H */
