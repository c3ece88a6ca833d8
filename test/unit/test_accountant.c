/*
 * test_accountant.c - privacy arithmetic against its own inverses and brute force.
 */
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "unit.h"

/* a call's output if it succeeded; NaN otherwise, which no expectation meets */
#define CALL(out, call) ((call) == DPEM_OK ? (out) : ((out) = NAN))

static const double epsilons[] = {1e-6, 0.01, 0.1, 1, 4, 15, 100};
static const double deltas[] = {1e-100, 1e-12, 1e-6, 1e-4, 0.05, 0.9};

#define LENGTH(array) ((int) (sizeof(array) / sizeof((array)[0])))

static void
test_gdp_round_trip(double epsilon, double delta)
{
	double		mu,
				value,
				more;

	CALL(mu, dpem_gdp_mu(epsilon, delta, &mu));
	CALL(value, dpem_gdp_delta(mu, epsilon, &value));
	CHECK(value <= delta * (1 + 1e-15), "delta %.17g of mu(%g, %g)", value, epsilon, delta);
	CHECK_CLOSE(value, delta, 1e-10, "delta of mu(%g, %g)", epsilon, delta);
	CALL(value, dpem_gdp_epsilon(mu, delta, &value));
	CHECK(value <= epsilon, "epsilon %.17g of mu(%g, %g)", value, epsilon, delta);
	CALL(more, dpem_gdp_epsilon(mu * 1.001, delta, &more));
	CHECK(more > value, "epsilon grows with mu at (%g, %g)", epsilon, delta);
	CALL(value, dpem_gdp_delta(mu * 1.001, epsilon, &value));
	CHECK(value > delta || delta > 0.9999, "delta grows with mu at (%g, %g)", epsilon, delta);
}

static void
test_zcdp_round_trip(double epsilon, double delta, bool tight)
{
	double		rho,
				basic,
				mu,
				value;

	CALL(rho, dpem_zcdp_rho(epsilon, delta, tight, &rho));
	CALL(value, dpem_zcdp_epsilon(rho, delta, tight, &value));
	CHECK(value <= epsilon, "epsilon %.17g of rho(%g, %g, %d)", value, epsilon, delta, tight);
	CHECK_CLOSE(value, epsilon, 1e-9, "epsilon of rho(%g, %g, %d)", epsilon, delta, tight);
	CALL(value, dpem_zcdp_delta(rho, epsilon, tight, &value));
	CHECK(value <= delta * (1 + 1e-9), "delta %.17g of rho(%g, %g, %d)", value, epsilon, delta, tight);

	/* basic affords less than tight, tight less than the exact curve */
	CALL(basic, dpem_zcdp_rho(epsilon, delta, false, &basic));
	CALL(mu, dpem_gdp_mu(epsilon, delta, &mu));
	CHECK(basic <= rho, "basic rho at (%g, %g)", epsilon, delta);
	CHECK(rho <= 0.5 * mu * mu * (1 + 1e-10), "rho at (%g, %g, %d)", epsilon, delta, tight);
}

/* every order may decide, so that the mixture costs more than the best one, and never less */
static void
test_mixture(double epsilon, double delta)
{
	double		rho,
				best,
				tight,
				tail,
				half;
	double		curve[DPEM_RDP_ORDERS];

	CALL(rho, dpem_zcdp_rho(epsilon, delta, true, &rho));
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		curve[i] = rho * dpem_rdp_orders[i];
	CALL(best, dpem_rdp_epsilon(dpem_rdp_orders, curve, DPEM_RDP_ORDERS, delta, true, &best, NULL));
	CALL(tight, dpem_rdp_mixture_epsilon(curve, delta, true, &tight));
	CALL(tail, dpem_rdp_mixture_epsilon(curve, delta, false, &tail));
	CALL(half, dpem_rdp_mixture_epsilon(curve, delta / 2, true, &half));
	CHECK(tight >= best && tight <= tail && half >= tight, "mixture at (%g, %g): %g %g %g %g", epsilon, delta, best, tight, tail, half);
	if (epsilon >= 0.3 && epsilon <= 15 && delta >= 1e-12 && delta < 1e-4)
		CHECK(tight < 1.25 * best, "mixture %g for %g at delta %g", tight, best, delta);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		curve[i] = i == 60 ? curve[i] : INFINITY;
	CALL(half, dpem_rdp_mixture_epsilon(curve, delta, true, &half));
	CHECK(half >= tight, "orders add to each other at (%g, %g): %g %g", epsilon, delta, half, tight);
	curve[60] = INFINITY;
	CALL(half, dpem_rdp_mixture_epsilon(curve, delta, true, &half));
	CHECK(half == INFINITY, "no order is left");
}

