/*
 * accountant.h - privacy accounting: pure functions of doubles.
 *
 * Sources, cited by these letters throughout:
 *   [DPEM]  Park, Foulds, Chaudhuri, Welling, AISTATS 2017
 *   [DRS]   Dong, Roth, Su, Gaussian Differential Privacy, JRSS-B 2022
 *   [BW]    Balle, Wang, Improving the Gaussian Mechanism, ICML 2018
 *   [BS]    Bun, Steinke, Concentrated Differential Privacy, TCC 2016
 *   [CKS]   Canonne, Kamath, Steinke, The Discrete Gaussian, NeurIPS 2020
 *   [M17]   Mironov, Renyi Differential Privacy, CSF 2017
 *   [MTZ]   Mironov, Talwar, Zhang, Renyi DP of the Sampled Gaussian, 2019
 *   [WBK]   Wang, Balle, Kasiviswanathan, Subsampled Renyi DP, AISTATS 2019
 *   [DR]    Dwork, Roth, Algorithmic Foundations, 2014
 *
 * Logarithms are natural.  A noise multiplier is a standard deviation divided
 * by the L2 sensitivity; mu is its inverse.  Every function checks its domain
 * with comparisons that NaN fails; outside it returns DPEM_BAD_ARGUMENT and sets
 * its output to NaN, so that later comparisons with an unchecked result fail too.
 * Guarantees are rounded to the safe side: costs (epsilon, delta, Renyi
 * divergences) and noise up, allowances (rho, mu, a step's epsilon, an order's
 * budget) down, by a few parts in 10^12 at most.
 */
#ifndef DPEM_CORE_ACCOUNTANT_H
#define DPEM_CORE_ACCOUNTANT_H

#include <stdbool.h>

#include "core/numeric/status.h"

/* ---- Gaussian differential privacy (gdp.c) ---- */

/*
 * delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
 * ([BW] Theorem 8, [DRS] Corollary 2.13).  mu >= 0 and finite, epsilon >= 0
 * and finite; mu = 0 costs nothing.  Rounded up, by less than 4e-12 of the
 * value down to delta of 1e-300; zero where a double underflows.
 */
extern DpemStatus dpem_gdp_delta(double mu, double epsilon, double *delta);

/*
 * The least epsilon >= 0 with delta(epsilon) <= delta, rounded up.
 * mu >= 0 and finite, 0 < delta < 1.
 */
extern DpemStatus dpem_gdp_epsilon(double mu, double delta, double *epsilon);

/*
 * The largest mu with delta(epsilon) <= delta, rounded down; 1 / mu is the
 * noise multiplier of the analytic Gaussian mechanism ([BW] Algorithm 1).
 * epsilon >= 0 and finite, 0 < delta < 1.
 */
extern DpemStatus dpem_gdp_mu(double epsilon, double delta, double *mu);

/*
 * The least mu such that every (epsilon, 0)-DP release is mu-GDP, rounded up:
 * mu = 2 Phi^-1(e^epsilon / (1 + e^epsilon)).  The two trade-off curves touch
 * at the kink of the (epsilon, 0) curve, and the Gaussian curve, being convex,
 * lies below its chords ([DRS] Definitions 2.1, 2.6, Proposition 2.5).
 * epsilon >= 0 and finite.
 */
extern DpemStatus dpem_gdp_from_pure(double epsilon, double *mu);

/* ---- zero-concentrated differential privacy (zcdp.c) ---- */

/*
 * epsilon of rho-zCDP at delta.  Basic: rho + 2 sqrt(rho ln(1/delta))
 * ([BS] Proposition 1.3).  Tight: the infimum over real alpha > 1 of
 * alpha rho + ln(1/(alpha delta))/(alpha-1) + ln(1-1/alpha) ([CKS]
 * Proposition 12).  rho >= 0 and finite, 0 < delta < 1; rho = 0 costs 0.
 */
