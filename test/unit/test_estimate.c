/*
 * test_estimate.c - estimation from released moments.
 */
#include "core/noise/sampler.h"
#include "em_fixture.h"
#include "seeded_source.h"
#include "unit.h"

#define N 20000
#define K 3
#define D 4

static SeededSource seeded;

static double
uniform(void)
{
	return (double) (seeded_word(&seeded) >> 11) * 0x1p-53;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform() + 0x1p-54)) * cos(2 * M_PI * uniform());
}

/* three clusters in [-1, 1]^4 */
static void
make_rows(double *x)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < D; j++)
			x[i * D + j] = 0.4 * cos(2.1 * (i % K) + j) + 0.12 * normal();
}

static void
run_em(const EmData *data, DpemSecondMoment shape, bool map, bool quantise, DpemGmm *gmm)
{
	DpemMomentLayout layout = {K, D, shape};
	DpemGmmRule rule = dpem_gmm_default_rule(D, map);
	DpemGmmHistory history = em_history(&layout);
	double	   *theta = zeros(dpem_kernel_gmm.theta_length(&layout));
	double	   *moments = zeros(dpem_moments_length(&layout));
	DpemWorkspace work = em_workspace(dpem_gmm_maximize_work(K, D) + dpem_gmm_theta_work(D));

	dpem_gmm_start(gmm, 0.3, 0.1);
	for (int pass = 0; pass < 10; pass++)
	{
		DpemNoisyMoments released = {.layout = layout,.value = moments};

		CHECK(dpem_gmm_theta(gmm, theta, work) == DPEM_OK, "pass %d", pass);
		em_pass(data, &layout, theta, quantise, moments);
		dpem_gmm_history_add(&history, &released);
		CHECK(dpem_gmm_maximize(&history, &rule, gmm, work) == DPEM_OK, "pass %d", pass);
	}
	free(work.next);
	free(moments);
	free(theta);
	free(history.total);
	free(history.average.value);
}

static double
largest_difference(const double *a, const double *b, size_t n)
{
	double		worst = 0;

	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(a[i] - b[i]));
	return worst;
}

/* quantising at (18, 13) bits moves ten passes' result by less than 1e-5 of the unit ball */
static void
test_quantising(DpemSecondMoment shape, bool map)
{
	static const double lower[D] = {-1, -1, -1, -1};
	static const double upper[D] = {1, 1, 1, 1};
	double	   *x = zeros((size_t) N * D);
	EmData		data = {N, D, x, {.d = D,.radius = 2,.lower = lower,.upper = upper}};
	DpemGmm		exact = em_create(K, D, shape);
	DpemGmm		rounded = em_create(K, D, shape);

	make_rows(x);
	run_em(&data, shape, map, false, &exact);
	run_em(&data, shape, map, true, &rounded);
	CHECK(largest_difference(exact.weight, rounded.weight, K) < 1e-5, "weights, shape %d", shape);
	CHECK(largest_difference(exact.mean, rounded.mean, K * D) < 1e-5, "means, shape %d", shape);
	CHECK(largest_difference(exact.covariance, rounded.covariance, K * D * D) < 1e-5,
		  "covariances, shape %d", shape);
	CHECK(largest_difference(exact.mean, rounded.mean, K * D) > 0, "quantising did something");
	em_free(&exact);
	em_free(&rounded);
	free(x);
}

static void
check_valid(const DpemGmm *gmm, DpemStatus status, const char *what)
{
	DpemMomentLayout layout = {gmm->k, gmm->d, gmm->shape};
	double	   *theta = zeros(dpem_kernel_gmm.theta_length(&layout));
	DpemWorkspace work = em_workspace(dpem_gmm_theta_work(gmm->d));
	double		sum = 0;
	bool		positive = true;
	bool		finite = true;

	CHECK(status == DPEM_OK, "%s: M-step gives status %d", what, status);
	CHECK(dpem_gmm_theta(gmm, theta, work) == DPEM_OK, "%s: the E-step accepts it", what);
	for (int k = 0; k < gmm->k; k++)
	{
		sum += gmm->weight[k];
		positive &= gmm->weight[k] > 0;
	}
	for (size_t i = 0; i < dpem_kernel_gmm.theta_length(&layout); i++)
		finite &= isfinite(theta[i]) != 0;
	CHECK(positive && fabs(sum - 1) < 1e-9, "%s: weights are a distribution", what);
	CHECK(finite, "%s: all numbers are finite", what);
	free(work.next);
	free(theta);
}

/*
 * However large the noise, what is released becomes a valid mixture: a
 * charge that stands must not end in an error.
 */
static void
test_hopeless_noise(int k, int d, DpemSecondMoment shape, double noise, double rows, double public_rows)
{
	DpemMomentLayout layout = {k, d, shape};
	DpemGmmRule rule = dpem_gmm_default_rule(d, uniform() < 0.5);
	DpemGmmHistory history = em_history(&layout);
	DpemGmm		gmm = em_create(k, d, shape);
	double	   *moments = zeros(dpem_moments_length(&layout));
	DpemWorkspace work = em_workspace(dpem_gmm_maximize_work(k, d));
	char		what[80];

	history.public_rows = public_rows;
	dpem_gmm_start(&gmm, 0.3, 0.1);
	snprintf(what, sizeof(what), "k %d d %d shape %d noise %g rows %g", k, d, shape, noise, rows);
	check_valid(&gmm, DPEM_OK, "start");
	for (int pass = 0; pass < 3; pass++)
	{
		DpemNoisyMoments released = {layout, noise / 0.35, noise / 0.6, noise, moments};

		for (size_t i = 0; i < dpem_moments_length(&layout); i++)
			moments[i] = noise * normal() * 2 + (i % dpem_moments_record(&layout) == 0 ? rows / k : 0);
		dpem_gmm_history_add(&history, &released);
		check_valid(&gmm, dpem_gmm_maximize(&history, &rule, &gmm, work), what);
	}
	free(work.next);
	free(moments);
	em_free(&gmm);
	free(history.total);
	free(history.average.value);
}

int
main(void)
{
	static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};
	static const double noises[] = {1e-9, 1, 30, 1e4, 1e9, 1e20};
	static const double rows[] = {0, 1, 1000, 1e7};

	seeded_init(&seeded, 7);
	for (int s = 0; s < 3; s++)
	{
		test_quantising(shapes[s], true);
		test_quantising(shapes[s], false);
		for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++)
			for (size_t j = 0; j < sizeof(rows) / sizeof(rows[0]); j++)
				for (int k = 1; k <= 9; k += 2)
					for (int d = 1; d <= 5; d += 2)
						test_hopeless_noise(k, d, shapes[s], noises[i], rows[j], j % 2 ? rows[j] : 0);
	}
	return unit_report();
}
