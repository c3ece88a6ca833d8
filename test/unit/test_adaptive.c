/*
 * test_adaptive.c - analysts who choose, by what was released, which rule their
 * next release shall be accepted by: what they reach, against what is claimed.
 *
 * The analyst makes one Gaussian release, looks at its privacy loss, and then
 * spends what is left on either a Gaussian or a Laplace release, whichever
 * makes more of this loss.  delta(epsilon) = E[(1 - e^(epsilon - loss))+] is
 * integrated over the first loss; given it, both options are known in closed
 * form or by quadrature.
 */
#include <math.h>

#include "core/accounting/budget_rule.h"
#include "core/accounting/fit_cost.h"
#include "unit.h"

#define EPSILON	1.0
#define DELTA	1e-5
#define STEP	2e-3

static double
phi(double x)
{
	return erfc(-x / sqrt(2)) / 2;
}

/* E[(1 - e^(e - L))+] of a mu-GDP release, for any real e */
static double
gaussian_mass(double mu, double e)
{
	if (!(mu > 0))
		return fmax(-expm1(e), 0);
	return phi(mu / 2 - e / mu) - exp(e) * phi(-mu / 2 - e / mu);
}

/* the same of a Laplace release, whose loss is within [-step, step] */
static double
laplace_mass(double step, double e)
{
	double		sum = fmax(-expm1(e - step), 0) / 2 + exp(-step) / 2 * fmax(-expm1(e + step), 0);

	for (int i = 0; i < 100; i++)
	{
		double		t = (i + 0.5) / 100;

		sum += step / 2 * exp(-step * t) / 100 * fmax(-expm1(e - step * (1 - 2 * t)), 0);
	}
	return sum;
}

typedef struct Strategy
{
	double		first;			/* mu of the first release */
	double		gaussian;		/* mu of the second, if it is a Gaussian one */
	double		laplace;		/* epsilon of the second, if it is a Laplace one */
} Strategy;

/* delta(1) of the analyst who takes the better one, and of those who have no choice */
static double
reached(const Strategy *s, double *gaussian, double *laplace)
{
	double		best = 0;

	*gaussian = *laplace = 0;
	for (double x = -9; x < 13; x += STEP)
	{
		double		weight = exp(-x * x / 2) / sqrt(2 * M_PI) * STEP;
		double		loss = s->first * s->first / 2 + s->first * x;
		double		g = gaussian_mass(s->gaussian, EPSILON - loss);
		double		l = laplace_mass(s->laplace, EPSILON - loss);

		best += weight * fmax(g, l);
		*gaussian += weight * g;
		*laplace += weight * l;
	}
	return best;
}

/*
 * A gdp and a linear budget of (1, 1e-5) over one ledger: the first release
 * costs (0.5, 1e-5), which leaves the one what is left of mu, the other 0.5.
 */
static void
test_two_accountants(void)
{
	DpemTotals	gdp = {0};
	DpemTotals	linear = {.epsilon = 1,.delta = DELTA};
	Strategy	s = {.laplace = 0.5};
	double		mu,
				best,
				gaussian,
				laplace;

	CHECK(dpem_gdp_mu(EPSILON, DELTA, &mu) == DPEM_OK && dpem_gdp_mu(0.5, DELTA, &s.first) == DPEM_OK, "mu");
	s.gaussian = sqrt(mu * mu - s.first * s.first);
	gdp.mu2_units = dpem_cost_units(mu * mu * (1 - 1e-9));
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_GDP, &gdp, (DpemLimit) {EPSILON, DELTA, 0}), "the one accepts its end");
	CHECK(dpem_budget_affords(DPEM_ACCOUNTANT_LINEAR, &linear, (DpemLimit) {EPSILON, DELTA, 0}), "the other its own");
	best = reached(&s, &gaussian, &laplace);
	CHECK_CLOSE(gaussian, DELTA, 1e-3, "by gdp alone");
	CHECK(laplace < DELTA, "by linear alone: %g", laplace);
	CHECK(best > 1.40e-5, "with both: %g", best);
	CHECK(best <= gaussian + laplace, "and no more than their sum");
}

/* the totals of a ledger of the first release and of the second one */
static DpemTotals
ledger(double mu2, double laplace)
{
	DpemCostLine line = dpem_cost_line(DPEM_COST_LAPLACE, 1 / laplace, 1);
	DpemTotals	total = {.rho_units = dpem_cost_units(mu2 / 2),.plain_rho_units = dpem_cost_units(mu2 / 2),
						 .epsilon = 0.2,.epsilon2 = 0.02};
	double		rdp[DPEM_RDP_ORDERS];

	if (!(laplace > 0))
		return total;
	total.rho_units += dpem_cost_units(dpem_cost_rho(&line, 1));
	total.curve.any = true;
	CHECK(dpem_cost_curve(&line, rdp) == DPEM_OK, "curve");
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		total.curve.units[i] = dpem_cost_units(rdp[i]);
	return total;
}

