/*
 * test_choice_cost.c - the exponential mechanism: range, scale and what a choice costs.
 */
#include <math.h>
#include <stdlib.h>

#include "chance.h"
#include "core/accounting/accountant.h"
#include "core/accounting/choice.h"
#include "core/accounting/fit_cost.h"
#include "seeded_source.h"
#include "unit.h"

#define TWO(n) ((DpemInt128) 1 << (n))

/* ---- range and scale ---- */

static void
test_scale(void)
{
	const DpemUint128 one = TWO(18);

	CHECK(dpem_choice_range(one, true, 3) == 6 * one && dpem_choice_range(one, false, 3) == 3 * one, "range");
	for (double epsilon = 1e-6; epsilon < 1000; epsilon *= 1.7)
	{
		DpemUint128 range = dpem_choice_range(one, true, 1);
		DpemUint128 scale = dpem_choice_scale(1 / epsilon, range);
		long double spent = (long double) range / (long double) scale;

		CHECK(spent <= epsilon, "epsilon %g: %Lg spent", epsilon, spent);
		CHECK(spent >= epsilon * (1 - 1e-11 - epsilon / (long double) range), "epsilon %g: %Lg used", epsilon, spent);
	}
	CHECK(dpem_choice_scale(0, one) == 0 && dpem_choice_scale(NAN, one) == 0 &&
		  dpem_choice_scale(INFINITY, one) == 0 && dpem_choice_scale(-1, one) == 0 &&
		  dpem_choice_scale(0x1p110, one) == 0, "domain");
}

static double
uniform(SeededSource *seeded)
{
	return (double) (seeded_word(seeded) >> 11) * 0x1p-53;
}

/* greatest minus least change of n scores when one row's marks change */
static void
search_range(int n, bool replace_one, double *worst)
{
	SeededSource seeded;

	seeded_init(&seeded, n + replace_one);
	for (int i = 0; i < 20000; i++)
	{
		double		most = -INFINITY;
		double		least = INFINITY;

		for (int j = 0; j < n; j++)
		{
			double		old = floor(uniform(&seeded) * 3) / 2;
			double		now = replace_one ? floor(uniform(&seeded) * 3) / 2 : 0;

			most = fmax(most, now - old);
			least = fmin(least, now - old);
		}
		*worst = fmax(*worst, most - least);
	}
}

/* the same for quadratic forms of rows in the unit ball; the rows climb towards the directions */
static double
search_directions(const int32_t *v, int n, int d, bool replace_one)
{
	SeededSource seeded;
	double		worst = 0;

	seeded_init(&seeded, d);
	for (int i = 0; i < 200000; i++)
	{
		double		x[2][4];
		double		most = -INFINITY;
		double		least = INFINITY;

		for (int row = 0; row < 2; row++)
		{
			const int32_t *near = v + (size_t) (uniform(&seeded) * n) * d;
			double		norm2 = 0;

			for (int j = 0; j < d; j++)
			{
				x[row][j] = near[j] / 1000.0 + (i % 10 ? 0.1 : 2) * (uniform(&seeded) - 0.5);
				norm2 += x[row][j] * x[row][j];
			}
			for (int j = 0; j < d; j++)
				x[row][j] = (row == 1 && !replace_one) || norm2 == 0 ? 0 : x[row][j] / sqrt(norm2);
		}
		for (int k = 0; k < n; k++)
		{
			double		dot[2] = {0, 0};
			double		change;

			for (int row = 0; row < 2; row++)
				for (int j = 0; j < d; j++)
					dot[row] += x[row][j] * v[k * d + j];
			change = dot[0] * dot[0] - dot[1] * dot[1];
			most = fmax(most, change);
			least = fmin(least, change);
		}
		worst = fmax(worst, most - least);
	}
	return worst;
}

static void
test_sensitivity(void)
{
	static const int32_t v[] = {1000, 0, 0, 0, 1000, 0, 0, 0, 999, 577, 577, 577, -577, 577, 577};

	for (int replace_one = 0; replace_one < 2; replace_one++)
	{
		double		bound = (double) dpem_choice_range(1, replace_one, 1);
		double		worst = 0;
		double		norm2 = (double) dpem_directions_norm2(v, 5, 3);

		for (int n = 1; n <= 5; n++)
			search_range(n, replace_one, &worst);
		CHECK(worst <= bound && worst >= bound, "marks: %g of %g", worst, bound);
		worst = search_directions(v, 5, 3, replace_one) / norm2;
		CHECK(worst <= bound && worst >= 0.97 * bound, "directions: %g of %g", worst, bound);
	}
}

