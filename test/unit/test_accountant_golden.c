/*
 * test_accountant_golden.c - privacy arithmetic against golden values.
 *
 * Run from the top of the repository: golden_accountant.pl is called by its
 * path there.
 */
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "golden_entry.h"

#define LINE_SIZE 4096

/* ---- the kinds ---- */

static void
schedule_of(const Golden *golden, DpemEmSchedule *schedule)
{
	schedule->scenario = has_text(golden, "in.scenario", "LLG") ? DPEM_SCENARIO_LLG :
		DPEM_SCENARIO_GGG;
	schedule->iterations = (int) number(golden, "in.J");
	schedule->k = (int) number(golden, "in.K");
	schedule->step_delta = number(golden, "in.delta_i");
}

static const struct Method
{
	const char *name;
	DpemComposition composition;
	DpemEmOptions options;
}			methods[] =
{
	{"lin", DPEM_COMPOSE_LINEAR, {0, false, false}},
	{"adv", DPEM_COMPOSE_ADVANCED, {0, false, false}},
	{"zcdp", DPEM_COMPOSE_ZCDP, {0, false, false}},
	{"zcdp_cks", DPEM_COMPOSE_ZCDP, {0, false, true}},
	{"ma_int", DPEM_COMPOSE_MA, {0, false, false}},
	{"ma_int32", DPEM_COMPOSE_MA, {32, false, false}},
	{"ma_int100", DPEM_COMPOSE_MA, {100, false, false}},
	{"ma_real", DPEM_COMPOSE_MA, {0, true, false}},
	{"gdp_exact", DPEM_COMPOSE_EXACT, {0, false, false}}
};

static const struct Method *
method_of(const Golden *golden)
{
	size_t		i;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (has_text(golden, "in.method", methods[i].name))
			return &methods[i];
	return NULL;
}

static void
check_eps_i(const Golden *golden)
{
	const struct Method *method = method_of(golden);
	double		epsilon = number(golden, "in.eps");
	double		delta = number(golden, "in.delta");
	double		value;
	DpemEmSchedule schedule;
	DpemEmStep	step;
	DpemStatus	status;

	CHECK(method != NULL, "%s", golden->line);
	if (method == NULL)
		return;
	schedule_of(golden, &schedule);
	status = dpem_em_step(&schedule, method->composition, &method->options, epsilon, delta, &step);
	if (has_text(golden, "out.feasible", "0"))
	{
		CHECK(status == DPEM_NO_SOLUTION, "status %d of %s", status, golden->line);
		return;
	}
	CHECK(status == DPEM_OK, "status %d of %s", status, golden->line);
	expect(golden, "out.eps_i", step.epsilon);
	expect(golden, "out.eps_i_below_1", step.classical);
	expect(golden, "out.laplace_b_over_sens", step.laplace_scale);
	expect(golden, "out.sigma_over_sens_gauss", step.sigma);
	expect(golden, "out.lam", step.order);
	if (method->composition == DPEM_COMPOSE_EXACT)
		expect(golden, "out.mu", CALL(value, dpem_gdp_mu(epsilon, delta, &value)));

	/* what was allowed is affordable, and hardly anything is left */
	CALL(value, dpem_em_total(&schedule, method->composition, &method->options, step.epsilon,
							  delta, &value, NULL));
	CHECK(value <= epsilon * (1 + 1e-14) && value >= epsilon * (1 - 1e-10), "%.17g of %s", value,
		  golden->line);
}

static void
expect_total(const Golden *golden, const char *name, DpemComposition composition, bool tight)
{
	DpemEmOptions options = {0, false, tight};
	DpemEmSchedule schedule;
	double		value;
	DpemStatus	status;

	schedule_of(golden, &schedule);
	status = dpem_em_total(&schedule, composition, &options, number(golden, "in.eps_i"),
						   number(golden, "in.delta"), &value, NULL);
	if (!is_null(golden, name))
		expect(golden, name, good(status, value));
	else if (composition != DPEM_COMPOSE_EXACT)
		CHECK(status == DPEM_NO_SOLUTION, "%s of %s", name, golden->line);
	else
		CHECK(status == DPEM_OK && value > 0, "Laplace releases as mu in %s", golden->line);
}

