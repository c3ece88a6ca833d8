/*
 * budget_rule.c - see budget_rule.h.
 *
 * The zcdp, rdp and ma rules differ only in the rho that (epsilon, delta)
 * affords while every release is Gaussian: its Renyi curve is alpha rho at
 * every order, so the sum of rho decides for all orders at once.  With Laplace
 * or sampled releases the curves on the grid decide (rdp, ma); zcdp books such
 * releases by their rho.
 */
#include <math.h>
#include <string.h>

#include "accountant.h"
#include "bisect.h"
#include "budget_rule.h"

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

bool
dpem_accountant_has_failures(DpemAccountant accountant)
{
	return accountant != DPEM_ACCOUNTANT_ADVANCED && accountant != DPEM_ACCOUNTANT_LINEAR;
}

double
dpem_budget_failure_limit(DpemAccountant accountant, DpemLimit limit)
{
	if (!dpem_accountant_has_failures(accountant))
		return limit.delta;
	if (!(limit.keys_share >= 0 && limit.keys_share <= DPEM_KEYS_SHARE_MAX))
		return NAN;
	return dpem_round_up(limit.keys_share * limit.delta);
}

double
dpem_budget_noise_delta(DpemAccountant accountant, DpemLimit limit)
{
	return dpem_accountant_has_failures(accountant) ? limit.delta - dpem_budget_failure_limit(accountant, limit)
		: limit.delta;
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
	if (dpem_calibrate_noise_multiplier(accountants[accountant].rule, epsilon, delta, 1, &z) != DPEM_OK)
		return NAN;
	return 1 / (2 * z * z);
}

void
dpem_curve_add(DpemCurve *total, const DpemCurve *curve)
{
	if (!curve->any)
		return;
	total->any = true;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		int64_t		sum = total->units[i] + curve->units[i];

		total->units[i] = sum < DPEM_COST_UNITS_MAX ? sum : DPEM_COST_UNITS_MAX;
	}
}

/* does this accountant read curves, and is there one? */
static bool
by_curve(DpemAccountant accountant, const DpemTotals *total)
{
	return total->curve.any &&
		(accountant == DPEM_ACCOUNTANT_RDP || accountant == DPEM_ACCOUNTANT_MA);
}

/* the total's divergence at an order, rounded up; infinity if it does not fit */
static double
curve_value(const DpemTotals *total, int order)
{
	if (total->curve.units[order] >= DPEM_COST_UNITS_MAX || total->plain_rho_units >= DPEM_COST_UNITS_MAX)
		return INFINITY;
	return ((double) total->curve.units[order] +
			(double) total->plain_rho_units * dpem_rdp_orders[order]) / DPEM_COST_UNITS * (1 + 1e-15);
}

/* the divergence that (epsilon, delta) affords at an order, rounded down; NaN where ma does not use it */
static double
curve_limit(DpemAccountant accountant, int order, double epsilon, double delta)
{
	double		alpha = dpem_rdp_orders[order];
	double		limit;

	if (accountant == DPEM_ACCOUNTANT_RDP)
		return dpem_rdp_budget(alpha, epsilon, delta, &limit) == DPEM_OK ? limit : NAN;
	if (alpha != floor(alpha))
		return NAN;
	return (epsilon - log(1 / delta) / (alpha - 1)) * (1 - 1e-14);
}

static bool
curve_affords(DpemAccountant accountant, const DpemTotals *total, double epsilon, double delta)
{
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		if (curve_value(total, i) <= curve_limit(accountant, i, epsilon, delta))
			return true;
	}
	return false;
}

static double
curve_spent(DpemAccountant accountant, const DpemTotals *total, double delta)
{
	double		alpha[DPEM_RDP_ORDERS];
	double		rdp[DPEM_RDP_ORDERS];
	double		epsilon;
	int			n = 0;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		if (accountant == DPEM_ACCOUNTANT_MA && dpem_rdp_orders[i] != floor(dpem_rdp_orders[i]))
			continue;
		alpha[n] = dpem_rdp_orders[i];
		rdp[n++] = curve_value(total, i);
	}
	if (dpem_rdp_epsilon(alpha, rdp, n, delta, accountant == DPEM_ACCOUNTANT_RDP, &epsilon, NULL) != DPEM_OK)
		return INFINITY;
	return epsilon;
}

/* rho of one more plain Gaussian call that still fits at some order; 0 if none */
static double
curve_remaining_rho(DpemAccountant accountant, const DpemTotals *spent, double epsilon, double delta)
{
	double		best = 0;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		double		left = curve_limit(accountant, i, epsilon, delta) - curve_value(spent, i);

		if (left / dpem_rdp_orders[i] > best)
			best = left / dpem_rdp_orders[i];
	}
	return best;
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
	switch (accountant)
	{
		case DPEM_ACCOUNTANT_GDP:
			return total->mu2_units <= limit_units(affordable_cost(accountant, epsilon, delta));
		case DPEM_ACCOUNTANT_ZCDP:
		case DPEM_ACCOUNTANT_RDP:
		case DPEM_ACCOUNTANT_MA:
			if (by_curve(accountant, total))
				return curve_affords(accountant, total, epsilon, delta);
			return total->rho_units <= limit_units(affordable_cost(accountant, epsilon, delta));
		case DPEM_ACCOUNTANT_ADVANCED:
			return advanced_epsilon(total, delta) <= epsilon;
		case DPEM_ACCOUNTANT_LINEAR:
			return total->epsilon <= epsilon && total->delta <= delta;
		case DPEM_ACCOUNTANT_UNKNOWN:
			break;
	}
	return false;
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
	if (accountant == DPEM_ACCOUNTANT_GDP)
		return dpem_gdp_epsilon(sqrt(cost), delta, &epsilon) == DPEM_OK ? epsilon : INFINITY;
	if (accountant == DPEM_ACCOUNTANT_MA)
		return ma_epsilon(cost, delta);
	return dpem_zcdp_epsilon(cost, delta, accountant == DPEM_ACCOUNTANT_RDP, &epsilon) == DPEM_OK
		? epsilon : INFINITY;
}

static int64_t
spent_units(DpemAccountant accountant, const DpemTotals *total)
{
	return accountant == DPEM_ACCOUNTANT_GDP ? total->mu2_units : total->rho_units;
}

double
dpem_budget_spent(DpemAccountant accountant, const DpemTotals *total, double delta)
{
	switch (accountant)
	{
		case DPEM_ACCOUNTANT_ADVANCED:
			return advanced_epsilon(total, delta);
		case DPEM_ACCOUNTANT_LINEAR:
			return total->delta <= delta ? total->epsilon : INFINITY;
		case DPEM_ACCOUNTANT_UNKNOWN:
			return NAN;
		default:
			if (by_curve(accountant, total))
				return curve_spent(accountant, total, delta);
			return cost_epsilon(accountant, spent_units(accountant, total), delta);
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
	int64_t		most;

	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		return 0;
	if (accountant == DPEM_ACCOUNTANT_LINEAR || accountant == DPEM_ACCOUNTANT_ADVANCED)
		return remaining_by_rule(accountant, spent, limit, call_delta);
	if (!(spent->failure <= dpem_budget_failure_limit(accountant, limit)))
		return 0;
	if (by_curve(accountant, spent))
		return cost_epsilon(accountant, limit_units(curve_remaining_rho(accountant, spent, limit.epsilon, delta)),
							call_delta);
	most = limit_units(affordable_cost(accountant, limit.epsilon, delta));
	return cost_epsilon(accountant, most - spent_units(accountant, spent), call_delta);
}
