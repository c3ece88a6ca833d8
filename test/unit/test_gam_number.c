/*
 * test_gam_number.c - numbers of few rows: noise in the releases is not taken for what columns explain, nor for where the target is.
 * Rows and noise are the same in every run.
 */
#include "gam_fit_fixture.h"

/* 500 rows whose number has nothing to do with their columns */
static void
put_unrelated(Rng *rng, Fixture *f, double middle, double sd)
{
	double		x[MOST_D];

	for (int row = 0; row < 500; row++)
	{
		random_row(rng, f, x);
		x[10] = middle + sd * rng_normal(rng);
		put_row(f, row, x, 1);
	}
}

/* noise hides each bin of the target, but not where all of them together are */
static void
check_hidden_target(Rng *rng)
{
	Fixture		f = make_fixture(1, 64, P);
	Fit			fit = make_fit(&f, 0.2);
	DpemNoisyMoments m;

	put_unrelated(rng, &f, 0.5, 0.1);
	set_coefficients(&f, NULL);
	m = release(rng, &f, 0, 0);
	m.count_sd = 12;
	dpem_gam_take_rows(&m, 0, &fit.rows, fit.work);
	CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
	CHECK(fit.rows.shape.middle > 0.3 && fit.rows.shape.middle <= 0.5, "a middle of %g", fit.rows.shape.middle);
	CHECK(fit.rows.variance < 0.25, "a variance of %g", fit.rows.variance);
	free(m.value);
	free(fit.memory);
	free_fixture(&f);
}

/* 500 rows, a part of which has -1 and the others are spread from there to `upper` or all have it */
static void
put_spike(Rng *rng, Fixture *f, double part, double upper, bool two)
{
	double		x[MOST_D];

	for (int row = 0; row < 500; row++)
	{
		random_row(rng, f, x);
		x[10] = rng_uniform(rng, 0, 1) < part ? -1 : two ? upper : rng_uniform(rng, -1, upper);
		put_row(f, row, x, 1);
	}
}

