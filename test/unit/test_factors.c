/*
 * test_factors.c - factor analysis on matrices whose answers are known.
 *
 * Comparisons with random noise use fixed seeds: they always come out the
 * same.
 */
#include "factors_fixture.h"

static DpemStatus
fit(double *covariance, double sd, int iterations, DpemFactors *f, DpemFactorsResult *result)
{
	DpemFactorsRule rule = {.iterations = iterations,.tolerance = iterations > 1000 ? 1e-12 : 0,.sd = sd};
	DpemWorkspace work = workspace(dpem_factors_fit_work(f->d, f->k));
	DpemStatus	status = dpem_factors_fit(&rule, covariance, f, result, work);

	free(work.next);
	return status;
}

/* a covariance that has the form of the model is found again, in the canonical rotation */
static void
test_recovery(Rng *rng, int d, int k)
{
	DpemFactors truth = true_factors(rng, d, k);
	DpemFactors f = make_factors(d, k);
	DpemFactorsResult result;
	double	   *c = numbers(d * d);
	double	   *again = numbers(d * d);

	covariance_of(&truth, c);
	CHECK(fit(c, 0, 200000, &f, &result) == DPEM_OK, "d %d k %d: the fit", d, k);
	covariance_of(&truth, c);
	covariance_of(&f, again);
	CHECK(euclidean_distance(d * d, c, again) < 1e-6,
		  "d %d k %d: covariance off by %g", d, k, euclidean_distance(d * d, c, again));
	for (int a = 0; a < k; a++)
		for (int b = 0; b < a; b++)
		{
			double		sum = 0;

			for (int j = 0; j < d; j++)
				sum += f.loading[a * d + j] * f.loading[b * d + j] / f.noise[j];
			CHECK(fabs(sum) < 1e-8, "d %d: factors %d and %d meet at %g", d, a, b, sum);
		}
}

/* every step raises the likelihood, and variances stay above the floor */
static void
test_monotone(Rng *rng, double sd)
{
	int			d = 12;
	int			k = 3;
	double		before = -INFINITY;
	double		base[144];
	DpemFactors truth = true_factors(rng, d, k);

	covariance_of(&truth, base);
	add_noise(rng, d, sd, base);
	for (int steps = 0; steps < 30; steps++)
	{
		DpemFactors f = make_factors(d, k);
		DpemFactorsResult result;
		double		c[144];

		memcpy(c, base, sizeof(c));
		CHECK(fit(c, sd, steps, &f, &result) == DPEM_OK, "sd %g: %d steps", sd, steps);
		CHECK(result.iterations == steps, "sd %g: %d of %d steps", sd, result.iterations, steps);
		CHECK(result.log_likelihood >= before - 1e-9, "sd %g: step %d falls to %.12g from %.12g", sd, steps,
			  result.log_likelihood, before);
		before = result.log_likelihood;
		for (int j = 0; j < d; j++)
			CHECK(f.noise[j] >= 1e-9 && isfinite(f.noise[j]), "sd %g: noise variance %g", sd, f.noise[j]);
	}
}

/* as many steps as are asked for, where rounding makes the likelihood fall */
static void
test_all_steps(Rng *rng)
{
	DpemFactors truth = true_factors(rng, 6, 2);
	DpemFactors f = make_factors(6, 2);
	DpemFactorsResult result;
	double		c[36];

	covariance_of(&truth, c);
	CHECK(fit(c, 0, 1000, &f, &result) == DPEM_OK && result.iterations == 1000, "%d of 1000 steps", result.iterations);
}