extern DpemStatus dpem_zcdp_epsilon(double rho, double delta, bool tight, double *epsilon);

/*
 * delta of rho-zCDP at epsilon.  Basic: exp(-(epsilon-rho)^2 / (4 rho)), 1
 * below rho.  Tight: the infimum over real alpha > 1 of
 * exp((alpha-1)(alpha rho - epsilon)) (1-1/alpha)^alpha / (alpha-1).
 * rho >= 0, epsilon >= 0, both finite.
 */
extern DpemStatus dpem_zcdp_delta(double rho, double epsilon, bool tight, double *delta);

/*
 * The largest rho that is (epsilon, delta)-DP by dpem_zcdp_epsilon, rounded
 * down.  Basic: (sqrt(ln(1/delta) + epsilon) - sqrt(ln(1/delta)))^2.
 * epsilon > 0 and finite, 0 < delta < 1.
 */
extern DpemStatus dpem_zcdp_rho(double epsilon, double delta, bool tight, double *rho);

/* ---- log moments and Renyi curves (rdp.c) ---- */

/*
 * lambda-th log moment of the Laplace mechanism with scale = sensitivity /
 * epsilon: ln((lambda+1)/(2 lambda+1) e^(lambda epsilon) + lambda/(2 lambda+1)
 * e^(-(lambda+1) epsilon)) ([DPEM] eq. 19, [M17] Proposition 6).
 * lambda > 0, epsilon >= 0, both finite.
 */
extern DpemStatus dpem_log_moment_laplace(double lambda, double epsilon, double *moment);

/* Its derivative with respect to lambda, on the same domain. */
extern DpemStatus dpem_log_moment_laplace_slope(double lambda, double epsilon, double *slope);

/*
 * Renyi divergence of order alpha > 1: of a Gaussian release, alpha/(2 z^2)
 * ([M17] Proposition 7); of a Laplace one, its log moment over alpha-1; of any
 * (epsilon, 0)-DP one, min(epsilon, alpha epsilon^2 / 2) ([BS] Proposition 3.3).
 * z > 0, epsilon >= 0, all finite.
 */
extern DpemStatus dpem_rdp_gaussian(double z, double alpha, double *rdp);
extern DpemStatus dpem_rdp_laplace(double epsilon, double alpha, double *rdp);

/*
 * Poisson sampling (every unit with probability q), add_remove adjacency, z
 * relative to the add_remove sensitivity.  ln A / (alpha-1) with
 * A = E[(1 - q + q e^((2x-1)/(2 z^2)))^alpha], x ~ N(0, z^2) ([MTZ] Theorem 4,
 * Section 3.3): a binomial sum at integer alpha, a quadrature of positive
 * terms at other alpha, and where that would take long the convex interpolation
 * between integers, which is an upper bound.  0 < q <= 1, z > 0,
 * 1 < alpha <= DPEM_RDP_MAX_ORDER.
 */
extern DpemStatus dpem_rdp_poisson_gaussian(double q, double z, double alpha, double *rdp);

/*
 * A fixed-size sample without replacement, q = sample size / units,
 * replace_one adjacency, z relative to the replace_one sensitivity: [WBK]
 * Theorem 9 with epsilon(infinity) = infinity, and between integers their
 * Corollary 10.  The same terms bound Poisson sampling under replace_one, if that
 * sensitivity also bounds the removal of a unit (docs/proofs.md, section 6).  Not
 * capped at the unsampled alpha/(2 z^2), which is also a valid bound and smaller
 * for large q.  Domain as for Poisson.
 */
extern DpemStatus dpem_rdp_without_replacement_gaussian(double q, double z, double alpha, double *rdp);

#define DPEM_RDP_MAX_ORDER 1e6

/*
 * The public grid of orders, increasing, on which a ledger keeps Renyi curves:
 * fractional ones from 1.05, all integers 2..64, then steps of about an eighth
 * to 100000.  Must never change: stored curves refer to orders by position.
 */
