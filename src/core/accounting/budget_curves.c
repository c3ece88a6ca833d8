/*
 * budget_curves.c - see budget_curves.h.
 */
#include "core/accounting/budget_curves.h"

#include <math.h>
#include <stddef.h>

#include "core/accounting/accountant.h"

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

bool
dpem_accountant_reads_curves(DpemAccountant accountant)
{
	return accountant == DPEM_ACCOUNTANT_RDP || accountant == DPEM_ACCOUNTANT_MA;
}

/*
 * Nothing was released before a ledger's first call, so that the order it is
 * read by is no choice of an analyst who knows anything.  Of several calls the
 * square of the sum is above the sum of squares, by far more than a rounding,
 * as no call's epsilon is below a billionth of another's: budgets of one ledger
 * are less than DPEM_COVERED_MOST apart, and a call is no less than a part of its
 * own (DPEM_LEAST_PART).  Beyond ONE_CALL_MOST nothing is taken for one.
 */
#define ONE_CALL_MOST 1e6

static bool
is_one_call(const DpemTotals *total)
{
	return total->epsilon <= ONE_CALL_MOST && total->epsilon * total->epsilon <= total->epsilon2 * (1 + 1e-14);
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

double
dpem_budget_curve_epsilon(DpemAccountant accountant, const DpemTotals *total, double delta)
{
	bool		tight = accountant == DPEM_ACCOUNTANT_RDP;
	double		alpha[DPEM_RDP_ORDERS];
	double		rdp[DPEM_RDP_ORDERS];
	double		epsilon;
	DpemStatus	status;
	int			n = 0;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		if (is_one_call(total) && !tight && dpem_rdp_orders[i] != floor(dpem_rdp_orders[i]))
			continue;
		alpha[n] = dpem_rdp_orders[i];
		rdp[n++] = curve_value(total, i);
	}
	if (is_one_call(total))
		status = dpem_rdp_epsilon(alpha, rdp, n, delta, tight, &epsilon, NULL);
	else
		status = dpem_rdp_mixture_epsilon(rdp, DPEM_CURVES_PART * delta, tight, &epsilon);
	return status == DPEM_OK ? epsilon : INFINITY;
}

double
dpem_budget_rho_delta(DpemAccountant accountant, const DpemTotals *total, double delta)
{
	return dpem_accountant_reads_curves(accountant) && !is_one_call(total) ? DPEM_CURVES_PART * delta : delta;
}

/* by how much so many times the totals, as several calls, cross epsilon at delta */
static double
curve_excess(DpemAccountant accountant, const DpemTotals *total, double times, double epsilon, double delta)
{
	double		rdp[DPEM_RDP_ORDERS];
	double		value;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		rdp[i] = times * curve_value(total, i);
	if (dpem_rdp_mixture_epsilon(rdp, DPEM_CURVES_PART * delta, accountant == DPEM_ACCOUNTANT_RDP, &value) != DPEM_OK)
		return INFINITY;
	return value - epsilon;
}

/* regula falsi in the logarithm of t, halving an end that stays twice (Illinois): each look costs a tenth of a millisecond */
double
dpem_budget_curve_part(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit)
{
	double		delta = dpem_budget_noise_delta(accountant, limit);
	double		low = 0;
	double		high = 0;
	int			side = 0;		/* the end that moved last */
	double		below = curve_excess(accountant, total, 1, limit.epsilon, delta);
	double		above = below;

	for (; above <= 0 && high < 40; high += 2)
		below = above, low = high, above = curve_excess(accountant, total, exp2(high + 2), limit.epsilon, delta);
	for (; !(below <= 0) && low > -40; low -= 2)
		above = below, high = low, below = curve_excess(accountant, total, exp2(low - 2), limit.epsilon, delta);
	for (int i = 0; i < 60 && high - low > 1e-12 && below < 0 && above < INFINITY; i++)
	{
		double		middle = fmin(fmax((low * above - high * below) / (above - below), low + 1e-13), high - 1e-13);
		double		excess = curve_excess(accountant, total, exp2(middle), limit.epsilon, delta);

		if (excess <= 0)
		{
			above /= side < 0 ? 2 : 1;
			low = middle, below = excess, side = -1;
		}
		else
		{
			below /= side > 0 ? 2 : 1;
			high = middle, above = excess, side = 1;
		}
	}
	return exp2(-low);
}
