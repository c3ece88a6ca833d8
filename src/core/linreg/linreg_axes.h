/*
 * linreg_axes.h - the eigenvectors of the predictors' covariance, in which
 * linear regression is estimated (linreg_estimate.h).  Private to core/linreg.
 */
#ifndef DPEM_CORE_LINREG_AXES_H
#define DPEM_CORE_LINREG_AXES_H

#include "core/linreg/linreg_estimate.h"

/* share of the largest eigenvalue that a direction has without noise, or it has no variance */
#define DPEM_LINREG_LEAST_SHARE	1e-12

typedef struct DpemLinregAxes
{
	int			p;				/* coordinates */
	int			n;				/* axes: p without the directions left out */
	double	   *vectors;		/* n x p, in rows */
	double	   *value;			/* g, cleaned */
	double	   *seen;			/* g as released: the eigenvalues of S + E */
	double	   *linear;			/* v_i'c */
	double	   *mean;			/* v_i'mean(x) */
	double	   *slope;			/* the posterior's mean, and its other moments */
	double	   *error;			/* n x n, about zero */
	double	   *noise;			/* n x n */
	double	   *least;			/* of an eigenvalue, the deviation of its noise */
	double	   *unsure;			/* part of the axis in predictors of which noise hides how much they vary */
	double	   *label;			/* part of the axis in labels that are wide */
	int			wide;			/* predictors of these */
	double		stays;			/* part of the noise between these and other predictors that is not taken off */
	double	   *left;			/* what intervals divide by: g as released, but not below its noise */
	double		target_variance;
	double		target_mean;
	double		s2;				/* variance of noise off the diagonal */
	double		mean_var;
	double		label_prior;	/* variance that the prior has along wide labels, in parts of t */
	/* for one value of t */
	double	   *b;
	double	   *tau2;
	double	   *pull;			/* change of b by noise along b */
} DpemLinregAxes;

static inline double
dpem_linreg_square(double x)
{
	return x * x;
}

/* room for the axes of p predictors */
extern DpemLinregAxes dpem_linreg_take_axes(int p, DpemWorkspace *work);

/*
 * Fills vectors, value, linear and mean, the largest eigenvalue first; shared (p):
 * of which labels a direction is left out.  work: dpem_linalg_eigen_work(p).
 */
extern DpemStatus dpem_linreg_find_axes(const DpemLinregMoments *moments, DpemLinregAxes *axes, bool *shared,
										DpemWorkspace work);

/* in place: eigenvalues without their noise of deviation sd; in the opposite order, with their vectors.  scratch, row: as many numbers */
extern void dpem_linreg_clean(int n, double sd, double *value, double *scratch);
extern void dpem_linreg_reverse(int p, double *values, double *vectors, double *row);

/*
 * linreg_labels.c: which predictors are of labels that are wide; returns how many.  In the predictors' covariance s, what is known of these
 * in place of its noise; stays: part of the noise beside them that stays.  work: as of dpem_linreg_find_axes.
 */
extern int	dpem_linreg_find_wide(const DpemLinregMoments *moments, bool *wide);
extern DpemStatus dpem_linreg_know_labels(const DpemLinregMoments *moments, const bool *wide, double *s, double *stays, DpemWorkspace work);

/*
 * linreg_estimate.c: slope and error for intervals, without shrinkage: (S + E)^-1 (c + e) differs from
 * S^-1 c by exactly (S + E)^-1 (e - E b), whatever b is.
 */
extern void dpem_linreg_take_back(DpemLinregAxes *axes);

/*
 * linreg_result.c: fills fit from the axes' slope, error and noise, and overwrites
 * these.  scratch: 3 p * p doubles.  dpem_linreg_finish_intervals: center and error of the fit, from axes
 * after dpem_linreg_take_back.
 */
extern void dpem_linreg_finish(const DpemLinregMoments *moments, DpemLinregAxes *axes, DpemLinreg *fit, double *scratch);
extern void dpem_linreg_finish_intervals(const DpemLinregMoments *moments, DpemLinregAxes *axes, DpemLinreg *fit, double *scratch);

#endif							/* DPEM_CORE_LINREG_AXES_H */
