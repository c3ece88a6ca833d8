/*
 * budget_rule.c - see budget_rule.h.
 *
 * The zcdp, rdp and ma rules differ only in the rho that (epsilon, delta)
 * affords while every release is Gaussian: its Renyi curve is alpha rho at
 * every order, so the sum of rho decides for all orders at once.  zcdp books
 * Laplace and sampled releases by their rho as well; for rdp and ma a second
 * rule reads their curves, and each of the two has half of delta.
 */
#include <math.h>
#include <string.h>

#include "core/accounting/accountant.h"
#include "core/accounting/budget_curves.h"
#include "core/numeric/bisect.h"

static const struct
{
	const char *name;
	const char *composition;
	DpemComposition rule;
}			accountants[] = {
	[DPEM_ACCOUNTANT_GDP] = {"gdp", "exact", DPEM_COMPOSE_EXACT},
	[DPEM_ACCOUNTANT_RDP] = {"rdp", "rdp", DPEM_COMPOSE_RDP},
	[DPEM_ACCOUNTANT_ZCDP] = {"zcdp", "zcdp", DPEM_COMPOSE_ZCDP},
	[DPEM_ACCOUNTANT_MA] = {"ma", "ma", DPEM_COMPOSE_MA},
	[DPEM_ACCOUNTANT_ADVANCED] = {"advanced", "advanced", DPEM_COMPOSE_ADVANCED},
	[DPEM_ACCOUNTANT_LINEAR] = {"linear", "linear", DPEM_COMPOSE_LINEAR},
};

DpemAccountant
dpem_accountant_from_name(const char *name)
{
	for (int i = 0; i < DPEM_ACCOUNTANT_UNKNOWN; i++)
	{
		if (strcmp(accountants[i].name, name) == 0)
			return (DpemAccountant) i;
	}
	return DPEM_ACCOUNTANT_UNKNOWN;
}

const char *
dpem_accountant_composition(DpemAccountant accountant)
{
	return accountant < DPEM_ACCOUNTANT_UNKNOWN ? accountants[accountant].composition : NULL;
}

int64_t
dpem_cost_units(double x)
{
	double		units = ceil(x * DPEM_COST_UNITS * (1 + 4e-16));

	return units < (double) DPEM_COST_UNITS_MAX ? (int64_t) units : DPEM_COST_UNITS_MAX;
}

/* a limit in units, rounded down, below the "does not fit" mark */
static int64_t
limit_units(double x)
{
	double		units = floor(x * DPEM_COST_UNITS * (1 - 4e-16));

	if (!(units >= 0))
		return -1;
	return units < (double) DPEM_COST_UNITS_MAX ? (int64_t) units : DPEM_COST_UNITS_MAX - 1;
}

/* mu^2 (gdp) or rho (zcdp, rdp, ma) that epsilon at delta affords; NaN if none */
static double
affordable_cost(DpemAccountant accountant, double epsilon, double delta)
{
	double		z;
	double		mu;

	if (accountant == DPEM_ACCOUNTANT_GDP)
		return dpem_gdp_mu(epsilon, delta, &mu) == DPEM_OK ? mu * mu : NAN;
	if (accountant >= DPEM_ACCOUNTANT_UNKNOWN)
		return NAN;
	if (dpem_calibrate_noise_multiplier(accountants[accountant].rule, epsilon, delta, 1, &z) != DPEM_OK)
		return NAN;
	return 1 / (2 * z * z);
}

/* rho of one more plain Gaussian call with which the curves still fit, in units; 0 if none */
static int64_t
curve_remaining_units(DpemAccountant accountant, const DpemTotals *spent, double epsilon, double delta)
{
	double		low = 0;
	double		high = affordable_cost(accountant, epsilon, delta);

	for (int i = 0; i < 40; i++)
	{
		double		middle = (low + high) / 2;
		DpemTotals	total = *spent;
		int64_t		units = dpem_cost_units(middle);

		total.plain_rho_units = units < DPEM_COST_UNITS_MAX - spent->plain_rho_units
			? spent->plain_rho_units + units : DPEM_COST_UNITS_MAX;
		if (dpem_budget_curve_epsilon(accountant, &total, delta) <= epsilon)
			low = middle;
		else
			high = middle;
	}
	return limit_units(low);
}

/*
 * Half of delta is for the calls' own, half is the slack: which of two that
 * share one delta takes how much of it may not depend on what was released.
 */
double
dpem_budget_call_delta_limit(DpemAccountant accountant, double delta)
{
	if (accountant == DPEM_ACCOUNTANT_ADVANCED)
		return delta / 2;
	return accountant == DPEM_ACCOUNTANT_LINEAR ? delta : INFINITY;
}

