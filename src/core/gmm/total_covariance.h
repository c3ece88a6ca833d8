/*
 * total_covariance.h - the covariance of all rows from one release
 * (Analyze Gauss: Dwork, Talwar, Thakurta, Zhang 2014, STOC).
 */
#ifndef DPEM_CORE_TOTAL_COVARIANCE_H
#define DPEM_CORE_TOTAL_COVARIANCE_H

#include <stdbool.h>

#include "core/pass/noisy_moments.h"

/* weights in the stack (count, sums, second moments) */
typedef struct DpemCovarianceWeights
{
	double		count;
	double		sum;
	double		second;
} DpemCovarianceWeights;

/*
 * The weights that minimise the noise of S/n - m m' for second moments in d
 * coordinates.  With b^2 = (d + 1)^(-1/2), for a mean half-way to the edge of the
 * ball, the noise that sums contribute through m m' balances the noise they add
 * to second moments (docs/factors.md).  Under replace_one counts are free up to
 * the change of two rows in one component (docs/proofs.md, 4); else they get
 * little weight.  No sums unless centered.
 */
extern DpemCovarianceWeights dpem_covariance_weights(int d, bool centered, bool replace_one);

typedef struct DpemTotal
{
	double		rows;
	double		mean_sd;		/* noise in a coordinate of the mean; 0 if it is not private */
	double		second_sd;		/* noise in a svec entry of the second moment per row */
} DpemTotal;

/*
 * From a one-component release with full second moments, in units of the
 * ball: mean (d; zero unless centered) and covariance (d x d) about it.
 */
extern DpemTotal dpem_total_covariance(const DpemNoisyMoments *m, double public_rows, bool centered,
									   double *mean, double *covariance);

#define DPEM_BALL_FACTOR	2.5	/* radius of the balls below, in root mean square distances */

/*
 * A ball about `center` (d, box coordinates) that holds nearly all rows, from
 * counts, sums and squared norms of rows clipped at `radius`.  Returns its radius:
 * 2.5 root mean square distances, plus the noise in them, but no more than covers
 * the whole previous ball.  noise: spectral norm of the noise in second moments that will be
 * released of rows of norm 1; where it allows for it the ball is larger.  INFINITY: it never does.
 */
extern double dpem_total_ball(const DpemNoisyMoments *m, double public_rows, bool centered,
							  double radius, double noise, double *center);

/* root mean square distance of such rows from their mean, in radii, as released */
extern double dpem_total_distance(const DpemNoisyMoments *m, double public_rows);

/*
 * The radius of the same about `center`, from the columns' standard deviations about it (d each, box
 * coordinates).  noise: per row.
 */
extern double dpem_columns_ball(int d, double radius, double noise, const double *center, const double *deviation);

/* number of valid rows: as released, or the public number if the two agree */
extern double dpem_total_rows(const DpemNoisyMoments *m, double public_rows);

/* mean of the rows, moved into the ball that they lie in; returns its norm */
extern double dpem_total_mean(const DpemNoisyMoments *m, double rows, double *mean);

#endif							/* DPEM_CORE_TOTAL_COVARIANCE_H */
