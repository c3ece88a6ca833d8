/*
 * gmm_background.h - tails for a released mixture (post-processing).
 *
 * Outlying rows are few, are clipped and leave no trace in noisy moments, so that
 * a mixture gives them almost no density: one such row in test data costs hundreds
 * of nats.  A stored mixture therefore gets a background of weight w = 1 %:
 * independent columns, each a mixture of normals about the mixture's mean, with
 * widths in geometric progression from the column's deviation in the mixture to
 * the distance to the far end of its domain.
 *     log p(x) = log((1 - w) mixture(x) + w prod_j background_j(x_j))
 * It costs at most -log(1 - w) = 0.01 nats per row, and where all of w is of whole rows
 * without atoms bounds the log-density in the domain from below by dpem_gmm_background_least.  Of a
 * Gaussian mixture half of w is, and the rest of single columns (density/gmm_apart.h).
 */
#ifndef DPEM_CORE_GMM_BACKGROUND_H
#define DPEM_CORE_GMM_BACKGROUND_H

#include "core/density/gmm_apart.h"

typedef struct DpemGmmBackground
{
	int			d;
	double	   *mean;			/* d, columns' units */
	double	   *narrow;			/* d: narrowest deviation */
	double	   *wide;			/* d: widest, the distance to the far end of the domain */
} DpemGmmBackground;

/* from a mixture and a domain in the columns' units; the arrays are the caller's, lower and upper are not copied */
extern void dpem_gmm_background_init(const DpemGmm *gmm, const double *lower, const double *upper,
									 DpemGmmBackground *background);

/* the same about d means, from columns' variances; either may be the background's own array */
extern void dpem_gmm_background_about(int d, const double *mean, const double *variance, const double *lower,
									  const double *upper, DpemGmmBackground *background);

/* log-density of one of its columns */
extern double dpem_gmm_background_axis(const DpemGmmBackground *background, int axis, double x);

/* log-density of mixture and background from those of each */
extern double dpem_gmm_background_add(double mixture, double background);

/* the same of a mixture some of whose columns may stand apart, at a point; far: d numbers of scratch; work: dpem_gmm_apart_work */
extern double dpem_gmm_background_apart(const DpemGmmBackground *background, const DpemGmmApart *apart, const double *x,
										double *far, DpemWorkspace work);

/* the tail of DpemGmmApart that leaves this background's weight to columns and whole rows */
extern double dpem_gmm_background_tail(int d);

/* lower bound of dpem_gmm_background_add of whole rows, anywhere in the domain */
extern double dpem_gmm_background_least(const DpemGmmBackground *background);

#endif							/* DPEM_CORE_GMM_BACKGROUND_H */
