/*
 * kmeans_history.h - what the passes of a k-means fit released, kept for
 * post-processing.
 *
 * Everything here is public: the centers that assigned the rows of each pass,
 * the noisy counts and sums that came back and the law of their noise.
 * Coordinates are the features': [-half_width, half_width] in each, within
 * the unit ball.
 */
#ifndef DPEM_CORE_KMEANS_HISTORY_H
#define DPEM_CORE_KMEANS_HISTORY_H

#include <stddef.h>

#include "core/accounting/paper_mechanism.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemKmeansHistory
{
	int			k;
	int			d;
	int			capacity;		/* passes there is room for */
	int			passes;			/* passes added */
	DpemNoiseKind noise;		/* Gaussian or Laplace, of counts and sums alike */
	double		public_rows;	/* number of valid rows, if public; else 0 */
	double		half_width;		/* 1 / clip_norm: of the box in feature coordinates */
	double	   *count_sd;		/* capacity: standard deviations of the noise */
	double	   *sum_sd;			/* capacity */
	double	   *center;			/* capacity * k * d: the centers that rows were assigned to */
	double	   *count;			/* capacity * k */
	double	   *sum;			/* capacity * k * d */
} DpemKmeansHistory;

/* doubles for the five arrays of a history, and their places in one piece of that length */
extern size_t dpem_kmeans_history_length(int k, int d, int capacity);
extern void dpem_kmeans_history_place(DpemKmeansHistory *history, double *memory);

/* adds a pass: the k * d centers used and what was released (no second moments needed) */
extern void dpem_kmeans_history_add(DpemKmeansHistory *history, const double *center,
									const DpemNoisyMoments *released);

#endif							/* DPEM_CORE_KMEANS_HISTORY_H */
