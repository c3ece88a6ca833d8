/*
 * fit_cost.h - the cost of a fit's releases under every composition.
 */
#ifndef DPEM_CORE_FIT_COST_H
#define DPEM_CORE_FIT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/accounting/accountant.h"

typedef enum DpemCostKind
{
	DPEM_COST_GAUSSIAN = 0,
	DPEM_COST_LAPLACE = 1,
	DPEM_COST_CHOICE = 2		/* exponential mechanism */
} DpemCostKind;

/* units that a release reads: all, or each independently with probability q; curves differ by adjacency */
typedef enum DpemSampling
{
	DPEM_SAMPLING_NONE,
	DPEM_SAMPLING_POISSON,		/* add_remove */
	DPEM_SAMPLING_POISSON_REPLACE	/* replace_one */
} DpemSampling;

/* 'none' or 'poisson' */
extern const char *dpem_sampling_name(DpemSampling sampling);

/* a number of releases of one mechanism at one noise multiplier */
typedef struct DpemCostLine
{
	DpemCostKind kind;
	double		noise_multiplier;	/* > 0; Laplace: scale over L1 sensitivity; choice: 1 / epsilon */
	double		releases;		/* >= 1 */
	DpemSampling sampling;		/* of Gaussian lines only */
	double		sampling_rate;	/* q in (0, 1], of a sampled line */
} DpemCostLine;

/* releases that read all units */
static inline DpemCostLine
dpem_cost_line(DpemCostKind kind, double noise_multiplier, double releases)
{
	DpemCostLine line = {kind, noise_multiplier, releases, DPEM_SAMPLING_NONE, 1};

	return line;
}

/*
 * Squared mu: z^-2 for a Gaussian release, dpem_gdp_from_pure(1 / z)^2 for a Laplace
 * one, dpem_choice_mu2(1 / z) for a choice; sampling does not lower it.
 */
extern double dpem_cost_mu2(const DpemCostLine *lines, int n);

/* zCDP's rho: z^-2 / 2, for a choice z^-2 / 8; sampling does not lower it */
extern double dpem_cost_rho(const DpemCostLine *lines, int n);

/*
 * Renyi divergences of all releases of a line at dpem_rdp_orders, rounded up.  A
 * sampled line has those of the subsampled Gaussian up to order 1024, of the
 * unsampled one above, and never more than the latter.
 */
extern DpemStatus dpem_cost_curve(const DpemCostLine *line, double rdp[DPEM_RDP_ORDERS]);

/* false if the curve is rho times the order, so that rho suffices */
extern bool dpem_cost_has_curve(const DpemCostLine *line);

/*
 * epsilon at delta of all the lines together, rounded up.  A choice counts as
 * the Gaussian release with its mu^2 or rho; under linear and advanced it is
 * (1 / z, 0)-DP, like a Laplace release.  Under linear and advanced a Gaussian
 * release is (epsilon, step_delta)-DP with epsilon = sqrt(2 ln(1.25/step_delta))
 * / z, proved for epsilon < 1 ([DR] Theorem A.1), and a sampled one
 * (ln(1 + q (e^epsilon - 1)), q step_delta)-DP under both adjacencies (Balle,
 * Barthe, Gaboardi 2018, Theorems 2 and 8; docs/proofs.md, section 6);
 * step_delta 0: half of delta in equal parts.  advanced: the slack is the rest of
 * delta, and epsilons may differ (Dwork, Rothblum, Vadhan 2010).  rdp and ma
 * with sampled lines: on the grid of orders.  exact and zcdp treat sampled lines
 * as unsampled.
 * DPEM_NO_SOLUTION where no theorem applies or step_delta uses up delta.
 */
extern DpemStatus dpem_cost_epsilon(const DpemCostLine *lines, int n, DpemComposition composition,
									double delta, double step_delta, double *epsilon);

/*
 * Multiplies the noise multipliers of all lines but the first `fixed` ones by one
 * number, the least (to 1e-9) for which dpem_cost_epsilon is at most epsilon.  The
 * multipliers on entry determine how the lines share the budget.
 * DPEM_NO_SOLUTION where no such number is below 1e15.
 */
extern DpemStatus dpem_cost_calibrate(DpemCostLine *lines, int n, int fixed, DpemComposition composition,
									  double epsilon, double delta, double step_delta);

/*
 * The least noise multiplier (to 1e-9) at which that many Laplace releases or
 * choices are (epsilon, delta)-DP together by dpem_cost_epsilon.
 */
extern DpemStatus dpem_cost_multiplier(DpemCostKind kind, DpemComposition composition, double epsilon,
									   double delta, double releases, double *z);

/*
 * Totals of mean-concentrated DP (Dwork, Rothblum 2016; [CDPEM] section 5): a pure
 * e-DP release has (mean, tau) = (e (exp(e) - 1) / 2, e), a Gaussian one (z^-2 / 2,
 * 1 / z); means and squares of tau add up.  Only reported: not converted to
 * epsilon and delta.
 */
extern void dpem_cost_concentrated(const DpemCostLine *lines, int n, double *mean, double *tau);

#endif							/* DPEM_CORE_FIT_COST_H */
