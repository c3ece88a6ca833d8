/*
 * kmeans_mcmc.h - k-means from a dataset that explains all released answers.
 *
 * Lee and Kifer (2016), "Postprocessing for Iterative Differentially Private
 * Algorithms", section 5: a synthetic dataset is moved point by point so that its
 * counts and sums at every pass's centers approach the released ones, whose noise
 * has a known law; the most likely dataset seen is clustered without noise.
 * Everything read is public: post-processing, which costs nothing.
 *
 * A Metropolis-Hastings chain on `points` points, each standing for rows / points
 * rows.  A step moves one point and so at most two clusters of each pass:
 * O(passes * k * d).  Points start where the answers of all passes suggest the rows
 * are (kmeans_belief.h), with steps as large as the remaining uncertainty: without
 * noise, zero.
 */
#ifndef DPEM_CORE_KMEANS_MCMC_H
#define DPEM_CORE_KMEANS_MCMC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kmeans/kmeans_belief.h"
#include "core/numeric/lloyd.h"

#define DPEM_MCMC_STEPS 30000	/* the publication's */

typedef struct DpemKmeansMcmc
{
	const DpemKmeansHistory *history;
	DpemPublicRandom random;
	int			points;
	double		each;			/* rows that a point stands for */
	double		likelihood;		/* logarithm, from the start's */
	double		best_likelihood;
	double	   *x;				/* points * d */
	double	   *best;			/* points * d: the likeliest so far */
	double	   *step;			/* points: how far each is moved at a time */
	double	   *candidate;		/* d */
	double	   *count_off;		/* passes * k: released minus the dataset's own */
	double	   *sum_off;		/* passes * k * d */
	double	   *count_sd;		/* passes: of the noise and of points being whole */
	double	   *sum_sd;
	int32_t    *owner;			/* points * passes: the cluster of each */
	int32_t    *next_owner;		/* passes: the candidate's */
	int32_t    *moved;			/* points that moved since the best */
	int32_t		n_moved;
	bool	   *has_moved;		/* points */
} DpemKmeansMcmc;

/*
 * Is there enough noise for this to help?  Noise must have at least one percent of
 * the variance between the centers, estimated from released numbers alone; below
 * that the released centers are kept.  work: k doubles.
 */
extern bool dpem_kmeans_mcmc_pays(const DpemKmeansHistory *history, const DpemConsistent *answers,
								  const double *center, DpemWorkspace work);

/* how many points there will be; then the sizes of the chain's two pieces of memory */
extern int	dpem_kmeans_mcmc_points(const DpemKmeansHistory *history, const DpemConsistent *answers);
extern size_t dpem_kmeans_mcmc_doubles(const DpemKmeansHistory *history, int points);
extern size_t dpem_kmeans_mcmc_integers(const DpemKmeansHistory *history, int points);

/* the start; belief weighed, history with noise */
extern void dpem_kmeans_mcmc_begin(DpemKmeansMcmc *chain, const DpemKmeansHistory *history,
								   const DpemKmeansBelief *belief, DpemPublicRandom random,
								   int points, double *doubles, int32_t *integers, bool *flags);

extern void dpem_kmeans_mcmc_run(DpemKmeansMcmc *chain, int steps);

/*
 * Lloyd's algorithm on the likeliest dataset from the given centers, which it
 * replaces; weight: k shares of the points.  work: dpem_lloyd_work doubles.
 */
extern void dpem_kmeans_mcmc_cluster(const DpemKmeansMcmc *chain, double *center, double *weight,
									 DpemWorkspace work);

#endif							/* DPEM_CORE_KMEANS_MCMC_H */
