/*
 * test_mixture.c - mixtures of numbers, counts and categories: the E-step is that of
 * the laws as they are written in books, whatever is missing; the M-step without noise is
 * maximum likelihood, and under much noise all rows; merging; and EM on made-up moments.
 *
 * Random numbers have a fixed seed: they always come out the same.
 */
#include <math.h>

#include "core/kernels/kernel.h"
#include "core/mixture/mixture_rules.h"
#include "mixture_fixture.h"

#define ROWS	40

/* a row: values in the columns' units, NaN for missing ones, and the categories of both labels, -1 for none */
typedef struct Row
{
	double		value[NUMBERS];
	int			category[2];
} Row;

static Row
random_row(DpemPublicRandom *random, bool missing)
{
	Row			row = {
		{10 + 3 * dpem_public_normal(random), -3 + 6 * dpem_public_normal(random), (double) dpem_public_index(random, 9)},
		{(int) dpem_public_index(random, 4) - 1, (int) dpem_public_index(random, 3) - 1}
	};

	for (int j = 0; j < NUMBERS && missing; j++)
		if (dpem_public_index(random, 3) == 0)
			row.value[j] = NAN;
	return row;
}

static double
log_probability(const DpemMixture *m, int c, const Row *row)
{
	const double *mean = m->mean + c * D;
	double		sum = log(m->weight[c]);

	for (int j = 0; j < NUMBERS; j++)
	{
		double		x = row->value[j];
		double		at = middle[j] + unit_of[j] * mean[j];
		double		variance = unit_of[j] * unit_of[j] * m->variance[c * D + j];

		if (!isnan(x))
			sum += law[j] == DPEM_LAW_POISSON ? x * log(at) - at
				: -(x - at) * (x - at) / variance / 2 - log(variance) / 2;
	}
	if (row->category[0] >= 0)
		sum += log(mean[3 + row->category[0]]);
	if (row->category[1] >= 0)
		sum += log(mean[6 + row->category[1]]);
	return sum;
}

static void
put_row(const DpemMixtureRows *rows, const Row *row, double *x)
{
	for (int j = 0; j < N; j++)
		x[j * DPEM_BLOCK_STRIDE] = 0;
	for (int j = 0; j < NUMBERS; j++)
	{
		if (!isnan(row->value[j]))
			x[j * DPEM_BLOCK_STRIDE] = (row->value[j] - middle[j]) / unit_of[j] / rows->radius;
		if (rows->missing)
			x[(D + j) * DPEM_BLOCK_STRIDE] = isnan(row->value[j]) ? 0 : DPEM_MIXTURE_KNOWN / rows->radius;
	}
	if (row->category[0] >= 0)
		x[(3 + row->category[0]) * DPEM_BLOCK_STRIDE] = 1 / rows->radius;
	if (row->category[1] >= 0)
		x[(6 + row->category[1]) * DPEM_BLOCK_STRIDE] = 1 / rows->radius;
}

static void
check_responsibilities(DpemPublicRandom *random, bool missing)
{
	DpemMixtureRows rows = rows_of(missing);
	int			n = dpem_mixture_coordinates(&rows);
	DpemMomentLayout layout = {K, n, DPEM_SECOND_DIAGONAL};
	DpemMixture m = make_mixture(K, D);
	double	   *theta = zeros(K * (1 + 2 * n));
	double	   *r = zeros(K * DPEM_BLOCK_STRIDE);
	double	   *scratch = zeros(dpem_kernel_gmm.scratch_length(&layout));
	DpemBlock	block = {.rows = ROWS,.d = n,.x = zeros(N * DPEM_BLOCK_STRIDE),.keep = zeros(DPEM_BLOCK_STRIDE)};
	Row			row[ROWS];
	double		worst = 0;

	fill_mixture(random, &m);
	dpem_mixture_prepare(&rows, &m, theta);
	for (int i = 0; i < ROWS; i++)
	{
		row[i] = random_row(random, missing);
		put_row(&rows, &row[i], block.x + i);
		block.keep[i] = 1;
	}
	dpem_kernel_gmm.respond(&layout, theta, &block, 0, 0, r, scratch);
	for (int i = 0; i < ROWS; i++)
	{
		double		sum = 0;

		for (int c = 0; c < K; c++)
			sum += exp(log_probability(&m, c, &row[i]));
		for (int c = 0; c < K; c++)
			worst = fmax(worst, fabs(r[c * DPEM_BLOCK_STRIDE + i] - exp(log_probability(&m, c, &row[i])) / sum));
	}
	CHECK(worst < 1e-9, "missing %d: responsibilities are off by %g", missing, worst);
	free(theta);
	free(r);
	free(scratch);
	free(block.x);
	free(block.keep);
	free_mixture(&m);
}

