/*
 * test_accountant_refusals.c - privacy arithmetic refuses what is outside its domain.
 */
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "unit.h"

#define LENGTH(array) ((int) (sizeof(array) / sizeof((array)[0])))

#define REFUSES(out, call) CHECK((call) == DPEM_BAD_ARGUMENT && isnan(out), "%s", #call)

static void
test_refusals_of_positive(double bad)
{
	DpemEmSchedule schedule = {DPEM_SCENARIO_GGG, 10, 3, 1e-8};
	DpemEmStep	step;
	double		out;

	REFUSES(out, dpem_gdp_from_pure(bad == 0 ? -1 : bad, &out));
	REFUSES(out, dpem_gdp_mu(bad == 0 ? -1 : bad, 1e-6, &out));
	REFUSES(out, dpem_gdp_delta(bad == 0 ? -1 : bad, 1, &out));
	REFUSES(out, dpem_gdp_delta(1, bad == 0 ? -1 : bad, &out));
	REFUSES(out, dpem_gdp_epsilon(bad == 0 ? -1 : bad, 1e-6, &out));
	REFUSES(out, dpem_zcdp_rho(bad, 1e-6, true, &out));
	REFUSES(out, dpem_zcdp_epsilon(bad == 0 ? -1 : bad, 1e-6, true, &out));
	REFUSES(out, dpem_zcdp_delta(1, bad == 0 ? -1 : bad, true, &out));
	REFUSES(out, dpem_log_moment_laplace(bad, 1, &out));
	REFUSES(out, dpem_log_moment_laplace_slope(bad, 1, &out));
	REFUSES(out, dpem_rdp_gaussian(bad, 2, &out));
	REFUSES(out, dpem_rdp_gaussian(1, bad, &out));
	REFUSES(out, dpem_rdp_laplace(1, bad, &out));
	REFUSES(out, dpem_rdp_poisson_gaussian(bad, 1, 2, &out));
	REFUSES(out, dpem_rdp_poisson_gaussian(0.1, bad, 2, &out));
	REFUSES(out, dpem_rdp_without_replacement_gaussian(0.1, 1, bad, &out));
	REFUSES(out, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, bad, 1e-6, 1, &out));
	REFUSES(out, dpem_em_total(&schedule, DPEM_COMPOSE_ZCDP, NULL, bad, 1e-6, &out, NULL));
	REFUSES(step.epsilon, dpem_em_step(&schedule, DPEM_COMPOSE_MA, NULL, bad, 1e-6, &step));
}

static void
test_refusals_of_delta(double bad)
{
	DpemEmSchedule schedule = {DPEM_SCENARIO_GGG, 10, 3, bad};
	const double alpha = 2;
	const double rdp = 1;
	static const double curve[DPEM_RDP_ORDERS];
	DpemEmStep	step;
	double		out;

	REFUSES(out, dpem_gdp_mu(1, bad, &out));
	REFUSES(out, dpem_gdp_epsilon(1, bad, &out));
	REFUSES(out, dpem_zcdp_rho(1, bad, false, &out));
	REFUSES(out, dpem_zcdp_epsilon(1, bad, false, &out));
	REFUSES(out, dpem_rdp_mixture_epsilon(curve, bad, true, &out));
	REFUSES(out, dpem_rdp_epsilon(&alpha, &rdp, 1, bad, true, &out, NULL));
	REFUSES(out, dpem_advanced_epsilon(1, 1, bad, &out));
	REFUSES(out, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_MA, 1, bad, 1, &out));
	REFUSES(step.epsilon, dpem_em_step(&schedule, DPEM_COMPOSE_MA, NULL, 1, 1e-6, &step));
}

static void
test_refusals(void)
{
	static const double bad[] = {NAN, 0, -1, INFINITY, -INFINITY};
	static const double bad_delta[] = {NAN, 0, -1, 1, 2, INFINITY};
	DpemEmSchedule schedule = {DPEM_SCENARIO_GGG, 0, 3, 1e-8};
	DpemEmStep	step;
	double		out;
	const double one = 1;
	int			i;

	for (i = 0; i < LENGTH(bad); i++)
		test_refusals_of_positive(bad[i]);
	for (i = 0; i < LENGTH(bad_delta); i++)
		test_refusals_of_delta(bad_delta[i]);
	REFUSES(out, dpem_rdp_poisson_gaussian(1.01, 1, 2, &out));
	REFUSES(out, dpem_rdp_epsilon(&one, &one, 1, 1e-6, true, &out, NULL));
	REFUSES(out, dpem_rdp_epsilon(&one, &one, 0, 1e-6, true, &out, NULL));
	REFUSES(out, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, 1, 1e-6, 0, &out));
	REFUSES(step.epsilon, dpem_em_step(&schedule, DPEM_COMPOSE_MA, NULL, 1, 1e-6, &step));
	schedule.iterations = 10;
	schedule.k = 0;
	REFUSES(step.epsilon, dpem_em_step(&schedule, DPEM_COMPOSE_MA, NULL, 1, 1e-6, &step));
	schedule.k = 3;
	REFUSES(step.epsilon, dpem_em_step(&schedule, (DpemComposition) 99, NULL, 1, 1e-6, &step));
}

int
main(void)
{
	test_refusals();
	return unit_report();
}
