/*
 * test_gam_number.c - numbers of few rows: noise in the releases is not taken for what columns explain.
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
	CHECK(dpem_gam_take_rows(&m, 0, &fit.rows, fit.work) == DPEM_OK, "rows");
	CHECK(fit.rows.shape.middle > 0.3 && fit.rows.shape.middle <= 0.5, "a middle of %g", fit.rows.shape.middle);
	CHECK(fit.rows.variance < 0.25, "a variance of %g", fit.rows.variance);
	free(m.value);
	free(fit.memory);
	free_fixture(&f);
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

int
main(void)
{
	Rng			rng = {20};

	check_hidden_target(&rng);
	check_unrelated(&rng);
	return unit_report();
}
