/*
 * test_paper.c - the papers' mechanisms: M-step, costs and the first version's
 * noise (docs/proofs.md, 8).
 */
#include "core/accounting/fit_cost.h"
#include "core/gmm/gmm_paper.h"
#include "core/gmm/nominal_noise.h"
#include "core/numeric/linalg.h"
#include "core/pass/features.h"
#include "em_fixture.h"
#include "seeded_source.h"
#include "unit.h"

#define MAX_D 5
#define MAX_NUMBERS (MAX_D * MAX_D)

static SeededSource seeded;

static double
uniform(void)
{
	return (double) (seeded_word(&seeded) >> 11) * 0x1p-53;
}

/* ---- the M-step ---- */

static void
random_moments(DpemNoisyMoments *m, double noise)
{
	size_t		record = dpem_moments_record(&m->layout);

	for (int k = 0; k < m->layout.k; k++)
	{
		double	   *value = m->value + k * record;

		value[0] = 50 + 500 * uniform();
		for (int j = 0; j < m->layout.d; j++)
			value[1 + j] = value[0] * 0.2 * (2 * uniform() - 1);
		for (size_t i = 1 + m->layout.d; i < record; i++)
			value[i] = value[0] * 0.3 * uniform();
		for (size_t i = 0; i < record; i++)
			value[i] += noise * (2 * uniform() - 1);
	}
}

static double
difference(const double *a, const double *b, size_t n)
{
	double		worst = 0;

	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(a[i] - b[i]));
	return worst;
}

/* without noise both M-steps are the textbook's */
static void
test_plain_m_step(int k, int d, DpemSecondMoment shape, bool map)
{
	DpemMomentLayout layout = {k, d, shape};
	DpemGmmRule rule = dpem_gmm_default_rule(d, map);
	DpemGmmHistory history = em_history(&layout);
	DpemNoisyMoments m = {.layout = layout,.value = zeros(dpem_moments_length(&layout))};
	DpemGmm		plain = em_create(k, d, shape);
	DpemGmm		joint = em_create(k, d, shape);
	DpemWorkspace work = em_workspace(dpem_gmm_maximize_work(k, d) + dpem_gmm_paper_work(d));

	random_moments(&m, 0);
	dpem_gmm_history_add(&history, &m);
	CHECK(dpem_gmm_maximize(&history, &rule, &joint, work) == DPEM_OK, "joint");
	CHECK(dpem_gmm_paper_maximize(&m, &rule, &plain, work) == DPEM_OK, "plain");
	CHECK(difference(plain.weight, joint.weight, k) < 1e-12, "weights k %d d %d shape %d map %d", k, d, shape, map);
	CHECK(difference(plain.mean, joint.mean, (size_t) k * d) < 1e-12, "means k %d d %d shape %d map %d", k, d, shape, map);
	CHECK(difference(plain.covariance, joint.covariance, (size_t) k * d * d) < 1e-12,
		  "covariances k %d d %d shape %d map %d", k, d, shape, map);
	em_free(&plain);
	em_free(&joint);
	free(work.next);
	free(m.value);
	free(history.total);
	free(history.average.value);
}

/* however large the noise, the next E-step accepts the result: a charge must not end in an error */
static void
test_hopeless_noise(int k, int d, DpemSecondMoment shape, double noise)
{
	DpemMomentLayout layout = {k, d, shape};
	DpemGmmRule rule = dpem_gmm_default_rule(d, uniform() < 0.5);
	DpemNoisyMoments m = {layout, noise, noise, noise, zeros(dpem_moments_length(&layout))};
	DpemGmm		gmm = em_create(k, d, shape);
	double	   *theta = zeros(dpem_kernel_gmm.theta_length(&layout));
	DpemWorkspace work = em_workspace(dpem_gmm_paper_work(d) + dpem_gmm_theta_work(d));
	double		sum = 0;
	bool		fine = true;

	random_moments(&m, noise);
	CHECK(dpem_gmm_paper_maximize(&m, &rule, &gmm, work) == DPEM_OK, "noise %g", noise);
	CHECK(dpem_gmm_theta(&gmm, theta, work) == DPEM_OK, "noise %g: the E-step accepts it", noise);
	for (int i = 0; i < k; i++)
	{
		fine &= gmm.weight[i] > 0;
		sum += gmm.weight[i];
	}
	for (size_t i = 0; i < dpem_kernel_gmm.theta_length(&layout); i++)
		fine &= isfinite(theta[i]) != 0;
	CHECK(fine && fabs(sum - 1) < 1e-9, "k %d d %d shape %d noise %g: a valid mixture", k, d, shape, noise);
	em_free(&gmm);
	free(m.value);
	free(theta);
	free(work.next);
}

