/*
 * test_gam_estimate.c - coefficients from exact releases of cells are those of the penalised fit, and from noisy
 * ones no number is lost.
 */
#include "core/gam/gam_pairs.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"
#include "gam_fit_fixture.h"

/* 500 rows, of class 2 the more the larger the first number */
static void
put_rows(Rng *rng, Fixture *f)
{
	double		x[MOST_D];

	for (int row = 0; row < 500; row++)
	{
		random_row(rng, f, x);
		x[0] = rng_uniform(rng, -1, 1);
		if (f->shape.targets == 2)
		{
			x[11] = rng_uniform(rng, 0, 1) < 1 / (1 + exp(-3 * x[0]));
			x[10] = 1 - x[11];
		}
		else
			x[10] = 0.6 * x[0] + 0.1 * rng_normal(rng);
		put_row(f, row, x, 1);
	}
}

/* where nothing changes any more the gradient is the penalty's: K g = mean, with K as gam_posterior.h has it */
static double
penalty_error(Fit *fit, const double *gradient)
{
	double		worst = 0;
	double		total = 0;
	double		scale = fit->rows.shape.targets > 1 ? 1 : dpem_gam_rules.number_scale;

	for (int i = 0; i < fit->rows.n; i++)
		total += gradient[i];
	for (int c = 0; c < 5; c++)
	{
		const DpemGamColumn *column = &fit->rows.shape.column[c];
		int			first = fit->rows.offset[c];
		int			cells = fit->rows.offset[c + 1] - first;
		int			walk = column->length > 0 ? 0 : column->bins;

		/* (mean - constant total) is K_c g: multiplied by the penalties it is g */
		for (int i = 0; i < cells; i++)
		{
			double		level = pow(dpem_gam_rules.intercept / 5, 2) * scale * total;
			const double *mean = fit->score.mean + first;
			double		sum = dpem_gam_rules.level_precision / scale * (mean[i] - level);

			if (i >= walk)
				sum += (mean[i] - level) / fit->score.step[c];
			if (i < walk && i > 0)
				sum += (mean[i] - mean[i - 1]) / fit->score.step[c];
			if (i + 1 < walk)
				sum += (mean[i] - mean[i + 1]) / fit->score.step[c];
			worst = fmax(worst, fabs(sum - gradient[first + i]));
		}
	}
	return worst;
}

static void
check_exact(Rng *rng, int targets)
{
	Fixture		f = make_fixture(targets, targets > 1 ? targets : 64, 0);
	Fit			fit = make_fit(&f, 0.2);
	double	   *gradient = numbers((size_t) f.n);
	double		unit;

	put_rows(rng, &f);
	set_coefficients(&f, NULL);
	for (int pass = 1; pass <= 20; pass++)
		take_pass(rng, &f, &fit, pass, 0);
	unit = (targets > 1 ? 1 : fit.rows.shape.reach) / dpem_gam_gradient_mark(&f.shape);
	sums_of(&f, 1);
	for (int i = 0; i < f.n; i++)
		gradient[i] = unit * f.sums[i];
	CHECK(penalty_error(&fit, gradient) < 1e-7, "%d targets: the gradient is off the penalty's by %g", targets, penalty_error(&fit, gradient));
	CHECK(fit.score.mean[3] > fit.score.mean[2] && fit.score.mean[2] > fit.score.mean[1] && fit.score.mean[1] > fit.score.mean[0], "%d targets: no slope", targets);
	free(gradient);
	free(fit.memory);
	free_fixture(&f);
}

/* from noise smaller and much larger than the rows */
static void
check_noisy(Rng *rng, int targets)
{
	for (double sd = 1e-2; sd < 1e7; sd *= 30)
	{
		Fixture		f = make_fixture(targets, targets > 1 ? targets : 64, P);
		Fit			fit = make_fit(&f, 0.2);
		DpemGamResult result = {.contribution = numbers((size_t) f.n),.sd = numbers((size_t) f.n),.noise = numbers((size_t) f.n)};
		int			bad = 0;

		put_rows(rng, &f);
		set_coefficients(&f, NULL);
		for (int pass = 1; pass <= 4; pass++)
			take_pass(rng, &f, &fit, pass, sd);
		CHECK(dpem_gam_finish(&fit.rows, &fit.score, &result, fit.work) == DPEM_OK, "no result");
		for (int i = 0; i < f.n; i++)
			bad += !isfinite(result.contribution[i]) || !(result.sd[i] >= 0) || !(result.noise[i] >= 0) || result.noise[i] > 1.001 * result.sd[i] + 1e-9;
		CHECK(isfinite(result.intercept) && isfinite(result.intercept_sd) && result.intercept_noise <= 1.001 * result.intercept_sd, "%d targets, noise %g: an intercept of %g with a noise of %g", targets, sd, result.intercept, result.intercept_noise);
		CHECK(bad == 0, "%d targets, noise %g: %d contributions are no numbers, or their errors are less than their noise", targets, sd, bad);
		free(result.contribution);
		free(result.sd);
		free(result.noise);
		free(fit.memory);
		free_fixture(&f);
	}
}

