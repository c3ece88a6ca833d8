/*
 * class_axes.h - linear classifiers whose curvature matrices have their eigenvectors in common (class_estimate.h).
 */
#ifndef DPEM_CORE_CLASS_AXES_H
#define DPEM_CORE_CLASS_AXES_H

#include "core/logit/class_estimate.h"

/*
 * Eigenvectors of matrix (d x d), none of its values negative, and each so much larger.  work: dpem_linalg_eigen_work(d).
 */
extern DpemStatus dpem_axes_find(int d, const double *matrix, double more, DpemClassAxes *axes, DpemWorkspace work);

/* out (d) := coordinates of `in` along the axes, or back */
extern void dpem_axes_turn(const DpemClassAxes *axes, bool back, const double *in, double *out);

/*
 * The posterior of coefficients from a linear statistic t (d, along the axes) of curvature p->g, with noise of deviation sd in each:
 * p's axis, gain, mean and precision.  As dpem_logit_estimate, with a curvature that has no noise.
 */
extern void dpem_axes_solve(const DpemClassAxes *axes, double prior_variance, const double *t, double sd, DpemClassProblem *p);

/*
 * Averages a released gradient, `scale` times it, and its curvature, `weight` times the axes', with those before, of which it
 * gets that share of the weight.  sd: of the noise in what was released.  work: d.
 */
extern void dpem_axes_take(const DpemClassAxes *axes, const double *gradient, double scale, double sd, double weight, double share,
						   DpemClassProblem *p, DpemWorkspace work);

#endif							/* DPEM_CORE_CLASS_AXES_H */
