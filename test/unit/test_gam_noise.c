/*
 * test_gam_noise.c - the intercept's noise is what intercepts of repeated fits are apart, those of the same rows.  Rows and
 * noise are the same in every run.
 */
#include "gam_fit_fixture.h"

#define FITS	300
#define PASSES	8

/* 500 rows, whose target goes up with the first number and depends on the first label */
static void
put_rows(Rng *rng, Fixture *f)
{
	double		x[MOST_D];

	for (int row = 0; row < 500; row++)
	{
		double		score;

		random_row(rng, f, x);
		x[0] = rng_uniform(rng, -1, 1);
		score = 2 * x[0] + 2 * x[3] - 1;
		if (f->shape.targets == 2)
		{
			x[11] = rng_uniform(rng, 0, 1) < 1 / (1 + exp(-score));
			x[10] = 1 - x[11];
		}
		else
			x[10] = 0.2 * score + 0.05 * rng_normal(rng);
		put_row(f, row, x, 1);
	}
}

/* the intercept and its noise; contributions are not kept */
static DpemGamResult
fit_once(Rng *rng, Fixture *f, double sd)
{
	Fit			fit = make_fit(f, 0.2);
	DpemGamResult result = {.contribution = numbers((size_t) f->n),.sd = numbers((size_t) f->n),.noise = numbers((size_t) f->n)};

	f->shape.middle = 0.1;
	f->shape.reach = 0.7;
	set_coefficients(f, NULL);
	for (int pass = 1; pass <= PASSES; pass++)
		take_pass(rng, f, &fit, pass, sd);
	CHECK(dpem_gam_finish(&fit.rows, &fit.score, &result, fit.work) == DPEM_OK, "no result");
	free(result.contribution);
	free(result.sd);
	free(result.noise);
	free(fit.memory);
	return result;
}

/* chance makes the deviation of 300 intercepts 4 % wrong */
static void
check_intercept(Rng *rng, int targets, double sd)
{
	Fixture		f = make_fixture(targets, targets > 1 ? targets : 64, P);
	double		sum = 0;
	double		square = 0;
	double		claimed = 0;
	double		ratio;

	put_rows(rng, &f);
	for (int i = 0; i < FITS; i++)
	{
		DpemGamResult result = fit_once(rng, &f, sd);

		sum += result.intercept;
		square += result.intercept * result.intercept;
		claimed += result.intercept_noise * result.intercept_noise / FITS;
	}
	ratio = sqrt((square / FITS - sum / FITS * sum / FITS) / claimed);
	CHECK(ratio > 0.75 && ratio < 1.25, "%d targets, noise %g: intercepts are %.2f times as far apart as they say", targets, sd, ratio);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {21};

	for (double sd = 0.3; sd < 4; sd *= 3)
	{
		check_intercept(&rng, 1, sd);
		check_intercept(&rng, 2, sd);
	}
	return unit_report();
}