#define DPEM_RDP_ORDERS 154
extern const double dpem_rdp_orders[DPEM_RDP_ORDERS];

/*
 * The least epsilon >= 0 that the n points (alpha[i], rdp[i]) prove at delta,
 * rounded up.  Tight: rdp + ln(1/(alpha delta))/(alpha-1) + ln(1-1/alpha)
 * ([CKS] Proposition 12); else rdp + ln(1/delta)/(alpha-1) ([M17] Proposition
 * 3).  n >= 1, alpha[i] > 1 and finite, rdp[i] >= 0 or infinity, 0 < delta < 1.
 * *best (may be NULL) is the index that gave it; epsilon is infinity when
 * every rdp[i] is.
 */
extern DpemStatus dpem_rdp_epsilon(const double *alpha, const double *rdp, int n, double delta,
								   bool tight, double *epsilon, int *best);

/*
 * The least epsilon >= 0 that sums of divergences at dpem_rdp_orders prove at
 * delta when releases are chosen adaptively: by a fixed mixture of the orders
 * (rdp_mixture.c), rounded up; infinity where there is none.  (dpem_rdp_epsilon
 * takes the best order, which is a proof only if that order does not depend on
 * earlier releases.)  Tight: the tail bound of (epsilon, delta)-DP; else Markov's
 * bound at each integer order.  Nondecreasing in each rdp[i] and in 1 / delta.
 * rdp[i] >= 0 or infinity, 0 < delta < 1.
 */
extern DpemStatus dpem_rdp_mixture_epsilon(const double rdp[DPEM_RDP_ORDERS], double delta, bool tight,
										   double *epsilon);

/* ---- compositions (composition.c) ---- */

typedef enum DpemComposition
{
	DPEM_COMPOSE_EXACT,			/* Gaussian differential privacy */
	DPEM_COMPOSE_ZCDP,			/* zCDP, basic conversion */
	DPEM_COMPOSE_RDP,			/* Renyi, real orders, tight conversion */
	DPEM_COMPOSE_MA,			/* moments accountant, integer orders */
	DPEM_COMPOSE_ADVANCED,		/* [DR] Theorem 3.20 */
	DPEM_COMPOSE_LINEAR			/* sums of epsilon and delta */
} DpemComposition;

/* 'exact', 'zcdp', 'rdp', 'ma', 'advanced', 'linear'; false (NULL) if there is none */
extern bool dpem_composition_from_name(const char *name, DpemComposition *composition);
extern const char *dpem_composition_name(DpemComposition composition);

/* is it of epsilons and deltas (linear, advanced)?  Laplace noise is less than Gaussian noise there */
extern bool dpem_composition_is_classical(DpemComposition composition);

/*
 * z such that `releases` adaptive Gaussian releases with standard deviation
 * z * sensitivity are together (epsilon, delta)-DP, rounded up:
 *   exact     sqrt(J) / mu(epsilon, delta)
 *   zcdp      sqrt(J / (2 rho)), basic conversion;  rdp: the tight one
 *   ma        least over integer lambda of
 *             sqrt(J lambda(lambda+1) / (2 (lambda epsilon - ln(1/delta))))
 *   linear, advanced
 *             sqrt(2 ln(1.25/delta_i)) / epsilon_i with delta_i = delta/(2J)
 *             ([DR] Theorem A.1); DPEM_NO_SOLUTION unless epsilon_i < 1, as
 *             that theorem requires
 * epsilon > 0 and finite, 0 < delta < 1, releases >= 1.
 */
extern DpemStatus dpem_calibrate_noise_multiplier(DpemComposition composition, double epsilon,
												  double delta, int releases, double *z);

/*
 * epsilon of n releases, each (epsilon_i, delta_i)-DP, under [DR] Theorem 3.20:
 * sqrt(2 n ln(1/slack)) epsilon_i + n epsilon_i (e^epsilon_i - 1), rounded up;
 * the delta is the sum of the delta_i plus slack.  n >= 1, epsilon_i >= 0,
 * 0 < slack < 1.
 */
