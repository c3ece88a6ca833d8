/*
 * test_column_spread.c - centers and deviations of columns from released margins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_spread.h"
#include "margins_release.h"

static void
check_spread(Rng *rng)
{
	static const double center[] = {0.2, -0.7, -0.975, 0.25};
	static const double deviation[] = {0.3, 0.01, 0.0878, 0.433};
	Fixture		f = make_fixture(4, 4);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	double		c[4];
	double		s[4];

	release(rng, &f, 4000, four_unlike, 5, &m);
	margins = dpem_margins_take(&f.grid, &m, 0);
	CHECK(fabs(margins.rows - 4000) < 60, "rows: %g", margins.rows);
	CHECK(dpem_margins_take(&f.grid, &m, 4000).rows == 4000, "a public number of rows");
	dpem_column_spread(&margins, true, c, s, work);
	for (int j = 0; j < 4; j++)
	{
		CHECK(fabs(c[j] - center[j]) < 0.04, "column %d: center %g", j, c[j]);
		CHECK(s[j] > 0.8 * deviation[j] && s[j] < 1.25 * deviation[j] + 0.02, "column %d: deviation %g", j, s[j]);
	}
	dpem_column_spread(&margins, false, c, s, work);
	for (int j = 0; j < 4; j++)
		CHECK(c[j] == 0 && fabs(s[j] - hypot(center[j], deviation[j])) < 0.05, "column %d: %g about the middle", j, s[j]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

static double	/* a few bins of the finest level */
narrow(Rng *rng, int j)
{
	return (j == 0 ? -0.999 : 0.4) + 0.0005 * rng_normal(rng);
}

/* whatever noise does in bins without a row */
static void
check_strays(Rng *rng)
{
	Fixture		f = make_fixture(2, 2);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[2];
	double		s[2];
	double		most = 0;

	for (int round = 0; round < 200; round++)
	{
		release(rng, &f, 2000, narrow, 5, &m);
		margins = dpem_margins_take(&f.grid, &m, 2000);
		dpem_column_spread(&margins, true, c, s, work);
		most = fmax(most, fmax(s[0], s[1]));
		free(m.value);
	}
	CHECK(most < 0.002, "a deviation of %g", most);
	free(work.next);
	free_fixture(&f);
}

static double
zeros(Rng *rng, int j)
{
	(void) rng;
	(void) j;
	return -1;
}

