/*
 * fuzz_accountant.c - the arithmetic of privacy on arguments of any kind.
 *
 * Every function answers DPEM_OK with a number in range, or another status
 * with NaN; NaN is in no domain; more privacy never costs more.
 */
#include "fuzz.h"

#include "core/accounting/accountant.h"
#include "core/accounting/budget_rule.h"
#include "core/accounting/sensitivity.h"

#define TINY 1e-12				/* epsilons below it are not resolved */

/* statuses and results go together; a result is never negative (rdp_budget's may be) */
static void
check(DpemStatus status, const double *result, double least)
{
	REQUIRE(status == DPEM_OK || status == DPEM_BAD_ARGUMENT || status == DPEM_NO_SOLUTION);
	if (status == DPEM_OK)
		REQUIRE(*result >= least);
	else
		REQUIRE(isnan(*result));
}

static void
run_gdp(double a, double b, double more)
{
	double		x = 0;
	double		y = 0;
	DpemStatus	status = dpem_gdp_delta(a, b, &x);

	check(status, &x, 0);
	REQUIRE(status != DPEM_OK || (x <= 1 && a >= 0 && b >= 0));
	if (status == DPEM_OK && dpem_gdp_delta(a * more, b, &y) == DPEM_OK)
		REQUIRE(y >= x * (1 - 1e-9));
	status = dpem_gdp_epsilon(a, b, &x);
	check(status, &x, 0);
	if (status == DPEM_OK && dpem_gdp_epsilon(a * more, b, &y) == DPEM_OK)
		REQUIRE(y >= x * (1 - 1e-9));
	status = dpem_gdp_mu(a, b, &x);
	check(status, &x, 0);
	if (status == DPEM_OK && dpem_gdp_delta(x, a, &y) == DPEM_OK)
		REQUIRE(y <= b * (1 + 1e-9));
	check(dpem_gdp_from_pure(a, &x), &x, 0);
}

static void
run_zcdp(double a, double b, bool tight, double more)
{
	double		x = 0;
	double		y = 0;
	DpemStatus	status = dpem_zcdp_epsilon(a, b, tight, &x);

	check(status, &x, 0);
	if (status == DPEM_OK && dpem_zcdp_epsilon(a * more, b, tight, &y) == DPEM_OK)
		REQUIRE(y >= x * (1 - 1e-9));
	check(dpem_zcdp_delta(a, b, tight, &x), &x, 0);
	status = dpem_zcdp_rho(a, b, tight, &x);
	check(status, &x, 0);
	if (status == DPEM_OK && dpem_zcdp_epsilon(x, b, tight, &y) == DPEM_OK)
		REQUIRE(y <= a * (1 + 1e-9) + TINY);
}

static void
run_rdp(double a, double b, double c)
{
	double		x = 0;
	double		alphas[2] = {a, c};
	double		curve[2] = {b, fabs(b)};
	double		grid[DPEM_RDP_ORDERS];
	int			best = -1;

	check(dpem_log_moment_laplace(a, b, &x), &x, 0);
	check(dpem_log_moment_laplace_slope(a, b, &x), &x, 0);
	check(dpem_rdp_gaussian(a, b, &x), &x, 0);
	check(dpem_rdp_laplace(a, b, &x), &x, 0);
	check(dpem_rdp_poisson_gaussian(a, b, c, &x), &x, 0);
	check(dpem_rdp_without_replacement_gaussian(a, b, c, &x), &x, 0);
	check(dpem_rdp_epsilon(alphas, curve, 2, c, true, &x, &best), &x, 0);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		grid[i] = a * dpem_rdp_orders[i] + (i % 7 == 0 ? b : 0);
	check(dpem_rdp_mixture_epsilon(grid, c, true, &x), &x, 0);
	check(dpem_rdp_mixture_epsilon(grid, c, false, &x), &x, 0);
}

static void
run_composition(FuzzInput *in, double a, double b, double c, double more)
{
	DpemComposition composition = fuzz_below(in, 6);
	int			releases = (int) fuzz_bytes(in, 4);
	double		x = 0;
	double		y = 0;
	DpemStatus	status = dpem_calibrate_noise_multiplier(composition, a, b, releases, &x);

	check(status, &x, 0);
	REQUIRE(releases >= 1 || status != DPEM_OK);
	if (status == DPEM_OK && dpem_calibrate_noise_multiplier(composition, a * more, b, releases, &y) == DPEM_OK)
		REQUIRE(y <= x * (1 + 1e-9));
	check(dpem_advanced_epsilon(more, a, b, &x), &x, 0);
	check(dpem_advanced_epsilon(c, a, b, &x), &x, 0);
	check(dpem_mixed_total(c, a, more, composition, b, &x), &x, 0);
	check(dpem_mixed_total(more, a, c, composition, b, &x), &x, 0);
}