static double
distance(const DpemMixture *a, const DpemMixture *b, int stride)
{
	double		worst = 0;

	for (int c = 0; c < a->k; c++)
		for (int j = 0; j < D; j++)
		{
			worst = fmax(worst, fabs(a->mean[c * D + j] - b->mean[c * stride + j]));
			if (law[j] == DPEM_LAW_NORMAL)
				worst = fmax(worst, fabs(a->variance[c * D + j] - b->variance[c * stride + j]));
		}
	return worst;
}

static void
check_maximize(DpemPublicRandom *random, bool missing, double sd, double most)
{
	DpemMixtureRows rows = rows_of(missing);
	int			n = dpem_mixture_coordinates(&rows);
	DpemMixture truth = make_mixture(K, D);
	DpemMixture total = make_mixture(1, D);
	DpemMixture found = make_mixture(K, D);
	DpemMixtureMoments all = make_moments(1, n);
	DpemMixtureMoments moments = make_moments(K, n);
	DpemMixturePrior prior;
	DpemNoisyMoments m;

	fill_mixture(random, &truth);
	m = expected_moments(&rows, &truth, 1e5, 0.7, sd);
	dpem_mixture_average(&rows, &m, 1, &moments);
	all.count_sd = all.sum_sd = all.square_sd = INFINITY;
	dpem_mixture_pool(&rows, &m, &all);
	CHECK_CLOSE(all.count[0], 1e5, 1e-12, "rows of all components");
	dpem_mixture_total(&rows, &all, &total);
	dpem_mixture_maximize(&rows, &moments, &total, dpem_mixture_weak_prior, &found);
	prior = dpem_mixture_found_prior(&rows, &moments, &total);
	CHECK(sd == 0 ? prior.mean > 0.01 : prior.mean < 1e-3, "noise %g: a prior of variance %g", sd, prior.mean);
	if (sd == 0)
		CHECK(distance(&found, &truth, D) < most, "missing %d: parameters are off by %g", missing, distance(&found, &truth, D));
	else
		CHECK(distance(&found, &total, 0) < most, "missing %d: under noise components differ by %g", missing,
			  distance(&found, &total, 0));
	free(m.value);
	free_mixture(&truth);
	free_mixture(&total);
	free_mixture(&found);
	free_moments(&all);
	free_moments(&moments);
}

static void
check_average(void)
{
	DpemMixtureRows rows = rows_of(false);
	double		value[2][1 + 2 * D] = {{0}};
	DpemNoisyMoments m[2];
	DpemMixtureMoments moments = make_moments(1, D);

	for (int i = 0; i < 2; i++)
	{
		value[i][0] = i == 0 ? 100 : 200;
		m[i] = (DpemNoisyMoments) {{1, D, DPEM_SECOND_DIAGONAL}, 3, 3, 3, value[i]};
		dpem_mixture_average(&rows, &m[i], i == 0 ? 1 : 0.25, &moments);
	}
	CHECK_CLOSE(moments.count[0], 125, 1e-12, "an average of passes");
	CHECK_CLOSE(moments.count_sd, hypot(0.75 * 3, 0.25 * 3), 1e-12, "noise of an average");
	CHECK_CLOSE(moments.square_sd, rows.radius * rows.radius * moments.count_sd, 1e-12, "noise of squares");
	free_moments(&moments);
}

/* each component twice, a little apart: merged, they are there once */
static void
check_merge(DpemPublicRandom *random)
{
	DpemMixtureRows rows = rows_of(false);
	DpemMixture truth = make_mixture(K, D);
	DpemMixture twice = make_mixture(2 * K, D);
	DpemWorkspace work = {zeros(dpem_mixture_merge_work(2 * K)), NULL};
	double	   *memory = work.next;
	double		worst = 0;

	work.end = work.next + dpem_mixture_merge_work(2 * K);
	fill_mixture(random, &truth);
	for (int c = 0; c < 2 * K; c++)
	{
		twice.weight[c] = truth.weight[c / 2] / 2;
		for (int j = 0; j < D; j++)
		{
			twice.mean[c * D + j] = truth.mean[c / 2 * D + j] + (j < 2 && c % 2 ? 1e-3 : 0);
			twice.variance[c * D + j] = truth.variance[c / 2 * D + j];
		}
	}
	dpem_mixture_merge(&rows, K, &twice, work);
	CHECK(twice.k == K, "%d components", twice.k);
	for (int c = 0; c < K; c++)
	{
		double		best = INFINITY;

		for (int t = 0; t < K; t++)
		{
			double		off = fabs(twice.weight[c] - truth.weight[t]);

			for (int j = 0; j < D; j++)
				off = fmax(off, fabs(twice.mean[c * D + j] - truth.mean[t * D + j]));
			best = fmin(best, off);
		}
		worst = fmax(worst, best);
	}
	CHECK(worst < 2e-3, "merged components are off by %g", worst);
	free(memory);
	free_mixture(&truth);
	free_mixture(&twice);
}

