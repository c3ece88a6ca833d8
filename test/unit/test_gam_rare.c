/*
 * test_gam_rare.c - two classes, one of them rare: models start at its share, and keep what counts by class told.
 */
#include "core/gam/gam_join.h"
#include "gam_fit_fixture.h"

#define ROWS	500

/* so many of the rows are of class 2, whatever their columns are */
static void
put_rare(Rng *rng, Fixture *f, int ones)
{
	double		x[MOST_D];

	for (int row = 0; row < ROWS; row++)
	{
		random_row(rng, f, x);
		x[11] = row < ones;
		x[10] = 1 - x[11];
		put_row(f, row, x, 1);
	}
	set_coefficients(f, NULL);
}

static double
mean_of_scores(const Fit *fit)
{
	double		sum = 0;

	for (int i = 0; i < fit->rows.n; i++)
		sum += fit->rows.count[i] * fit->score.mean[i];
	return sum / fit->rows.rows;
}

/* one step from 1/2 goes no further than log-odds of -1.9 for a class of 3 % */
static void
check_start(Rng *rng, int ones, double expected)
{
	Fixture		f = make_fixture(2, 2, P);
	Fit			fit = make_fit(&f, 0.2);

	put_rare(rng, &f, ones);
	take_pass(rng, &f, &fit, 1, 0.01);
	CHECK(fabs(mean_of_scores(&fit) - expected) < 0.4, "%d of %d rows: mean score %g, not %g", ones, ROWS, mean_of_scores(&fit), expected);
	free(fit.memory);
	free_fixture(&f);
}