static void
test_round_trips(void)
{
	int			i,
				j;

	for (i = 0; i < LENGTH(epsilons); i++)
		for (j = 0; j < LENGTH(deltas); j++)
		{
			test_gdp_round_trip(epsilons[i], deltas[j]);
			test_zcdp_round_trip(epsilons[i], deltas[j], false);
			test_zcdp_round_trip(epsilons[i], deltas[j], true);
			test_mixture(epsilons[i], deltas[j]);
		}
	for (i = 1; i < DPEM_RDP_ORDERS; i++)
		CHECK(dpem_rdp_orders[i] > dpem_rdp_orders[i - 1], "order %d of the grid", i);
}

/* both forms of the curve, where one takes over from the other, and its ends */
static void
test_gdp_edges(void)
{
	double		below,
				above,
				value;
	double		epsilon;

	for (epsilon = 0; epsilon < 30; epsilon += 0.5)
	{
		CALL(below, dpem_gdp_delta(1, epsilon, &below));
		CALL(above, dpem_gdp_delta(nextafter(1, 2), epsilon, &above));
		CHECK_CLOSE(above, below, 4e-12, "delta at mu = 1, epsilon = %g", epsilon);
	}
	CALL(value, dpem_gdp_delta(1e-9, 0, &value));
	CHECK_CLOSE(value, 1e-9 * 0.39894228040143267794, 1e-11, "delta(0) of a tiny mu");
	CHECK_CLOSE(CALL(value, dpem_gdp_delta(0, 1, &value)), 0, 0, "mu = 0");
	CHECK_CLOSE(CALL(value, dpem_gdp_delta(1e200, 1, &value)), 1, 0, "mu = 1e200");
	CHECK_CLOSE(CALL(value, dpem_gdp_delta(0.01, 1, &value)), 0, 0, "underflow");
	CHECK_CLOSE(CALL(value, dpem_gdp_epsilon(0.1, 0.5, &value)), 0, 0, "delta above delta(0)");
	CHECK_CLOSE(CALL(value, dpem_gdp_epsilon(0, 1e-6, &value)), 0, 0, "nothing spent");
	CHECK_CLOSE(CALL(value, dpem_zcdp_epsilon(0, 1e-6, true, &value)), 0, 0, "nothing spent");
}

/* mu of a pure release: its Gaussian curve is above (epsilon, 0) everywhere, barely at epsilon */
static void
test_pure_release(void)
{
	int			i;

	for (i = 0; i < LENGTH(epsilons); i++)
	{
		double		epsilon = epsilons[i];
		double		mu,
					at;

		/* delta of an (epsilon, 0) release at 0 is tanh(epsilon/2) */
		CALL(mu, dpem_gdp_from_pure(epsilon, &mu));
		CALL(at, dpem_gdp_delta(mu, 0, &at));
		CHECK(at >= tanh(epsilon / 2) * (1 - 1e-15), "mu %g of epsilon %g", mu, epsilon);
		CHECK_CLOSE(at, tanh(epsilon / 2), 1e-11, "mu of epsilon %g", epsilon);
	}
}

/* between the integers the Poisson curve is smooth, and it tends to its integer values */
static void
test_poisson_orders(void)
{
	static const double q[] = {1e-5, 0.01, 0.1, 0.5, 0.99};
	static const double z[] = {0.3, 0.8, 1, 2, 6, 50};
	int			i,
				j;
	double		alpha;

	for (i = 0; i < LENGTH(q); i++)
		for (j = 0; j < LENGTH(z); j++)
			for (alpha = 2; alpha <= 64; alpha *= 2)
			{
				double		integer,
							near,
							between,
							plain;

				CALL(integer, dpem_rdp_poisson_gaussian(q[i], z[j], alpha, &integer));
				CALL(near, dpem_rdp_poisson_gaussian(q[i], z[j], alpha * (1 + 1e-14), &near));
				CALL(between, dpem_rdp_poisson_gaussian(q[i], z[j], alpha + 0.5, &between));
				CALL(plain, dpem_rdp_gaussian(z[j], alpha, &plain));
				CHECK_CLOSE(near, integer, 2e-11, "q = %g, z = %g, alpha = %g", q[i], z[j], alpha);
				CHECK(between > integer, "rising at q = %g, z = %g, alpha = %g", q[i], z[j], alpha);
				CHECK(integer <= plain * (1 + 1e-12), "q = %g, z = %g, alpha = %g", q[i], z[j], alpha);
			}
}