/* noise of so many cells in each is as much noise in all of them */
static void
check_together(Rng *rng)
{
	Fixture		f = make_fixture(2, 2, P);
	Fit			fit = make_fit(&f, 0.2);
	size_t		n = (size_t) f.n;
	double	   *together = numbers(n);
	double	   *mean = numbers(2 * n);
	double		off = 0;
	double		size = 0;
	DpemNoisyMoments m;

	put_rows(rng, &f);
	set_coefficients(&f, NULL);
	m = release(rng, &f, 0, 3);
	dpem_gam_take_rows(&m, 0, &fit.rows, fit.work);
	CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
	dpem_gam_start(&fit.rows, &m, 0, &fit.score);
	dpem_gam_start_curvature(&fit.rows, &fit.score);
	memcpy(mean, fit.score.mean, n * sizeof(double));
	for (size_t i = 0; i < n; i++)
		together[i] = 3;
	fit.score.together = together;
	CHECK(dpem_gam_estimate(&fit.rows, 0, &fit.score, fit.work) == DPEM_OK, "noise of several cells");
	memcpy(mean + n, fit.score.mean, n * sizeof(double));
	memcpy(fit.score.mean, mean, n * sizeof(double));
	fit.score.together = NULL;
	fit.score.noise *= 3;
	CHECK(dpem_gam_estimate(&fit.rows, 0, &fit.score, fit.work) == DPEM_OK, "noise of one");
	for (size_t i = 0; i < n; i++)
	{
		off = fmax(off, fabs(fit.score.mean[i] - mean[n + i]));
		size = fmax(size, fabs(fit.score.mean[i]));
	}
	CHECK(size > 0.01 && off < 1e-9 * size, "means differ by %g of %g", off, size);
	free(m.value);
	free(together);
	free(mean);
	free(fit.memory);
	free_fixture(&f);
}

/* ---- pairs ---- */

/* exact counts of the fixture's rows, with pairs and of columns alone */
static Fit
count_rows(Rng *rng, Fixture *f)
{
	Fit			fit = make_fit(f, 0.2);
	DpemNoisyMoments m;

	set_coefficients(f, NULL);
	fit.rows.shape = f->shape;
	m = release(rng, f, 0, 0);
	dpem_gam_take_rows(&m, 0, &fit.rows, fit.work);
	CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
	free(m.value);
	return fit;
}

/* the smallest eigenvalue, relative to the largest */
static double
least_eigenvalue(int n, const double *a)
{
	double	   *copy = numbers((size_t) n * n + n + dpem_linalg_spectrum_work(n));
	double	   *value = copy + (size_t) n * n;
	double		least;

	memcpy(copy, a, (size_t) n * n * sizeof(double));
	CHECK(dpem_linalg_eigenvalues(n, copy, value, value + n) == DPEM_OK, "no eigenvalues");
	least = value[n - 1] / value[0];
	free(copy);
	return least;
}

/* what is made of the columns' counts: a pair's own are those that rows have, and all is a second moment */
static void
check_pair_counts(Rng *rng)
{
	Fixture		one = make_fixture(2, 2, 0);
	Fixture		all = make_fixture_of(2, 2, 0, 3);
	Rng			same = *rng;
	Fit			mains;
	Fit			truth;
	DpemGamRows made;
	size_t		square = (size_t) all.n * all.n;
	size_t		end = square + 2 * (size_t) all.n + dpem_gam_pairs_work(one.n, all.n);
	double	   *memory = numbers(end);
	int			bad = 0;

	put_rows(rng, &one);
	put_rows(&same, &all);
	mains = count_rows(rng, &one);
	truth = count_rows(rng, &all);
	made = (DpemGamRows) {.shape = all.shape,.n = all.n,.offset = all.offset,.second = memory,.count = memory + square,.noise = memory + square + all.n};
	CHECK(dpem_gam_add_pairs(&mains.rows, &made, (DpemWorkspace) {made.noise + all.n, memory + end}) == DPEM_OK, "no pairs");
	for (int i = 0; i < all.n; i++)
	{
		bad += fabs(made.count[i] - truth.rows.count[i]) > 1e-6;
		/* cells of one and the same pair */
		for (int j = 0; j < all.n; j++)
			for (int q = 5; q < 8; q++)
				if (i >= all.offset[q] && i < all.offset[q + 1] && j >= all.offset[q] && j < all.offset[q + 1])
					bad += fabs(made.second[(size_t) i * all.n + j] - truth.rows.second[(size_t) i * all.n + j]) > 1e-5;
	}
	CHECK(bad == 0, "%d counts of pairs are not those of rows", bad);
	CHECK(least_eigenvalue(all.n, made.second) > -1e-10, "no second moment: an eigenvalue of %g", least_eigenvalue(all.n, made.second));
	free(memory);
	free(mains.memory);
	free(truth.memory);
	free_fixture(&one);
	free_fixture(&all);
}

