/*
 * test_pca.c - principal components, the cleaning of noisy covariances and what
 * they are made of, on matrices whose answers are known.
 *
 * Comparisons with random noise use fixed seeds: they always come out the
 * same.
 */
#include "core/gmm/total_covariance.h"
#include "core/numeric/spectrum.h"
#include "factors_fixture.h"

/* cleaning takes a noisy matrix closer to the truth, and says how far its axes are turned */
static void
test_cleaning(Rng *rng, int d, double relative)
{
	double	   *truth = numbers(d * d);
	double	   *noisy = numbers(d * d);
	double	   *vector = numbers(d * d);
	double	   *top = numbers(d * d);
	double	   *scratch = numbers(d * d);
	double	   *value = numbers(d);
	double	   *clean = numbers(d);
	double	   *work = numbers(dpem_linalg_spectrum_work(d));
	double		raw = 0;
	double		cleaned = 0;
	double		cosine = 0;
	double		expected = 0;
	double		sd = relative / d;

	for (int run = 0; run < 20; run++)
	{
		double		dot = 0;

		memset(truth, 0, d * d * sizeof(double));
		for (int j = 0; j < d; j++)
			truth[j * d + j] = j == 0 ? 1 : 0.5 * (j < 4) + 0.05;
		memcpy(noisy, truth, d * d * sizeof(double));
		add_noise(rng, d, sd, noisy);
		raw += euclidean_distance(d * d, noisy, truth);
		memcpy(scratch, noisy, d * d * sizeof(double));
		CHECK(dpem_linalg_eigen_top(d, d, scratch, value, vector, work) == DPEM_OK, "eigenvectors");
		dpem_spectrum_clean(d, sd, value, clean);
		for (int i = 1; i < d; i++)
			CHECK(clean[i] <= clean[i - 1], "cleaned values in order");
		dpem_linalg_rebuild(d, vector, clean, top, scratch);
		cleaned += euclidean_distance(d * d, top, truth);
		dot = vector[0];
		cosine += dot * dot;
		expected += dpem_spectrum_alignment(d, sd, value, 0);
	}
	CHECK(cleaned < 0.95 * raw, "d %d noise %g: %g away, %g before", d, relative, cleaned / 20, raw / 20);
	CHECK(fabs(cosine - expected) < 0.1 * 20, "d %d noise %g: squared cosine %g, expected %g", d, relative, cosine / 20,
		  expected / 20);
	dpem_spectrum_clean(d, 0, value, clean);
	CHECK(euclidean_distance(d, value, clean) == 0 && dpem_spectrum_alignment(d, 0, value, 1) == 1, "nothing to clean");
}

/* both algorithms find the axes of a known matrix */
static void
test_pca(Rng *rng, int d, int k)
{
	double	   *axes = numbers(d * d);
	double	   *c = numbers(d * d);
	double	   *copy = numbers(d * d);
	double	   *value = numbers(d);
	double	   *product = numbers(k * d);
	DpemPca		direct = make_pca(d, k);
	DpemPca		power = make_pca(d, k);

	for (int i = 0; i < d * d; i++)
		axes[i] = rng_normal(rng);
	dpem_pca_orthonormalize(d, d, axes);
	for (int i = 0; i < d; i++)
		value[i] = pow(0.5, i);
	dpem_linalg_rebuild(d, axes, value, c, copy);
	memcpy(copy, c, d * d * sizeof(double));
	CHECK(dpem_pca_analyze(copy, 0, &direct, workspace(dpem_pca_analyze_work(d))) == DPEM_OK, "analyze");
	dpem_pca_start(k, d, power.direction);
	for (int step = 0; step < 60; step++)
	{
		dpem_linalg_product_nt(k, d, d, power.direction, d, c, d, product, d);
		CHECK(dpem_pca_power(product, 0, &power, workspace(dpem_pca_power_work(d, k))) == DPEM_OK, "power");
	}
	for (int i = 0; i < k; i++)
	{
		dpem_linalg_make_largest_positive(d, axes + i * d);
		CHECK(fabs(direct.variance[i] - value[i]) < 1e-12 && euclidean_distance(d, direct.direction + i * d, axes + i * d) < 1e-10,
			  "d %d: axis %d", d, i);
		CHECK(fabs(power.variance[i] - value[i]) < 1e-9 && euclidean_distance(d, power.direction + i * d, axes + i * d) < 1e-7,
			  "d %d: power, axis %d: %g", d, i, euclidean_distance(d, power.direction + i * d, axes + i * d));
		CHECK(direct.alignment[i] == 1 && power.alignment[i] == 1, "no noise, no angle");
	}
}

