/*
 * test_kmeans.c - the M-step of private k-means.
 *
 * Random numbers are seeded: the outcome is the same on every run.
 */
#include <stdlib.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kmeans/kmeans_estimate.h"
#include "kernel_fixture.h"

typedef struct Fixture
{
	int			k;
	int			d;
	DpemKmeansHistory history;
	DpemKmeans	fit;
	DpemWorkspace work;
	double	   *memory[2];
} Fixture;

static Fixture
fixture_make(int k, int d, int passes)
{
	Fixture		f = {.k = k,.d = d};
	size_t		n = (size_t) k * d;
	size_t		work = dpem_kmeans_maximize_work(k, d);
	double	   *at = calloc(2 * n + 2 * k + work, sizeof(double));

	f.memory[0] = at;
	f.fit = (DpemKmeans) {k, d, at, at + n, at + 2 * n, at + 2 * n + k};
	f.work = (DpemWorkspace) {at + 2 * n + 2 * k, at + 2 * n + 2 * k + work};
	f.memory[1] = calloc(dpem_kmeans_history_length(k, d, passes), sizeof(double));
	f.history = (DpemKmeansHistory) {.k = k,.d = d,.capacity = passes,.half_width = 1 / sqrt(d)};
	dpem_kmeans_history_place(&f.history, f.memory[1]);
	return f;
}

static void
fixture_free(Fixture *f)
{
	free(f->memory[0]);
	free(f->memory[1]);
}

/* a pass that answers true counts and sums plus noise of the given deviations */
static void
answer(Fixture *f, Rng *rng, const double *count, const double *sum, double count_sd, double sum_sd)
{
	DpemMomentLayout layout = {f->k, f->d, DPEM_SECOND_NONE};
	double	   *value = calloc(dpem_moments_length(&layout), sizeof(double));
	DpemNoisyMoments released = {layout, count_sd, sum_sd, 0, value};

	for (int c = 0; c < f->k; c++)
	{
		double	   *record = value + (size_t) c * (1 + f->d);

		record[0] = count[c] + (count_sd > 0 ? count_sd * rng_normal(rng) : 0);
		for (int j = 0; j < f->d; j++)
			record[1 + j] = sum[c * f->d + j] + (sum_sd > 0 ? sum_sd * rng_normal(rng) : 0);
	}
	dpem_kmeans_history_add(&f->history, f->fit.center, &released);
	free(value);
}

/* Lloyd's step over rows in memory, by the book; an empty cluster stays */
static void
lloyd(int n, int k, int d, const double *x, double *center)
{
	double	   *sum = calloc((size_t) k * d, sizeof(double));
	int		   *count = calloc(k, sizeof(int));

	for (int i = 0; i < n; i++)
	{
		int			best = 0;
		double		least = INFINITY;

		for (int c = 0; c < k; c++)
		{
			double		square = 0;

			for (int j = 0; j < d; j++)
				square += (x[i * d + j] - center[c * d + j]) * (x[i * d + j] - center[c * d + j]);
			if (square < least)
			{
				least = square;
				best = c;
			}
		}
		count[best]++;
		for (int j = 0; j < d; j++)
			sum[best * d + j] += x[i * d + j];
	}
	for (int c = 0; c < k; c++)
		for (int j = 0; j < d && count[c] > 0; j++)
			center[c * d + j] = sum[c * d + j] / count[c];
	free(sum);
	free(count);
}

/* counts and sums of a pass of the kernel over rows in memory, not quantised */
static void
scan(int n, int k, int d, const double *x, const double *center, double *count, double *sum)
{
	DpemMomentLayout layout = {k, d, DPEM_SECOND_NONE};
	Work		w = work_make(d, k);
	double	   *moments = numbers(dpem_moments_length(&layout));
	double	   *scratch = numbers(dpem_kernel_kmeans.scratch_length(&layout) + dpem_moments_scratch(&layout));

	memset(count, 0, k * sizeof(double));
	memset(sum, 0, (size_t) k * d * sizeof(double));
	for (int at = 0; at < n; at += w.block.rows)
	{
		work_fill(&w, x + (size_t) at * d, NULL, n - at < DPEM_BLOCK_ROWS ? n - at : DPEM_BLOCK_ROWS);
		for (int i = w.block.rows; i < DPEM_BLOCK_PADDED(w.block.rows); i++)
		{
			w.block.keep[i] = 0;
			for (int j = 0; j < d; j++)
				w.block.x[j * DPEM_BLOCK_STRIDE + i] = 0;
		}
		dpem_kernel_kmeans.respond(&layout, center, &w.block, 0, 0, w.r, scratch);
		dpem_moments_block(&layout, &w.block, w.r, moments, scratch);
		for (int c = 0; c < k; c++)
		{
			count[c] += moments[c * (1 + d)];
			for (int j = 0; j < d; j++)
				sum[c * d + j] += moments[c * (1 + d) + 1 + j];
		}
	}
	free(scratch);
	free(moments);
	work_free(&w);
}