static void
check_total(const Golden *golden)
{
	double		step = number(golden, "in.eps_i");
	double		value;
	DpemEmSchedule schedule;

	schedule_of(golden, &schedule);
	expect(golden, "out.lin_delta", CALL(value, dpem_em_linear_delta(&schedule, &value)));
	/* linear epsilon is stated beside its own delta, which may be more than the entry's */
	CALL(value, dpem_em_total(&schedule, DPEM_COMPOSE_LINEAR, NULL, step, 0.5, &value, NULL));
	expect(golden, "out.lin_eps", value);
	expect_total(golden, "out.adv_eps", DPEM_COMPOSE_ADVANCED, false);
	expect_total(golden, "out.zcdp_eps", DPEM_COMPOSE_ZCDP, false);
	expect_total(golden, "out.zcdp_eps_cks", DPEM_COMPOSE_ZCDP, true);
	expect_total(golden, "out.gdp_eps", DPEM_COMPOSE_EXACT, false);
}

static void
check_zcdp_to_dp(const Golden *golden)
{
	double		rho = number(golden, "in.rho");
	double		delta = number(golden, "in.delta");
	double		value;

	expect(golden, "out.eps_basic", CALL(value, dpem_zcdp_epsilon(rho, delta, false, &value)));
	expect(golden, "out.eps_cks", CALL(value, dpem_zcdp_epsilon(rho, delta, true, &value)));
}

static void
check_zcdp_delta(const Golden *golden)
{
	double		rho = number(golden, "in.rho");
	double		epsilon = number(golden, "in.eps");
	double		value;

	expect(golden, "out.delta_basic", CALL(value, dpem_zcdp_delta(rho, epsilon, false, &value)));
	expect(golden, "out.delta_cks", CALL(value, dpem_zcdp_delta(rho, epsilon, true, &value)));
}

static void
check_dp_to_budget(const Golden *golden)
{
	double		epsilon = number(golden, "in.eps");
	double		delta = number(golden, "in.delta");
	double		sigma = sqrt(2 * log(1.25 / delta)) / epsilon;
	double		value;

	expect(golden, "out.mu_exact", CALL(value, dpem_gdp_mu(epsilon, delta, &value)));
	expect(golden, "out.analytic_sigma_sens1",
		   CALL(value, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, epsilon, delta, 1, &value)));
	expect(golden, "out.classical_sigma_sens1", sigma);
	expect(golden, "out.classical_true_delta", CALL(value, dpem_gdp_delta(1 / sigma, epsilon, &value)));
	expect(golden, "out.rho_basic", CALL(value, dpem_zcdp_rho(epsilon, delta, false, &value)));
	expect(golden, "out.rho_cks", CALL(value, dpem_zcdp_rho(epsilon, delta, true, &value)));
}

static void
check_gdp_delta(const Golden *golden)
{
	double		value;

	expect(golden, "out.delta", CALL(value, dpem_gdp_delta(number(golden, "in.mu"),
														   number(golden, "in.eps"), &value)));
}

static void
check_gdp_eps(const Golden *golden)
{
	double		value;

	expect(golden, "out.eps", CALL(value, dpem_gdp_epsilon(number(golden, "in.mu"),
														   number(golden, "in.delta"), &value)));
}

static void
check_alpha_laplace(const Golden *golden)
{
	double		value;

	expect(golden, "out.alpha",
		   CALL(value, dpem_log_moment_laplace(number(golden, "in.lam"), number(golden, "in.eps_i"), &value)));
}

static void
check_rdp_poisson_gauss(const Golden *golden)
{
	double		value;

	expect(golden, "out.rdp",
		   CALL(value, dpem_rdp_poisson_gaussian(number(golden, "in.q"), number(golden, "in.sigma"),
												 number(golden, "in.alpha"), &value)));
}

static void
check_rdp_wor_thm9(const Golden *golden)
{
	double		value;

	expect(golden, "out.rdp",
		   CALL(value, dpem_rdp_without_replacement_gaussian(number(golden, "in.q"),
															 number(golden, "in.sigma"),
															 number(golden, "in.alpha"), &value)));
}

typedef DpemStatus (*Subsampled) (double q, double z, double alpha, double *rdp);