/* variances and their total are released with noise of their own: shares of noise alone stay shares */
static void
test_shares(Rng *rng)
{
	enum
	{
		D = 256, K = 20
	};
	double		sd = 3e-3;		/* of 400 rows at epsilon 4, and more */
	double		share[K];

	for (int run = 0; run < 5; run++, sd *= 3)
	{
		DpemPca		pca = make_pca(D, K);
		double	   *c = numbers(D * D);
		double		total = 0;
		double		sum = 0;

		memset(c, 0, D * D * sizeof(double));
		for (int j = 0; j < D; j++)
			c[j * D + j] = 0.2 / D;
		add_noise(rng, D, sd, c);
		for (int j = 0; j < D; j++)
			total += c[j * D + j];
		CHECK(dpem_pca_analyze(c, sd, &pca, workspace(dpem_pca_analyze_work(D))) == DPEM_OK, "noise %g", sd);
		dpem_pca_shares(&pca, fmin(fmax(total, 0), 1), sd * sqrt(D), share);
		for (int i = 0; i < K; i++)
		{
			CHECK(share[i] >= 0 && (i == 0 || share[i] <= share[i - 1]), "noise %g: share %d is %g", sd, i, share[i]);
			sum += share[i];
		}
		CHECK(sum <= 1 + 1e-12, "noise %g: shares add up to %g", sd, sum);
	}
}

/* of noise alone components claim no more than the released total, as a rule, and little of what there may be; what stands out is not less for it */
static void
test_claims(Rng *rng)
{
	enum
	{
		D = 12, K = 3, RUNS = 400
	};
	double		sd = 0.01;
	double		claimed = 0;
	double		spiked = 0;
	int			more = 0;

	for (int run = 0; run < 2 * RUNS; run++)
	{
		DpemPca		pca = make_pca(D, K);
		bool		spike = run >= RUNS;
		double	   *c = numbers(D * D);
		double		share[K];
		double		total = 0;
		double		sum = 0;

		memset(c, 0, D * D * sizeof(double));
		c[0] = spike ? 20 * sd : 0;
		add_noise(rng, D, sd, c);
		for (int j = 0; j < D; j++)
			total += c[j * D + j];
		CHECK(dpem_pca_analyze(c, sd, &pca, workspace(dpem_pca_analyze_work(D))) == DPEM_OK, "run %d", run);
		dpem_pca_shares(&pca, fmin(fmax(total, 0), 1), sd * sqrt(D), share);
		for (int i = 0; i < K; i++)
			sum += pca.variance[i];
		if (spike)
			spiked += pca.variance[0] / (20 * sd) / RUNS;
		else
		{
			claimed += (share[0] + share[1] + share[2]) / RUNS;
			more += sum > fmax(total, 0) + 1e-12;
		}
	}
	CHECK(claimed < 0.3, "of noise %g is claimed to be explained", claimed);
	CHECK(more < RUNS / 25, "of %d matrices of noise %d have components of more than the total", RUNS, more);
	CHECK(fabs(spiked - 1) < 0.02, "a component that stands out has %g of its variance", spiked);
}

/* without noise parts of the total, and of nothing none */
static void
test_exact_shares(void)
{
	double		variance[] = {0.3, 0.1};
	double		share[2];
	DpemPca		pca = {.k = 2,.variance = variance};

	dpem_pca_shares(&pca, 0.5, 0, share);
	CHECK(share[0] == 0.3 / 0.5 && share[1] == 0.1 / 0.5, "shares %g and %g", share[0], share[1]);
	variance[0] = variance[1] = 0;
	dpem_pca_shares(&pca, 0, 0, share);
	CHECK(share[0] == 0 && share[1] == 0, "shares of nothing: %g and %g", share[0], share[1]);
	dpem_pca_shares(&pca, -1, 0.2, share);
	CHECK(share[0] == 0 && share[1] == 0, "shares of less than nothing: %g and %g", share[0], share[1]);
}

