/*
 * gmm_seen.h - mean and covariance of all rows by several releases, whose noise differs from entry to entry
 * (post-processing throughout).
 *
 * Whitening and passes measure the same rows.  Each measures best in its own coordinates: the directions in which
 * rows hardly vary are seen after whitening only.
 */
#ifndef DPEM_CORE_GMM_SEEN_H
#define DPEM_CORE_GMM_SEEN_H

#include "core/numeric/workspace.h"
#include "core/pass/moments.h"

/* what was seen of rows whose mean is 0 */
typedef struct DpemGmmSeen
{
	double	   *covariance;		/* d x d, not shrunk */
	double	   *variance;		/* d x d: of the noise in its entries */
	double	   *mean_variance;	/* d: of that in the mean */
} DpemGmmSeen;

/* noise in a mean and in a svec entry of the covariance: standard deviations */
typedef struct DpemGmmTotalNoise
{
	double		mean;
	double		second;
} DpemGmmTotalNoise;

/* by how much the variances of another release (d x d; sd: noise in them) are larger than those that were seen: by another clip, if not by noise */
extern double dpem_gmm_seen_ratio(const DpemGmmSeen *seen, int d, const double *covariance, double sd);

/*
 * Another release's mean (d) and covariance (d x d), of that noise, with what was seen before: entry by entry, by their
 * precision.  The rows may have been clipped in another way: the earlier covariance is scaled by that ratio, and
 * what the two differ by beyond their noise counts as an error of the earlier one.  Returns the root mean square of
 * the noise that is left and, unless left is NULL, what is seen now.  work: dpem_gmm_seen_work(d).
 */
extern size_t dpem_gmm_seen_work(int d);
extern DpemGmmTotalNoise dpem_gmm_seen_combine(const DpemGmmSeen *seen, DpemSecondMoment shape, int d, DpemGmmTotalNoise noise,
											   double *mean, double *covariance, DpemGmmSeen *left, DpemWorkspace work);

/* the same with lengths in units of `unit` */
extern void dpem_gmm_seen_rescale(int d, double unit, DpemGmmSeen *seen);

/* variances of the noise of svec entries of that deviation, and of a mean's: d x d, d */
extern void dpem_gmm_seen_noise(DpemSecondMoment shape, int d, DpemGmmTotalNoise noise, DpemGmmSeen *seen);

/* the same in other coordinates, y = A x, A: d x d; work: as above */
extern void dpem_gmm_seen_transform(int d, const double *a, DpemGmmSeen *seen, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_SEEN_H */
