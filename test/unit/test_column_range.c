/*
 * test_column_range.c - ranges that numbers are clamped to, from released margins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_range.h"
#include "margins_release.h"

#define COLUMNS	4
#define D		6
#define ROUNDS	200

static const DpemRangeReach reach = {.seen = 4,.single = 2,.single_most = 5};
static const DpemColumnValues values[] = {DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_ONES, DPEM_VALUES_CATEGORY};

/* a normal column, one bin with a tail in one row of fifty, ones, and a category */
static double
unlike(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return fmin(fmax(0.1 + 0.1 * rng_normal(rng), -1), 1);
		case 1:
			return rng_below(rng, 50) > 0 ? -0.9 + 1e-4 * rng_normal(rng) : rng_uniform(rng, -0.9, 1);
		case 2:
			return rng_below(rng, 40) == 0 ? 1 : -1;
		default:
			return rng_below(rng, 4) == 0;
	}
}

typedef struct Found
{
	double		center[COLUMNS];
	double		deviation[COLUMNS];
	double		range[2 * D];
	bool		any;
} Found;

static Found
find(const Fixture *f, const DpemNoisyMoments *m, double rows, const DpemColumnValues *kinds)
{
	DpemWorkspace work = workspace(dpem_column_spread_work(&f->grid));
	DpemMargins margins = dpem_margins_take(&f->grid, m, rows);
	Found		found;

	margins.values = kinds;
	dpem_column_spread(&margins, true, found.center, found.deviation, work);
	found.any = dpem_column_range(&margins, D, found.center, found.deviation, reach, found.range, work);
	free(work.next);
	return found;
}

/* whatever noise does, a range is in the box, about the center, and no shorter than said */
static void
check_order(const Found *found, int j, double deviations)
{
	double		least = found->range[j];
	double		most = found->range[D + j];
	double		far = deviations * found->deviation[j];

	CHECK(least >= -1 && most <= 1 && least <= found->center[j] && most >= found->center[j], "column %d: %g in [%g, %g]", j, found->center[j], least, most);
	CHECK(least <= fmax(found->center[j] - far, -1) && most >= fmin(found->center[j] + far, 1), "column %d: [%g, %g] is less than %g about %g", j, least, most, far, found->center[j]);
}

static void
check_found(const Fixture *f, const Found *found)
{
	double		bin = 2.0 / dpem_margin_level_bins(&f->grid, f->grid.levels - 1);

	CHECK(found->any, "something is clamped");
	check_order(found, 0, reach.seen);
	check_order(found, 1, reach.single);
	/* six deviations of a normal column at most, and of the tail nothing */
	CHECK(found->range[0] > 0.1 - 0.6 - bin && found->range[D] < 0.1 + 0.6 + bin, "normal: [%g, %g]", found->range[0], found->range[D]);
	CHECK(found->range[1] > -0.93 && found->range[D + 1] < -0.87, "single: [%g, %g]", found->range[1], found->range[D + 1]);
	for (int j = 2; j < D; j++)
		CHECK(found->range[j] == -DPEM_RANGE_NONE && found->range[D + j] == DPEM_RANGE_NONE, "coordinate %d is clamped", j);
}

static void
test_unlike(Rng *rng)
{
	Fixture		f = make_fixture(D, COLUMNS);
	DpemNoisyMoments m;

	for (int round = 0; round < 20; round++)
	{
		Found		found;

		release(rng, &f, 3000, unlike, 3000 * dpem_margin_mark(&f.grid, 0) / 150, &m);
		found = find(&f, &m, 3000, values);
		check_found(&f, &found);
		free(m.value);
	}
	free_fixture(&f);
}

/* nothing but noise; and columns of which none is a number */
static void
test_noise(Rng *rng)
{
	static const DpemColumnValues labels[] = {DPEM_VALUES_ONES, DPEM_VALUES_TWO, DPEM_VALUES_CATEGORY, DPEM_VALUES_CATEGORY};
	Fixture		f = make_fixture(D, COLUMNS);
	DpemNoisyMoments m;

	for (int round = 0; round < ROUNDS; round++)
	{
		Found		found;

		release(rng, &f, 10, unlike, pow(10, rng_uniform(rng, -1, 4)), &m);
		found = find(&f, &m, 0, NULL);
		for (int j = 0; j < COLUMNS; j++)
			check_order(&found, j, fmin(reach.seen, reach.single));
		CHECK(!find(&f, &m, 0, labels).any, "labels are clamped");
		free(m.value);
	}
	free_fixture(&f);
}

/* a constant, one value but for one row in fifty or ten, and a normal column a bin wide */
static double
nearly_constant(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return 0.3;
		case 1:
			return rng_below(rng, 50) == 0 ? 1 : -1;
		case 2:
			return rng_below(rng, 10) == 0 ? 1 : -1;
		default:
			return 0.1 + 0.1 * rng_normal(rng);
	}
}

/* only numbers, and of these those with hardly another value than one */
static void
check_spikes(const Fixture *f, const DpemMargins *m, const DpemColumnValues *kinds, int spikes)
{
	double		bin = 2.0 / dpem_margin_level_bins(&f->grid, f->grid.levels - 1);
	double		rounding = ldexp(f->grid.radius, -DPEM_FINE_BITS);	/* of the values that rows are counted by */
	double		center[COLUMNS];
	double		deviation[COLUMNS];
	double		range[2 * D];
	DpemWorkspace work = workspace(dpem_column_spread_work(&f->grid));
	DpemMargins margins = *m;

	margins.values = kinds;
	dpem_column_spread(&margins, true, center, deviation, work);
	CHECK(dpem_column_spikes(&margins, D, center, deviation, range, work) == (spikes > 0), "spikes");
	for (int j = 0; j < D; j++)
	{
		double		value = j == 0 ? 0.3 : -1;

		if (j >= spikes)
		{
			CHECK(range[j] == -DPEM_RANGE_NONE && range[D + j] == DPEM_RANGE_NONE, "coordinate %d is clamped", j);
			CHECK(j != 2 || spikes == 0 || deviation[j] > 0.5, "a tenth: %g", deviation[j]);
			continue;
		}
		CHECK(range[j] <= value && range[D + j] >= value && range[D + j] - range[j] <= 1.001 * (bin + rounding), "column %d: [%g, %g]", j, range[j], range[D + j]);
		CHECK(center[j] > range[j] && center[j] < range[D + j] && deviation[j] < bin + rounding, "column %d: %g, %g", j, center[j], deviation[j]);
	}
	free(work.next);
}

static void
test_spikes(Rng *rng)
{
	static const DpemColumnValues tails[] = {DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY, DPEM_VALUES_DENSITY};
	static const DpemColumnValues others[] = {DPEM_VALUES_ANY, DPEM_VALUES_ONES, DPEM_VALUES_TWO, DPEM_VALUES_ANY};
	Fixture		f = make_fixture(D, COLUMNS);
	DpemNoisyMoments m;

	for (int round = 0; round < 20; round++)
	{
		DpemMargins margins;

		release(rng, &f, 3000, nearly_constant, 3000 * dpem_margin_mark(&f.grid, 0) / 1500, &m);
		margins = dpem_margins_take(&f.grid, &m, 3000);
		check_spikes(&f, &margins, tails, 2);
		check_spikes(&f, &margins, others, 0);
		check_spikes(&f, &margins, NULL, 0);
		free(m.value);
	}
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {7};

	test_unlike(&rng);
	test_noise(&rng);
	test_spikes(&rng);
	return unit_report();
}