static void
check_rules(void)
{
	CHECK(dpem_mixture_iterations(1) == 1 && dpem_mixture_iterations(2) > 1, "passes");
	CHECK(dpem_mixture_early_components(4, 1e6, 1) == 12 && dpem_mixture_early_components(4, 100, 1e3) == 4, "components at first");
	CHECK(dpem_mixture_is_hidden(4, 100, 100) && !dpem_mixture_is_hidden(4, 1e6, 100), "hidden components");
	CHECK(dpem_mixture_margins_share(1e6, 100) == dpem_mixture_shares.margins && dpem_mixture_margins_share(0, 100) == dpem_mixture_shares.margins &&
		  dpem_mixture_margins_share(1000, 1000) > 0.3 && dpem_mixture_margins_share(1000, 1e9) < 0.6, "margins get more where noise hides bins");
	CHECK(dpem_mixture_radius(0, 3, 0) == sqrt(3), "labels alone are never clipped");
	for (int numbers = 1; numbers < 60; numbers++)
		CHECK(dpem_mixture_radius(numbers, 0, 0) > sqrt(numbers), "%d numbers: rows of the mean norm are clipped", numbers);
}

/* second moments of n rows of unit variance, all pairs of whose numbers have that correlation, in a ball of the rows' radius */
static DpemNoisyMoments
second_moments(const DpemMixtureRows *rows, double n, double correlation, double sd, double *value)
{
	double		unit = rows->radius * rows->radius;
	double	   *second = value + 1 + rows->d;

	value[0] = n;
	for (int i = 0; i < rows->d; i++)
		for (int j = 0; j <= i; j++)
			*second++ = i < rows->numbers ? n * (i == j ? 1 : correlation) / unit : 0;
	return (DpemNoisyMoments) {{1, rows->d, DPEM_SECOND_FULL}, sd, sd, sd, value};
}

/* numbers, and one label of two categories; chi-square's 95 % quantile is 3.841 with one degree of freedom and 15.507 with eight */
static void
check_found_radius(void)
{
	int			label[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8};
	double		value[1 + 10 + 55] = {0};
	DpemMixtureRows rows = {.numbers = 8,.d = 10,.radius = dpem_mixture_radius(8, 1, 0),.label = label};
	DpemNoisyMoments m = second_moments(&rows, 1e5, 0, 0, value);
	double		together = sqrt(8 * 3.841459 + 1);

	CHECK(fabs(rows.radius - sqrt(15.50731 + 1)) < 1e-4, "the least radius is %g", rows.radius);
	CHECK(fabs(dpem_mixture_found_radius(&rows, &m, 0.001) - rows.radius) < 1e-9, "independent numbers need no more");
	m = second_moments(&rows, 1e5, 1, 0, value);
	CHECK(dpem_mixture_found_radius(&rows, &m, 0.001) == rows.radius, "numbers that are one, but never clipped");
	/* clipping has halved what there is: numbers' variances are known from margins */
	for (int i = 11; i < 66; i++)
		value[i] /= 2;
	CHECK(fabs(dpem_mixture_found_radius(&rows, &m, 0.001) - together) < 1e-4, "clipped numbers that are one: %g", dpem_mixture_found_radius(&rows, &m, 0.001));
	CHECK(fabs(dpem_mixture_found_radius(&rows, &m, 0.04) - 1.25 * rows.radius) < 1e-9, "noise in means stays below 0.05");
	CHECK(dpem_mixture_found_radius(&rows, &m, 0.06) == rows.radius && dpem_mixture_found_radius(&rows, &m, INFINITY) == rows.radius, "much noise");
	/* what noise adds to squares of entries does not count: 28 pairs that are as large as the noise of an entry that is released twice */
	m = second_moments(&rows, 1e5, 0.3 * M_SQRT1_2, 0.3 * 1e5 / (rows.radius * rows.radius), value);
	for (int i = 0; i < 8; i++)
		value[11 + i * (i + 1) / 2 + i] *= 0.9;
	CHECK(dpem_mixture_found_radius(&rows, &m, 0.001) == rows.radius, "noise is no correlation");
	m.second_sd = 0;
	CHECK(dpem_mixture_found_radius(&rows, &m, 0.001) - rows.radius > 0.1, "correlation that is no noise");
	rows.numbers = 1;
	CHECK(dpem_mixture_found_radius(&rows, &m, 0.001) == rows.radius, "one number");
}