static void
test_directions(void)
{
	static const int32_t v[] = {3, -4, 0, 0, 1, 2};
	static const int32_t wide[] = {DPEM_DIRECTION_MAX + 1, 0};
	static const int32_t least[] = {INT32_MIN, INT32_MIN};
	static const int32_t longest[] = {DPEM_DIRECTION_MAX, 1};
	/* S = [[1, 2, -5], [2, 7, 0], [-5, 0, 2^100]] */
	const DpemInt128 second[] = {1, 2, 7, -5, 0, TWO(100)};

	CHECK(dpem_directions_norm2(v, 2, 3) == 25, "norm");
	CHECK(dpem_directions_norm2(v + 2, 1, 2) == -1, "zero");
	CHECK(dpem_directions_norm2(wide, 1, 2) == -1 && dpem_directions_norm2(least, 1, 2) == -1 &&
		  dpem_directions_norm2(longest, 1, 2) == -1 && dpem_directions_norm2(longest, 1, 1) == TWO(32), "limits");
	CHECK(dpem_quadratic_form(second, v, 3) == 9 * 1 + 16 * 7 - 2 * 12 * 2, "v'Sv");
	CHECK(dpem_quadratic_form(second, v + 3, 3) == 7 + 4 * TWO(100), "v'Sv");
}

/* ---- cost ---- */

/*
 * The trade-off curve of e-bounded range is above that of its worst pair of
 * two outcomes, with log-ratios s and s - e (docs/proofs.md): for that pair p =
 * P(first), q = Q(first) have log-odds e apart, and mu(s) = Phi^-1(p) -
 * Phi^-1(q).  The declared mu must not be below any of them, and its rho not
 * below any Renyi divergence.
 */
static void
check_pair(double epsilon, long double s, double *worst_mu, long double *worst_rho)
{
	long double p = expm1l(s - epsilon) / expm1l(-epsilon);
	long double q = p * expl(-s);
	double		mu = dpem_choice_mu2(epsilon);
	/* P(first) is beaten by the Gaussian curve: Phi(Phi^-1(q) + mu) >= p, by bisection on Phi^-1(q) */
	long double low = -40;
	long double high = 40;

	for (int i = 0; i < 200; i++)
	{
		long double mid = (low + high) / 2;

		if (normal_tail(-mid) < q)
			low = mid;
		else
			high = mid;
	}
	CHECK(normal_tail(-(high + sqrtl(mu))) >= p * (1 - 1e-12L), "epsilon %g, s = %Lg", epsilon, s);
	*worst_mu = fmax(*worst_mu, (double) (p / normal_tail(-(high + sqrtl(mu)))));
	for (long double alpha = 1.01L; alpha < 200; alpha *= 1.3L)
	{
		long double sum = q * expl(alpha * s) + (1 - q) * expl(alpha * (s - epsilon));

		*worst_rho = fmaxl(*worst_rho, logl(sum) / (alpha - 1) / alpha);
	}
}

static void
test_cost(void)
{
	for (double epsilon = 0.01; epsilon < 12; epsilon *= 1.5)
	{
		double		worst_mu = 0;
		long double worst_rho = 0;

		for (int i = 1; i < 200; i++)
			check_pair(epsilon, epsilon * (long double) i / 200, &worst_mu, &worst_rho);
		CHECK(worst_mu > 0.999, "epsilon %g: mu is not attained, %g", epsilon, worst_mu);
		CHECK(worst_rho <= dpem_choice_rho(epsilon) * (1 + 1e-9L), "epsilon %g: rho %Lg of %g", epsilon, worst_rho,
			  dpem_choice_rho(epsilon));
		if (epsilon < 0.1)
			CHECK(worst_rho > 0.99 * dpem_choice_rho(epsilon), "epsilon %g: rho is not attained", epsilon);
	}
	CHECK(isnan(dpem_choice_mu2(0)) && isnan(dpem_choice_rho(-1)) && isnan(dpem_choice_mu2(INFINITY)), "domain");
}

/* what a line of a charge says: two choices of epsilon 1/4 and a Gaussian release at z = 4 */
static void
test_line_cost(void)
{
	const DpemCostLine lines[] = {dpem_cost_line(DPEM_COST_CHOICE, 4, 2), dpem_cost_line(DPEM_COST_GAUSSIAN, 4, 1)};
	double		epsilon;
	double		expected;

	CHECK_CLOSE(dpem_cost_mu2(lines, 2), 2 * dpem_choice_mu2(0.25) + 1.0 / 16, 1e-12, "mu squared");
	CHECK_CLOSE(dpem_cost_rho(lines, 2), 2 * 0.0625 / 8 + 1.0 / 32, 1e-12, "rho");
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_LINEAR, 1e-6, 0, &epsilon) == DPEM_OK, "linear");
	CHECK_CLOSE(epsilon, 0.5, 1e-12, "linear");
	(void) dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_EXACT, 1e-6, 0, &epsilon);
	(void) dpem_gdp_epsilon(sqrt(dpem_cost_mu2(lines, 2)), 1e-6, &expected);
	CHECK_CLOSE(epsilon, expected, 1e-9, "exact");
	(void) dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_ZCDP, 1e-6, 0, &epsilon);
	(void) dpem_zcdp_epsilon(dpem_cost_rho(lines, 2), 1e-6, false, &expected);
	CHECK_CLOSE(epsilon, expected, 1e-9, "zcdp");
}

int
main(void)
{
	test_scale();
	test_sensitivity();
	test_directions();
	test_cost();
	test_line_cost();
	return unit_report();
}