/* a component that lost its rows: the released count is floored at the noise, in every place */
static void
test_floor(void)
{
	double		value[] = {-40, 5, 2, 500, 10, 100};
	DpemNoisyMoments m = {{2, 1, DPEM_SECOND_FULL}, 10, 1, 1, value};
	DpemGmmRule rule = dpem_gmm_default_rule(1, false);
	DpemGmm		gmm = em_create(2, 1, DPEM_SECOND_FULL);
	DpemWorkspace work = em_workspace(dpem_gmm_paper_work(1));

	CHECK(dpem_gmm_paper_rows(&m) == 510, "rows");
	CHECK(dpem_gmm_paper_maximize(&m, &rule, &gmm, work) == DPEM_OK, "M-step");
	CHECK_CLOSE(gmm.weight[0], 10.0 / 510, 1e-15, "weight");
	CHECK_CLOSE(gmm.mean[0], 0.5, 1e-15, "mean");
	CHECK_CLOSE(gmm.covariance[0], rule.floor, 1e-15, "0.2 - 0.25, floored");
	CHECK_CLOSE(gmm.covariance[1], 0.2 - 0.0004, 1e-12, "covariance");
	em_free(&gmm);
	free(work.next);
}

/* ---- costs ---- */

/* the lines of a schedule cost what the schedule does */
static void
test_schedule_cost(DpemScenario scenario, DpemComposition composition, double epsilon, int j, int k)
{
	double		delta = 1e-4;
	DpemEmSchedule schedule = {scenario, j, k, 1e-8};
	DpemEmStep	step;
	double		total;
	DpemCostLine lines[2];

	CHECK(dpem_em_step(&schedule, composition, NULL, epsilon, delta, &step) == DPEM_OK, "step");
	lines[0] = scenario == DPEM_SCENARIO_LLG ? dpem_cost_line(DPEM_COST_LAPLACE, step.laplace_scale, j * (k + 1.0))
	: dpem_cost_line(DPEM_COST_GAUSSIAN, step.sigma, j * (k + 1.0));
	lines[1] = dpem_cost_line(DPEM_COST_GAUSSIAN, step.sigma, (double) j * k);
	CHECK(dpem_cost_epsilon(lines, 2, composition, delta, 1e-8, &total) == DPEM_OK,
		  "%s", dpem_composition_name(composition));
	CHECK_CLOSE(total, epsilon, 1e-9, "scenario %d %s epsilon %g J %d K %d", scenario,
				dpem_composition_name(composition), epsilon, j, k);
}