/* the log-likelihood is the mean log-density of rows with that covariance; scores are regressions */
static void
test_scores(Rng *rng)
{
	int			d = 5;
	DpemFactors f = true_factors(rng, d, 2);
	DpemFactorScores scores = {.weight = numbers(2 * d)};
	double		c[25];
	double		factor[25];
	double		packed[15];
	double		log_det;
	double		x[5];
	double		z[2];
	double		distance2 = 0;

	CHECK(dpem_factor_scores(&f, &scores, workspace(dpem_factor_scores_work(d, 2))) == DPEM_OK, "scores");
	covariance_of(&f, c);
	for (int j = 0; j < d; j++)
		x[j] = rng_normal(rng);
	CHECK(dpem_linalg_inverse_cholesky(d, c, packed, &log_det, factor) == DPEM_OK, "covariance");
	for (int i = 0, at = 0; i < d; i++)
	{
		double		v = 0;

		for (int j = 0; j <= i; j++)
			v += packed[at++] * x[j];
		distance2 += v * v;
	}
	CHECK_CLOSE(dpem_factor_transform(&f, &scores, x, z),
				-(d * log(2 * M_PI) + log_det + distance2) / 2, 1e-10, "log-density");
	/* W' Sigma^-1 x */
	CHECK(dpem_linalg_solve(d, c, x, factor) == DPEM_OK, "solve");
	for (int i = 0; i < 2; i++)
	{
		double		expected = 0;

		for (int j = 0; j < d; j++)
			expected += f.loading[i * d + j] * x[j];
		CHECK_CLOSE(z[i], expected, 1e-9, "score %d", i);
	}
}

/* any columns of a point have the density of the normal law of these columns alone */
static void
test_columns(Rng *rng)
{
	enum
	{
		COLUMNS = 5
	};
	DpemFactors f = true_factors(rng, COLUMNS, 2);
	DpemWorkspace work = workspace(dpem_factors_columns_work(2));
	double		all[COLUMNS * COLUMNS];
	double		x[COLUMNS];

	covariance_of(&f, all);
	for (int j = 0; j < COLUMNS; j++)
		x[j] = rng_normal(rng) / 3;
	for (int set = 0; set < 1 << COLUMNS; set++)
	{
		double		apart[COLUMNS];
		double		c[COLUMNS * COLUMNS];
		double		rest[COLUMNS];
		double		expected = 0;
		int			n = 0;

		for (int j = 0; j < COLUMNS; j++)
			apart[j] = set >> j & 1;
		for (int j = 0; j < COLUMNS; j++)
			if (apart[j] == 0)
				rest[n++] = x[j];
		for (int i = 0, at = 0; i < COLUMNS * COLUMNS; i++)
			if (apart[i / COLUMNS] == 0 && apart[i % COLUMNS] == 0)
				c[at++] = all[i];
		CHECK(n == 0 || dpem_linalg_factorise(n, c) == DPEM_OK, "covariance of %d columns", n);
		if (n > 0)
			dpem_linalg_solve_lower(n, c, false, 1, rest);
		for (int i = 0; i < n; i++)
			expected -= log(2 * M_PI) / 2 + log(c[i * n + i]) + rest[i] * rest[i] / 2;
		CHECK_CLOSE(dpem_factors_columns_log_density(&f, apart, x, work), expected, 1e-9, "log-density but for set %d", set);
	}
	free(work.next);
}

/* noise A N A' with a diagonal A moves a model in other units as N moves it in its own */
static void
test_noise_metric(Rng *rng)
{
	enum
	{
		D = 6, K = 2
	};
	DpemFactors f = true_factors(rng, D, K);
	DpemFactors g = make_factors(D, K);
	double		metric[D * D] = {0};
	double		loading_sd[2][K * D];
	double		noise_sd[2][D];
	double		worst = 0;

	for (int j = 0; j < D; j++)
	{
		double		unit = 1 + j;

		metric[j * D + j] = unit * unit;
		g.noise[j] = f.noise[j] * unit * unit;
		for (int r = 0; r < K; r++)
			g.loading[r * D + j] = f.loading[r * D + j] * unit;
	}
	dpem_factors_noise_levels(&f, 1e-4, NULL, loading_sd[0], noise_sd[0], workspace(dpem_factors_noise_work(D, K)));
	dpem_factors_noise_levels(&g, 1e-4, metric, loading_sd[1], noise_sd[1], workspace(dpem_factors_noise_work(D, K)));
	for (int i = 0; i < K * D; i++)
		worst = fmax(worst, fabs(loading_sd[1][i] / (loading_sd[0][i] * (1 + i % D)) - 1));
	for (int j = 0; j < D; j++)
		worst = fmax(worst, fabs(noise_sd[1][j] / (noise_sd[0][j] * (1 + j) * (1 + j)) - 1));
	CHECK(worst < 1e-9, "noise in other units differs by %g", worst);
}

