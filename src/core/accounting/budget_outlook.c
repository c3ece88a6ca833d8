/*
 * budget_outlook.c - what is left of a budget in words of use: parts of it,
 * and calls like an earlier one.  For people to plan by; what is afforded is
 * decided by dpem_budget_affords alone, which is asked here too.
 */
#include <math.h>

#include "core/accounting/budget_rule.h"

/* sums of decimals in floating point may come out above the decimal sum */
#define ROUNDING (1 - 1e-12)

static int64_t
scale_units(int64_t units, double times)
{
	double		scaled = ceil((double) units * times * ROUNDING);

	if (units >= DPEM_COST_UNITS_MAX || !(scaled < (double) DPEM_COST_UNITS_MAX))
		return DPEM_COST_UNITS_MAX;
	return (int64_t) scaled;
}

static int64_t
add_units(int64_t total, int64_t units, double times)
{
	int64_t		sum = total + scale_units(units, times);

	return sum < DPEM_COST_UNITS_MAX ? sum : DPEM_COST_UNITS_MAX;
}

/* total + times * cost */
static DpemTotals
add_scaled(const DpemTotals *total, const DpemTotals *cost, double times)
{
	DpemTotals	sum = *total;

	sum.mu2_units = add_units(total->mu2_units, cost->mu2_units, times);
	sum.rho_units = add_units(total->rho_units, cost->rho_units, times);
	sum.plain_rho_units = add_units(total->plain_rho_units, cost->plain_rho_units, times);
	sum.curve.any |= cost->curve.any;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		sum.curve.units[i] = add_units(total->curve.units[i], cost->curve.units[i], times);
	sum.epsilon = (total->epsilon + times * cost->epsilon) * ROUNDING;
	sum.delta = (total->delta + times * cost->delta) * ROUNDING;
	sum.epsilon2 = (total->epsilon2 + times * cost->epsilon2) * ROUNDING;
	sum.failure = (total->failure + times * cost->failure) * ROUNDING;
	return sum;
}

static bool
affords_times(DpemAccountant accountant, const DpemTotals *spent, const DpemTotals *cost, double times,
			  DpemLimit limit)
{
	DpemTotals	sum = add_scaled(spent, cost, times);

	return dpem_budget_affords(accountant, &sum, limit);
}

