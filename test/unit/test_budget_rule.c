/*
 * test_budget_rule.c - what budgets afford: limits, NaN, what is left, and the
 * part of delta that failures have of their own.
 */
#include <math.h>

#include "core/accounting/budget_rule.h"
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

	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &total, (DpemLimit) {1, 1e-5, 0}), "half of delta");
	total.delta = 0.51e-5;
	CHECK(!dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &total, (DpemLimit) {1, 1e-5, 0}), "more than half of delta, hardly any epsilon");
	CHECK(dpem_budget_spent(DPEM_ACCOUNTANT_ADVANCED, &total, 1e-5) == INFINITY, "and no epsilon for it");
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_LINEAR, &total, (DpemLimit) {1, 1e-5, 0}), "linear has all of it");
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
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_ADVANCED, &one, (DpemLimit) {1, 1e-5, 0}), "one call of the whole epsilon");
	CHECK(dpem_budget_spent(DPEM_ACCOUNTANT_ADVANCED, &one, 1e-5) == 1, "is its epsilon");
}

static void
check_nan(void)
{
	for (int a = 0; a <= DPEM_ACCOUNTANT_UNKNOWN; a++)
	{
		DpemTotals	total = calls(1, 0.1, 1e-7);

		CHECK(dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {1, 1e-5, 0}) == (a < DPEM_ACCOUNTANT_UNKNOWN), "accountant %d affords", a);
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {NAN, 1e-5, 0}), "accountant %d: a budget of NaN", a);
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {1, NAN, 0}), "accountant %d: a delta of NaN", a);
		if (dpem_accountant_has_failures((DpemAccountant) a))
			CHECK(!dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {INFINITY, INFINITY, 0.1}), "accountant %d: infinity less infinity", a);
		if (a != DPEM_ACCOUNTANT_ADVANCED && a != DPEM_ACCOUNTANT_LINEAR)
			continue;
		total.epsilon = NAN;
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {1, 1e-5, 0}), "accountant %d: charges of NaN", a);
		total = calls(1, 0.1, 1e-7);
		total.delta = NAN;
		CHECK(!dpem_budget_affords((DpemAccountant) a, &total, (DpemLimit) {1, 1e-5, 0}), "accountant %d: deltas of NaN", a);
	}
}

/* what is said to be left is affordable, and a thousandth more is not */
static void
check_remaining(DpemAccountant accountant, double call_delta)
{
	DpemTotals	spent = calls(3, 0.1, call_delta);
	double		left = dpem_budget_remaining(accountant, &spent, (DpemLimit) {2, 1e-5, 0}, call_delta);

	CHECK(left > 0 && left < 2, "accountant %d: %g left", accountant, left);
	for (int more = 0; more < 2; more++)
	{
		DpemTotals	total = calls(1, left * (more ? 1.001 : 1 - 1e-9), call_delta);

		total.epsilon += spent.epsilon;
		total.delta += spent.delta;
		total.epsilon2 += spent.epsilon2;
		CHECK(dpem_budget_affords(accountant, &total, (DpemLimit) {2, 1e-5, 0}) == !more, "accountant %d: %g more", accountant, left);
	}
}

/* ---- failures ---- */

static DpemTotals
ledger(double mu2, double failure)
{
	return (DpemTotals) {.mu2_units = dpem_cost_units(mu2),.rho_units = dpem_cost_units(mu2 / 2),
						 .plain_rho_units = dpem_cost_units(mu2 / 2),.failure = failure};
}