extern DpemStatus dpem_advanced_epsilon(double n, double step_epsilon, double slack, double *epsilon);

/* ---- the steps of [DPEM] (em_steps.c) ---- */

typedef enum DpemScenario
{
	DPEM_SCENARIO_LLG,			/* J(K+1) Laplace and JK Gaussian releases */
	DPEM_SCENARIO_GGG,			/* J(2K+1) Gaussian releases */
	DPEM_SCENARIO_LLL			/* J(2K+1) pure releases, all counted as Laplace ones */
} DpemScenario;

extern bool dpem_scenario_from_name(const char *name, DpemScenario *scenario);	/* 'llg', 'ggg' */

typedef struct DpemEmSchedule
{
	DpemScenario scenario;
	int			iterations;		/* J >= 1 */
	int			k;				/* components, >= 1 */
	double		step_delta;		/* delta_i of a Gaussian release, in (0, 1) */
} DpemEmSchedule;

/* Variants of an accountant; NULL stands for all zero. */
typedef struct DpemEmOptions
{
	int			max_order;		/* ma: greatest lambda searched, 0: no limit */
	bool		real_orders;	/* ma: lambda real instead of integer */
	bool		tight;			/* zcdp: the [CKS] conversion */
} DpemEmOptions;

typedef struct DpemEmStep
{
	double		epsilon;		/* epsilon_i of each release */
	double		sigma;			/* Gaussian noise: sqrt(2 ln(1.25/delta_i)) / epsilon_i sensitivities */
	double		laplace_scale;	/* Laplace noise: 1 / epsilon_i sensitivities */
	double		order;			/* lambda of ma, alpha of rdp; 0 for the others */
	bool		classical;		/* epsilon_i < 1 */
} DpemEmStep;

/*
 * The total epsilon at delta of a schedule whose every release has the given
 * epsilon_i, rounded up.  A Laplace release is epsilon_i^2/2-zCDP, and counts
 * under 'exact' as dpem_gdp_from_pure; a Gaussian one has mu = epsilon_i /
 * sqrt(2 ln(1.25/delta_i)).  'linear' and 'advanced' spend delta_i per Gaussian
 * release, and 'advanced' the rest of delta as slack.
 * *order (may be NULL) as in DpemEmStep.
 * DPEM_NO_SOLUTION where the delta_i use up delta, or ma with max_order has no
 * finite total.
 */
extern DpemStatus dpem_em_total(const DpemEmSchedule *schedule, DpemComposition composition,
								const DpemEmOptions *options, double step_epsilon, double delta,
								double *epsilon, double *order);

/*
 * The total epsilon at delta of any number of Laplace releases at one epsilon
 * and of Gaussian ones whose mu^2 add up to gaussian_mu2, rounded up, under
 * exact, zcdp, rdp and ma; laplace_epsilon > 0 even without Laplace releases.
 */
extern DpemStatus dpem_mixed_total(double laplace, double laplace_epsilon, double gaussian_mu2,
								   DpemComposition composition, double delta, double *epsilon);

/* n_G delta_i: the part of delta spent under linear composition. */
extern DpemStatus dpem_em_linear_delta(const DpemEmSchedule *schedule, double *delta);

/*
 * The largest epsilon_i, rounded down, for which dpem_em_total is at most
 * epsilon.  step->classical is false where epsilon_i >= 1: exact, zcdp, rdp and
 * ma remain valid, because they depend on sigma itself, but linear and advanced
 * are not covered by a theorem, and the mechanism must be refused.
 * DPEM_NO_SOLUTION where no epsilon_i is small enough.
 */
extern DpemStatus dpem_em_step(const DpemEmSchedule *schedule, DpemComposition composition,
							   const DpemEmOptions *options, double epsilon, double delta,
							   DpemEmStep *step);

#endif							/* DPEM_CORE_ACCOUNTANT_H */
