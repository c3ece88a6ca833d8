/*
 * budget_rule.c - see budget_rule.h.
 *
 * The zcdp, rdp and ma rules differ only in the rho that (epsilon, delta)
 * affords while every release is Gaussian: its Renyi curve is alpha rho at
 * every order, so the sum of rho decides for all orders at once.
 */
#include <math.h>
#include <string.h>

#include "accountant.h"
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

static double
advanced_epsilon(const DpemTotals *total, double delta)
{
	double		slack = delta - total->delta;

	if (!(total->epsilon2 > 0))
		return 0;
	if (!(slack > 0))
		return INFINITY;
	return total->epsilon2 / 2 + sqrt(2 * log(1 / slack) * total->epsilon2);
}

bool
dpem_budget_affords(DpemAccountant accountant, const DpemTotals *total, double epsilon,
					double delta)
{
	switch (accountant)
	{
		case DPEM_ACCOUNTANT_GDP:
			return total->mu2_units <= limit_units(affordable_cost(accountant, epsilon, delta));
		case DPEM_ACCOUNTANT_ZCDP:
		case DPEM_ACCOUNTANT_RDP:
		case DPEM_ACCOUNTANT_MA:
			return total->rho_units <= limit_units(affordable_cost(accountant, epsilon, delta));
		case DPEM_ACCOUNTANT_ADVANCED:
			return advanced_epsilon(total, delta) <= epsilon ||
			/* linear composition is always true as well */
				(total->epsilon <= epsilon && total->delta <= delta);
		case DPEM_ACCOUNTANT_LINEAR:
			return total->epsilon <= epsilon && total->delta <= delta;
		case DPEM_ACCOUNTANT_UNKNOWN:
			break;
	}
	return false;
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
			return fmin(advanced_epsilon(total, delta),
						total->delta <= delta ? total->epsilon : INFINITY);
		case DPEM_ACCOUNTANT_LINEAR:
			return total->delta <= delta ? total->epsilon : INFINITY;
		case DPEM_ACCOUNTANT_UNKNOWN:
			return NAN;
		default:
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
remaining_by_rule(DpemAccountant accountant, const DpemTotals *spent, double epsilon,
				  double delta, double call_delta)
{
	double		low = 0;
	double		high = epsilon;

	for (int i = 0; i < 60; i++)
	{
		double		middle = i == 0 ? high : (low + high) / 2;
		DpemTotals	total = *spent;

		total.epsilon += middle;
		total.delta += call_delta;
		total.epsilon2 += middle * middle;
		if (dpem_budget_affords(accountant, &total, epsilon, delta))
			low = middle;
		else
			high = middle;
		if (low == high)
			break;
	}
	return low > 1e-12 * epsilon ? low : 0;
}

double
dpem_budget_remaining(DpemAccountant accountant, const DpemTotals *spent, double epsilon,
					  double delta, double call_delta)
{
	int64_t		limit;

	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		return 0;
	if (accountant == DPEM_ACCOUNTANT_LINEAR || accountant == DPEM_ACCOUNTANT_ADVANCED)
		return remaining_by_rule(accountant, spent, epsilon, delta, call_delta);
	limit = limit_units(affordable_cost(accountant, epsilon, delta));
	return cost_epsilon(accountant, limit - spent_units(accountant, spent), call_delta);
}