/* noise has its part of delta and failures theirs, whatever the other has left */
static void
check_parts(DpemAccountant accountant)
{
	const DpemLimit limit = {1, 1e-5, 0.1};
	const DpemLimit noise_alone = {1, 0.9e-5 * (1 - 1e-12), 0};
	DpemTotals	none = ledger(0, 0);
	double		low = 0;
	double		high = 10;

	for (int i = 0; i < 100; i++)
	{
		double		middle = (low + high) / 2;
		DpemTotals	total = ledger(middle, 0);

		if (dpem_budget_affords(accountant, &total, noise_alone))
			low = middle;
		else
			high = middle;
	}
	CHECK(low > 0.01, "there is room");
	for (int i = 0; i < 4; i++)
	{
		bool		noise = i & 1;
		bool		failure = i & 2;
		DpemTotals	total = ledger(noise ? high * (1 + 1e-9) : low, failure ? 1e-6 * (1 + 1e-9) : 1e-6);

		CHECK(dpem_budget_affords(accountant, &total, limit) == !(noise || failure), "%d: %d %d", accountant, noise, failure);
	}
	none.failure = NAN;
	CHECK(!dpem_budget_affords(accountant, &none, limit), "NaN refuses");
	none.failure = 5e-324;
	CHECK(!dpem_budget_affords(accountant, &none, noise_alone), "without a part there are no failures");
	none.failure = 0;
	CHECK(!dpem_budget_affords(accountant, &none, (DpemLimit) {1, 1e-5, NAN}) &&
		  !dpem_budget_affords(accountant, &none, (DpemLimit) {1, 1e-5, -0.1}) &&
		  !dpem_budget_affords(accountant, &none, (DpemLimit) {1, 1e-5, 0.6}), "parts that are none");
}

static double
part_of(DpemAccountant accountant, const DpemTotals *total, DpemLimit limit)
{
	return dpem_budget_part(accountant, total, limit, dpem_budget_units_limit(accountant, limit));
}

static DpemTotals
scaled(const DpemTotals *total, double times)
{
	DpemTotals	sum = *total;

	sum.mu2_units = (int64_t) (times * (double) total->mu2_units);
	sum.rho_units = (int64_t) (times * (double) total->rho_units);
	sum.plain_rho_units = (int64_t) (times * (double) total->plain_rho_units);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		sum.curve.units[i] = (int64_t) (times * (double) total->curve.units[i]);
	sum.epsilon *= times;
	sum.delta *= times;
	sum.epsilon2 *= times;
	sum.failure *= times;
	return sum;
}

/* the part says how often the totals are afforded, by the rule itself, whatever decides of them */
static void
check_part(DpemAccountant accountant, bool curve, double failure)
{
	const DpemLimit limit = {3, 1e-5, dpem_accountant_has_failures(accountant) ? 0.1 : 0};
	DpemTotals	total = ledger(0.02, failure);
	DpemTotals	most;
	DpemTotals	beyond;
	double		part;

	total.epsilon = 0.1;
	total.epsilon2 = 0.01;
	if (curve)
	{
		total.curve.any = true;
		total.plain_rho_units /= 2;
		for (int i = 0; i < DPEM_RDP_ORDERS; i++)
			total.curve.units[i] = (int64_t) ((double) total.plain_rho_units * fmin(dpem_rdp_orders[i], 30));
	}
	part = part_of(accountant, &total, limit);
	most = scaled(&total, (1 - 1e-9) / part);
	beyond = scaled(&total, (1 + 1e-9) / part);
	CHECK(part > 0.001 && part < 1 && dpem_budget_affords(accountant, &most, limit) &&
		  !dpem_budget_affords(accountant, &beyond, limit), "%d curve %d failure %g: part %.12g", accountant, curve, failure, part);
	total.failure = 1;
	CHECK(part_of(accountant, &total, limit) > 9e4, "failures beyond all");
	total = (DpemTotals) {.mu2_units = DPEM_COST_UNITS_MAX,.rho_units = DPEM_COST_UNITS_MAX,.plain_rho_units = DPEM_COST_UNITS_MAX,.epsilon = INFINITY,.epsilon2 = INFINITY};
	CHECK(part_of(accountant, &total, limit) == DPEM_PARTS_MAX, "%d: what does not fit", accountant);
	total.mu2_units = 0;
	CHECK(part_of(accountant, &total, limit) == 0, "nothing");
}