/* what is hidden beside zeros is at the other end where the domain says that there are ones */
static void
check_ones(Rng *rng)
{
	static const DpemColumnValues values[] = {DPEM_VALUES_ONES, DPEM_VALUES_ANY, DPEM_VALUES_ANY, DPEM_VALUES_TWO};
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[4];
	double		s[4];

	release(rng, &f, 2000, zeros, 2000 * dpem_margin_mark(&f.grid, 0) / 40, &m);
	margins = dpem_margins_take(&f.grid, &m, 2000);
	margins.values = values;
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(fabs(s[1] - s[2]) < 1e-12 && fabs(s[0] - s[3]) < 1e-4, "alike: %g %g %g %g", s[0], s[1], s[2], s[3]);
	CHECK(fabs(s[0] / (2 * sqrt(0.35 * sqrt(margins.noise))) - 1) < 0.01, "ones: %g", s[0]);
	CHECK(s[1] < 0.7 * s[0], "numbers: %g beside %g", s[1], s[0]);
	margins.values = NULL;
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(s[0] == s[1], "unknown domains: %g", s[0]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

static double
quarters(Rng *rng, int j)
{
	(void) j;
	return rng_below(rng, 4) == 0 ? 1 : -1;
}

/* where noise leaves a part of the first level to be seen and nothing of what is within it, ones of a quarter of the rows are hidden, too */
static void
check_coarse_ones(Rng *rng)
{
	static const DpemColumnValues values[] = {DPEM_VALUES_ONES, DPEM_VALUES_ONES, DPEM_VALUES_ANY, DPEM_VALUES_ANY};
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[4];
	double		s[4];

	release(rng, &f, 2000, quarters, 280 * dpem_margin_mark(&f.grid, 0), &m);
	margins = dpem_margins_take(&f.grid, &m, 2000);
	margins.values = values;
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(s[0] > 0.5 && s[1] > 0.5 && s[2] < 0.3 && s[3] < 0.3, "ones: %g and %g, numbers: %g and %g", s[0], s[1], s[2], s[3]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* what is hidden beside the zeros of a column with a tail is no reason to see it wide, and leaves other columns' as it is */
static void
check_tail(Rng *rng)
{
	static const DpemColumnValues values[] = {DPEM_VALUES_TAIL, DPEM_VALUES_ANY, DPEM_VALUES_ONES, DPEM_VALUES_TAIL};
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		bin = 2.0 / dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double		c[4];
	double		s[4];
	double		any[4];

	release(rng, &f, 2000, zeros, 2000 * dpem_margin_mark(&f.grid, 0) / 150, &m);
	margins = dpem_margins_take(&f.grid, &m, 2000);
	dpem_column_spread(&margins, true, c, any, work);
	margins.values = values;
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(s[0] < bin && s[3] < bin, "tails: %g %g", s[0], s[3]);
	CHECK(fabs(c[0] + 1) < 1.001 * s[0] && fabs(c[3] + 1) < 1.001 * s[3], "zeros are %g and %g deviations from the center", (c[0] + 1) / s[0], (c[3] + 1) / s[3]);
	CHECK(s[1] == any[1] && s[1] > 20 * bin && s[2] > s[1], "any: %g, ones: %g", s[1], s[2]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

static double	/* categories of one row in five, of most rows, and of one in a hundred; ones of every second row */
category(Rng *rng, int j)
{
	static const double share[] = {0.2, 0.94, 0.01, 0.5};

	return rng_uniform(rng, 0, 1) < share[j] ? 1 : j < 3 ? 0 : -1;
}

/* a category that most rows have is no narrow column, however few of its bins noise leaves to be seen */
static void
check_two(Rng *rng)
{
	static const DpemColumnValues values[] = {DPEM_VALUES_CATEGORY, DPEM_VALUES_CATEGORY, DPEM_VALUES_CATEGORY, DPEM_VALUES_TWO};
	static const double center[] = {0.2, 0.94, 0, 0};
	static const double deviation[] = {0.4, 0.24, 0.27, 1};
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[4];
	double		s[4];
	double		off = 0;
	double		ratio = 1;
	double		about = 0;
	double		narrow = 2;

	for (int round = 0; round < 100; round++)
	{
		release(rng, &f, 3000, category, 3000 * dpem_margin_mark(&f.grid, 0) / 40, &m);
		margins = dpem_margins_take(&f.grid, &m, 3000);
		dpem_column_spread(&margins, true, c, s, work);
		narrow = fmin(narrow, s[1]);
		margins.values = values;
		dpem_column_spread(&margins, true, c, s, work);
		for (int j = 0; j < 4; j++)
		{
			off = fmax(off, fabs(c[j] - center[j]));
			ratio = fmax(ratio, fmax(s[j] / deviation[j], deviation[j] / s[j]));
		}
		dpem_column_spread(&margins, false, c, s, work);
		about = fmax(about, fmax(fabs(c[1]), fmax(fabs(s[1] - 1), fabs(s[3] - 1))));
		free(m.value);
	}
	CHECK(off < 0.2, "centers of two values: %g off", off);
	CHECK(ratio < 1.4, "deviations of two values: %g times too large or small", ratio);
	CHECK(narrow < 0.1, "by bins: %g", narrow);
	CHECK(about < 0.1, "about the middle: %g off", about);
	free(work.next);
	free_fixture(&f);
}

static double
scattered(Rng *rng, int j)
{
	return 0.03 * j - 0.3 + 0.01 * rng_normal(rng);
}

/* 20 narrow columns, and noise of a fortieth of the rows in a bin: most are found, some bins' noise is taken for rows */
static void
check_narrow(Rng *rng)
{
	Fixture		f = make_fixture(20, 20);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	double		c[20];
	double		s[20];
	int			found = 0;

	release(rng, &f, 4000, scattered, 4000 * dpem_margin_mark(&f.grid, 0) / 40, &m);
	margins = dpem_margins_take(&f.grid, &m, 4000);
	dpem_column_spread(&margins, true, c, s, work);
	for (int j = 0; j < 20; j++)
		found += fabs(c[j] - (0.03 * j - 0.3)) < 0.03 && s[j] < 0.03;
	CHECK(found >= 12, "of 20 narrow columns %d were found", found);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* of noise alone: numbers, in the box */
static double
nothing(Rng *rng, int j)
{
	(void) rng;
	(void) j;
	return 0;
}

static void
check_noise_alone(Rng *rng)
{
	Fixture		f = make_fixture(5, 5);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	int			bad = 0;

	for (int round = 0; round < 50; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		double		c[5];
		double		s[5];

		release(rng, &f, 0, nothing, round % 2 ? 1e6 : 1, &m);
		margins = dpem_margins_take(&f.grid, &m, round % 3 ? 0 : 10);
		dpem_column_spread(&margins, true, c, s, work);
		for (int j = 0; j < 5; j++)
		{
			bad += !(fabs(c[j]) <= 1) || !(s[j] > 0 && s[j] <= 2);
		}
		free(m.value);
	}
	CHECK(bad == 0, "%d frames of noise are none", bad);
	free(work.next);
	free_fixture(&f);
}

/* a column that is unknown in two rows of five is not thought to be anywhere else */
static void
check_unknown(Rng *rng)
{
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[4];
	double		s[4];
	double		sd;

	release(rng, &f, 4000, four_unlike, 1, &m);
	for (size_t i = 1; i < f.length; i += f.w.d + 1)
		m.value[i] *= 0.6;
	margins = dpem_margins_take(&f.grid, &m, 4000);
	CHECK(fabs(margins.counted - 3600) < 40, "rows on average: %g", margins.counted);
	CHECK(fabs(dpem_margins_best_known(&margins, &sd) - 4000) < 6 * sd && sd < 50, "rows of the best known: %g", dpem_margins_best_known(&margins, &sd));
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(fabs(c[0] - 0.2) > 0.04, "rows of all columns: center %g", c[0]);
	margins.apart = true;
	dpem_column_spread(&margins, true, c, s, work);
	CHECK(fabs(c[0] - 0.2) < 0.03 && fabs(s[0] - 0.3) < 0.05, "its own rows: center %g, deviation %g", c[0], s[0]);
	CHECK(fabs(c[3] - 0.25) < 0.04, "a column that is known: center %g", c[3]);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {2010};

	check_spread(&rng);
	check_strays(&rng);
	check_ones(&rng);
	check_coarse_ones(&rng);
	check_tail(&rng);
	check_two(&rng);
	check_ones(&rng);
	check_narrow(&rng);
	check_noise_alone(&rng);
	check_unknown(&rng);
	return unit_report();
}