int
dpem_budget_repeats(DpemAccountant accountant, const DpemTotals *spent, const DpemTotals *cost,
					DpemLimit limit)
{
	int			low = 0;
	int			high = DPEM_REPEATS_MAX + 1;

	while (high - low > 1)
	{
		int			middle = low + (high - low) / 2;

		if (affords_times(accountant, spent, cost, middle, limit))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* 1 / the largest t, by bisection on the rule itself; for sums, which are all it reads */
static double
sums_part(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit)
{
	DpemTotals	sum = {0};
	double		low = -40;		/* binary logarithms of t */
	double		high = 40;

	for (int i = 0; i < 60; i++)
	{
		double		middle = (low + high) / 2;
		double		times = exp2(middle) * ROUNDING;

		sum.epsilon = times * total->epsilon;
		sum.delta = times * total->delta;
		sum.epsilon2 = times * total->epsilon2;
		sum.failure = times * total->failure;
		if (dpem_budget_affords(accountant, &sum, limit))
			low = middle;
		else
			high = middle;
	}
	return exp2(-low);
}

static double
units_part(DpemAccountant accountant, const DpemTotals *total, int64_t units_limit)
{
	int64_t		units = accountant == DPEM_ACCOUNTANT_GDP ? total->mu2_units : total->rho_units;

	return units_limit > 0 && units < DPEM_COST_UNITS_MAX ? (double) units / (double) units_limit : INFINITY;
}

double
dpem_budget_part(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit, int64_t units_limit)
{
	DpemScale	scale = dpem_budget_scale(accountant, total);
	double		failures = 0;
	double		noise;

	if (total->mu2_units <= 0)
		return 0;
	if (scale == DPEM_SCALE_SUMS)
		return sums_part(accountant, total, limit);
	noise = units_part(accountant, total, units_limit);
	if (scale == DPEM_SCALE_CURVE)
		noise = fmin(noise, dpem_budget_curve_part(accountant, total, limit));
	/* a call that is alone may have more */
	if (noise > 1 && dpem_budget_affords(accountant, total, limit))
		noise = 1;
	if (total->failure > 0)
		failures = total->failure / dpem_budget_failure_limit(accountant, limit);
	/* NaN is no part of a budget */
	return noise <= DPEM_PARTS_MAX && failures <= DPEM_PARTS_MAX ? fmax(noise, failures) : DPEM_PARTS_MAX;
}

bool
dpem_budget_is_least(DpemAccountant accountant, const DpemTotals *cost, DpemLimit limit, double part)
{
	int64_t		least = dpem_budget_least_units(accountant, limit);

	if (dpem_budget_scale(accountant, cost) != DPEM_SCALE_CURVE)
		return accountant > DPEM_ACCOUNTANT_MA || dpem_budget_units(accountant, cost) >= least;
	return part * (double) dpem_budget_units_limit(accountant, limit) >= (double) least * (1 - 1e-5);
}

bool
dpem_accountant_reserves(DpemAccountant accountant)
{
	return accountant == DPEM_ACCOUNTANT_GDP || accountant == DPEM_ACCOUNTANT_ZCDP || accountant == DPEM_ACCOUNTANT_LINEAR;
}

/* the largest total that the budget affords */
static DpemTotals
whole_budget(DpemAccountant accountant, DpemLimit limit)
{
	DpemTotals	whole = {.failure = dpem_accountant_has_failures(accountant) ? dpem_budget_failure_limit(accountant, limit) : 0};
	int64_t		units = dpem_budget_units_limit(accountant, limit);

	if (accountant == DPEM_ACCOUNTANT_LINEAR)
	{
		whole.epsilon = limit.epsilon;
		whole.delta = limit.delta;
	}
	else if (accountant == DPEM_ACCOUNTANT_GDP)
		whole.mu2_units = units > 0 ? units : 0;
	else
		whole.rho_units = units > 0 ? units : 0;
	return whole;
}

/* what is not spent; never less than nothing */
static DpemTotals
unspent(const DpemTotals *whole, const DpemTotals *spent)
{
	DpemTotals	left = {0};

	left.mu2_units = whole->mu2_units > spent->mu2_units ? whole->mu2_units - spent->mu2_units : 0;
	left.rho_units = whole->rho_units > spent->rho_units ? whole->rho_units - spent->rho_units : 0;
	left.epsilon = fmax(whole->epsilon - spent->epsilon, 0);
	left.delta = fmax(whole->delta - spent->delta, 0);
	left.failure = fmax(whole->failure - spent->failure, 0);
	return left;
}

/* sums of decimals in floating point may come out above the decimal sum, by far less than this */
#define RESERVED_ROUNDING (1 - 1e-14)

void
dpem_budget_add_reserved(DpemAccountant accountant, DpemTotals *held, DpemLimit limit, const DpemTotals *spent, int periods)
{
	DpemTotals	whole = whole_budget(accountant, limit);
	DpemTotals	left = unspent(&whole, spent);
	double		further = periods - 1;

	if (periods < 1)
		return;
	held->mu2_units = add_units(add_units(held->mu2_units, left.mu2_units, 1), whole.mu2_units, further);
	held->rho_units = add_units(add_units(held->rho_units, left.rho_units, 1), whole.rho_units, further);
	held->epsilon += (left.epsilon + further * whole.epsilon) * RESERVED_ROUNDING;
	held->delta += (left.delta + further * whole.delta) * RESERVED_ROUNDING;
	held->failure += (left.failure + further * whole.failure) * RESERVED_ROUNDING;
}

DpemTotals
dpem_budget_with_reserved(const DpemTotals *total, const DpemTotals *held)
{
	DpemTotals	sum = *total;

	sum.mu2_units = add_units(total->mu2_units, held->mu2_units, 1);
	sum.rho_units = add_units(total->rho_units, held->rho_units, 1);
	/* a hair below, for totals are exact sums and a double is not */
	sum.epsilon = (total->epsilon + held->epsilon) * RESERVED_ROUNDING;
	sum.delta = (total->delta + held->delta) * RESERVED_ROUNDING;
	sum.failure = (total->failure + held->failure) * RESERVED_ROUNDING;
	return sum;
}

double
dpem_budget_reserved_part(DpemAccountant accountant, DpemLimit share, const DpemTotals *spent, int periods, DpemLimit budget)
{
	DpemTotals	held = {0};

	dpem_budget_add_reserved(accountant, &held, share, spent, periods);
	/* a total without mu^2 is that of no call */
	held.mu2_units = held.mu2_units > 0 ? held.mu2_units : 1;
	return dpem_budget_part(accountant, &held, budget, dpem_budget_units_limit(accountant, budget));
}