/* where the sum of epsilons is smaller it holds for certain and needs no slack */
static double
advanced_epsilon(const DpemTotals *total, double delta)
{
	double		half = dpem_budget_call_delta_limit(DPEM_ACCOUNTANT_ADVANCED, delta);

	if (isnan(total->delta + total->epsilon + total->epsilon2 + delta))
		return NAN;
	if (total->delta > half)
		return INFINITY;
	return fmin(total->epsilon2 / 2 + sqrt(2 * log(1 / (delta - half)) * total->epsilon2), total->epsilon);
}

/* noise alone: epsilon at the part of delta that is for it */
static bool
noise_affords(DpemAccountant accountant, const DpemTotals *total, double epsilon, double delta)
{
	if (isnan(epsilon) || isnan(delta))
		return false;
	switch (accountant)
	{
		case DPEM_ACCOUNTANT_GDP:
			return total->mu2_units <= limit_units(affordable_cost(accountant, epsilon, delta));
		case DPEM_ACCOUNTANT_ZCDP:
		case DPEM_ACCOUNTANT_RDP:
		case DPEM_ACCOUNTANT_MA:
			return total->rho_units <= limit_units(affordable_cost(accountant, epsilon, dpem_budget_rho_delta(accountant, total, delta))) ||
				(dpem_accountant_reads_curves(accountant) && dpem_budget_curve_epsilon(accountant, total, delta) <= epsilon);
		case DPEM_ACCOUNTANT_ADVANCED:
			return advanced_epsilon(total, delta) <= epsilon;
		case DPEM_ACCOUNTANT_LINEAR:
			return total->epsilon <= epsilon && total->delta <= delta;
		case DPEM_ACCOUNTANT_UNKNOWN:
			break;
	}
	return false;
}

DpemScale
dpem_budget_scale(DpemAccountant accountant, const DpemTotals *total)
{
	if (accountant > DPEM_ACCOUNTANT_MA)
		return DPEM_SCALE_SUMS;
	return total->curve.any && dpem_accountant_reads_curves(accountant) ? DPEM_SCALE_CURVE : DPEM_SCALE_UNITS;
}

int64_t
dpem_budget_units_limit(DpemAccountant accountant, DpemLimit limit)
{
	double		delta = dpem_budget_noise_delta(accountant, limit);

	if (accountant > DPEM_ACCOUNTANT_MA)
		return 0;
	return limit_units(affordable_cost(accountant, limit.epsilon, dpem_accountant_reads_curves(accountant) ? DPEM_CURVES_PART * delta : delta));
}

bool
dpem_budget_affords(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit)
{
	return total->failure <= dpem_budget_failure_limit(accountant, limit) &&
		noise_affords(accountant, total, limit.epsilon, dpem_budget_noise_delta(accountant, limit));
}

/* moments accountant: min over integer lambda of (lambda (lambda + 1) rho + ln(1/delta)) / lambda */
static double
ma_epsilon(double rho, double delta)
{
	double		best = sqrt(log(1 / delta) / rho);
	double		low = fmax(1, floor(best));
	double		high = fmax(1, ceil(best));

	if (!(rho > 0))
		return 0;
	return fmin((low + 1) * rho + log(1 / delta) / low, (high + 1) * rho + log(1 / delta) / high);
}

/* epsilon at delta of a cost in units, for the accountants that have one */
static double
cost_epsilon(DpemAccountant accountant, int64_t units, double delta)
{
	double		cost = (double) units / DPEM_COST_UNITS;
	double		epsilon = 0;

	if (units <= 0)
		return 0;
	if (units >= DPEM_COST_UNITS_MAX)
		return INFINITY;
	if (accountant == DPEM_ACCOUNTANT_GDP)
		return dpem_gdp_epsilon(sqrt(cost), delta, &epsilon) == DPEM_OK ? epsilon : INFINITY;
	if (accountant == DPEM_ACCOUNTANT_MA)
		return ma_epsilon(cost, delta);
	return dpem_zcdp_epsilon(cost, delta, accountant == DPEM_ACCOUNTANT_RDP, &epsilon) == DPEM_OK
		? epsilon : INFINITY;
}

int64_t
dpem_budget_units(DpemAccountant accountant, const DpemTotals *total)
{
	return accountant == DPEM_ACCOUNTANT_GDP ? total->mu2_units : total->rho_units;
}

double
dpem_budget_spent(DpemAccountant accountant, const DpemTotals *total, double delta)
{
	double		epsilon;

	switch (accountant)
	{
		case DPEM_ACCOUNTANT_ADVANCED:
			return advanced_epsilon(total, delta);
		case DPEM_ACCOUNTANT_LINEAR:
			return total->delta <= delta ? total->epsilon : INFINITY;
		case DPEM_ACCOUNTANT_UNKNOWN:
			return NAN;
		default:
			epsilon = cost_epsilon(accountant, dpem_budget_units(accountant, total), dpem_budget_rho_delta(accountant, total, delta));
			return total->curve.any && dpem_accountant_reads_curves(accountant)
				? fmin(epsilon, dpem_budget_curve_epsilon(accountant, total, delta)) : epsilon;
	}
}

