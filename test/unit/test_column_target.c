/*
 * test_column_target.c - where a number that is to be explained is, from margins whose noise is large.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/released_margins.h"
#include "core/columns/column_target.h"
#include "margins_release.h"

enum { ROWS = 800, ROUNDS = 200 };

/* of the columns below, numerically */
#define TAILED_MEAN	(-0.764)
#define TAILED_SD	0.350

/* a skewed target: of its domain's first tenth, as most amounts are */
static double
skewed(Rng *rng, int j)
{
	return fmin(2 / 300.0 * exp(3 + 0.6 * rng_normal(rng)) - 1, 1);
}

/* noise: in a bin, in parts of the rows */
static DpemMargins
release_noisy(Rng *rng, Fixture *f, double (*value) (Rng *rng, int j), double noise, DpemNoisyMoments *m)
{
	release(rng, f, ROWS, value, noise * ROWS * dpem_margin_mark(&f->grid, 0), m);
	return dpem_margins_take(&f->grid, m, ROWS);
}

/* how many of ROUNDS releases have nothing of the middle half of the rows where the mean is clamped */
static int
count_missed(Rng *rng, double noise)
{
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_target_locate_work(&f.grid));
	int			missed = 0;

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins = release_noisy(rng, &f, skewed, noise, &m);
		double		low;
		double		high;

		dpem_target_clamp(&margins, noise * ROWS, ROWS, &low, &high, work);
		CHECK(high > low && low > -1 - 1e-9 && high < 1 + 1e-9, "from %g to %g", low, high);
		missed += low > 2 / 300.0 * exp(3 + 0.4) - 1 || high < 2 / 300.0 * exp(3 - 0.4) - 1;
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
		int			missed = count_missed(&rng, noise);

		CHECK(missed <= ROUNDS / 100, "noise %g: %d of %d clamps miss the target", noise, missed, ROUNDS);
	}
}

/* nearly half of the rows at an end, of the others most are far out, in bins that noise hides */
static double
tailed(Rng *rng, int j)
{
	return rng_below(rng, 100) < 45 ? -1 : fmin(-1 - 0.45 * log(rng_uniform(rng, 1e-9, 1)), 0.33);
}

/* in two thirds of the domain, alike: no bin holds more than noise makes up */
static double
spread_out(Rng *rng, int j)
{
	return rng_uniform(rng, -1, 1 / 3.0);
}

/* means over ROUNDS releases: how far a regression's center is off, squared, in deviations of the target, and how often it is seen less than half as wide as it is */
static void
measure_frames(Rng *rng, double (*value) (Rng *rng, int j), double noise, double mean, double deviation, double *off, double *narrow)
{
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_target_locate_work(&f.grid));

	*off = *narrow = 0;
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins = release_noisy(rng, &f, value, noise, &m);
		double		center;
		double		seen;

		dpem_target_locate(&margins, 0.01, &center, &seen, work);
		*off += pow((center - mean) / deviation, 2) / ROUNDS;
		*narrow += (seen < deviation / 2 ? 1.0 : 0) / ROUNDS;
		free(m.value);
	}
	free(work.next);
	free_fixture(&f);
}

static void
test_frames(void)
{
	Rng			rng = {.state = 5};
	double		off;
	double		narrow;

	for (double noise = 0.02; noise < 0.05; noise *= 2)
	{
		measure_frames(&rng, tailed, noise, TAILED_MEAN, TAILED_SD, &off, &narrow);
		CHECK(off < 0.3 && narrow < 0.5, "a tail in noise %g: the center is %g off, %g of the frames are narrow", noise, sqrt(off), narrow);
	}
	for (double noise = 0.04; noise < 0.1; noise *= 2)
	{
		measure_frames(&rng, spread_out, noise, -1 / 3.0, 4 / 3.0 / sqrt(12), &off, &narrow);
		CHECK(off < 0.25 && narrow < 0.02, "spread out in noise %g: the center is %g off, %g of the frames are narrow", noise, sqrt(off), narrow);
	}
	measure_frames(&rng, skewed, 0.02, 2 / 300.0 * exp(3 + 0.18) - 1, 0.11, &off, &narrow);
	CHECK(off < 0.1 && narrow < 0.02, "a skewed target: the center is %g off, %g of the frames are narrow", sqrt(off), narrow);
}

