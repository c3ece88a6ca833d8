/*
 * test_column_target.c - where a number that is to be explained is, from margins whose noise is large.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/released_margins.h"
#include "core/columns/column_target.h"
#include "margins_release.h"

enum { ROWS = 800, ROUNDS = 200 };

/* a skewed target: of its domain's first tenth, as most amounts are */
static double
skewed(Rng *rng, int j)
{
	return fmin(2 / 300.0 * exp(3 + 0.6 * rng_normal(rng)) - 1, 1);
}

/* how many of ROUNDS releases have nothing of the middle half of the rows where the mean is clamped; noise: in a bin, in parts of the rows */
static int
count_missed(Rng *rng, double noise, bool alone)
{
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_target_locate_work(&f.grid));
	int			missed = 0;

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		double		center;
		double		deviation;
		double		reach;

		release(rng, &f, ROWS, skewed, noise * ROWS * dpem_margin_mark(&f.grid, 0), &m);
		margins = dpem_margins_take(&f.grid, &m, ROWS);
		dpem_target_locate(&margins, alone, &center, &deviation, work);
		reach = dpem_target_reach * deviation;
		CHECK(deviation > 0 && center - reach > -1 - 1e-9 && center + reach < 1 + 1e-9, "from %g to %g", center - reach, center + reach);
		missed += center - reach > 2 / 300.0 * exp(3 + 0.4) - 1 || center + reach < 2 / 300.0 * exp(3 - 0.4) - 1;
		free(m.value);
	}
	free(work.next);
	free_fixture(&f);
	return missed;
}

static void
test_noise(void)
{
	Rng			rng = {.state = 3};

	for (double noise = 0.02; noise < 0.3; noise *= 1.5)
	{
		int			missed = count_missed(&rng, noise, true);

		CHECK(missed <= ROUNDS / 100, "noise %g: %d of %d clamps miss the target", noise, missed, ROUNDS);
	}
	/* a regression's frame is as wide, and as little off, where rows can be told from noise */
	CHECK(count_missed(&rng, 0.02, false) == 0, "the target is missed in little noise");
}

static void
test_anywhere(void)
{
	double		center;
	double		deviation;

	dpem_target_anywhere(&center, &deviation);
	CHECK_CLOSE(center, 0, 0, "the middle");
	CHECK_CLOSE(dpem_target_reach * deviation, 1, 1e-12, "half of the domain");
}

/* noise on a number that may be anywhere takes the posterior mean less far than it takes itself, even cut off at the ends */
static void
test_within(void)
{
	Rng			rng = {.state = 4};

	for (double sd = 0.02; sd < 5; sd *= 1.5)
	{
		double		square = 0;
		double		cut = 0;
		double		before = -2;

		for (int i = 0; i < 4000; i++)
		{
			double		truth = rng_uniform(&rng, -1, 1);
			double		released = truth + sd * rng_normal(&rng);

			square += pow(dpem_target_within(released, sd) - truth, 2);
			cut += pow(fmin(fmax(released, -1), 1) - truth, 2);
		}
		CHECK(square < 1.001 * cut, "noise %g: %g, of the number %g", sd, square, cut);
		for (double released = -9; released <= 9; released += 0.25)
		{
			double		mean = dpem_target_within(released, sd);

			CHECK(mean >= before && fabs(mean) <= 1 && fabs(mean + dpem_target_within(-released, sd)) < 1e-9, "%g of %g", mean, released);
			before = mean;
		}
	}
	CHECK_CLOSE(dpem_target_within(0.3, 0), 0.3, 0, "without noise");
	CHECK_CLOSE(dpem_target_within(-0.3, 1e-9), -0.3, 1e-9, "hardly any noise");
	CHECK(fabs(dpem_target_within(3, 1e9)) < 1e-6, "noise alone");
	CHECK_CLOSE(dpem_target_within(-1e3, 1e-3), -1, 1e-6, "far off");
}

/* of 700 rows of mean -0.25 */
static void
add_exact(double middle, DpemTargetSums *sums)
{
	dpem_target_add_sum(sums, middle, 700 * (-0.25 - middle), 0.01);
}

/* sums from two places tell how many rows there are, and one from the mean does not ask for it */
static void
test_sums(void)
{
	DpemTargetMean known = {.middle = 0.1,.reach = 0.8,.rows = 700};
	DpemTargetMean unknown = {.middle = 0.1,.reach = 0.8,.rows = 2000,.rows_sd = 3000};
	DpemTargetSums one = {0};
	DpemTargetSums there = {0};
	DpemTargetSums two = {0};
	double		noise;
	double		least;

	add_exact(0.4, &one);
	CHECK_CLOSE(dpem_target_mean_of(&known, &one, &least), -0.25, 1e-4, "rows are known");
	CHECK(fabs(dpem_target_mean_of(&unknown, &one, &noise) + 0.25) > 0.1 && noise > 0.1, "rows are not: off by %g", noise);
	add_exact(-0.25, &there);
	CHECK_CLOSE(dpem_target_mean_of(&unknown, &there, &noise), -0.25, 1e-4, "from the mean");
	add_exact(-0.7, &two);
	add_exact(0.9, &two);
	CHECK_CLOSE(dpem_target_mean_of(&unknown, &two, &noise), -0.25, 1e-3, "from two places");
	CHECK(noise > 0 && noise < 3 * least, "which cost little: %g, %g", noise, least);
}

static void
test_releases(void)
{
	double		mean[2] = {1, 4};
	double		sd = 2;
	double		more[2] = {6, 4};

	dpem_target_add_release(2, more, 1, mean, &sd);
	CHECK_CLOSE(mean[0], 5, 1e-12, "the better one counts four times");
	CHECK_CLOSE(mean[1], 4, 1e-12, "the same");
	CHECK_CLOSE(sd, 2 / sqrt(5), 1e-12, "noise of both");
}

int
main(void)
{
	test_sums();
	test_releases();
	test_within();
	test_noise();
	test_anywhere();
	return unit_report();
}