/* without noise, passes of either rule are Lloyd's steps; one center is far from every row and stays */
static void
test_lloyd(int k, int d, const DpemKmeansRule *rule)
{
	enum
	{
		ROWS = 1500, PASSES = 6
	};
	Rng			rng = {61 + k + 10 * d};
	Fixture		f = fixture_make(k, d, PASSES);
	double	   *x = uniforms(&rng, (size_t) ROWS * d, -0.8 / sqrt(d), 0.8 / sqrt(d));
	double	   *expected = numbers((size_t) k * d);
	double	   *count = numbers(k);
	double	   *sum = numbers((size_t) k * d);
	double		worst = 0;
	double		total = 0;

	for (int i = 0; i < k * d; i++)
		f.fit.center[i] = expected[i] = i >= (k - 1) * d && k > 1 ? -5 : rng_uniform(&rng, -1, 1) / sqrt(d);
	for (int pass = 0; pass < PASSES; pass++)
	{
		lloyd(ROWS, k, d, x, expected);
		scan(ROWS, k, d, x, f.fit.center, count, sum);
		answer(&f, &rng, count, sum, 0, 0);
		dpem_kmeans_maximize(&f.history, rule, &f.fit, f.work);
	}
	for (int i = 0; i < k * d; i++)
		worst = fmax(worst, fabs(f.fit.center[i] - expected[i]));
	for (int c = 0; c < k; c++)
		total += f.fit.weight[c];
	CHECK(worst < 1e-12, "K=%d d=%d: off by %g", k, d, worst);
	CHECK_CLOSE(total, 1, 1e-12, "weights");
	CHECK(k == 1 || (f.fit.center[(size_t) k * d - 1] == -5 && f.fit.weight[k - 1] == 0), "an empty cluster stays");
	free(sum);
	free(count);
	free(expected);
	free(x);
	fixture_free(&f);
}

/*
 * Over 4,000 draws the centers and weights scatter as center_noise and
 * weight_noise say: a standard deviation from 4,000 draws is known to 1.1 %,
 * so 8 % is seven of those; linearising costs less than 1 %.
 */
static void
test_noise_levels(const DpemKmeansRule *rule)
{
	enum
	{
		DRAWS = 4000
	};
	Rng			rng = {62};
	double		count[2] = {3000, 1000};
	double		sum[4] = {900, -600, -400, 300};
	double		square[6] = {0};
	double		noise[6] = {0};

	for (int draw = 0; draw < DRAWS; draw++)
	{
		Fixture		f = fixture_make(2, 2, 1);

		f.fit.center[0] = 0.6;	/* far away: the step is believed */
		f.fit.center[2] = 0.6;
		answer(&f, &rng, count, sum, 40, 10);
		dpem_kmeans_maximize(&f.history, rule, &f.fit, f.work);
		for (int i = 0; i < 4; i++)
		{
			square[i] += pow(f.fit.center[i] - sum[i] / count[i / 2], 2) / DRAWS;
			noise[i] += pow(f.fit.center_noise[i], 2) / DRAWS;
		}
		for (int c = 0; c < 2; c++)
		{
			square[4 + c] += pow(f.fit.weight[c] - count[c] / 4000, 2) / DRAWS;
			noise[4 + c] += pow(f.fit.weight_noise[c], 2) / DRAWS;
		}
		fixture_free(&f);
	}
	for (int i = 0; i < 6; i++)
		CHECK_CLOSE(sqrt(square[i]), sqrt(noise[i]), 0.08, "number %d, shrink %d", i, rule->shrink);
}