static void
test_without_replacement_orders(void)
{
	double		low,
				middle,
				high;

	CALL(low, dpem_rdp_without_replacement_gaussian(0.05, 2, 4, &low));
	CALL(middle, dpem_rdp_without_replacement_gaussian(0.05, 2, 4.5, &middle));
	CALL(high, dpem_rdp_without_replacement_gaussian(0.05, 2, 5, &high));
	CHECK_CLOSE(middle * 3.5, (low * 3 + high * 4) / 2, 1e-12, "the chord of (alpha-1) times the divergence");
	CALL(low, dpem_rdp_without_replacement_gaussian(0.05, 2, 1.3, &low));
	CALL(high, dpem_rdp_without_replacement_gaussian(0.05, 2, 2, &high));
	CHECK_CLOSE(low, high, 1e-12, "below order 2");
	CALL(high, dpem_rdp_without_replacement_gaussian(0.05, 1e-155, 1000, &high));
	CHECK(high == INFINITY, "no noise costs %g", high);
}

/* d/dlambda by differences, and both forms meeting at lambda epsilon = 1 */
static void
test_laplace_moments(void)
{
	static const double lambda[] = {1e-3, 0.5, 1, 7.25, 100, 1e6};
	int			i,
				j;

	for (i = 0; i < LENGTH(lambda); i++)
		for (j = 0; j < LENGTH(epsilons); j++)
		{
			double		step = lambda[i] * 1e-5;
			double		low,
						high,
						slope;

			CALL(low, dpem_log_moment_laplace(lambda[i] - step, epsilons[j], &low));
			CALL(high, dpem_log_moment_laplace(lambda[i] + step, epsilons[j], &high));
			CALL(slope, dpem_log_moment_laplace_slope(lambda[i], epsilons[j], &slope));
			CHECK_CLOSE(slope, (high - low) / (2 * step), 1e-7, "lambda = %g, epsilon = %g", lambda[i], epsilons[j]);
			CALL(low, dpem_log_moment_laplace(lambda[i], (1 - 1e-15) / lambda[i], &low));
			CALL(high, dpem_log_moment_laplace(lambda[i], (1 + 1e-15) / lambda[i], &high));
			CHECK_CLOSE(high, low, 1e-13, "lambda = %g, epsilon = 1/lambda", lambda[i]);
		}
}

static void
test_sensitivity(void)
{
	CHECK_CLOSE(dpem_joint_sensitivity2(3, 0.1, 1, 1, true), 4.5, 1e-14, "two rows in one cluster");
	CHECK_CLOSE(dpem_joint_sensitivity2(3, 0.35, 0.6, 1, true), 2 * (0.1225 + 0.36 + 1), 1e-14, "two clusters");
	CHECK_CLOSE(dpem_joint_sensitivity2(3, 1, 2, 0, true), 16, 1e-14, "k-means, sums rule");
	CHECK_CLOSE(dpem_joint_sensitivity2(3, 2, 1, 0, true), 10, 1e-14, "k-means, counts rule");
	CHECK_CLOSE(dpem_joint_sensitivity2(1, 0, 0, 1, true), 2, 1e-14, "second moment, replace_one");
	CHECK_CLOSE(dpem_joint_sensitivity2(1, 0, 0, 1, false), 1, 1e-14, "second moment, add_remove");
	CHECK_CLOSE(dpem_joint_sensitivity2(1, 0, 1, 0, true), 4, 1e-14, "sums alone");
	CHECK(dpem_joint_sensitivity2(3, 0.35, 0.6, 1, true) >= 2 * (0.35 * 0.35 + 0.6 * 0.6 + 1), "rounded up");
	CHECK(isnan(dpem_joint_sensitivity2(0, 1, 1, 1, true)), "k = 0");
	CHECK(isnan(dpem_joint_sensitivity2(2, -1, 1, 1, true)), "a < 0");
	CHECK(isnan(dpem_joint_sensitivity2(2, 1, NAN, 1, true)), "b NaN");
	CHECK(isnan(dpem_joint_sensitivity2(2, 1, 1, INFINITY, true)), "c infinite");
}

/* against brute force over pairs of rows: never above, and attained */
static void
test_sensitivity_brute_force(int k, double a, double b, double c)
{
	double		bound = dpem_joint_sensitivity2(k, a, b, c, true);
	double		most = 0;
	int			i,
				j,
				angle;

	for (i = 0; i <= 20; i++)
		for (j = 0; j <= 20; j++)
			for (angle = 0; angle <= 720; angle++)
			{
				double		r = i / 20.0;
				double		s = j / 20.0;
				double		dot = r * s * cos(angle * M_PI / 720);

				most = fmax(most, b * b * (r * r + s * s - 2 * dot) +
							c * c * (r * r * r * r + s * s * s * s - 2 * dot * dot));
				if (k > 1)
					most = fmax(most, 2 * a * a + b * b * (r * r + s * s) +
								c * c * (r * r * r * r + s * s * s * s));
			}
	CHECK(most <= bound && most > 0.999 * bound, "%g of %g at k = %d, (%g, %g, %g)", most, bound,
		  k, a, b, c);
}

