/*
 * budget_rule.h - when a ledger's total fits a budget of (epsilon, delta).
 *
 * Every rule here is a valid privacy filter under adaptively chosen charges:
 *   gdp       sum mu^2 <= mu(epsilon, delta)^2; Gaussian releases are exact,
 *             a pure e-DP release is mu-GDP with mu = 2 Phi^-1(e^e / (1 + e^e))
 *             (Dong, Roth, Su 2022; filter: Smith and Thakurta 2022)
 *   zcdp      sum rho <= rho(epsilon, delta) (Bun and Steinke 2016, Prop. 1.3;
 *             filter: Feldman and Zrnic 2021)
 *   rdp, ma   one call: some order of the fixed grid proves (epsilon, delta), by
 *             the conversion of Canonne, Kamath, Steinke 2020 (rdp), or some
 *             integer order by the moments accountant's tail bound (Abadi et al.
 *             2016, Theorem 2; ma).  Several calls: sum rho <= rho(epsilon,
 *             delta / 2), or the sums of divergences at the grid, weighted by a
 *             fixed mixture of its orders, prove (epsilon, delta / 2)
 *             (docs/proofs.md, "Orders"); the best order is no valid rule for
 *             adaptively chosen calls.
 *   advanced  sum d <= delta / 2, and sum e^2 / 2 + sqrt(2 ln(2/delta) sum e^2)
 *             <= epsilon or sum e <= epsilon (Whitehouse, Ramdas, Rogers, Wu
 *             2023, Theorem 1, whose two parts of delta are fixed beforehand)
 *   linear    sum of epsilons, sum of deltas
 *
 * A release may also have a failure: a part that is (0, failure)-DP.  Failures
 * may add up to a part of delta that is set aside when the budget is created; the
 * rules above use the rest.  This split must not be chosen adaptively
 * (docs/proofs.md, "failures").  Under advanced and linear, failures are included
 * in the calls' deltas.
 * All comparisons are written so that NaN refuses.
 */
#ifndef DPEM_CORE_BUDGET_RULE_H
#define DPEM_CORE_BUDGET_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/accounting/accountant.h"

typedef enum DpemAccountant
{
	DPEM_ACCOUNTANT_GDP,
	DPEM_ACCOUNTANT_RDP,
	DPEM_ACCOUNTANT_ZCDP,
	DPEM_ACCOUNTANT_MA,
	DPEM_ACCOUNTANT_ADVANCED,
	DPEM_ACCOUNTANT_LINEAR,
	DPEM_ACCOUNTANT_UNKNOWN
} DpemAccountant;

extern DpemAccountant dpem_accountant_from_name(const char *name);

/* name of the default composition of a fit under this accountant */
extern const char *dpem_accountant_composition(DpemAccountant accountant);

/* mu^2 and rho are counted in this many parts of one */
#define DPEM_COST_UNITS		1125899906842624.0	/* 2^50 */
#define DPEM_COST_UNITS_MAX ((int64_t) 1 << 61)

/* largest epsilon of a budget; its mu^2 still fits into units.  Larger ones would protect nobody. */
#define DPEM_BUDGET_MAX_EPSILON 1000.0

/* x in units, rounded up; DPEM_COST_UNITS_MAX if it does not fit (or is NaN) */
extern int64_t dpem_cost_units(double x);

/*
 * Noise is larger by this factor than a budget strictly requires, so that a
 * budget for ten charges affords ten although each is rounded up to units.
 */
#define DPEM_NOISE_MARGIN (1.0 + 1e-7)

/*
 * Renyi divergences in units at dpem_rdp_orders, rounded up, of the releases whose
 * curve is not rho times the order (Laplace and sampled releases); the others are
 * counted in plain_rho_units.
 */
typedef struct DpemCurve
{
	bool		any;			/* false: no such release, units are all zero */
	int64_t		units[DPEM_RDP_ORDERS];
} DpemCurve;

/* adds, up to DPEM_COST_UNITS_MAX, which means "does not fit" */
extern void dpem_curve_add(DpemCurve *total, const DpemCurve *curve);

typedef struct DpemTotals
{
	int64_t		mu2_units;
	int64_t		rho_units;
	int64_t		plain_rho_units;	/* of the releases not in the curve */
	DpemCurve	curve;
	double		epsilon;		/* sum over calls, from exact decimal sums */
	double		delta;
	double		epsilon2;		/* sum of squares over calls */
	double		failure;		/* sum over releases, likewise decimal */
} DpemTotals;

/* keys_share: part of delta for failures, in [0, DPEM_KEYS_SHARE_MAX], 0 for advanced and linear */
typedef struct DpemLimit
{
	double		epsilon;
	double		delta;
	double		keys_share;
} DpemLimit;

#define DPEM_KEYS_SHARE_MAX 0.5

/* does this accountant set aside a part of delta for failures? */
extern bool dpem_accountant_has_failures(DpemAccountant accountant);

/* greatest sum of failures, and the delta left for noise; NaN for an invalid limit */
extern double dpem_budget_failure_limit(DpemAccountant accountant, DpemLimit limit);
extern double dpem_budget_noise_delta(DpemAccountant accountant, DpemLimit limit);

/* greatest sum of calls' deltas; infinity for accountants that do not add deltas */
extern double dpem_budget_call_delta_limit(DpemAccountant accountant, double delta);

extern bool dpem_budget_affords(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit);

