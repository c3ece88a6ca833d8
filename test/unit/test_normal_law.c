/*
 * test_normal_law.c - columns of few rows that are narrow beside what noise lets be seen.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_law.h"
#include "core/columns/column_spread.h"
#include "core/columns/column_target.h"
#include "margins_release.h"

#define ROWS	128
#define NOISE	0.033			/* of the rows, in a bin of the first level */
#define NARROW	(1 / 3000.0)	/* deviation */
#define ROUNDS	40
#define FRAME_COST	0.01

static const double middle[3] = {0.0001, 0.3, 0.1253};

/* about an edge of bins of all levels, within a bin of the first level, and across one of its edges */
static double
narrow(Rng *rng, int j)
{
	return middle[j] + NARROW * rng_normal(rng);
}

static double
even(Rng *rng, int j)
{
	(void) j;
	return rng_uniform(rng, -1, 1);
}

/* a fifth of the rows in one value, the others in another */
static double
two_values(Rng *rng, int j)
{
	return rng_below(rng, 5) > 0 ? -0.6 : 0.2 + 0.1 * j;
}

static DpemMargins
make(Rng *rng, Fixture *f, double (*value) (Rng *rng, int j), double noise, DpemNoisyMoments *m)
{
	DpemMargins margins;

	release(rng, f, ROWS, value, noise * ROWS * dpem_margin_mark(&f->grid, 0), m);
	margins = dpem_margins_take(&f->grid, m, ROWS);
	margins.regressed = true;
	return margins;
}

static bool
is_near(double center, double deviation, double middle, double most)
{
	return deviation < most * NARROW && deviation > NARROW / 2 && fabs(center - middle) < 2 * NARROW;
}

/* laws of bins that are seen are three times as wide or more in nearly all of them */
static void
count_near(Rng *rng, Fixture *f, int *spreads, int *targets)
{
	DpemWorkspace spread = workspace(dpem_column_spread_work(&f->grid));
	DpemWorkspace target = workspace(dpem_target_locate_work(&f->grid));

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins = make(rng, f, narrow, NOISE, &m);
		double		center[3];
		double		deviation[3];

		dpem_column_spread(&margins, true, center, deviation, spread);
		for (int j = 0; j < 3; j++)
			*spreads += is_near(center[j], deviation[j], middle[j], 2.5);
		dpem_target_locate(&margins, FRAME_COST, &center[2], &deviation[2], target);
		*targets += is_near(center[2], deviation[2], middle[2], 5);
		free(m.value);
	}
	free(spread.next);
	free(target.next);
}

static void
check_narrow(Rng *rng)
{
	Fixture		f = make_fixture(3, 3);
	int			spreads = 0;
	int			targets = 0;

	count_near(rng, &f, &spreads, &targets);
	CHECK(spreads > 3 * ROUNDS * 9 / 10, "%d of %d narrow columns are seen where they are", spreads, 3 * ROUNDS);
	CHECK(targets > ROUNDS * 3 / 4, "%d of %d narrow targets are", targets, ROUNDS);
	free_fixture(&f);
}

/* of sum 1, as likely as says what compares laws, and not narrow where the column is not */
static void
check_law(Rng *rng, double (*value) (Rng *rng, int j), double least, double most)
{
	Fixture		f = make_fixture(3, 3);
	DpemWorkspace work = workspace(dpem_normal_law_work(&f.grid));
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double	   *p = numbers(bins);
	DpemNoisyMoments m;
	DpemMargins margins = make(rng, &f, value, NOISE, &m);

	for (int j = 0; j < 3; j++)
	{
		double		likelihood = dpem_normal_law(&margins, j, p, work);
		double		sum = 0;
		double		mean;
		double		variance;

		for (int b = 0; b < bins; b++)
			sum += p[b];
		dpem_margins_law_moments(&f.grid, p, &mean, &variance);
		CHECK_CLOSE(sum, 1, 1e-9, "a normal law");
		CHECK(sqrt(variance) > least && sqrt(variance) < most, "its deviation is %g", sqrt(variance));
		CHECK(fabs(dpem_law_likelihood(&margins, j, p) - likelihood) < 5, "likelihoods are %g and %g", dpem_law_likelihood(&margins, j, p), likelihood);
	}
	free(p);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* a normal law is not taken for what is clearly another */
static void
check_two(Rng *rng)
{
	Fixture		f = make_fixture(3, 3);
	DpemWorkspace work = workspace(dpem_margins_law_work(&f.grid));
	double	   *p = numbers(dpem_margin_level_bins(&f.grid, f.grid.levels - 1));
	DpemNoisyMoments m;
	DpemMargins margins = make(rng, &f, two_values, 0.01, &m);

	for (int j = 0; j < 3; j++)
		CHECK(!dpem_margins_law(&margins, j, p, work), "a column of two values is taken for normal");
	free(p);
	free(work.next);
	free(m.value);
	free_fixture(&f);
}

/* kept laws are what they were, and those of other margins once they are forgotten */
static void
check_kept(Rng *rng)
{
	Fixture		f = make_fixture(3, 3);
	DpemWorkspace work = workspace(dpem_margins_law_work(&f.grid));
	int			bins = dpem_margin_level_bins(&f.grid, f.grid.levels - 1);
	double	   *p = numbers(bins);
	double	   *again = numbers(bins);
	bool		found[3] = {false};
	bool		normal[3];
	DpemKeptLaws kept = {found, normal, numbers(3 * bins)};

	for (int round = 0; round < 3; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins = make(rng, &f, round == 1 ? even : narrow, NOISE, &m);
		DpemMargins keeping = margins;

		keeping.kept = &kept;
		dpem_laws_forget(&kept, 3);
		for (int j = 0; j < 6; j++)
		{
			bool		is_normal = dpem_margins_law(&margins, j % 3, p, work);

			CHECK(dpem_margins_law(&keeping, j % 3, again, work) == is_normal, "a kept law is another's kind");
			CHECK(memcmp(p, again, bins * sizeof(double)) == 0, "a kept law is another");
		}
		CHECK(found[0] && found[1] && found[2], "laws are not kept");
		free(m.value);
	}
	free(kept.p);
	free(again);
	free(p);
	free(work.next);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {2031};

	check_narrow(&rng);
	check_law(&rng, narrow, NARROW / 2, 2 * NARROW);
	check_law(&rng, even, 0.4, 0.7);
	check_two(&rng);
	check_kept(&rng);
	return unit_report();
}