/* first-order noise levels against 2,000 refits with little noise: medians over entries */
static void
test_noise_levels(Rng *rng)
{
	enum
	{
		D = 8, K = 2, RUNS = 2000
	};
	double		sd = 2e-5;
	DpemFactors truth = true_factors(rng, D, K);
	DpemFactors f = make_factors(D, K);
	DpemFactorsResult result;
	double		base[D * D];
	double		c[D * D];
	double		loading_sd[K * D];
	double		noise_sd[D];
	double		sums[2][K * D + D] = {{0}};
	double		log_ratio[2] = {0};

	covariance_of(&truth, base);
	memcpy(c, base, sizeof(c));
	fit(c, 0, 20000, &f, &result);
	dpem_factors_noise_levels(&f, sd, NULL, loading_sd, noise_sd, workspace(dpem_factors_noise_work(D, K)));
	for (int run = 0; run < RUNS; run++)
	{
		DpemFactors g = make_factors(D, K);

		memcpy(c, base, sizeof(c));
		add_noise(rng, D, sd, c);
		fit(c, 0, 3000, &g, &result);
		for (int i = 0; i < K * D + D; i++)
		{
			double		change = i < K * D ? g.loading[i] - f.loading[i] : g.noise[i - K * D] - f.noise[i - K * D];

			sums[0][i] += change;
			sums[1][i] += change * change;
		}
		free(g.loading);
		free(g.noise);
	}
	for (int i = 0; i < K * D + D; i++)
	{
		double		measured = sqrt(sums[1][i] / RUNS - (sums[0][i] / RUNS) * (sums[0][i] / RUNS));
		double		declared = i < K * D ? loading_sd[i] : noise_sd[i - K * D];

		log_ratio[i >= K * D] += log(declared / measured) / (i < K * D ? K * D : D);
		CHECK(declared > 0.4 * measured && declared < 2.5 * measured, "entry %d: declared %g, measured %g", i, declared,
			  measured);
	}
	CHECK(fabs(log_ratio[0]) < 0.25 && fabs(log_ratio[1]) < 0.25, "declared over measured: %g, %g on average",
		  exp(log_ratio[0]), exp(log_ratio[1]));
}

/* rows that are all the same, or none at all, still have a model, with noise levels that are numbers */
static void
test_nothing(void)
{
	double		c[16] = {0};
	DpemFactors f = make_factors(4, 2);
	DpemFactorsResult result;
	double		loading_sd[8];
	double		noise_sd[4];

	CHECK(fit(c, 0, 100, &f, &result) == DPEM_OK && isfinite(result.log_likelihood), "a fit to nothing");
	dpem_factors_noise_levels(&f, 0.1, NULL, loading_sd, noise_sd, workspace(dpem_factors_noise_work(4, 2)));
	for (int i = 0; i < 8; i++)
		CHECK(f.loading[i] == 0 && loading_sd[i] == 0, "loading %g, noise %g", f.loading[i], loading_sd[i]);
	for (int j = 0; j < 4; j++)
		CHECK(f.noise[j] > 0 && isfinite(noise_sd[j]), "noise variance %g, noise %g", f.noise[j], noise_sd[j]);
}

int
main(void)
{
	Rng			rng = {1982};

	test_recovery(&rng, 6, 1);
	test_recovery(&rng, 10, 3);
	test_all_steps(&rng);
	test_monotone(&rng, 0);
	test_monotone(&rng, 1e-3);
	test_monotone(&rng, 1);
	test_scores(&rng);
	test_columns(&rng);
	test_noise_levels(&rng);
	test_noise_metric(&rng);
	test_nothing();
	return unit_report();
}
