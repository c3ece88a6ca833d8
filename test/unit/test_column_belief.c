/*
 * test_column_belief.c - columns of which noise in margins hides most bins.
 *
 * Comparisons with random noise use a fixed seed: they always come out the same.
 */
#include "core/columns/column_belief.h"
#include "core/columns/column_spread.h"
#include "margins_release.h"

#define ROWS	2000
#define ROUNDS	10

/* a normal column of a fifth of the box, rows in two places, a value of most rows with others anywhere, and rows anywhere */
static double
four_places(Rng *rng, int j)
{
	switch (j)
	{
		case 0:
			return -0.5 + 0.1 * rng_normal(rng);
		case 1:
			return (rng_below(rng, 2) > 0 ? 0.6 : -0.2) + 0.05 * rng_normal(rng);
		case 2:
			return rng_below(rng, 5) > 1 ? 0.3 : rng_uniform(rng, -1, 1);
		default:
			return rng_uniform(rng, -1, 1);
	}
}

/* mean log-density of rows under a normal law with one part in a hundred anywhere in the box */
static double
log_density(Rng *rng, int j, double center, double deviation)
{
	double		sum = 0;

	for (int i = 0; i < ROWS; i++)
	{
		double		z = (four_places(rng, j) - center) / deviation;

		sum += log(0.99 * exp(-z * z / 2) / (deviation * sqrt(2 * M_PI)) + 0.01 / 2);
	}
	return sum / ROWS;
}

typedef struct Seen
{
	double		gain[4];		/* of each column, beside column_spread.h, on average */
	double		worst[4];		/* beside a law that is uniform on the box */
} Seen;

static Seen
see(Rng *rng, double noise)
{
	Fixture		f = make_fixture(4, 4);
	DpemWorkspace work = workspace(dpem_column_spread_work(&f.grid));
	Seen		seen = {{0}, {INFINITY, INFINITY, INFINITY, INFINITY}};

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemNoisyMoments m;
		DpemMargins margins;
		double		c[4];
		double		s[4];
		double		before[4];

		release(rng, &f, ROWS, four_places, noise * ROWS * dpem_margin_mark(&f.grid, 0), &m);
		margins = dpem_margins_take(&f.grid, &m, ROWS);
		dpem_column_spread(&margins, true, c, s, work);
		for (int j = 0; j < 4; j++)
			before[j] = log_density(rng, j, c[j], s[j]);
		dpem_column_beliefs(&margins, c, s);
		for (int j = 0; j < 4; j++)
		{
			double		now = log_density(rng, j, c[j], s[j]);

			seen.gain[j] += (now - before[j]) / ROUNDS;
			seen.worst[j] = fmin(seen.worst[j], now + log(2));
		}
		free(m.value);
	}
	free(work.next);
	free_fixture(&f);
	return seen;
}

/* what several bins say together counts, and is not believed where it is little */
static void
check_noise(Rng *rng)
{
	static const double noises[] = {0.15, 0.25, 0.4};
	static const double least[] = {0.2, 0.1, -0.2};

	for (int i = 0; i < 3; i++)
	{
		Seen		seen = see(rng, noises[i]);

		CHECK(seen.gain[0] > least[i], "noise %g: a normal column gains %g", noises[i], seen.gain[0]);
		for (int j = 0; j < 4; j++)
			CHECK(seen.gain[j] > -0.4 && seen.worst[j] > -2.5, "noise %g, column %d: %g, at worst %g", noises[i], j, seen.gain[j], seen.worst[j]);
	}
}

/* little noise, and coordinates that are no numbers, are no matter of belief; without a word of margins rows are anywhere */
static void
check_others(Rng *rng)
{
	static const DpemColumnValues values[] = {DPEM_VALUES_TWO, DPEM_VALUES_ONES, DPEM_VALUES_ANY, DPEM_VALUES_TAIL};
	Fixture		f = make_fixture(4, 4);
	DpemNoisyMoments m;
	DpemMargins margins;
	double		c[4] = {5, 5, 5, 5};
	double		s[4] = {5, 5, 5, 5};

	release(rng, &f, ROWS, four_places, 0.05 * ROWS * dpem_margin_mark(&f.grid, 0), &m);
	margins = dpem_margins_take(&f.grid, &m, ROWS);
	dpem_column_beliefs(&margins, c, s);
	CHECK(c[0] == 5 && s[3] == 5, "little noise: %g %g", c[0], s[3]);
	free(m.value);
	release(rng, &f, ROWS, four_places, 20 * ROWS * dpem_margin_mark(&f.grid, 0), &m);
	margins = dpem_margins_take(&f.grid, &m, ROWS);
	margins.values = values;
	dpem_column_beliefs(&margins, c, s);
	CHECK(c[0] == 5 && s[1] == 5, "no numbers: %g %g", c[0], s[1]);
	for (int j = 2; j < 4; j++)
		CHECK(fabs(c[j]) < 0.1 && fabs(s[j] - 1 / sqrt(3)) < 0.05, "noise alone: %g, %g", c[j], s[j]);
	free(m.value);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {2012};

	check_noise(&rng);
	check_others(&rng);
	return unit_report();
}