/* counts as they are, said to be as noisy as that: a class that is not seen is as rare as would be seen, and at most half of the rows; of all rows there are as many as would be seen */
static void
check_unseen(Rng *rng)
{
	double		before = 0;

	for (double sd = 0.1; sd < 1e7; sd *= 3)
	{
		Fixture		f = make_fixture(2, 2, P);
		Fit			fit = make_fit(&f, 0.2);
		DpemNoisyMoments m;

		put_rare(rng, &f, 2);
		m = release(rng, &f, 0, 0);
		m.count_sd = sd;
		dpem_gam_take_rows(&m, 0, &fit.rows, fit.work);
		CHECK(dpem_gam_clean_pairs(&fit.rows, fit.work) == DPEM_OK, "pairs");
		CHECK(fabs(fit.rows.share[0] + fit.rows.share[1] - 1) < 1e-12, "shares add up to %g", fit.rows.share[0] + fit.rows.share[1]);
		CHECK(fit.rows.share[1] > 0.0039 && fit.rows.share[1] >= before - 1e-6 && fit.rows.share[1] <= 0.5, "noise %g: a share of %g", sd, fit.rows.share[1]);
		CHECK(fit.rows.rows >= 2.5 * fit.rows.counted_sd && fit.rows.counted < 600, "%g rows, counted %g with noise %g", fit.rows.rows, fit.rows.counted, fit.rows.counted_sd);
		before = fit.rows.share[1];
		free(m.value);
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(before > 0.3, "a share of %g in noise", before);
}

/* noise may make more of a class than there are rows, or less than none: shares are between 0 and 1, and scores are numbers */
static void
check_noise(Rng *rng)
{
	int			bad = 0;

	for (int run = 0; run < 50; run++)
	{
		Fixture		f = make_fixture(2, 2, P);
		Fit			fit = make_fit(&f, 0.2);

		put_rare(rng, &f, 15);
		for (int pass = 1; pass <= 3; pass++)
			take_pass(rng, &f, &fit, pass, pow(10, run % 6));
		bad += !(fit.rows.share[1] > 0 && fit.rows.share[1] < 1) || !isfinite(mean_of_scores(&fit));
		free(fit.memory);
		free_fixture(&f);
	}
	CHECK(bad == 0, "%d fits of noise have no shares or scores", bad);
}

/* a gradient and the counts before it tell more than the gradient */
static void
check_kept(Rng *rng)
{
	Fixture		f = make_fixture(2, 2, P);
	Fit			fit = make_fit(&f, 0.2);
	double		sd = 20;
	double		alone = sd / dpem_gam_gradient_mark(&f.shape);

	put_rare(rng, &f, 15);
	take_pass(rng, &f, &fit, 1, sd);
	take_pass(rng, &f, &fit, 2, sd);
	CHECK(sqrt(fit.score.noise) / fit.score.weight < 0.9 * alone, "noise of %g, of a gradient alone %g", sqrt(fit.score.noise) / fit.score.weight, alone);
	free(fit.memory);
	free_fixture(&f);
}

/* rows of two kinds, of which one in ten and seven in ten are of class 2 */
static void
put_kinds(Rng *rng, Fixture *f)
{
	double		x[MOST_D];

	for (int row = 0; row < ROWS; row++)
	{
		random_row(rng, f, x);
		x[11] = rng_uniform(rng, 0, 1) < (x[0] > 0 ? 0.7 : 0.1);
		x[10] = 1 - x[11];
		put_row(f, row, x, 1);
	}
	set_coefficients(f, NULL);
}

/* with little noise a fit is about where many more passes would end, as its intervals say: early ones are off by more */
static void
check_settled(Rng *rng)
{
	Fixture		f = make_fixture(2, 2, P);
	Fit			fit = make_fit(&f, 0.2);
	double	   *settled = malloc(f.shape.columns * 64 * sizeof(double));
	double		off = 0;

	put_kinds(rng, &f);
	for (int pass = 1; pass <= 12; pass++)
		take_pass(rng, &f, &fit, pass, 0.01);
	memcpy(settled, fit.score.mean, fit.rows.n * sizeof(double));
	for (int pass = 13; pass <= 300; pass++)
		take_pass(rng, &f, &fit, pass, 0.01);
	for (int i = 0; i < fit.rows.n; i++)
		if (fit.rows.count[i] > 1)
			off = fmax(off, fabs(settled[i] - fit.score.mean[i]));
	CHECK(off < 0.15, "a contribution is %g off", off);
	free(settled);
	free(fit.memory);
	free_fixture(&f);
}

/* fewer rows, more alike, tell less; what is not known of their number counts against them */
static void
check_hidden(void)
{
	DpemGamRows rows = {.shape = {.targets = 2},.public = true,.rows = 1000,.counted = 1000,.counted_sd = 400,.share = {0.5, 0.5}};

	CHECK(!dpem_gam_hides_classes(&rows, 300) && dpem_gam_hides_classes(&rows, 320), "1,000 rows tell 250");
	rows.public = false;
	CHECK(dpem_gam_hides_classes(&rows, 260) && !dpem_gam_hides_classes(&rows, 240), "800 tell 200");
	rows.share[0] = 0.9;
	rows.share[1] = 0.1;
	CHECK(dpem_gam_hides_classes(&rows, 240), "a rare class tells less");
	rows.exact = true;
	CHECK(!dpem_gam_hides_classes(&rows, 240), "without noise nothing is hidden");
	rows.exact = false;
	rows.shape.targets = 3;
	rows.share[0] = rows.share[1] = 0.4;
	rows.share[2] = 0.2;
	/* 800 tell 0.64 / 3 each, of which 1.6 times the noise hides a model */
	CHECK(dpem_gam_hides_classes(&rows, 110) && !dpem_gam_hides_classes(&rows, 100), "several classes tell 171");
	rows.shape.targets = 1;
	CHECK(!dpem_gam_hides_classes(&rows, 240), "a number has no classes");
}

int
main(void)
{
	Rng			rng = {20};

	check_hidden();
	check_start(&rng, 15, log(0.03 / 0.97));
	check_start(&rng, 485, log(0.97 / 0.03));
	check_start(&rng, 250, 0);
	check_unseen(&rng);
	check_noise(&rng);
	check_kept(&rng);
	check_settled(&rng);
	return unit_report();
}
