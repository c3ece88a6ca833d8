/*
 * test_quota.c - the number of rows of a unit that is chosen from a histogram: its steps, that without noise no other
 * step is better than the rule says, and that noise alone is not taken for units.
 *
 * Of 2,000 releases of empty histograms of at most 31 tails the first one is heard with a probability of 0.023: 46
 * expected, and 100 or more are eight standard deviations away, below 1e-11.
 */
#include "unit.h"

#include <limits.h>

#include "seeded_source.h"
#include "core/statistics/quota.h"

static SeededSource source = {.state = 20261122};

static void
test_steps(void)
{
	static const int bounds[] = {1, 2, 3, 4, 5, 1000, 1024, 1 << 30, INT_MAX};

	for (int b = 0; b < 9; b++)
	{
		int			step[DPEM_QUOTA_STEPS];
		int			n = dpem_quota_steps(bounds[b], step);

		CHECK(n >= 1 && n <= DPEM_QUOTA_STEPS && step[0] == 1 && step[n - 1] == bounds[b], "%d steps to %d", n, bounds[b]);
		for (int i = 1; i < n; i++)
			CHECK(step[i] > step[i - 1] && (step[i] == 2 * step[i - 1] || i == n - 1) && step[i] / 2 <= step[i - 1], "step %d of %d", step[i], bounds[b]);
	}
}

/* rows that units of at most step[j] rows lose with a quota of step[i], all at once */
static double
lost(const double *units, const int *step, int n, int i)
{
	double		rows = 0;

	for (int j = i + 1; j < n; j++)
		rows += units[j] * (step[j] - step[i]);
	return rows;
}

/* the chosen step is the first from which on the next ones lose less rows than they have more noise */
static void
test_rule(void)
{
	for (int round = 0; round < 2000; round++)
	{
		int			step[DPEM_QUOTA_STEPS];
		int			n = dpem_quota_steps(1 + (int) (2000 * seeded_uniform(&source)), step);
		double		units[DPEM_QUOTA_STEPS];
		double		one_row = 0.1 + 50 * seeded_uniform(&source);
		int			chosen;

		for (int i = 0; i < n; i++)
			units[i] = floor(1000 * pow(seeded_uniform(&source), 1 + 9 * seeded_uniform(&source)) / (1 + i * i));
		chosen = dpem_quota_choose(units, n, 0, one_row);
		for (int i = 0; i < n; i++)
		{
			double		worst_now = lost(units, step, n, chosen) + one_row * step[chosen];
			double		worst = lost(units, step, n, i) + one_row * step[i];

			CHECK(worst_now <= worst * (1 + 1e-12), "step %d is worse than %d", step[chosen], step[i]);
		}
	}
}

static void
test_noise_alone(void)
{
	int			wrong = 0;

	for (int round = 0; round < 2000; round++)
	{
		double		units[DPEM_QUOTA_STEPS];

		for (int i = 0; i < DPEM_QUOTA_STEPS; i++)
			units[i] = seeded_normal(&source, 3);
		wrong += dpem_quota_choose(units, DPEM_QUOTA_STEPS, 3, 0) > 0;
	}
	CHECK(wrong < 100, "noise was heard in %d releases", wrong);
	CHECK(wrong > 0, "noise is never heard");
}

/* a quota grows with the units beyond it, and with what the calls have less noise than the choice */
static void
test_directions(void)
{
	double		units[] = {5000, 300, 100, 40, 10, 0, 0};

	CHECK(dpem_quota_choose(units, 7, 0, 1) == 4, "units, 7, 0, 1");
	CHECK(dpem_quota_choose(units, 7, 0, 20) == 3, "units, 7, 0, 20");
	CHECK(dpem_quota_choose(units, 7, 0, 200) == 1, "units, 7, 0, 200");
	CHECK(dpem_quota_choose(units, 7, 0, 1e6) == 0, "units, 7, 0, 1e6");
	CHECK(dpem_quota_choose(units, 7, 5, 1) <= 4, "units, 7, 5, 1");
	units[6] = 1e6;
	CHECK(dpem_quota_choose(units, 7, 5, 1) == 6, "units, 7, 5, 1");
	CHECK(dpem_quota_choose(units, 1, 5, 1) == 0, "units, 1, 5, 1");
}

int
main(void)
{
	test_steps();
	test_rule();
	test_noise_alone();
	test_directions();
	return unit_report();
}