/* a thousandth of the domain */
static double
narrow_target(Rng *rng, int j)
{
	return -0.26 + 0.0005 * rng_normal(rng);
}

/* noise of four and a half deviations far from a narrow target, in a bin of the first level, makes no wide frame */
static void
test_narrow(void)
{
	Rng			rng = {.state = 8};
	Fixture		f = make_fixture(1, 1);
	DpemWorkspace work = workspace(dpem_target_locate_work(&f.grid));
	double		sd = 0.0024 * ROWS * dpem_margin_mark(&f.grid, 0);
	DpemNoisyMoments m;

	release(&rng, &f, ROWS, narrow_target, 0, &m);
	m.sum_sd = sd;
	for (int bin = 8; bin < f.grid.parts; bin++)
	{
		DpemMargins margins;
		double		center;
		double		deviation;

		m.value[2 * bin + 1] += 4.5 * sd;
		margins = dpem_margins_take(&f.grid, &m, ROWS);
		dpem_target_locate(&margins, 0.001, &center, &deviation, work);
		m.value[2 * bin + 1] -= 4.5 * sd;
		CHECK(deviation < 5 * 0.0005, "bin %d: a frame %g times too wide", bin, deviation / 0.0005);
	}
	free(m.value);
	free(work.next);
	free_fixture(&f);
}

/* a column's own margins and those among four columns, whose marks are half as large: a fifth of what is told is theirs */
static void
test_joined(void)
{
	Rng			rng = {.state = 6};
	Fixture		one = make_fixture(1, 1);
	Fixture		four = make_fixture(4, 4);
	DpemNoisyMoments m[3];
	DpemMargins own = release_noisy(&rng, &one, spread_out, 1e-6, &m[0]);
	DpemMargins others = release_noisy(&rng, &four, four_unlike, 1e-6, &m[1]);
	DpemMargins joined;
	double		bin = dpem_margins_sum(&own, 5, 0) / dpem_margin_mark(&one.grid, 0);
	double		narrow = dpem_margins_sum(&others, 2, 1) / dpem_margin_mark(&four.grid, 0);

	CHECK_CLOSE(narrow, ROWS, 1e-2 * ROWS, "the third bin has the narrow column");
	m[0].sum_sd = m[1].sum_sd = 0.01 * ROWS;
	m[2].value = numbers(one.length);
	joined = dpem_margins_join(&own, &others, 1, ROWS, &m[2]);
	CHECK_CLOSE(dpem_margins_sum(&joined, 5, 0) / dpem_margin_mark(&one.grid, 0), 0.8 * bin, 1e-2 * ROWS, "four fifths are its own");
	CHECK_CLOSE(dpem_margins_sum(&joined, 2, 0) / dpem_margin_mark(&one.grid, 0) - 0.8 * dpem_margins_sum(&own, 2, 0) / dpem_margin_mark(&one.grid, 0),
				0.2 * narrow, 1e-2 * ROWS, "a fifth is theirs");
	CHECK_CLOSE(m[2].sum_sd, sqrt(0.8) * m[0].sum_sd, 1e-9 * ROWS, "noise of both");
	four.grid.parts = 8;
	others.grid = four.grid;
	joined = dpem_margins_join(&own, &others, 1, ROWS, &m[2]);
	CHECK(joined.released == own.released, "grids that are not alike");
	for (int i = 0; i < 3; i++)
		free(m[i].value);
	free_fixture(&one);
	free_fixture(&four);
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
	test_frames();
	test_narrow();
	test_joined();
	return unit_report();
}