static void
run_em(FuzzInput *in, double a, double b)
{
	DpemEmSchedule schedule = {fuzz_below(in, 3), (int) fuzz_bytes(in, 4), (int) fuzz_bytes(in, 4), fuzz_double(in)};
	DpemEmOptions options = {fuzz_one_in(in, 2) ? 0 : (int) fuzz_bytes(in, 2), fuzz_one_in(in, 2), fuzz_one_in(in, 2)};
	DpemComposition composition = fuzz_below(in, 6);
	DpemEmStep	step = {0};
	double		x = 0;
	double		total = 0;

	if (!fuzz_one_in(in, 4))
	{
		schedule.iterations = 1 + abs(schedule.iterations % 1000);
		schedule.k = 1 + abs(schedule.k % 500);
		schedule.step_delta = fuzz_positive(in, 1e-15, 0.1);
	}
	check(dpem_em_total(&schedule, composition, &options, a, b, &x, NULL), &x, 0);
	check(dpem_em_linear_delta(&schedule, &x), &x, 0);
	if (dpem_em_step(&schedule, composition, &options, a, b, &step) == DPEM_OK)
	{
		REQUIRE(step.epsilon > 0 && !isnan(step.sigma) && !isnan(step.laplace_scale));
		if (dpem_em_total(&schedule, composition, &options, step.epsilon, b, &total, NULL) == DPEM_OK)
			REQUIRE(total <= a * (1 + 1e-9) + TINY);
	}
}

static void
run_budget(FuzzInput *in, double a, double b)
{
	/* what a ledger adds up is never negative */
	DpemTotals	total = {
		.mu2_units = (int64_t) (fuzz_bytes(in, 8) >> 2),.rho_units = (int64_t) (fuzz_bytes(in, 8) >> 2),
		.epsilon = fabs(fuzz_double(in)),.delta = fabs(fuzz_double(in)),.epsilon2 = fabs(fuzz_double(in)),.failure = fuzz_one_in(in, 2) ? 0 : fabs(fuzz_double(in))
	};
	DpemLimit	limit = {a, b, fuzz_one_in(in, 2) ? 0 : fuzz_double(in)};
	DpemAccountant accountant = fuzz_below(in, 8);
	double		left;

	if (isnan(a) || isnan(b) || (accountant >= DPEM_ACCOUNTANT_ADVANCED && isnan(total.delta)))
		REQUIRE(!dpem_budget_affords(accountant, &total, limit));
	if (isnan(total.failure) || (accountant < DPEM_ACCOUNTANT_ADVANCED && !(limit.keys_share >= 0 && limit.keys_share <= 0.5)))
		REQUIRE(!dpem_budget_affords(accountant, &total, limit));
	if (dpem_budget_affords(accountant, &total, limit))
		REQUIRE(total.failure + dpem_budget_noise_delta(accountant, limit) <= (accountant < DPEM_ACCOUNTANT_ADVANCED ? 1 : 2) * b * (1 + 1e-15));
	left = dpem_budget_remaining(accountant, &total, limit, b);
	REQUIRE(!(left < 0));
	REQUIRE(!(dpem_joint_sensitivity2(1 + fuzz_below(in, 10), fabs(a), fabs(b), 1, fuzz_one_in(in, 2)) < 0));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	double		a = fuzz_double(&in);
	double		b = fuzz_double(&in);
	double		c = fuzz_double(&in);
	double		more = 1 + fuzz_below(&in, 100) / 10.0;

	switch (fuzz_below(&in, 6))
	{
		case 0:
			run_gdp(a, b, more);
			break;
		case 1:
			run_zcdp(a, b, fuzz_one_in(&in, 2), more);
			break;
		case 2:
			run_rdp(a, b, c);
			break;
		case 3:
			run_composition(&in, a, b, c, more);
			break;
		case 4:
			run_em(&in, a, b);
			break;
		default:
			run_budget(&in, a, b);
	}
	return 0;
}