/* effects of a sum of two functions are these, and what any function has beyond its effects is zero over every part's rows */
static void
check_effects(Rng *rng)
{
	double		count[12];
	double		effect[7 * 12];
	double		work[12];
	double		f[12];
	double		worst[2] = {0};

	for (int z = 0; z < 12; z++)
		count[z] = z == 5 ? 0 : rng_below(rng, 50) + 1;
	dpem_gam_effects(3, 4, count, effect, work);
	for (int kind = 0; kind < 2; kind++)
	{
		double		sum[7] = {0};

		for (int z = 0; z < 12; z++)
			f[z] = kind ? rng_normal(rng) : sin(z / 4) + pow(z % 4, 2);
		for (int z = 0; z < 12; z++)
		{
			double		rest = f[z];

			for (int y = 0; y < 12; y++)
				rest -= f[y] * (effect[(z / 4) * 12 + y] + effect[(3 + z % 4) * 12 + y]);
			sum[z / 4] += count[z] * rest;
			sum[3 + z % 4] += count[z] * rest;
			worst[0] = fmax(worst[0], kind ? 0 : fabs(rest));
		}
		for (int i = 0; i < 7; i++)
			worst[1] = fmax(worst[1], fabs(sum[i]));
	}
	CHECK(worst[0] < 1e-10, "a sum of two functions leaves %g", worst[0]);
	CHECK(worst[1] < 1e-9, "what is left adds up to %g", worst[1]);
}

/* parts are whole numbers in their range, those of bins rise, and every part of many equal bins has rows */
static void
check_parts(Rng *rng)
{
	Fixture		f = make_fixture_of(2, 2, P, 3);
	double		count[21];
	double		part[21];
	int			bad = 0;

	f.shape.column = f.column;
	for (int round = 0; round < 1000; round++)
	{
		for (int i = 0; i < 21; i++)
			count[i] = rng_below(rng, 3) ? rng_uniform(rng, 0, 1e6) : 0;
		dpem_gam_divide(&f.shape, count, part);
		for (int c = 0; c < 5; c++)
			for (int i = f.offset[c]; i < f.offset[c + 1] && f.column[c].parts > 0; i++)
				bad += !(part[i] >= 0 && part[i] < f.column[c].parts) || part[i] != floor(part[i]) ||
					(i > f.offset[c] && f.column[c].length == 0 && part[i] < part[i - 1]);
	}
	CHECK(bad == 0, "%d parts are none, or fall", bad);
	free_fixture(&f);
}

static void
check_best_pairs(void)
{
	static const double gain[] = {1, 5, -2, 5, 3};
	const double without[] = {NAN, 3, NAN, 1, 2};
	int			chosen[5];

	dpem_gam_best_pairs(gain, 5, 2, chosen);
	CHECK(chosen[0] == 1 && chosen[1] == 3, "the best are %d and %d", chosen[0], chosen[1]);
	chosen[2] = -1;
	dpem_gam_best_pairs(without, 5, 2, chosen);
	CHECK(chosen[0] == 1 && chosen[1] == 4 && chosen[2] == -1, "of numbers the best are %d and %d, and no more", chosen[0], chosen[1]);
	dpem_gam_best_pairs(without, 5, 4, chosen);
	CHECK(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 3 && chosen[3] == 4, "of what is no number the first");
	dpem_gam_best_pairs(gain, 5, 4, chosen);
	CHECK(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 3 && chosen[3] == 4, "the worst of five is among four");
}

int
main(void)
{
	Rng			rng = {20};

	check_exact(&rng, 1);
	check_exact(&rng, 2);
	check_noisy(&rng, 1);
	check_noisy(&rng, 2);
	check_together(&rng);
	check_pair_counts(&rng);
	check_effects(&rng);
	check_parts(&rng);
	check_best_pairs();
	return unit_report();
}
