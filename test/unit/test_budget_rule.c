/*
 * test_budget_rule.c - what budgets afford: limits, NaN, what is left.
 */
#include <math.h>

#include "core/budget_rule.h"
#include "unit.h"

/* a ledger of n Gaussian calls at (epsilon, delta), as each accountant books them */
static DpemTotals
calls(int n, double epsilon, double delta)
{
	double		mu = 0;
	DpemTotals	total = {0};

	CHECK(dpem_gdp_mu(epsilon, delta > 0 ? delta : 1e-6, &mu) == DPEM_OK, "mu");
	total.mu2_units = n * dpem_cost_units(mu * mu);
	total.rho_units = total.plain_rho_units = n * dpem_cost_units(mu * mu / 2);
	total.epsilon = n * epsilon;
	total.delta = n * delta;
	total.epsilon2 = n * epsilon * epsilon;
	return total;
}

/* under advanced, the calls' deltas have half of the budget's, whatever their epsilons leave */
static void
check_advanced_delta(void)
{
	DpemTotals	total = calls(1, 0.01, 0.5e-5);

	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &total, 1, 1e-5), "half of delta");
	total.delta = 0.51e-5;
	CHECK(!dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &total, 1, 1e-5), "more than half of delta, hardly any epsilon");
	CHECK(dpem_budget_spent(DPEM_ACCOUNTANT_ADVANCED, &total, 1e-5) == INFINITY, "and no epsilon for it");
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_LINEAR, &total, 1, 1e-5), "linear has all of it");
}

/* the sum of squares decides for many calls, the sum for few, and never more than either */
static void
check_advanced_epsilon(void)
{
	double		half = 5e-6;
	DpemTotals	many = calls(400, 0.01, 0);
	DpemTotals	one = calls(1, 1, 0);
	double		expected = 400 * 1e-4 / 2 + sqrt(2 * log(1 / half) * 400 * 1e-4);

	CHECK(fabs(dpem_budget_spent(DPEM_ACCOUNTANT_ADVANCED, &many, 1e-5) - expected) < 1e-12, "400 calls of 0.01 are %g", expected);
	CHECK(expected < 4, "less than their sum");
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &one, 1, 1e-5), "one call of the whole epsilon");
	CHECK(dpem_budget_spent(DPEM_ACCOUNTANT_ADVANCED, &one, 1e-5) == 1, "is its epsilon");
}

static void
check_nan(void)
{
	for (int a = 0; a <= DPEM_ACCOUNTANT_UNKNOWN; a++)
	{
		DpemTotals	total = calls(1, 0.1, 1e-7);

		CHECK(dpem_budget_affords((DpemAccountant) a, &total, 1, 1e-5) == (a < DPEM_ACCOUNTANT_UNKNOWN), "accountant %d affords", a);
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, NAN, 1e-5), "accountant %d: a budget of NaN", a);
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, 1, NAN), "accountant %d: a delta of NaN", a);
		if (a != DPEM_ACCOUNTANT_ADVANCED && a != DPEM_ACCOUNTANT_LINEAR)
			continue;
		total.epsilon = NAN;
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, 1, 1e-5), "accountant %d: charges of NaN", a);
		total = calls(1, 0.1, 1e-7);
		total.delta = NAN;
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, 1, 1e-5), "accountant %d: deltas of NaN", a);
	}
}

/* what is said to be left is affordable, and a thousandth more is not */
static void
check_remaining(DpemAccountant accountant, double call_delta)
{
	DpemTotals	spent = calls(3, 0.1, call_delta);
	double		left = dpem_budget_remaining(accountant, &spent, 2, 1e-5, call_delta);

	CHECK(left > 0 && left < 2, "accountant %d: %g left", accountant, left);
	for (int more = 0; more < 2; more++)
	{
		DpemTotals	total = calls(1, left * (more ? 1.001 : 1 - 1e-9), call_delta);

		total.epsilon += spent.epsilon;
		total.delta += spent.delta;
		total.epsilon2 += spent.epsilon2;
		CHECK(dpem_budget_affords(accountant, &total, 2, 1e-5) == !more, "accountant %d: %g more", accountant, left);
	}
}

int
main(void)
{
	check_advanced_delta();
	check_advanced_epsilon();
	check_nan();
	check_remaining(DPEM_ACCOUNTANT_LINEAR, 1e-7);
	check_remaining(DPEM_ACCOUNTANT_LINEAR, 0);
	check_remaining(DPEM_ACCOUNTANT_ADVANCED, 1e-7);
	check_remaining(DPEM_ACCOUNTANT_ADVANCED, 0);
	return unit_report();
}
