/*
 * fit_cost.h - what the releases of a fit cost under every composition.
 */
#ifndef DPEM_CORE_FIT_COST_H
#define DPEM_CORE_FIT_COST_H

#include <stdbool.h>

#include "accountant.h"

/* a number of releases of one mechanism at one noise multiplier */
typedef struct DpemCostLine
{
	bool		laplace;		/* else Gaussian */
	double		noise_multiplier;	/* > 0; Laplace: scale over L1 sensitivity */
	double		releases;		/* >= 1 */
} DpemCostLine;

/* squared mu: z^-2 a Gaussian release, dpem_gdp_from_pure(1 / z)^2 a Laplace one */
extern double dpem_cost_mu2(const DpemCostLine *lines, int n);

/* zCDP's rho: z^-2 / 2 in both cases */
extern double dpem_cost_rho(const DpemCostLine *lines, int n);

/*
 * epsilon at delta of all the lines together, rounded up.  Under linear and
 * advanced a Gaussian release is (sqrt(2 ln(1.25/step_delta)) / z,
 * step_delta)-DP, a theorem below 1 ([DR] Theorem A.1); step_delta 0 stands
 * for half of delta in equal parts.  advanced: the slack is what the step_delta
 * leave of delta, epsilons may differ (Dwork, Rothblum, Vadhan 2010).
 * DPEM_NO_SOLUTION where such a theorem ends or the step_delta leave nothing.
 */
extern DpemStatus dpem_cost_epsilon(const DpemCostLine *lines, int n, DpemComposition composition,
									double delta, double step_delta, double *epsilon);

/*
 * Mean-concentrated totals (Dwork, Rothblum 2016; [CDPEM] section 5): a pure
 * e-DP release is (e (exp(e) - 1) / 2, e), a Gaussian one (z^-2 / 2, 1 / z); means
 * add up, tau by squares.  Reported; no epsilon and delta follow from them here.
 */
extern void dpem_cost_concentrated(const DpemCostLine *lines, int n, double *mean, double *tau);

#endif							/* DPEM_CORE_FIT_COST_H */