/* mean squared error of one center that does not move, over passes of loud noise */
static double
resting_error(const DpemKmeansRule *rule, int passes)
{
	Rng			rng = {63};
	double		count[1] = {500};
	double		sum[5] = {50, 50, 50, 50, 50};
	double		error = 0;

	for (int draw = 0; draw < 500; draw++)
	{
		Fixture		f = fixture_make(1, 5, passes);

		for (int j = 0; j < 5; j++)
			f.fit.center[j] = 0.12;
		for (int pass = 0; pass < passes; pass++)
		{
			answer(&f, &rng, count, sum, 60, 60);
			dpem_kmeans_maximize(&f.history, rule, &f.fit, f.work);
		}
		for (int j = 0; j < 5; j++)
			error += pow(f.fit.center[j] - 0.1, 2) / 500;
		fixture_free(&f);
	}
	return error;
}

/* shrinking and averaging pay where the noise is louder than the step */
static void
test_careful(void)
{
	DpemKmeansRule shrink = dpem_kmeans_plain_rule;
	DpemKmeansRule average = dpem_kmeans_plain_rule;
	double		plain = resting_error(&dpem_kmeans_plain_rule, 8);

	shrink.shrink = true;
	average.average = true;
	CHECK(resting_error(&shrink, 8) < 0.75 * plain, "%g of %g", resting_error(&shrink, 8), plain);
	/* the mean of four passes: a quarter of the variance */
	CHECK(resting_error(&average, 8) < 0.35 * plain, "%g of %g", resting_error(&average, 8), plain);
	CHECK(resting_error(&dpem_kmeans_careful_rule, 8) < 0.35 * plain, "%g of %g",
		  resting_error(&dpem_kmeans_careful_rule, 8), plain);
}

/* counts that are noise move nothing; whatever noise there is, centers stay in the domain */
static void
test_hopeless(double noise)
{
	Rng			rng = {64};

	for (int test = 0; test < 2000; test++)
	{
		Fixture		f = fixture_make(3, 4, 2);
		double		count[3] = {0, 10, 100};
		double		sum[12] = {0};
		double		total = 0;
		bool		inside = true;

		for (int pass = 0; pass < 2; pass++)
		{
			answer(&f, &rng, count, sum, noise, noise);
			dpem_kmeans_maximize(&f.history, test % 2 ? &dpem_kmeans_careful_rule : &dpem_kmeans_plain_rule,
								 &f.fit, f.work);
		}
		for (int i = 0; i < 12; i++)
			inside = inside && fabs(f.fit.center[i]) <= f.history.half_width && f.fit.center_noise[i] >= 0;
		for (int c = 0; c < 3; c++)
		{
			inside = inside && f.fit.weight[c] >= 0 && f.fit.weight_noise[c] >= 0;
			total += f.fit.weight[c];
		}
		CHECK(inside && fabs(total - 1) < 1e-12, "noise %g", noise);
		fixture_free(&f);
	}
}

static void
test_least_count(void)
{
	Rng			rng = {65};
	Fixture		f = fixture_make(2, 1, 1);
	double		count[2] = {29, 31};
	double		sum[2] = {29, 31};
	DpemMomentLayout layout = {2, 1, DPEM_SECOND_NONE};
	DpemNoisyMoments released = {layout, 10, 0.001, 0, (double[]) {29, 29, 31, 31}};

	f.history.half_width = 1;
	dpem_kmeans_history_add(&f.history, f.fit.center, &released);
	dpem_kmeans_maximize(&f.history, &dpem_kmeans_careful_rule, &f.fit, f.work);
	CHECK(f.fit.center[0] == 0, "below three deviations: %g", f.fit.center[0]);
	CHECK(f.fit.center[1] > 0.8, "above: %g", f.fit.center[1]);
	fixture_free(&f);
	f = fixture_make(2, 1, 1);
	f.fit.center[1] = 0.5;
	count[0] = -3;
	answer(&f, &rng, count, sum, 0, 0);
	dpem_kmeans_maximize(&f.history, &dpem_kmeans_plain_rule, &f.fit, f.work);
	CHECK(f.fit.center[0] == 0 && f.fit.weight[0] == 0, "a negative count");
	fixture_free(&f);
}

int
main(void)
{
	for (int k = 1; k <= 7; k += 2)
		for (int d = 1; d <= 10; d += 3)
		{
			test_lloyd(k, d, &dpem_kmeans_careful_rule);
			test_lloyd(k, d, &dpem_kmeans_plain_rule);
		}
	test_noise_levels(&dpem_kmeans_plain_rule);
	test_noise_levels(&dpem_kmeans_careful_rule);
	test_careful();
	for (double noise = 1; noise < 1e13; noise *= 1000)
		test_hopeless(noise);
	test_least_count();
	return unit_report();
}
