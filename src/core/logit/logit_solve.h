/*
 * logit_solve.h - the posterior for statistics whose curvature is known (logit_estimate.h).
 */
#ifndef DPEM_CORE_LOGIT_SOLVE_H
#define DPEM_CORE_LOGIT_SOLVE_H

#include "core/logit/logit_estimate.h"

/*
 * For a curvature that is taken as it is or, `scales`, but for its length;
 * curvature_sd: of the noise in a svec entry of it.  work: dpem_logit_estimate_work(d) suffices.
 */
extern DpemStatus dpem_logit_solve(const DpemLogitStatistics *s, const double *curvature, double curvature_sd,
								   bool scales, double prior_variance, DpemLogit *fit, DpemWorkspace work);

/* mean of x between -1/2 and 1/2, of which `middle` was seen with noise of variance sd^2 + (part x)^2: part is that of what it is in parts of */
extern double dpem_logit_mean_within(double middle, double sd, double part);

#endif							/* DPEM_CORE_LOGIT_SOLVE_H */
