/*
 * test_fit_cost.c - costs of sampled releases, and ledgers that keep Renyi curves.
 *
 * Totals of subsampled releases are against independent values (25 digits,
 * orders 2..64, the tight and the plain conversion).
 */
#include <math.h>

#include "core/accounting/budget_rule.h"
#include "core/accounting/fit_cost.h"
#include "unit.h"

typedef struct SampledTotal
{
	double		releases;
	double		delta;
	double		q;
	double		z;
	double		poisson_plain;
	double		poisson_tight;
	double		without_plain;
	double		without_tight;
} SampledTotal;

static const SampledTotal totals[] = {
	{1000, 1e-6, 0.01, 1.1, 2.342638901684753773, 1.981435597916477951, 4.015797489266384720, 3.573762960526322024},
	{100, 1e-5, 0.05, 2, 1.494911804380487092, 1.222195985217176363, 3.181210711762525403, 2.727654404525233946},
	{100, 1e-6, 0.05, 2, 1.655765447515440233, 1.396957139457238185, 3.510151439333103358, 3.079556969325747031},
	{20, 1e-6, 0.05, 4, 0.3499642980539579195, 0.2679574226430725187, 1.206059143261514899, 0.9914651716765267688},
	/* [VIPS]'s setting for topics */
	{20, 1e-4, 0.05, 1.24, 1.645102633955365, 1.214508163948009, 2.382593635084766, 1.904124597081622}
};

static double
epsilon_of(DpemSampling sampling, const SampledTotal *t, DpemComposition composition)
{
	DpemCostLine line = {DPEM_COST_GAUSSIAN, t->z, t->releases, sampling, t->q};
	double		epsilon;

	return dpem_cost_epsilon(&line, 1, composition, t->delta, 0, &epsilon) == DPEM_OK ? epsilon : NAN;
}

/* the grid has fractional orders and orders above 64 as well, so it may prove a little more */
static void
check_total(double actual, double expected, const char *what)
{
	CHECK(actual <= expected * (1 + 1e-9) && actual >= expected * 0.99, "%s is %.12g, not %.12g",
		  what, actual, expected);
}

static void
test_sampled_totals(void)
{
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
	{
		const SampledTotal *t = &totals[i];
		DpemCostLine all = dpem_cost_line(DPEM_COST_GAUSSIAN, t->z, t->releases);
		double		unsampled;

		check_total(epsilon_of(DPEM_SAMPLING_POISSON, t, DPEM_COMPOSE_MA), t->poisson_plain, "poisson, ma");
		check_total(epsilon_of(DPEM_SAMPLING_POISSON_REPLACE, t, DPEM_COMPOSE_MA), t->without_plain,
					"poisson under replace_one, ma");
		check_total(epsilon_of(DPEM_SAMPLING_POISSON, t, DPEM_COMPOSE_RDP), t->poisson_tight, "poisson, rdp");
		check_total(epsilon_of(DPEM_SAMPLING_POISSON_REPLACE, t, DPEM_COMPOSE_RDP), t->without_tight,
					"poisson under replace_one, rdp");
		(void) dpem_cost_epsilon(&all, 1, DPEM_COMPOSE_EXACT, t->delta, 0, &unsampled);
		CHECK_CLOSE(epsilon_of(DPEM_SAMPLING_POISSON, t, DPEM_COMPOSE_EXACT), unsampled, 1e-12,
					"exact composition knows no sampling");
	}
}

/*
 * [VIPS]'s setting for topics, published as 2.38: that is what Theorem 9 and the
 * tail bound give for noise of 1.24 replace_one sensitivities.
 */
static void
test_published_setting(void)
{
	SampledTotal t = {.releases = 20,.delta = 1e-4,.q = 0.05,.z = 1.24};
	double		published = epsilon_of(DPEM_SAMPLING_POISSON_REPLACE, &t, DPEM_COMPOSE_MA);
	double		advanced = epsilon_of(DPEM_SAMPLING_POISSON, &t, DPEM_COMPOSE_ADVANCED);

	CHECK(fabs(published - 2.38) < 0.005, "as published: %g", published);
	CHECK(isnan(advanced), "a release of epsilon above 1 has no classical theorem, sampled or not: %g", advanced);
}