/*
 * Does the larger budget afford every total that the smaller one does?  Of two
 * budgets of one ledger, one must cover the other (docs/proofs.md, "Several
 * budgets").  Under gdp and zcdp without keys_share one always does; else the
 * larger must have at least the other's epsilon and delta, and under rdp and ma
 * at most DPEM_COVERED_MOST times its epsilon, so that calls to both budgets are
 * never mistaken for a single call.
 */
#define DPEM_COVERED_MOST 1e6
extern bool dpem_budget_covers(DpemAccountant accountant, DpemLimit larger, DpemLimit smaller);

/*
 * A call's minimum cost.  Cheaper calls would be practically free, as would any
 * side information they give the caller, and each adds a row to the ledger.  The
 * minimum epsilon is DPEM_LEAST_EPSILON, or DPEM_LEAST_PART of the dataset's
 * epsilon if that is less.
 */
#define DPEM_LEAST_EPSILON	0.001
#define DPEM_LEAST_PART		0.001
#define DPEM_LEAST_DELTA	1e-6
extern double dpem_budget_least_epsilon(double epsilon);

/*
 * The minimum cost in the accountant's own units (mu^2 or rho): that of a Gaussian
 * call of the minimum epsilon at DPEM_LEAST_DELTA (or the budget's delta for
 * noise, if that is less), less a rounding.  0 where epsilons add up, for which
 * the minimum epsilon is enough.
 */
extern int64_t dpem_budget_least_units(DpemAccountant accountant, DpemLimit limit);

/* epsilon at call_delta of a call of minimum cost; above the minimum epsilon for smaller deltas */
extern double dpem_budget_least_call(DpemAccountant accountant, DpemLimit limit, double call_delta);

/* a cost in those units */
extern int64_t dpem_budget_units(DpemAccountant accountant, const DpemTotals *cost);

/*
 * The default delta for reporting what is left of a budget: the budget's own, or
 * 0 where deltas add up and one call would take all of it.
 */
extern double dpem_budget_usual_delta(DpemAccountant accountant, double delta);

/* epsilon at delta of the totals (0 for an empty ledger, infinity if delta is too small) */
extern double dpem_budget_spent(DpemAccountant accountant, const DpemTotals *total, double delta);

/*
 * Largest epsilon of one more Gaussian call at call_delta, under the
 * accountant's own composition, that a budget still affords; 0 if none.
 * call_delta may be 0 for the accountants that add deltas (linear, advanced).
 */
extern double dpem_budget_remaining(DpemAccountant accountant, const DpemTotals *spent,
									DpemLimit limit, double call_delta);

/*
 * How many times `cost` may be charged to a budget of which `spent` is used: at
 * most DPEM_REPEATS_MAX.
 */
#define DPEM_REPEATS_MAX 1000000
extern int	dpem_budget_repeats(DpemAccountant accountant, const DpemTotals *spent, const DpemTotals *cost,
								DpemLimit limit);

/*
 * May a budget be reserved?  Where totals are compared one by one (gdp, zcdp, linear), so that the largest of them
 * that a budget affords is one that has all others below it.
 */
extern bool dpem_accountant_reserves(DpemAccountant accountant);

/*
 * Adds to `held` the most that a share of this limit, of which `spent` is used in its present period, may still spend
 * in that and in periods - 1 further ones.
 */
extern void dpem_budget_add_reserved(DpemAccountant accountant, DpemTotals *held, DpemLimit limit,
									 const DpemTotals *spent, int periods);

/* what a total would be with all that is reserved spent, but for rounding; for accountants that reserve */
extern DpemTotals dpem_budget_with_reserved(const DpemTotals *total, const DpemTotals *held);

/* the part of a dataset's budget that is kept for such a share */
extern double dpem_budget_reserved_part(DpemAccountant accountant, DpemLimit share, const DpemTotals *spent, int periods,
										DpemLimit budget);

/* the part of the totals that decides when they are scaled */
typedef enum DpemScale
{
	DPEM_SCALE_UNITS,			/* mu2_units (gdp) or rho_units (zcdp, and rdp and ma without a curve) */
	DPEM_SCALE_CURVE,
	DPEM_SCALE_SUMS				/* of epsilon, delta and squares */
} DpemScale;

extern DpemScale dpem_budget_scale(DpemAccountant accountant, const DpemTotals *total);

/*
 * Greatest number of units that a budget affords for several calls, -1 if none; 0
 * for accountants without units.  As it takes an inversion of the accountant,
 * compute it once for many totals of one budget.
 */
extern int64_t dpem_budget_units_limit(DpemAccountant accountant, DpemLimit limit);

/* part of a budget that totals with a curve use up, by the mixture of all orders */
extern double dpem_budget_curve_part(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit);

/*
 * Part of a budget that the totals use up, additive over charges: 1 / t for the
 * largest t such that t times the totals would be afforded as several calls; 1 for
 * a call that is afforded only alone; at most DPEM_PARTS_MAX.  Unlike epsilons,
 * equal calls use up equal parts.  units_limit: dpem_budget_units_limit.
 */
#define DPEM_PARTS_MAX 0x1p40
extern double dpem_budget_part(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit,
							   int64_t units_limit);

/*
 * Does a call have at least the minimum cost?  Judged by the accountant's units,
 * or, for a curve, which sampling makes small, by `part`: dpem_budget_part of cost.
 */
extern bool dpem_budget_is_least(DpemAccountant accountant, const DpemTotals *cost, DpemLimit limit, double part);

#endif							/* DPEM_CORE_BUDGET_RULE_H */