/* rows that depend on each other still give an orthonormal basis */
static void
test_orthonormalize(Rng *rng)
{
	double		rows[5 * 6];

	for (int i = 0; i < 30; i++)
		rows[i] = rng_normal(rng);
	memset(rows, 0, 6 * sizeof(double));
	for (int j = 0; j < 6; j++)
		rows[3 * 6 + j] = rows[1 * 6 + j] - 2 * rows[2 * 6 + j];
	dpem_pca_orthonormalize(5, 6, rows);
	for (int a = 0; a < 5; a++)
		for (int b = 0; b <= a; b++)
		{
			double		sum = 0;

			for (int j = 0; j < 6; j++)
				sum += rows[a * 6 + j] * rows[b * 6 + j];
			CHECK(fabs(sum - (a == b)) < 1e-14, "rows %d and %d: %g", a, b, sum);
		}
}

/* one component, full second moments: mean and covariance of the rows */
static void
test_total(void)
{
	double		value[1 + 2 + 3] = {4, 2, -1, 3, 0.5, 2};
	DpemNoisyMoments m = {.layout = {1, 2, DPEM_SECOND_FULL},.value = value};
	double		mean[2];
	double		c[4];
	DpemTotal	total = dpem_total_covariance(&m, 0, true, mean, c);

	CHECK(total.rows == 4 && mean[0] == 0.5 && mean[1] == -0.25, "mean");
	CHECK(c[0] == 0.5 && c[1] == 0.25 && c[2] == 0.25 && c[3] == 0.4375, "covariance");
	(void) dpem_total_covariance(&m, 0, false, mean, c);
	CHECK(mean[0] == 0 && c[0] == 0.75 && c[1] == 0.125, "second moment");
}

/* the ball takes in 2.5 root mean square distances, and never more than there is */
static void
test_ball(void)
{
	double		value[1 + 2 + 1] = {100, 30, -40, 26};
	DpemNoisyMoments m = {.layout = {1, 2, DPEM_SECOND_NORM},.value = value};
	double		center[2];

	/* mean (0.3, -0.4), mean square 0.26, hence 0.01 about the mean */
	CHECK_CLOSE(dpem_total_ball(&m, 0, true, 2, INFINITY, center), 2 * 2.5 * 0.1, 1e-12, "about the mean");
	CHECK(fabs(center[0] - 0.6) < 1e-15 && fabs(center[1] + 0.8) < 1e-15, "center in box coordinates");
	CHECK_CLOSE(dpem_total_ball(&m, 0, false, 2, INFINITY, center), 2, 1e-12, "about the origin: not beyond the ball");
	CHECK(center[0] == 0 && center[1] == 0, "no center");
	CHECK_CLOSE(dpem_total_ball(&m, 0, true, 2, 100 * 0.00008, center), 2 * 5 * 0.1, 1e-12, "larger where that makes little noise");
	CHECK_CLOSE(dpem_total_ball(&m, 0, true, 2, 100 * 0.002, center), 2 * 2.5 * 0.1, 1e-12, "... but never smaller");
	CHECK_CLOSE(dpem_total_ball(&m, 0, true, 2, 0, center), 2 * 1.5, 1e-12, "the whole one without noise");
	CHECK_CLOSE(dpem_total_distance(&m, 0), 0.1, 1e-12, "the distance alone");
	m.second_sd = 1;
	CHECK_CLOSE(dpem_total_ball(&m, 0, true, 2, INFINITY, center), 2 * 2.5 * sqrt(0.03), 1e-12, "noise widens it");
	value[3] = -50;
	m.second_sd = 0;
	CHECK(dpem_total_ball(&m, 0, true, 2, INFINITY, center) > 0, "nothing is no radius");
	value[3] = 25;
	CHECK(dpem_total_ball(&m, 0, true, 2, 0, center) > 0, "nor is a single point without noise");
}

