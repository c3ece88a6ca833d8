/*
 * mixture_estimate.h - mixtures of numbers, counts and categories that are
 * independent within a component (latent classes; Lazarsfeld and Henry 1968),
 * from released moments.
 *
 * Rows are points of d + known coordinates: first numbers, then a coordinate for
 * each category, which is 1 in its rows; where numbers may be missing, then one
 * for each number, DPEM_MIXTURE_KNOWN where it is known.  A known number is
 * (x - center) / deviation, an unknown one 0.  Every law is an exponential family
 * whose statistics are among the coordinates and their squares, so that the
 * E-step is that of a Gaussian mixture with diagonal covariances whose means and
 * offsets make the other terms linear (docs/estimation.md).  Reads released
 * numbers only: post-processing.
 */
#ifndef DPEM_CORE_MIXTURE_ESTIMATE_H
#define DPEM_CORE_MIXTURE_ESTIMATE_H

#include <stdbool.h>

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

#define DPEM_MIXTURE_MAX_COMPONENTS	100
#define DPEM_MIXTURE_MAX_COORDINATES 1000
#define DPEM_MIXTURE_KNOWN	0.25	/* with 1, a number would take twice its part of a row's norm */

typedef enum DpemMixtureLaw
{
	DPEM_LAW_NORMAL, DPEM_LAW_POISSON, DPEM_LAW_CATEGORY
} DpemMixtureLaw;

/* what rows are, from public facts and earlier releases */
typedef struct DpemMixtureRows
{
	int			numbers;
	int			d;				/* numbers and categories */
	bool		missing;		/* numbers may be: d + numbers coordinates */
	double		radius;			/* of the unit ball */
	const DpemMixtureLaw *law;	/* d */
	const int  *label;			/* d: of a category, the coordinate of its label's first one */
	const double *middle;		/* numbers: the value, in the column's units, that is 0 */
	const double *unit;			/* numbers: and the units that are 1 */
} DpemMixtureRows;

/* coordinates of a pass, and labels among the columns */
extern int	dpem_mixture_coordinates(const DpemMixtureRows *rows);
extern int	dpem_mixture_labels(const DpemMixtureRows *rows);

typedef struct DpemMixture
{
	int			k;
	int			d;
	double	   *weight;			/* k */
	double	   *mean;			/* k * d: of a number in units of the rows, of a category its probability */
	double	   *variance;		/* k * d: of a normal number; else 0 */
	double	   *mean_noise;		/* k * d: standard deviation of the noise in the mean */
	double	   *weight_noise;	/* k */
	double	   *known;			/* d: share of all rows in which the number, or the category's label, is known; of a total only */
} DpemMixture;

/* room for weights, means and variances of k components; of d numbers and categories */
extern DpemMixture dpem_mixture_take(int k, int d, DpemWorkspace *work);

/* weights, means and variances; to: room for as many components */
extern void dpem_mixture_copy(const DpemMixture *from, DpemMixture *to);

/*
 * Moments of all rows together, and of the components averaged over passes: counts,
 * sums and squares per component in the coordinates of the rows, with the noise of each.
 */
typedef struct DpemMixtureMoments
{
	int			k;
	int			n;				/* coordinates */
	double	   *count;			/* k */
	double	   *sum;			/* k * n */
	double	   *square;			/* k * n */
	double		count_sd;
	double		sum_sd;
	double		square_sd;

	/* k * n, or NULL for 0 and 1: what sums and squares are about, and what multiplies the noise in a sum, and its square that in a square */
	double	   *center;
	double	   *scale;
} DpemMixtureMoments;

/*
 * moments = (1 - share) moments + share of those of a pass (layout
 * DPEM_SECOND_DIAGONAL or, of one component, DPEM_SECOND_FULL); noise likewise, as
 * that of independent releases.
 */
extern void dpem_mixture_average(const DpemMixtureRows *rows, const DpemNoisyMoments *released, double share,
								 DpemMixtureMoments *moments);

/*
 * All rows as one component: means, variances and proportions, kept away from the
 * ends where noise may have put them.
 */
extern void dpem_mixture_total(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, DpemMixture *total);

/*
 * A start from the full second moments of all rows: components along the principal
 * directions, at the centers that k-means finds in normal points of the released
 * variances (public random numbers).  work: dpem_mixture_start_work.
 */
extern size_t dpem_mixture_start_work(const DpemMixtureRows *rows, int k);
extern DpemStatus dpem_mixture_start(const DpemMixtureRows *rows, const DpemNoisyMoments *second, const DpemMixture *total,
									 DpemMixture *mixture, DpemWorkspace work);

/*
 * M-step: each parameter is the posterior mean under a normal prior about that of
 * all rows, given its estimate and the known noise of it, so that a component of which noise hides
 * everything is like all rows; weights have a Dirichlet(2) prior.
 */
typedef struct DpemMixturePrior
{
	double		mean;			/* variance of components' means and shares, in units of that of all rows */
	double		variance;		/* of their variances, in units of the square of that of all rows */
} DpemMixturePrior;

extern void dpem_mixture_maximize(const DpemMixtureRows *rows, const DpemMixtureMoments *moments,
								  const DpemMixture *total, DpemMixturePrior prior, DpemMixture *mixture);

/* what the passes ask for: components may differ as much as rows do */
extern const DpemMixturePrior dpem_mixture_weak_prior;

/*
 * The prior that released moments speak for: as much as the components' estimates
 * differ from all rows beyond their noise (empirical Bayes; Efron and Morris 1973).
 */
extern DpemMixturePrior dpem_mixture_found_prior(const DpemMixtureRows *rows, const DpemMixtureMoments *moments,
												 const DpemMixture *total);

/*
 * All rows as the same estimate with what a pass over the components adds to it:
 * their moments add up to those of all rows.  total: as from dpem_mixture_average.
 */
extern void dpem_mixture_pool(const DpemMixtureRows *rows, const DpemNoisyMoments *released, DpemMixtureMoments *total);

/* forgets sums and squares in such an estimate, for which the next pass is all that there is; counts are those of any radius */
extern void dpem_mixture_forget(DpemMixtureMoments *total);

/*
 * Reduces a mixture to k components: again and again the two are made one that
 * differ least for their weights, as Ward (1963) does it, each parameter in units of its
 * variance within both.  work: dpem_mixture_merge_work of the mixture's components.
 */
extern size_t dpem_mixture_merge_work(int components);
extern void dpem_mixture_merge(const DpemMixtureRows *rows, int k, DpemMixture *mixture, DpemWorkspace work);

/* an average of which `share` is the new value, and the deviation of the noise in one; 1: nothing of the old, which may be none */
extern double dpem_mixture_mixed(double old, double new, double share);
extern double dpem_mixture_mixed_noise(double old, double new, double share);

/* rows of component k in which number j is known, of which `share` of all rows are expected */
extern double dpem_mixture_known_count(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j, double share);

/* the variance that dpem_mixture_maximize gives a normal number with the weak prior, of a number of any law */
extern double dpem_mixture_number_variance(const DpemMixtureRows *rows, const DpemMixtureMoments *m, int k, int j,
										   const DpemMixture *total);

/* theta of the kernel `gmm`, layout DPEM_SECOND_DIAGONAL over dpem_mixture_coordinates: k (1 + 2 n) numbers */
extern void dpem_mixture_prepare(const DpemMixtureRows *rows, const DpemMixture *mixture, double *theta);

#endif							/* DPEM_CORE_MIXTURE_ESTIMATE_H */