static void
expect_curve(const Golden *golden, Subsampled curve, const char *basic, const char *tight,
			 const char *order)
{
	double		alpha[63];
	double		rdp[63];
	double		delta = number(golden, "in.delta");
	double		value;
	int			best = 0;
	int			i;

	for (i = 0; i < 63; i++)
	{
		alpha[i] = i + 2;
		CALL(rdp[i], curve(number(golden, "in.q"), number(golden, "in.sigma"), alpha[i], &rdp[i]));
		rdp[i] *= number(golden, "in.T");
	}
	expect(golden, basic, CALL(value, dpem_rdp_epsilon(alpha, rdp, 63, delta, false, &value, NULL)));
	expect(golden, tight, CALL(value, dpem_rdp_epsilon(alpha, rdp, 63, delta, true, &value, &best)));
	expect(golden, order, alpha[best]);
}

static void
check_rdp_total(const Golden *golden)
{
	CHECK(has_text(golden, "in.orders", "2..64"), "%s", golden->line);
	expect_curve(golden, dpem_rdp_poisson_gaussian, "out.poisson_eps_basic", "out.poisson_eps_cks",
				 "out.poisson_order_cks");
	expect_curve(golden, dpem_rdp_without_replacement_gaussian, "out.wor_eps_basic",
				 "out.wor_eps_cks", "out.wor_order_cks");
}

static void
check_joint_sens_sq(const Golden *golden)
{
	expect(golden, "out.delta2",
		   dpem_joint_sensitivity2((int) number(golden, "in.K"), number(golden, "in.w0"),
								   number(golden, "in.w1"), number(golden, "in.w2"),
								   has_text(golden, "in.adjacency", "replace")));
}

/* 'equal': the same weights; 'sqrtdim': the fourth root of a part's dimension; then S = 1 */
static void
check_joint_sigma(const Golden *golden)
{
	double		d = number(golden, "in.d");
	bool		by_dimension = has_text(golden, "in.alloc", "sqrtdim");
	double		a = 1;
	double		b = by_dimension ? pow(d, 0.25) : 1;
	double		c = by_dimension ? pow(d * (d + 1) / 2, 0.25) : 1;
	double		norm = sqrt(a * a + b * b + c * c);
	double		z;

	CALL(z, dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, number(golden, "in.eps"),
											number(golden, "in.delta"), (int) number(golden, "in.J"), &z));
	expect(golden, "out.mu_iter", 1 / z);
	expect(golden, "out.delta2_unit",
		   dpem_joint_sensitivity2(3, a / norm, b / norm, c / norm, has_text(golden, "in.adjacency", "replace")));
}

static const struct Kind
{
	const char *name;
	void		(*check) (const Golden *golden);
}			kinds[] =
{
	{"eps_i", check_eps_i},
	{"total", check_total},
	{"zcdp_to_dp", check_zcdp_to_dp},
	{"zcdp_delta", check_zcdp_delta},
	{"dp_to_budget", check_dp_to_budget},
	{"gdp_delta", check_gdp_delta},
	{"gdp_eps", check_gdp_eps},
	{"alpha_laplace", check_alpha_laplace},
	{"rdp_poisson_gauss", check_rdp_poisson_gauss},
	{"rdp_wor_thm9", check_rdp_wor_thm9},
	{"rdp_total", check_rdp_total},
	{"joint_sens_sq", check_joint_sens_sq},
	{"joint_sigma", check_joint_sigma}
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void
check_golden_line(const char *line, int entries[KINDS])
{
	Golden		golden = {.line = line};
	size_t		i;

	if (sscanf(line, "%31s %lf", golden.kind, &golden.tolerance) != 2)
	{
		CHECK(false, "unreadable line %s", line);
		return;
	}
	for (i = 0; i < KINDS; i++)
		if (strcmp(golden.kind, kinds[i].name) == 0)
		{
			entries[i]++;
			kinds[i].check(&golden);
			return;
		}
	CHECK(false, "unknown kind %s", golden.kind);
}

static void
test_golden(void)
{
	static char line[LINE_SIZE];
	int			entries[KINDS] = {0};
	FILE	   *pipe = popen("perl test/unit/golden_accountant.pl", "r");

	while (pipe != NULL && fgets(line, sizeof(line), pipe) != NULL)
		check_golden_line(line, entries);
	CHECK(pipe != NULL && pclose(pipe) == 0, "golden_accountant.pl");
	for (size_t i = 0; i < KINDS; i++)
		CHECK(entries[i] > 0, "golden values of %s", kinds[i].name);
}

int
main(void)
{
	test_golden();
	return unit_report();
}
