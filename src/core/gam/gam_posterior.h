/*
 * gam_posterior.h - for gam_posterior.c, gam_estimate.c, gam_scale.c and gam_result.c: solving for the coefficients, and what scores are.
 */
#ifndef DPEM_CORE_GAM_POSTERIOR_H
#define DPEM_CORE_GAM_POSTERIOR_H

#include "core/gam/gam_estimate.h"

typedef struct DpemGamPosterior
{
	double	   *prior;			/* blocks of K, one for each column, without the intercept's part */
	double		constant;		/* which adds this everywhere */
	double	   *gain;			/* n x n: H K */
	double	   *factor;			/* n x n: L, for V = L L'; the other triangle is not read */
	double	   *reduced;		/* n x n: L^-1 H K, so that the covariance is K - reduced' reduced, in units of the dispersion */
	double	   *mean;			/* n */
	const double *solved;		/* n: V^-1 t; of releases without noise NULL */
	double	   *spare;			/* n x n, free once that is solved */
	double		evidence;		/* logarithm of the density of t, but for a constant; none of releases without noise */
	double		noise;			/* variance of the noise in t, in units of the dispersion */
} DpemGamPosterior;

/* the prior variance of column c's steps, by a step of expectation and maximisation, whose squares are expected to add up to `sum` with the score's scale */
extern double dpem_gam_learnt_step(const DpemGamRows *rows, int c, double scale, double sum);

/* K^-1 of column c's cells without the intercept's part, with that prior variance: penalties of differences of neighbouring bins, and of categories and missing values alone */
extern void dpem_gam_precision(const DpemGamRows *rows, int c, double step, double *block);

/* the intercept's part: posterior->constant */
extern double dpem_gam_constant(const DpemGamRows *rows);

/* where column c's block of K begins */
extern const double *dpem_gam_block(const DpemGamRows *rows, const DpemGamPosterior *posterior, int c);

/* finds `reduced`, without which there is no covariance */
extern void dpem_gam_reduce(const DpemGamRows *rows, DpemGamPosterior *posterior);

/* all but `reduced`; takes what it needs of *work, first what the posterior keeps */
extern DpemStatus dpem_gam_solve(const DpemGamRows *rows, const DpemGamScore *score, DpemGamPosterior *posterior, DpemWorkspace *work);

/* mean score of all rows, and of those of each cell (n) */
extern double dpem_gam_mean_score(const DpemGamRows *rows, const DpemGamScore *score);
extern void dpem_gam_cell_scores(const DpemGamRows *rows, const DpemGamScore *score, double *out);

/* of several classes, all of them: into bend the weight of each cell's rows in their curvatures; work: n */
extern void dpem_gam_bend_classes(const DpemGamRows *rows, const DpemGamScore *scores, double *work);

/* and into `here` the curvatures of these */
extern void dpem_gam_curvature_classes(const DpemGamRows *rows, const DpemGamScore *scores, double *work);

/* of a number: finds score->scale; work as that of dpem_gam_estimate */
extern DpemStatus dpem_gam_find_scale(const DpemGamRows *rows, DpemGamScore *score, DpemWorkspace work);

/*
 * M, and the curvatures of all that was taken, get what this gradient (n, of noise sd), released at the mean, and the one before show along
 * the step between them, if that is more by far.  work: 2 n, and that of dpem_gam_estimate.
 */
extern DpemStatus dpem_gam_take_secant(DpemGamRows *rows, const double *gradient, double sd, DpemGamScore *score, DpemWorkspace work);

/* after a gradient was taken at the mean with that weight, and what was before with `keep`; sd 0: it shows nothing of steps */
extern void dpem_gam_leave_path(int n, const double *gradient, double sd, double keep, double weight, DpemGamScore *score);

/* of a number: what pairs cannot show along the mean goes into score->along and all that was taken in place of what is there, if it is worth it; work: 2 n */
extern bool dpem_gam_take_along(const DpemGamRows *rows, DpemGamScore *score, DpemWorkspace work);

/* takes it away again */
extern void dpem_gam_leave_along(int n, DpemGamScore *score);

#endif							/* DPEM_CORE_GAM_POSTERIOR_H */