/* of four numbers the second has four times the variance that margins say, as have a count and a column of a single bin */
static void
check_widen(double sd, bool sampled)
{
	static const DpemMixtureLaw laws[4] = {DPEM_LAW_NORMAL, DPEM_LAW_NORMAL, DPEM_LAW_POISSON, DPEM_LAW_NORMAL};
	static const double centers[4] = {0};
	static const double units[4] = {1, 1, 1, 1};
	static const double bins[4] = {3, 3, 3, 0.3};
	DpemMixtureRows rows = {.numbers = 4,.d = 4,.radius = 4,.law = laws,.label = label,.middle = centers,.unit = units};
	DpemMixtureMoments all = make_moments(1, 4);
	DpemMixture total = make_mixture(1, 4);
	double		value[1 + 4 + 10] = {0};
	double		factor[4];
	DpemNoisyMoments m = second_moments(&rows, 1e5, 0, sd, value);
	bool		clear = 2 * sd * 16 / 1e5 < 4 - 1.2;

	for (int i = 1; i < 4; i++)
		value[5 + i * (i + 3) / 2] *= 4;
	value[2] = value[3] = 1e5 / rows.radius;
	dpem_mixture_average(&rows, &m, 1, &all);
	dpem_mixture_total(&rows, &all, &total);
	CHECK(dpem_mixture_widen(&rows, bins, sampled, &m, &all, &total, factor) == clear, "noise %g hides a scale that is wrong", sd);
	CHECK(factor[0] == 1 && factor[2] == 1 && factor[3] == 1, "noise %g: other units stay", sd);
	CHECK(clear ? fabs(factor[1] - sqrt(3)) < 0.1 : factor[1] == 1, "noise %g: the new unit is %g", sd, factor[1]);
	CHECK(!clear || (fabs(total.variance[1] - 1) < 0.1 && fabs(total.mean[1] - 1 / factor[1]) < 0.02), "noise %g: moments in the new unit", sd);
	CHECK(isinf(all.sum_sd) == (clear && !sampled && sd * 16 / 1e5 < DPEM_MIXTURE_REPLACED), "noise %g: clipped moments are forgotten", sd);
	free_moments(&all);
	free_mixture(&total);
}

/* little variance, by chance even less: of all rows it is what it mostly is then; a component may be of a single value */
static void
check_least_variance(void)
{
	DpemMixtureRows rows = rows_of(false);
	DpemMixture truth = make_mixture(1, D);
	DpemMixture total = make_mixture(1, D);
	DpemMixture component = make_mixture(1, D);
	DpemMixtureMoments all = make_moments(1, D);
	DpemPublicRandom random = {5};
	DpemNoisyMoments m;
	double		sd;

	fill_mixture(&random, &truth);
	truth.mean[0] = 0;
	truth.variance[0] = 0;
	m = expected_moments(&rows, &truth, 1e5, 1, 1e3);
	dpem_mixture_average(&rows, &m, 1, &all);
	dpem_mixture_total(&rows, &all, &total);
	dpem_mixture_maximize(&rows, &all, &total, dpem_mixture_weak_prior, &component);
	sd = all.square_sd / 1e5;
	CHECK(total.variance[0] > 0.75 * sd, "of all rows %g deviations of noise", total.variance[0] / sd);
	CHECK(component.variance[0] < 0.6 * sd, "of a component %g deviations of noise", component.variance[0] / sd);
	free(m.value);
	free_mixture(&truth);
	free_mixture(&total);
	free_mixture(&component);
	free_moments(&all);
}

int
main(void)
{
	DpemPublicRandom random = {20261122};

	for (int round = 0; round < 20; round++)
	{
		check_responsibilities(&random, round % 2);
		/* without noise, but for Dirichlet weights; with more noise than rows, nothing of the components is left */
		check_maximize(&random, round % 2, 0, 1e-9);
		check_maximize(&random, round % 2, 1e8, 1e-2);
		check_merge(&random);
	}
	check_average();
	check_found_radius();
	check_widen(0, false);
	check_widen(0, true);
	check_widen(500, false);
	check_widen(900, false);
	check_widen(1e5, false);
	check_least_variance();
	check_rules();
	return unit_report();
}