/* many rows of one value do not hide how far the others are from it, where residuals would be cut off */
static void
check_spike(Rng *rng, double part, double upper, bool two)
{
	double		spread = two ? (upper + 1) * (upper + 1) : (upper + 1) * (upper + 1) / 3;
	double		middle = -1 + (1 - part) * (upper + 1) / (two ? 1 : 2);
	double		variance = (1 - part) * spread - (middle + 1) * (middle + 1);
	int			off = 0;

	for (int run = 0; run < 20; run++)
	{
		Fixture		f = make_fixture(1, 64, P);
		Fit			fit = make_fit(&f, 0.2);
		DpemNoisyMoments m;

		put_spike(rng, &f, part, upper, two);
		set_coefficients(&f, NULL);
		m = release(rng, &f, 0, 2);
		dpem_gam_take_rows(&m, 500, &fit.rows, fit.work);
		CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
		off += fabs(fit.rows.shape.middle - middle) > 0.25 || fit.rows.variance < variance / 3 || fit.rows.variance > variance * 2;
		free(m.value);
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(off <= 2, "of %d fits of 20 the middle is not near %g or the variance not near %g", off, middle, variance);
}

/* of the mean over all rows of a column's contributions, the largest less the smallest */
static double
levels_apart(const Fit *fit)
{
	double		least = INFINITY;
	double		most = -INFINITY;

	for (int c = 0; c < 5; c++)
	{
		double		sum = 0;

		for (int i = fit->rows.offset[c]; i < fit->rows.offset[c + 1]; i++)
			sum += fit->rows.count[i] * fit->score.mean[i] / fit->rows.rows;
		least = fmin(least, sum);
		most = fmax(most, sum);
	}
	return most - least;
}

/* coefficients that follow noise alone explain nothing, and columns have no levels of their own */
static void
check_unrelated(Rng *rng)
{
	int			explained = 0;

	for (int run = 0; run < 20; run++)
	{
		Fixture		f = make_fixture(1, 64, P);
		Fit			fit = make_fit(&f, 0.2);

		put_unrelated(rng, &f, 0, 0.3);
		set_coefficients(&f, NULL);
		for (int pass = 1; pass <= 6; pass++)
			take_pass(rng, &f, &fit, pass, 5);
		explained += fit.rows.dispersion < 0.3 * fit.rows.variance;
		CHECK(levels_apart(&fit) < 1e-9, "levels of columns are %g apart", levels_apart(&fit));
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(explained <= 6, "in %d fits of 20 rows are said to be explained", explained);
}

/* classes of a number are many, and noise in each adds up; pairs count the same rows again */
static void
check_counts(Rng *rng)
{
	Fixture		f = make_fixture(1, 64, P);
	Fit			fit = make_fit(&f, 0.2);
	double		square = 0;
	DpemNoisyMoments m;
	DpemNoisyMoments exact;

	put_unrelated(rng, &f, 0, 0.3);
	set_coefficients(&f, NULL);
	exact = release(rng, &f, 0, 0);
	m = release(rng, &f, 0, 2);
	dpem_gam_take_rows(&m, 0, &fit.rows, fit.work);
	CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
	for (int i = 0; i < f.n; i++)
	{
		double		count = 0;

		for (int t = 0; t < 64; t++)
			count += exact.value[t * f.n + i] / dpem_gam_single_mark(&f.shape);
		square += pow(fit.rows.count[i] - count, 2) / f.n;
	}
	CHECK(sqrt(square) < 4 * fit.rows.single_sd, "counts of cells are %g off, a class's by noise of %g", sqrt(square), fit.rows.single_sd);
	CHECK(fabs(fit.rows.counted - 500) < 6 * fit.rows.counted_sd, "%g rows, of noise %g", fit.rows.counted, fit.rows.counted_sd);
	CHECK(fit.rows.counted_sd < 4 * fit.rows.single_sd, "noise of %g in all rows", fit.rows.counted_sd);
	free(exact.value);
	free(m.value);
	free(fit.memory);
	free_fixture(&f);
}

/* the mean over the rows of the squared error of a fit's predictions, in units of the target's variance */
static double
error_of(const Fit *fit, double middle, double sd)
{
	double		off = fit->rows.shape.middle - middle;
	double		sum = 0;

	for (int i = 0; i < fit->rows.n; i++)
		for (int j = 0; j < fit->rows.n; j++)
			sum += fit->rows.second[(size_t) i * fit->rows.n + j] * fit->score.mean[i] * fit->score.mean[j] / fit->rows.rows;
	for (int i = 0; i < fit->rows.n; i++)
		sum += 2 * off * fit->rows.count[i] * fit->score.mean[i] / fit->rows.rows;
	return (sum + off * off) / (sd * sd);
}

/*
 * Noise that hides single bins makes up one that is seen, now and then: what lies beyond it is not to be cut off, nor is the
 * mean to drown in the noise of cells.
 */
static void
check_foolish(Rng *rng)
{
	double		worst = 0;
	double		sum = 0;

	for (int run = 0; run < 40; run++)
	{
		Fixture		f = make_fixture(1, 64, P);
		Fit			fit = make_fit(&f, 0.2);
		double		error;

		put_unrelated(rng, &f, -0.7, 0.15);
		set_coefficients(&f, NULL);
		for (int pass = 1; pass <= 6; pass++)
			take_pass(rng, &f, &fit, pass, 9);
		error = error_of(&fit, -0.7, 0.15);
		worst = fmax(worst, error);
		sum += error / 40;
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(sum < 0.15, "predictions are off by %g of the variance", sum);
	CHECK(worst < 1, "at worst by %g", worst);
}

/* a model's contributions, their deviations and their noise, one after the other; to be freed */
static double *
finish(const Fit *fit)
{
	size_t		n = (size_t) fit->rows.n;
	double	   *memory = numbers(3 * n);
	DpemGamResult result = {.contribution = memory,.sd = memory + n,.noise = memory + 2 * n};

	CHECK(dpem_gam_finish(&fit->rows, &fit->score, &result, fit->work) == DPEM_OK, "no result");
	return memory;
}

static double
mean_square(const DpemGamRows *rows, const double *x)
{
	double		sum = 0;

	for (int i = 0; i < rows->n; i++)
		sum += rows->count[i] * x[i] * x[i] / rows->rows;
	return sum;
}

static Fit
fit_unrelated(Rng *rng, Fixture *f, double sd)
{
	Fit			fit = make_fit(f, 0.2);

	put_unrelated(rng, f, 0, 0.3);
	set_coefficients(f, NULL);
	for (int pass = 1; pass <= 6; pass++)
		take_pass(rng, f, &fit, pass, sd);
	return fit;
}

/* where noise is little beside the target's variance contributions are the posterior's, and where it is much all are by the same part nearer to 0 */
static void
check_part(Rng *rng)
{
	Fixture		f = make_fixture(1, 64, P);
	Fit			fit = fit_unrelated(rng, &f, 5);
	int			n = fit.rows.n;
	double	   *told;
	double	   *kept;
	double		noise;
	double		part;

	fit.rows.variance = 1e6;
	told = finish(&fit);
	noise = mean_square(&fit.rows, told + 2 * n);
	part = fmax(1 - noise / mean_square(&fit.rows, told), 0);
	fit.rows.variance = noise;
	kept = finish(&fit);
	CHECK(part > 0 && part < 0.99, "a part of %g is kept", part);
	for (int i = 0; i < n; i++)
	{
		CHECK(fabs(kept[i] - part * told[i]) < 1e-8, "cell %d: %g is kept of %g", i, kept[i], told[i]);
		CHECK(fabs(kept[n + i] - hypot(told[n + i], told[i] - kept[i])) < 1e-8, "cell %d: an error of %g", i, kept[n + i]);
	}
	free(told);
	free(kept);
	free(fit.memory);
	free_fixture(&f);
}

/* of rows that have nothing to do with their columns all that is explained is noise, and no more than is stated */
static void
check_kept(Rng *rng)
{
	double		sum = 0;
	double		stated = 0;

	for (int run = 0; run < 200; run++)
	{
		Fixture		f = make_fixture(1, 64, P);
		Fit			fit = fit_unrelated(rng, &f, 25);
		double	   *kept = finish(&fit);

		sum += mean_square(&fit.rows, kept) / 0.09 / 200;
		stated += mean_square(&fit.rows, kept + 2 * fit.rows.n) / 0.09 / 200;
		free(kept);
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(sum < 0.075, "noise explains %g of the variance", sum);
	CHECK(sum < stated, "noise explains %g of the variance, and says that it does %g", sum, stated);
}

/* a column of one cell tells the mean alone */
static void
check_mean(void)
{
	DpemGamColumn column = {.bins = 1,.known = -1};
	int			offset[2] = {0, 1};
	double		value[64] = {[20] = 300,[30] = 100};
	DpemNoisyMoments m = {.layout = {64, 2, DPEM_COUNTS_ALONE},.count_sd = 1,.value = value};
	double	   *memory = numbers(12 + dpem_gam_work(1));
	DpemWorkspace work = {memory + 12, memory + 12 + dpem_gam_work(1)};
	DpemGamRows rows = {.shape = {.radius = 1,.columns = 1,.column = &column,.targets = 1,.classes = 64,.pair_share = 0.4},.n = 1,.offset = offset,.count = memory,.second = memory + 1,.noise = memory + 6};
	DpemGamScore score = {.linear = memory + 2,.curvature = memory + 3,.here = memory + 4,.mean = memory + 5,.step = (double[]) {0.1}};

	dpem_gam_begin_path(1, memory + 7, &score);
	dpem_gam_take_rows(&m, 0, &rows, work);
	CHECK(dpem_gam_clean_pairs(&rows, work) == DPEM_OK, "pairs");
	dpem_gam_start(&rows, &m, 0, &score);
	dpem_gam_start_curvature(&rows, &score);
	score.linear[0] += 0.1 * rows.rows;
	CHECK(dpem_gam_estimate(&rows, 1, &score, work) == DPEM_OK, "mean");
	CHECK(fabs(score.mean[0] - 0.1) < 0.01, "the mean is %g from the middle, not 0.1", score.mean[0]);
	free(memory);
}

int
main(void)
{
	Rng			rng = {20};

	check_hidden_target(&rng);
	check_spike(&rng, 0.73, 1, true);
	check_spike(&rng, 0.5, 0.5, true);
	check_spike(&rng, 0.8, 0.4, false);
	check_unrelated(&rng);
	check_counts(&rng);
	check_foolish(&rng);
	check_part(&rng);
	check_kept(&rng);
	check_mean();
	return unit_report();
}
