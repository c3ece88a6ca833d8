/*
 * gam_search.h - additive models of several classes without noise: the minimum of -sum log p(class) + sum_s b_s' K_s^-1 b_s / 2.
 *
 * K_s is the prior's covariance of score s (core/gam/gam_posterior.h).  What all scores have in common changes no probability, and is
 * always where the prior wants it: along it there is nothing to search.  Else the search is for y_s = L_s' b_s, L_s the lower factor
 * of H_s + K_s^-1 for a curvature H_s about that at the minimum, so that curvatures are about 1 however steep cells of many
 * rows and however narrow the prior.  H_s and the prior's variances are found again a few times where the search is near a minimum.
 */
#ifndef DPEM_CORE_GAM_SEARCH_H
#define DPEM_CORE_GAM_SEARCH_H

#include "core/gam/gam_estimate.h"
#include "core/logit/quasi_newton.h"

typedef struct DpemGamSearch
{
	const DpemGamRows *rows;
	DpemGamScore *score;		/* whose curvature and `here` are replaced by H_s and L_s */
	int			scores;
	bool		learn;			/* the prior's variances */
	int			round;			/* how often H_s was found */
	int			passes;			/* in this round */
	void		(*pause) (void);	/* called now and then */
	DpemQuasiNewton minimum;
	double	   *precision;		/* scores x blocks: of each column's cells without the intercept's part, */
	double	   *level;			/* scores x n: and its row sums */
	double	   *constant;		/* scores: K_s^-1 is that less this times level level' */
	double	   *common;			/* n x n: the lower factor of the sum of all K_s^-1 */
	double	   *ones;			/* scores x n */
	double	   *gradient;		/* scores x n */
	double	   *spare;			/* 2 n (terms + 1) */
	DpemWorkspace rest;			/* the minimum's */
} DpemGamSearch;

/* from the scores' means, with the variances of the prior that they have at first; work: dpem_gam_search_work(rows, scores), which the search keeps */
extern size_t dpem_gam_search_work(const DpemGamRows *rows, int scores);
extern DpemStatus dpem_gam_search_begin(DpemGamSearch *search, const DpemGamRows *rows, DpemGamScore *score, int scores, bool learn, void (*pause) (void), DpemWorkspace work);

/* coefficients of all scores, n each, at which the next gradient is wanted */
extern void dpem_gam_search_at(const DpemGamSearch *search, double *coefficient);

/*
 * Takes what was released at these coefficients, unless the minimum is found (search->minimum.found).  Scores have the mean
 * that was accepted last, and the gradient there.
 */
extern DpemStatus dpem_gam_search_take(DpemGamSearch *search, const DpemNoisyMoments *m, const double *coefficient);

#endif							/* DPEM_CORE_GAM_SEARCH_H */