static void
test_costs(void)
{
	DpemCostLine lines[] = {dpem_cost_line(DPEM_COST_GAUSSIAN, 4, 10), dpem_cost_line(DPEM_COST_LAPLACE, 2, 3)};
	double		pure;
	double		epsilon;
	double		mean;
	double		tau;

	for (int c = DPEM_COMPOSE_EXACT; c <= DPEM_COMPOSE_LINEAR; c++)
	{
		test_schedule_cost(DPEM_SCENARIO_GGG, c, 1, 10, 3);
		test_schedule_cost(DPEM_SCENARIO_LLG, c, 1, 10, 3);
		test_schedule_cost(DPEM_SCENARIO_GGG, c, 0.1, 3, 1);
		test_schedule_cost(DPEM_SCENARIO_LLG, c, 4, 20, 5);
	}
	(void) dpem_gdp_from_pure(0.5, &pure);
	CHECK_CLOSE(dpem_cost_mu2(lines, 2), 10.0 / 16 + 3 * pure * pure, 1e-12, "mu squared");
	CHECK_CLOSE(dpem_cost_rho(lines, 2), 5.0 / 16 + 3 * 0.125, 1e-12, "rho");
	dpem_cost_concentrated(lines, 2, &mean, &tau);
	CHECK_CLOSE(mean, 5.0 / 16 + 3 * 0.5 * expm1(0.5) / 2, 1e-12, "mean");
	CHECK_CLOSE(tau, sqrt(10.0 / 16 + 0.75), 1e-12, "tau");
	CHECK(dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_LINEAR, 1e-4, 1e-8, &epsilon) == DPEM_NO_SOLUTION && isnan(epsilon),
		  "a release of epsilon above 1 has no classical theorem");
	CHECK(dpem_cost_epsilon(lines, 2, DPEM_COMPOSE_EXACT, 1e-4, 0, &epsilon) == DPEM_OK, "but a cost");
	lines[0].noise_multiplier = 40;
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_LINEAR, 1e-4, 1e-5, &epsilon) == DPEM_OK, "all of delta");
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_ADVANCED, 1e-4, 1e-5, &epsilon) == DPEM_NO_SOLUTION, "no slack");
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_LINEAR, 1e-4, 1.1e-5, &epsilon) == DPEM_NO_SOLUTION, "too much");
	lines[0].noise_multiplier = NAN;
	CHECK(dpem_cost_epsilon(lines, 1, DPEM_COMPOSE_EXACT, 1e-4, 0, &epsilon) == DPEM_BAD_ARGUMENT, "NaN");
}

/* the multiplier that a budget buys is enough, and hardly more than enough */
static void
test_laplace_multiplier(double epsilon, double delta, double releases)
{
	double		z;

	for (int c = DPEM_COMPOSE_EXACT; c <= DPEM_COMPOSE_LINEAR; c++)
	{
		const char *name = dpem_composition_name(c);
		DpemCostLine line = dpem_cost_line(DPEM_COST_LAPLACE, 0, releases);
		double		cost;

		CHECK(dpem_cost_multiplier(DPEM_COST_LAPLACE, c, epsilon, delta, releases, &z) == DPEM_OK, "%s %g %g", name, epsilon, releases);
		line.noise_multiplier = z;
		(void) dpem_cost_epsilon(&line, 1, c, delta, 0, &cost);
		CHECK(cost <= epsilon, "%s: %g releases cost %.17g of %g", name, releases, cost, epsilon);
		line.noise_multiplier = z * (1 - 3e-9);
		(void) dpem_cost_epsilon(&line, 1, c, delta, 0, &cost);
		CHECK(!(cost <= epsilon), "%s: less noise would cost %.17g of %g", name, cost, epsilon);
		if (c == DPEM_COMPOSE_LINEAR)
			CHECK_CLOSE(z, releases / epsilon, 2e-9, "linear");
	}
	CHECK(dpem_cost_multiplier(DPEM_COST_LAPLACE, DPEM_COMPOSE_EXACT, NAN, delta, releases, &z) == DPEM_BAD_ARGUMENT && isnan(z), "NaN");
	CHECK(dpem_cost_multiplier(DPEM_COST_LAPLACE, DPEM_COMPOSE_EXACT, epsilon, delta, 0, &z) == DPEM_BAD_ARGUMENT && isnan(z), "none");
}

/* ---- the first version's noise ---- */

#define DRAWS 20000

/*
 * Per entry 20,000 draws: the mean is within 6 standard errors (2e-9), the
 * standard deviation within 8 % (more than 6 standard errors of a Gamma law's).
 */
