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
 * The weights that keep the noise of S/n - m m' least, for second moments in d
 * coordinates: with b^2 = (d + 1)^(-1/2) the noise that sums bring in through
 * m m' balances what they take from the second moments, for a mean half-way
 * to the edge of the ball (docs/factors.md).  Counts are free under
 * replace_one up to what two rows of one component differ by (docs/proofs.md,
 * 4), and get little otherwise.  Without a private center no sums.
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

/*
 * The ball about `center` (d, box coordinates) that nearly all rows lie in,
 * from counts, sums and squared norms of rows clipped at `radius`: 2.5
 * root mean square distances, the noise in them added, and no more than takes in the
 * whole ball before it.  Returns its radius.
 */
extern double dpem_total_ball(const DpemNoisyMoments *m, double public_rows, bool centered,
							  double radius, double *center);

/* rows that count: as released, or the public number where the two agree */
extern double dpem_total_rows(const DpemNoisyMoments *m, double public_rows);

/* the mean of rows that lie in the ball does so as well; returns its norm */
extern double dpem_total_mean(const DpemNoisyMoments *m, double rows, double *mean);

#endif							/* DPEM_CORE_TOTAL_COVARIANCE_H */