/* of a call whose curve is next to nothing the sum of rho, as if nothing were sampled, says nothing */
static void
check_least(DpemAccountant accountant)
{
	const DpemLimit limit = {1, 1e-5, 0};
	DpemTotals	plain = {0};
	DpemTotals	sampled = {0};

	plain.rho_units = plain.plain_rho_units = dpem_budget_least_units(accountant, limit);
	plain.mu2_units = 2 * plain.rho_units;
	plain.epsilon = 0.001;
	plain.epsilon2 = 1e-6;
	sampled = plain;
	sampled.plain_rho_units = 0;
	sampled.curve.any = true;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		sampled.curve.units[i] = (int64_t) ((double) plain.rho_units * dpem_rdp_orders[i]);
	CHECK(dpem_budget_is_least(accountant, &plain, limit, part_of(accountant, &plain, limit)), "%d: a plain call", accountant);
	CHECK(dpem_budget_is_least(accountant, &sampled, limit, part_of(accountant, &sampled, limit)), "%d: a curve that is no less", accountant);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		sampled.curve.units[i] /= 1000;
	CHECK(!dpem_budget_is_least(accountant, &sampled, limit, part_of(accountant, &sampled, limit)), "%d: a curve of a thousandth", accountant);
	CHECK(dpem_budget_covers(accountant, (DpemLimit) {1, 1e-5, 0}, (DpemLimit) {1e-5, 1e-5, 0}) &&
		  !dpem_budget_covers(accountant, (DpemLimit) {1, 1e-5, 0}, (DpemLimit) {1e-15, 1e-5, 0}), "%d: budgets far apart", accountant);
}

/* what is left, how often, and how much is used, by whichever part is scarcer */
static void
check_outlook(void)
{
	const DpemLimit limit = {1, 1e-5, 0.1};
	const double delta = dpem_budget_noise_delta(DPEM_ACCOUNTANT_GDP, limit);
	DpemTotals	none = ledger(0, 0);
	DpemTotals	call = ledger(1e-6, 1e-7);
	DpemTotals	noisy = ledger(0.01, 1e-9);
	DpemTotals	all = ledger(1e-6, 1e-6);
	DpemTotals	more = ledger(1e-6, 2e-6);

	CHECK(delta + dpem_budget_failure_limit(DPEM_ACCOUNTANT_GDP, limit) <= 1e-5 * (1 + 1e-15), "the parts are of one delta");
	CHECK_CLOSE(dpem_budget_remaining(DPEM_ACCOUNTANT_GDP, &none, limit, delta), 1, 1e-9, "all is left at the noise's delta");
	CHECK(dpem_budget_remaining(DPEM_ACCOUNTANT_GDP, &none, limit, 1e-5) < 1, "and less at all of it");
	CHECK(dpem_budget_repeats(DPEM_ACCOUNTANT_GDP, &none, &call, limit) == 10, "ten by the failures");
	CHECK(dpem_budget_repeats(DPEM_ACCOUNTANT_GDP, &none, &noisy, limit) < 10, "fewer by the noise");
	CHECK_CLOSE(part_of(DPEM_ACCOUNTANT_GDP, &call, limit), 0.1, 1e-6, "a tenth");
	CHECK(dpem_budget_remaining(DPEM_ACCOUNTANT_GDP, &all, limit, delta) > 0.99, "noise goes on when failures are used up");
	CHECK(dpem_budget_remaining(DPEM_ACCOUNTANT_GDP, &more, limit, delta) == 0, "and not beyond");
}

/* failures are in the calls' deltas there */
static void
check_added(DpemAccountant accountant, double most)
{
	DpemTotals	total = {.epsilon = 0.5,.epsilon2 = 0.25,.delta = 0.9 * most,.failure = 0.5 * most};

	CHECK(dpem_budget_affords(accountant, &total, (DpemLimit) {10, 1e-5, 0}), "%d", accountant);
	total.delta = 1.1 * most;
	CHECK(!dpem_budget_affords(accountant, &total, (DpemLimit) {10, 1e-5, 0}), "%d", accountant);
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
	for (DpemAccountant a = DPEM_ACCOUNTANT_GDP; a <= DPEM_ACCOUNTANT_MA; a++)
		check_parts(a);
	for (DpemAccountant a = DPEM_ACCOUNTANT_GDP; a <= DPEM_ACCOUNTANT_LINEAR; a++)
	{
		check_part(a, false, 0);
		check_part(a, true, 0);
		check_part(a, true, 2e-7);
	}
	check_least(DPEM_ACCOUNTANT_RDP);
	check_least(DPEM_ACCOUNTANT_MA);
	check_outlook();
	check_added(DPEM_ACCOUNTANT_ADVANCED, 0.5e-5);
	check_added(DPEM_ACCOUNTANT_LINEAR, 1e-5);
	return unit_report();
}