/* the most that the rule affords after a first release: mu^2 of a Gaussian one, or epsilon of a Laplace one */
static double
most(DpemAccountant accountant, double first, bool laplace)
{
	double		low = 0;
	double		high = 4;

	for (int i = 0; i < 40; i++)
	{
		double		middle = (low + high) / 2;
		DpemTotals	total = ledger(first * first + (laplace ? 0 : middle), laplace ? middle : 0);

		if (dpem_budget_affords(accountant, &total, (DpemLimit) {EPSILON, DELTA, 0}))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* whichever of a ledger's rules and orders accepts, within one accountant the claim holds */
static void
test_one_accountant(DpemAccountant accountant)
{
	for (int i = 1; i < 10; i++)
	{
		double		all = most(accountant, 0, false);
		Strategy	s = {.first = sqrt(i / 10.0 * all)};
		double		best,
					gaussian,
					laplace;

		s.gaussian = sqrt(most(accountant, s.first, false));
		s.laplace = most(accountant, s.first, true);
		CHECK(s.gaussian > 0 && s.laplace > 0, "there is something left");
		best = reached(&s, &gaussian, &laplace);
		CHECK(best <= DELTA, "accountant %d, first %d tenths: %g", accountant, i, best);
	}
}

/* of two budgets one is larger, or neither is */
static void
test_covers(void)
{
	static const DpemLimit small = {1, 1e-6, 0};
	static const DpemLimit other = {0.5, 1e-5, 0};
	static const DpemLimit large = {1, 1e-5, 0};
	static const DpemLimit keys = {1, 1e-6, 0.1};
	static const DpemLimit other_keys = {0.5, 1e-5, 0.1};

	for (DpemAccountant a = DPEM_ACCOUNTANT_GDP; a < DPEM_ACCOUNTANT_UNKNOWN; a++)
	{
		bool		scalar = a == DPEM_ACCOUNTANT_GDP || a == DPEM_ACCOUNTANT_ZCDP;

		CHECK(dpem_budget_covers(a, large, small) && dpem_budget_covers(a, large, other) && dpem_budget_covers(a, large, large),
			  "accountant %d: the larger", a);
		CHECK(!dpem_budget_covers(a, small, large) && !dpem_budget_covers(a, other, large), "accountant %d: the smaller", a);
		CHECK((dpem_budget_covers(a, small, other) || dpem_budget_covers(a, other, small)) == scalar, "accountant %d: neither", a);
		if (dpem_accountant_has_failures(a))
			CHECK(!dpem_budget_covers(a, keys, other_keys) && !dpem_budget_covers(a, other_keys, keys),
				  "accountant %d: noise the one, failures the other", a);
		CHECK(!dpem_budget_covers(a, (DpemLimit) {NAN, 1e-5, 0}, small), "accountant %d: NaN covers nothing", a);
	}
}

/* a Gaussian call of the least epsilon costs the least; a smaller delta asks for a larger epsilon */
static void
test_least(void)
{
	static const DpemLimit limit = {1, 1e-6, 0};

	CHECK(dpem_budget_least_epsilon(1000) == 0.001 && dpem_budget_least_epsilon(0.1) == 0.0001, "least epsilon");
	for (DpemAccountant a = DPEM_ACCOUNTANT_GDP; a < DPEM_ACCOUNTANT_UNKNOWN; a++)
	{
		double		tiny = dpem_budget_least_call(a, limit, 1e-300);
		double		z;
		DpemComposition rule;

		CHECK_CLOSE(dpem_budget_least_call(a, limit, 1e-6), 0.001, 1e-12, "accountant");
		CHECK(dpem_budget_least_call(a, limit, 0.1) == dpem_budget_least_call(a, limit, 1e-6), "a larger delta makes it no less");
		if (a == DPEM_ACCOUNTANT_LINEAR || a == DPEM_ACCOUNTANT_ADVANCED)
		{
			CHECK(tiny == 0.001 && dpem_budget_least_units(a, limit) == 0, "accountant %d", a);
			continue;
		}
		CHECK(tiny > 0.0015, "accountant %d: %g", a, tiny);
		CHECK(dpem_composition_from_name(dpem_accountant_composition(a), &rule), "rule");
		for (int i = 0; i < 2; i++)
		{
			double		delta = i ? 1e-300 : 1e-6;
			double		epsilon = i ? tiny : 0.001;
			DpemTotals	total = {0};

			CHECK(dpem_calibrate_noise_multiplier(rule, epsilon, delta, 1, &z) == DPEM_OK, "calibrate");
			z *= DPEM_NOISE_MARGIN;
			total.mu2_units = dpem_cost_units(1 / (z * z));
			total.rho_units = dpem_cost_units(1 / (2 * z * z));
			CHECK(dpem_budget_units(a, &total) >= dpem_budget_least_units(a, limit), "accountant %d costs the least", a);
			total.mu2_units = dpem_cost_units(0.99 / (z * z));
			total.rho_units = dpem_cost_units(0.99 / (2 * z * z));
			CHECK(dpem_budget_units(a, &total) < dpem_budget_least_units(a, limit), "accountant %d, and no less", a);
		}
	}
}

int
main(void)
{
	test_two_accountants();
	test_one_accountant(DPEM_ACCOUNTANT_RDP);
	test_one_accountant(DPEM_ACCOUNTANT_MA);
	test_one_accountant(DPEM_ACCOUNTANT_ZCDP);
	test_covers();
	test_least();
	return unit_report();
}