static void
test_calibration(void)
{
	DpemComposition c;
	double		z,
				more,
				exact;

	for (c = DPEM_COMPOSE_EXACT; c <= DPEM_COMPOSE_LINEAR; c++)
	{
		DpemComposition back;

		CHECK(dpem_composition_from_name(dpem_composition_name(c), &back) && back == c, "name of %d", c);
		CALL(z, dpem_calibrate_noise_multiplier(c, 0.5, 1e-6, 10, &z));
		CALL(more, dpem_calibrate_noise_multiplier(c, 0.5, 1e-6, 20, &more));
		CALL(exact, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, 0.5, 1e-6, 10, &exact));
		CHECK(z > 0 && more > z, "%s: %g, %g", dpem_composition_name(c), z, more);
		CHECK(z >= exact, "%s: %g below exact %g", dpem_composition_name(c), z, exact);
		/* the Gaussian curve itself: whatever theorem was used, the guarantee holds */
		CALL(more, dpem_gdp_delta(sqrt(10) / z, 0.5, &more));
		CHECK(more <= 1e-6 * (1 + 1e-11), "%s: delta is %g", dpem_composition_name(c), more);
	}
	CHECK(dpem_calibrate_noise_multiplier(DPEM_COMPOSE_LINEAR, 4, 1e-6, 1, &z) == DPEM_NO_SOLUTION &&
		  isnan(z), "linear: epsilon_i = 4");
	CHECK(dpem_calibrate_noise_multiplier(DPEM_COMPOSE_LINEAR, 4, 1e-6, 4, &z) == DPEM_NO_SOLUTION,
		  "linear: epsilon_i = 1");
	CHECK(dpem_calibrate_noise_multiplier(DPEM_COMPOSE_ADVANCED, 50, 1e-6, 1, &z) == DPEM_NO_SOLUTION,
		  "advanced: epsilon_i above 1");
	CHECK(!dpem_composition_from_name("gdp", &c) && !dpem_composition_from_name(NULL, &c), "no such name");
	CHECK(dpem_composition_name((DpemComposition) 99) == NULL, "no such composition");
}

/* real Renyi orders on both scenarios: never worse than tight zCDP, and a Gaussian schedule is the same */
static void
test_em_rdp(void)
{
	static const DpemEmOptions tight = {0, false, true};
	DpemEmSchedule schedule = {DPEM_SCENARIO_GGG, 10, 3, 1e-8};
	DpemEmStep	rdp,
				zcdp;

	CHECK(dpem_em_step(&schedule, DPEM_COMPOSE_RDP, NULL, 1, 1e-4, &rdp) == DPEM_OK, "ggg");
	CHECK(dpem_em_step(&schedule, DPEM_COMPOSE_ZCDP, &tight, 1, 1e-4, &zcdp) == DPEM_OK, "ggg");
	CHECK_CLOSE(rdp.epsilon, zcdp.epsilon, 1e-12, "a Gaussian curve is rho alpha");
	CHECK(rdp.order > 1, "alpha is %g", rdp.order);
	schedule.scenario = DPEM_SCENARIO_LLG;
	CHECK(dpem_em_step(&schedule, DPEM_COMPOSE_RDP, NULL, 4, 1e-4, &rdp) == DPEM_OK, "llg");
	CHECK(dpem_em_step(&schedule, DPEM_COMPOSE_ZCDP, &tight, 4, 1e-4, &zcdp) == DPEM_OK, "llg");
	CHECK(rdp.epsilon > zcdp.epsilon, "%g, %g", rdp.epsilon, zcdp.epsilon);
	CHECK(dpem_em_step(&schedule, DPEM_COMPOSE_EXACT, NULL, 1, 1e-4, &rdp) == DPEM_OK &&
		  rdp.epsilon > 0, "llg, exact");
}

int
main(void)
{
	test_round_trips();
	test_gdp_edges();
	test_pure_release();
	test_poisson_orders();
	test_without_replacement_orders();
	test_laplace_moments();
	test_sensitivity();
	test_sensitivity_brute_force(1, 1, 1, 1);
	test_sensitivity_brute_force(2, 1, 1, 1);
	test_sensitivity_brute_force(2, 0.1, 1, 1);
	test_sensitivity_brute_force(2, 0.35, 0.6, 1);
	test_sensitivity_brute_force(1, 0, 2, 0.1);
	test_calibration();
	test_em_rdp();
	return unit_report();
}