/* a whole sample is no sample */
static void
test_rate_one(void)
{
	DpemCostLine line = {DPEM_COST_GAUSSIAN, 5, 10, DPEM_SAMPLING_POISSON, 1};
	DpemCostLine plain = dpem_cost_line(DPEM_COST_GAUSSIAN, 5, 10);
	double		curve[DPEM_RDP_ORDERS];
	double		sampled;
	double		whole;

	CHECK(dpem_cost_curve(&line, curve) == DPEM_OK, "curve");
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		CHECK_CLOSE(curve[i], 10 * dpem_rdp_orders[i] / 50, 1e-9, "order %g", dpem_rdp_orders[i]);
	line.noise_multiplier = plain.noise_multiplier = 50;
	(void) dpem_cost_epsilon(&line, 1, DPEM_COMPOSE_ADVANCED, 1e-5, 1e-8, &sampled);
	(void) dpem_cost_epsilon(&plain, 1, DPEM_COMPOSE_ADVANCED, 1e-5, 1e-8, &whole);
	CHECK_CLOSE(sampled, whole, 1e-12, "advanced");
}

static void
test_calibrate(void)
{
	for (int c = DPEM_COMPOSE_EXACT; c <= DPEM_COMPOSE_MA; c++)
	{
		DpemCostLine lines[] = {dpem_cost_line(DPEM_COST_GAUSSIAN, 30, 1), {DPEM_COST_GAUSSIAN, 1, 20, DPEM_SAMPLING_POISSON, 0.05}};
		double		epsilon;

		CHECK(dpem_cost_calibrate(lines, 2, 1, c, 1, 1e-5, 0) == DPEM_OK, "calibrate %d", c);
		CHECK(lines[0].noise_multiplier == 30, "a fixed line stays");
		CHECK(dpem_cost_epsilon(lines, 2, c, 1e-5, 0, &epsilon) == DPEM_OK && epsilon <= 1 && epsilon > 1 - 1e-6,
			  "%s spends %g", dpem_composition_name(c), epsilon);
	}
	{
		DpemCostLine lines[] = {dpem_cost_line(DPEM_COST_GAUSSIAN, 0.1, 1), dpem_cost_line(DPEM_COST_GAUSSIAN, 1, 1)};

		CHECK(dpem_cost_calibrate(lines, 2, 1, DPEM_COMPOSE_RDP, 1, 1e-5, 0) == DPEM_NO_SOLUTION,
			  "the fixed line alone costs more");
		CHECK(dpem_cost_calibrate(lines, 2, 2, DPEM_COMPOSE_RDP, 1, 1e-5, 0) == DPEM_BAD_ARGUMENT, "nothing to scale");
	}
}

static void
book(DpemTotals *total, const DpemCostLine *line)
{
	double		rdp[DPEM_RDP_ORDERS];
	DpemCurve	curve = {.any = true};

	total->mu2_units += dpem_cost_units(dpem_cost_mu2(line, 1));
	total->rho_units += dpem_cost_units(dpem_cost_rho(line, 1));
	total->epsilon += 1;		/* each line is a call */
	total->epsilon2 += 1;
	if (!dpem_cost_has_curve(line))
	{
		total->plain_rho_units += dpem_cost_units(dpem_cost_rho(line, 1));
		return;
	}
	(void) dpem_cost_curve(line, rdp);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		curve.units[i] = dpem_cost_units(rdp[i]);
	dpem_curve_add(&total->curve, &curve);
}