double
dpem_budget_usual_delta(DpemAccountant accountant, double delta)
{
	return accountant == DPEM_ACCOUNTANT_LINEAR || accountant == DPEM_ACCOUNTANT_ADVANCED ? 0 : delta;
}

/* largest epsilon of one more (epsilon, call_delta) call, by bisection on the rule itself */
static double
remaining_by_rule(DpemAccountant accountant, const DpemTotals *spent, DpemLimit limit, double call_delta)
{
	double		low = 0;
	double		high = limit.epsilon;

	for (int i = 0; i < 60; i++)
	{
		double		middle = i == 0 ? high : (low + high) / 2;
		DpemTotals	total = *spent;

		total.epsilon += middle;
		total.delta += call_delta;
		total.epsilon2 += middle * middle;
		if (dpem_budget_affords(accountant, &total, limit))
			low = middle;
		else
			high = middle;
		if (low == high)
			break;
	}
	return low > 1e-12 * limit.epsilon ? low : 0;
}

double
dpem_budget_remaining(DpemAccountant accountant, const DpemTotals *spent, DpemLimit limit, double call_delta)
{
	double		delta = dpem_budget_noise_delta(accountant, limit);
	DpemTotals	next;
	int64_t		left;

	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		return 0;
	if (accountant == DPEM_ACCOUNTANT_LINEAR || accountant == DPEM_ACCOUNTANT_ADVANCED)
		return remaining_by_rule(accountant, spent, limit, call_delta);
	if (!(spent->failure <= dpem_budget_failure_limit(accountant, limit)))
		return 0;
	next = *spent;
	if (spent->mu2_units > 0 || spent->rho_units > 0)
		next.epsilon = INFINITY;	/* one more is not the first */
	left = limit_units(affordable_cost(accountant, limit.epsilon, dpem_budget_rho_delta(accountant, &next, delta))) -
		dpem_budget_units(accountant, spent);
	if (spent->curve.any && dpem_accountant_reads_curves(accountant))
	{
		int64_t		by_curves = curve_remaining_units(accountant, &next, limit.epsilon, delta);

		left = by_curves > left ? by_curves : left;
	}
	return cost_epsilon(accountant, left, call_delta);
}

bool
dpem_budget_covers(DpemAccountant accountant, DpemLimit larger, DpemLimit smaller)
{
	double		noise = dpem_budget_noise_delta(accountant, larger);
	double		its_noise = dpem_budget_noise_delta(accountant, smaller);

	if (!(dpem_budget_failure_limit(accountant, larger) >= dpem_budget_failure_limit(accountant, smaller)) &&
		larger.keys_share + smaller.keys_share > 0)
		return false;
	if (accountant == DPEM_ACCOUNTANT_GDP || accountant == DPEM_ACCOUNTANT_ZCDP)
		return limit_units(affordable_cost(accountant, larger.epsilon, noise)) >=
			limit_units(affordable_cost(accountant, smaller.epsilon, its_noise));
	if (dpem_accountant_reads_curves(accountant) && !(larger.epsilon <= DPEM_COVERED_MOST * smaller.epsilon))
		return false;
	return larger.epsilon >= smaller.epsilon && noise >= its_noise;
}

double
dpem_budget_least_epsilon(double epsilon)
{
	return fmin(DPEM_LEAST_EPSILON, DPEM_LEAST_PART * epsilon);
}

int64_t
dpem_budget_least_units(DpemAccountant accountant, DpemLimit limit)
{
	double		least = dpem_budget_least_epsilon(limit.epsilon) / (DPEM_NOISE_MARGIN * DPEM_NOISE_MARGIN);
	double		cost;

	if (accountant == DPEM_ACCOUNTANT_LINEAR || accountant == DPEM_ACCOUNTANT_ADVANCED)
		return 0;
	cost = affordable_cost(accountant, least, fmin(DPEM_LEAST_DELTA, dpem_budget_noise_delta(accountant, limit)));
	return limit_units(cost * (1 - 1e-5));
}

double
dpem_budget_least_call(DpemAccountant accountant, DpemLimit limit, double call_delta)
{
	double		least = dpem_budget_least_epsilon(limit.epsilon);
	int64_t		units = dpem_budget_least_units(accountant, limit);

	/* a little more, as noise has a margin */
	return units > 0 ? fmax(least, cost_epsilon(accountant, units + units / 1000000 + 1, call_delta)) : least;
}
