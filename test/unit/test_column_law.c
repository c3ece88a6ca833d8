/*
 * test_column_law.c - distributions of columns from released margins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_law.h"
#include "margins_release.h"

#define ROWS	4000
#define ROUNDS	40
#define NARROW	2000
#define NARROW_ROWS	1000

/* the law is one, whatever the noise */
static void
check_law(Rng *rng)
{
	Fixture		f = make_fixture(4, 4);
	DpemNoisyMoments m;
	DpemMargins margins;
	DpemWorkspace work = workspace(dpem_margins_law_work(&f.grid));
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double	   *p = numbers(bins);

	release(rng, &f, ROWS, four_unlike, 5, &m);
	margins = dpem_margins_take(&f.grid, &m, 0);
	for (int j = 0; j < 4; j++)
	{
		double		sum = 0;
		int			bad = 0;

		dpem_margins_law(&margins, j, p, work);
		for (int b = 0; b < bins; b++)
		{
			sum += p[b];
			bad += !(p[b] >= 0);
		}
		CHECK_CLOSE(sum, 1, 1e-9, "the law of column");
		CHECK(bad == 0, "column %d: %d shares are negative", j, bad);
	}
	free(p);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* ---- what noise hides of single bins, but not of several ---- */

/* about the boundary of two bins of the first level, a hundredth of the domain, and anywhere */
static double
bell_or_flat(Rng *rng, int j)
{
	return j == 0 ? 0.2 * rng_normal(rng) : j == 1 ? 0.01 * rng_normal(rng) : rng_uniform(rng, -1, 1);
}

/* between the bins before and after which a law has a tenth of the rows */
static double
width_of(const double *p, int bins)
{
	double		below = 0;
	int			from = 0;
	int			to = bins - 1;

	while (below + p[from] < 0.1)
		below += p[from++];
	for (below = 0; below + p[to] < 0.1; to--)
		below += p[to];
	return (to + 1 - from) * 2.0 / bins;
}

/* how often of ROUNDS the middle four fifths of each column are less wide than `most`, of noise in a bin of the first level in parts of the rows */
static void
count_narrow(Rng *rng, double noise, const double most[3], int number[3])
{
	Fixture		f = make_fixture(3, 3);
	DpemWorkspace work = workspace(dpem_margins_law_work(&f.grid));
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double	   *p = numbers(bins);

	memset(number, 0, 3 * sizeof(int));
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;

		release(rng, &f, ROWS, bell_or_flat, noise * ROWS * dpem_margin_mark(&f.grid, 0), &m);
		margins = dpem_margins_take(&f.grid, &m, ROWS);
		for (int j = 0; j < 3; j++)
		{
			dpem_margins_law(&margins, j, p, work);
			number[j] += width_of(p, bins) < most[j];
		}
		free(m.value);
	}
	free(p);
	free(work.next);
	free_fixture(&f);
}

/* 0.51 and 0.026 are the middle of the columns' rows; 1.6 that of the domain */
static void
check_windows(Rng *rng)
{
	static const double twice[3] = {1.1, 0.15, 1.2};
	static const double box[3] = {1.2, 1.2, 1.2};
	int			number[3];

	count_narrow(rng, 0.06, twice, number);
	CHECK(number[0] > 32, "a bell is seen %d times of %d", number[0], ROUNDS);
	CHECK(number[1] > 14, "a narrow bell is seen %d times", number[1]);
	CHECK(number[2] < 4, "an even column is taken for a narrow one %d times", number[2]);
	count_narrow(rng, 0.5, box, number);
	CHECK(number[0] < 4 && number[1] < 4 && number[2] < 4, "noise is taken for rows %d, %d and %d times", number[0], number[1], number[2]);
}

/* ---- noise beside narrow columns ---- */

/* about the boundary of two bins of the first level, within one, and with a tenth far out */
static double
narrow_or_far(Rng *rng, int j)
{
	if (j == 2 && rng_below(rng, 10) == 0)
		return 0.82 + 0.001 * rng_normal(rng);
	return (j == 0 ? 0 : 0.3) + 0.001 * rng_normal(rng);
}

/* columns of these released numbers that are more than ten times as wide as rows near each other */
static void
count_wide(const Fixture *f, const DpemNoisyMoments *m, double *p, DpemWorkspace work, int wide[3])
{
	DpemMargins margins = dpem_margins_take(&f->grid, m, NARROW_ROWS);

	for (int j = 0; j < 3; j++)
	{
		double		mean;
		double		variance;

		dpem_margins_law(&margins, j, p, work);
		dpem_margins_law_moments(&f->grid, p, &mean, &variance);
		wide[j] += variance > 0.01 * 0.01;
	}
}

/* without the rule for bins that are far, noise makes ten of them wide */
static void
check_narrow(Rng *rng)
{
	Fixture		f = make_fixture(3, 3);
	DpemWorkspace work = workspace(dpem_margins_law_work(&f.grid));
	double	   *p = numbers(dpem_margin_level_bins(&f.grid, f.grid.levels - 1));
	double		sd = 5 * dpem_margin_mark(&f.grid, 0);
	int			wide[3] = {0};
	DpemNoisyMoments exact;
	DpemNoisyMoments m;

	release(rng, &f, NARROW_ROWS, narrow_or_far, 0, &exact);
	m = exact;
	m.sum_sd = sd;
	m.value = numbers(f.length);
	for (int round = 0; round < NARROW; round++)
	{
		for (size_t i = 0; i < f.length; i++)
			m.value[i] = exact.value[i] + (i % (f.w.d + 1) > 0 ? sd * rng_normal(rng) : 0);
		count_wide(&f, &m, p, work, wide);
	}
	CHECK(wide[0] + wide[1] == 0, "narrow columns are wide in %d and %d of %d releases", wide[0], wide[1], NARROW);
	CHECK(wide[2] == NARROW, "rows far away are seen in %d of %d releases", wide[2], NARROW);
	free(m.value);
	free(exact.value);
	free(p);
	free(work.next);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {2011};

	check_law(&rng);
	check_windows(&rng);
	check_narrow(&rng);
	return unit_report();
}