/* the same from the columns' deviations */
static void
test_columns_ball(void)
{
	double		center[2] = {0.6, -0.8};
	double		deviation[2] = {0.03, 0.04};

	CHECK_CLOSE(dpem_columns_ball(2, 2, INFINITY, center, deviation), 2.5 * 0.05, 1e-12, "deviations add up in squares");
	CHECK_CLOSE(dpem_columns_ball(2, 2, 0.00008, center, deviation), 5 * 0.05, 1e-12, "larger where that makes little noise");
	CHECK_CLOSE(dpem_columns_ball(2, 2, 0, center, deviation), 3, 1e-12, "not beyond the ball");
}

/*
 * Counts cost nothing beside sums and second moments under replace_one, and
 * the weight of the sums is the best one for the case it was derived from.
 */
static void
test_weights(void)
{
	for (int d = 1; d <= 1024; d *= 4)
	{
		DpemCovarianceWeights w = dpem_covariance_weights(d, true, true);
		double		with = w.count * w.count + w.sum * w.sum + w.second * w.second;
		double		b2 = w.sum * w.sum;
		double		least = (1 + b2 / 2) * (1 + b2 / 2) * (d + 1 + 1 / b2);

		CHECK(with <= 2 * (1 + b2 / 2) * (1 + b2 / 2) * (1 + 1e-14), "d %d: the count sets the sensitivity", d);
		for (double other = 0.01; other < 2; other += 0.01)
			CHECK((1 + other / 2) * (1 + other / 2) * (d + 1 + 1 / other) >= least * 0.97, "d %d: %g is better than %g",
				  d, other, b2);
		CHECK(dpem_covariance_weights(d, false, true).sum == 0, "no sums about a public center");
	}
}

/* a matrix with the eigenvalues of a kind: of both signs, none below 0, none above, all 0, or few that are each many times there */
static void
test_drop_negative(Rng *rng, int d, int kind)
{
	double	   *axes = numbers(d * d);
	double	   *a = numbers(d * d);
	double	   *expected = numbers(d * d);
	double	   *copy = numbers(d * d);
	double	   *value = numbers(d);
	double	   *scratch = numbers(d * (d + 1));
	double	   *work = numbers(dpem_linalg_drop_negative_work(d));
	double		size = 0;

	for (int i = 0; i < d * d; i++)
		axes[i] = rng_normal(rng);
	dpem_pca_orthonormalize(d, d, axes);
	for (int i = 0; i < d; i++)
		value[i] = kind == 3 ? 0 : kind == 4 ? i % 3 - 1 : (kind == 2 ? -1 : 1) * (kind == 0 ? rng_normal(rng) : exp(3 * rng_normal(rng)));
	dpem_linalg_rebuild(d, axes, value, a, copy);
	for (int i = 0; i < d; i++)
	{
		size = fmax(size, fabs(value[i]));
		value[i] = fmax(value[i], 0);
		for (int j = 0; j < i; j++)
			a[i * d + j] = a[j * d + i];
	}
	dpem_linalg_rebuild(d, axes, value, expected, copy);
	CHECK(dpem_linalg_drop_negative(d, a, scratch, work) == DPEM_OK, "no eigenvalues");
	CHECK(euclidean_distance(d * d, a, expected) <= 1e-12 * d * size, "d %d kind %d: %g away", d, kind,
		  euclidean_distance(d * d, a, expected));
}

int
main(void)
{
	Rng			rng = {1982};

	test_cleaning(&rng, 20, 0.5);
	test_cleaning(&rng, 60, 1);
	test_cleaning(&rng, 60, 3);
	test_pca(&rng, 7, 3);
	test_pca(&rng, 12, 12);
	test_shares(&rng);
	test_claims(&rng);
	test_exact_shares();
	test_orthonormalize(&rng);
	test_total();
	test_ball();
	test_columns_ball();
	test_weights();
	for (int kind = 0; kind < 5; kind++)
	{
		test_drop_negative(&rng, 1, kind);
		test_drop_negative(&rng, 2, kind);
		test_drop_negative(&rng, 7, kind);
		test_drop_negative(&rng, 120, kind);
	}
	return unit_report();
}
