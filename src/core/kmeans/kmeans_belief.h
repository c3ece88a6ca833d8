/*
 * kmeans_belief.h - posterior beliefs about the clusters of a k-means fit's passes.
 *
 * A cluster of pass t is a Voronoi cell of that pass's centers, clipped to the
 * box.  A priori a row in it may be anywhere in the cell: prior variance `spread`
 * per coordinate.  The released mean s / n has noise of
 * variance (var(s) + m^2 var(n)) / n^2.  The normal posterior puts
 * trust = spread / (spread + noise) of the weight on the released mean and the
 * rest on the cell.
 */
#ifndef DPEM_CORE_KMEANS_BELIEF_H
#define DPEM_CORE_KMEANS_BELIEF_H

#include <stddef.h>

#include "core/kmeans/consistency.h"
#include "core/kmeans/kmeans_history.h"
#include "core/numeric/public_random.h"
#include "core/numeric/workspace.h"

typedef struct DpemKmeansBelief
{
	double		rows;			/* estimated number of rows */
	double	   *weight;			/* passes: relevance of each for the last one's clusters, of sum 1 */
	double	   *count;			/* passes * k: shrunk towards equal shares as far as they are noise */
	double	   *mean;			/* passes * k * d: released, moved into the cell */
	double	   *noise;			/* passes * k: variance of one coordinate of it */
	double	   *spread;			/* passes * k */
} DpemKmeansBelief;

/* doubles for the arrays, and their places in one piece of that length */
extern size_t dpem_kmeans_belief_length(const DpemKmeansHistory *history);
extern void dpem_kmeans_belief_place(const DpemKmeansHistory *history, double *memory,
									 DpemKmeansBelief *belief);

/* beliefs about the clusters of one pass; dpem_kmeans_belief_weigh after all of them */
extern size_t dpem_kmeans_belief_work(int d);
extern void dpem_kmeans_belief_pass(const DpemKmeansHistory *history, const DpemConsistent *answers,
									int pass, DpemPublicRandom *random, DpemKmeansBelief *belief,
									DpemWorkspace work);

/*
 * Weights of the passes.  A pass whose means differ from the last pass's by more
 * than their noise had other clusters: weight e / (e_t + D_t), e the variance
 * of the noise and D_t the mean squared difference, means weighted by the
 * squares of their counts.
 */
extern void dpem_kmeans_belief_weigh(const DpemKmeansHistory *history, DpemKmeansBelief *belief);

/* share of the released mean in a cluster's posterior mean */
extern double dpem_kmeans_trust(const DpemKmeansBelief *belief, size_t cluster);

/* y = a random point in the cell of center `own`, within the box and the ball */
extern void dpem_cell_draw(const DpemKmeansHistory *history, const double *center, int own,
						   DpemPublicRandom *random, double *y);

/* pulls x towards center `own` until it lies in that center's cell */
extern void dpem_cell_pull(int k, int d, const double *center, int own, double *x);

/* moves x into the unit ball */
extern void dpem_ball_pull(int d, double *x);

#endif							/* DPEM_CORE_KMEANS_BELIEF_H */