static void
test_nominal(const char *name, DpemSecondMoment shape, int d)
{
	const DpemPaperMechanism *mechanism = dpem_paper_mechanism(name);
	const double scale[] = {3, 5, 2};
	DpemMomentLayout layout = {1, d, shape};
	DpemNoiseKind kind = mechanism->noise[DPEM_PAPER_COVARIANCES];
	size_t		record = dpem_moments_record(&layout);
	double		value[1 + MAX_D + MAX_NUMBERS];
	double		sum[1 + MAX_D + MAX_NUMBERS] = {0};
	double		square[1 + MAX_D + MAX_NUMBERS] = {0};
	double		work[MAX_D * (MAX_D + 1)];
	double		least = 0;
	int			failed = 0;
	DpemNoisyMoments m = {.layout = layout,.value = value};
	DpemSampler sampler;

	dpem_sampler_init(&sampler, &seeded.source);
	for (int n = 0; n < DRAWS; n++)
	{
		memset(value, 0, sizeof(value));
		failed += dpem_nominal_noise(&m, mechanism->noise, scale, &sampler, work) != DPEM_OK;
		for (size_t i = 0; i < record; i++)
		{
			sum[i] += value[i];
			square[i] += value[i] * value[i];
		}
		least = fmin(least, value[1 + d]);
		if (kind == DPEM_NOISE_ONE_SIDED && shape == DPEM_SECOND_FULL && d == 2)
			least = fmin(least, value[3] * value[5] - value[4] * value[4]);
	}
	for (size_t i = 0; i < record; i++)
	{
		size_t		at = i - 1 - d;
		bool		packed = i > (size_t) d && shape == DPEM_SECOND_FULL;
		bool		diagonal = !packed || at == 0 || at == 2 || at == 5;
		DpemPaperStatistic s = i == 0 ? DPEM_PAPER_WEIGHTS : i <= (size_t) d ? DPEM_PAPER_MEANS : DPEM_PAPER_COVARIANCES;
		double		sd = dpem_noise_deviation(mechanism->noise[s], &layout, 1, scale[s]) / (diagonal ? 1 : M_SQRT2);
		double		expected = s != DPEM_PAPER_COVARIANCES || kind != DPEM_NOISE_ONE_SIDED || !diagonal ? 0
			: packed ? (d + 1) * scale[s] / 2 : scale[s];
		double		mean = sum[i] / DRAWS;

		CHECK(fabs(mean - expected) < 6 * sd / sqrt(DRAWS), "%s shape %d entry %zu: mean %g", name, shape, i, mean);
		CHECK_CLOSE(sqrt(square[i] / DRAWS - mean * mean), sd, 0.08, "%s shape %d entry %zu", name, shape, i);
	}
	CHECK(failed == 0, "%s shape %d: %d draws failed", name, shape, failed);
	CHECK((least >= 0) == (kind == DPEM_NOISE_ONE_SIDED), "%s shape %d: sides, least %g", name, shape, least);
}

int
main(void)
{
	static const double noise[] = {1, 1e3, 1e6, 1e12};

	seeded_init(&seeded, 20170420);
	for (int shape = DPEM_SECOND_NORM; shape <= DPEM_SECOND_FULL; shape++)
		for (int map = 0; map < 2; map++)
		{
			test_plain_m_step(1, 1, shape, map);
			test_plain_m_step(3, 4, shape, map);
		}
	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++)
		for (int shape = DPEM_SECOND_NORM; shape <= DPEM_SECOND_FULL; shape++)
			for (int k = 1; k <= 5; k += 2)
				test_hopeless_noise(k, 4, shape, noise[i]);
	test_floor();
	test_costs();
	for (int n = 1; n <= 1000; n *= 10)
	{
		test_laplace_multiplier(1, 1e-6, n);
		test_laplace_multiplier(0.01, 1e-4, n);
		test_laplace_multiplier(8, 1e-9, n);
	}
	for (int d = 1; d <= 3; d++)
		for (int shape = DPEM_SECOND_NORM; shape <= DPEM_SECOND_FULL; shape++)
		{
			test_nominal("lll", shape, d);
			test_nominal("ggg", shape, d);
		}
	CHECK(dpem_paper_mechanism("joint") == NULL && dpem_paper_mechanism("GGG") == NULL, "names");
	return unit_report();
}