/* a ledger of curves holds what its plan said, and not more */
static void
test_ledger(DpemAccountant accountant, DpemComposition composition)
{
	DpemCostLine line = {DPEM_COST_GAUSSIAN, 1, 20, DPEM_SAMPLING_POISSON, 0.05};
	DpemTotals	total = {0};
	DpemCostLine more = dpem_cost_line(DPEM_COST_GAUSSIAN, 1, 1);
	double		left;
	double		z;

	CHECK(dpem_cost_calibrate(&line, 1, 0, composition, 1, 1e-5, 0) == DPEM_OK, "calibrate");
	book(&total, &line);
	CHECK(dpem_budget_affords(accountant, &total, (DpemLimit) {1.0000001, 1e-5, 0}), "a budget for one holds one");
	CHECK(!dpem_budget_affords(accountant, &total, (DpemLimit) {0.999, 1e-5, 0}), "and no less");
	CHECK_CLOSE(dpem_budget_spent(accountant, &total, 1e-5), 1, 1e-6, "spent");
	CHECK(!dpem_budget_affords(DPEM_ACCOUNTANT_GDP, &total, (DpemLimit) {1, 1e-5, 0}), "gdp books the unsampled cost");
	left = dpem_budget_remaining(accountant, &total, (DpemLimit) {2, 1e-5, 0}, 1e-5);
	CHECK(left > 0.5 && left < 2, "remaining %g", left);
	(void) dpem_calibrate_noise_multiplier(composition, left, 1e-5, 1, &z);
	more.noise_multiplier = z * DPEM_NOISE_MARGIN;
	book(&total, &more);
	CHECK(dpem_budget_affords(accountant, &total, (DpemLimit) {2, 1e-5, 0}), "what is left can be spent");
	more.noise_multiplier = z * 20;
	book(&total, &more);
	CHECK(!dpem_budget_affords(accountant, &total, (DpemLimit) {2, 1e-5, 0}), "and not more");
}

static void
test_overflow(void)
{
	DpemCurve	a = {.any = true};
	DpemCurve	b = {.any = true};
	DpemTotals	total = {0};

	a.units[0] = b.units[0] = DPEM_COST_UNITS_MAX;
	for (int i = 1; i < DPEM_RDP_ORDERS; i++)
		a.units[i] = b.units[i] = DPEM_COST_UNITS_MAX - 5;
	dpem_curve_add(&a, &b);
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		CHECK(a.units[i] == DPEM_COST_UNITS_MAX, "order %d", i);
	total.curve = a;
	total.rho_units = DPEM_COST_UNITS_MAX;
	CHECK(!dpem_budget_affords(DPEM_ACCOUNTANT_RDP, &total, (DpemLimit) {1000, 0.5, 0}), "does not fit");
	CHECK(dpem_budget_spent(DPEM_ACCOUNTANT_RDP, &total, 0.5) == INFINITY, "spent");
	CHECK(dpem_budget_remaining(DPEM_ACCOUNTANT_RDP, &total, (DpemLimit) {1000, 0.5, 0}, 0.5) == 0, "nothing left");
}

static void
test_bad_lines(void)
{
	double		epsilon;
	DpemCostLine line = {DPEM_COST_GAUSSIAN, 2, 3, DPEM_SAMPLING_POISSON, 0};

	CHECK(dpem_cost_epsilon(&line, 1, DPEM_COMPOSE_RDP, 1e-5, 0, &epsilon) == DPEM_BAD_ARGUMENT, "rate 0");
	line.sampling_rate = NAN;
	CHECK(dpem_cost_epsilon(&line, 1, DPEM_COMPOSE_RDP, 1e-5, 0, &epsilon) == DPEM_BAD_ARGUMENT, "rate NaN");
	line.sampling_rate = 0.5;
	line.kind = DPEM_COST_LAPLACE;
	CHECK(dpem_cost_epsilon(&line, 1, DPEM_COMPOSE_RDP, 1e-5, 0, &epsilon) == DPEM_BAD_ARGUMENT, "sampled Laplace");
}

int
main(void)
{
	test_sampled_totals();
	test_published_setting();
	test_rate_one();
	test_calibrate();
	test_ledger(DPEM_ACCOUNTANT_RDP, DPEM_COMPOSE_RDP);
	test_ledger(DPEM_ACCOUNTANT_MA, DPEM_COMPOSE_MA);
	test_overflow();
	test_bad_lines();
	return unit_report();
}
