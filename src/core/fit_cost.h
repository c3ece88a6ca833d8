/*
 * fit_cost.h - what the releases of a fit cost under every composition.
 */
#ifndef DPEM_CORE_FIT_COST_H
#define DPEM_CORE_FIT_COST_H

#include <stdbool.h>

#include "accountant.h"

typedef enum DpemCostKind
{
	DPEM_COST_GAUSSIAN = 0,
	DPEM_COST_LAPLACE = 1,
	DPEM_COST_CHOICE = 2		/* exponential mechanism */
} DpemCostKind;

/* a number of releases of one mechanism at one noise multiplier */
typedef struct DpemCostLine
{
	DpemCostKind kind;
	double		noise_multiplier;	/* > 0; Laplace: scale over L1 sensitivity; choice: 1 / epsilon */
	double		releases;		/* >= 1 */
} DpemCostLine;

/* squared mu: z^-2 a Gaussian release, dpem_gdp_from_pure(1 / z)^2 a Laplace one, dpem_choice_mu2(1 / z) a choice */
extern double dpem_cost_mu2(const DpemCostLine *lines, int n);

/* zCDP's rho: z^-2 / 2, a choice z^-2 / 8 */
extern double dpem_cost_rho(const DpemCostLine *lines, int n);

/*
 * epsilon at delta of all the lines together, rounded up.  A choice counts as
 * the Gaussian release of its mu^2, or rho; under linear and advanced it is
 * (1 / z, 0)-DP, as a Laplace release is.  Under linear and
 * advanced a Gaussian release is (sqrt(2 ln(1.25/step_delta)) / z,
 * step_delta)-DP, a theorem below 1 ([DR] Theorem A.1); step_delta 0 stands
 * for half of delta in equal parts.  advanced: the slack is what the step_delta
 * leave of delta, epsilons may differ (Dwork, Rothblum, Vadhan 2010).
 * DPEM_NO_SOLUTION where such a theorem ends or the step_delta leave nothing.
 */
extern DpemStatus dpem_cost_epsilon(const DpemCostLine *lines, int n, DpemComposition composition,
									double delta, double step_delta, double *epsilon);

/*
 * The least noise multiplier, rounded up, at which that many Laplace releases
 * are (epsilon, delta)-DP together by dpem_cost_epsilon; DPEM_NO_SOLUTION if
 * none up to 1e15 is enough.
 */
extern DpemStatus dpem_laplace_multiplier(DpemComposition composition, double epsilon, double delta,
										  double releases, double *z);

/*
 * Mean-concentrated totals (Dwork, Rothblum 2016; [CDPEM] section 5): a pure
 * e-DP release is (e (exp(e) - 1) / 2, e), a Gaussian one (z^-2 / 2, 1 / z); means
 * add up, tau by squares.  Reported; no epsilon and delta follow from them here.
 */
extern void dpem_cost_concentrated(const DpemCostLine *lines, int n, double *mean, double *tau);

#endif							/* DPEM_CORE_FIT_COST_H */
