/*
 * test_evaluate_tables.c - distances of a model's tables from those of rows: exact without noise, and in intervals that
 * contain them, whatever the differences are.
 */
#include "core/evaluation/evaluate_tables.h"
#include "kernel_fixture.h"

#define TABLES	5
#define MOST	2000
#define ROUNDS	2000

static int	cells[TABLES] = {4, 12, 30, 100, 300};
static double truth[MOST];
static double share[MOST];
static double noisy[MOST];

/* rows of each table; of every `every`th cell the model's share is off by up to `off` of it */
static void
make_tables(Rng *rng, double rows, int every, double off)
{
	int			at = 0;

	for (int t = 0; t < TABLES; at += cells[t++])
	{
		double		all[2] = {0, 0};

		for (int c = at; c < at + cells[t]; c++)
		{
			truth[c] = exp(2 * rng_normal(rng));
			share[c] = truth[c] * (c % every == 0 ? exp(off * rng_normal(rng)) : 1);
			all[0] += truth[c];
			all[1] += share[c];
		}
		for (int c = at; c < at + cells[t]; c++)
		{
			truth[c] *= rows / all[0];
			share[c] /= all[1];
		}
	}
}

static double
distance(int t)
{
	double		sum = 0;
	double		rows = 0;
	int			at = 0;

	for (int i = 0; i < t; i++)
		at += cells[i];
	for (int c = at; c < at + cells[t]; c++)
		rows += truth[c];
	for (int c = at; c < at + cells[t]; c++)
		sum += fabs(truth[c] / rows - share[c]) / 2;
	return sum;
}

static void
exactly(double *mean, double *largest)
{
	*mean = *largest = 0;
	for (int t = 0; t < TABLES; t++)
	{
		*mean += distance(t) / TABLES;
		*largest = fmax(*largest, distance(t));
	}
}

static void
check_exact(Rng *rng)
{
	DpemStatisticValue v[2];
	double		exact[2];

	make_tables(rng, 5000, 2, 1);
	exactly(&exact[0], &exact[1]);
	dpem_evaluate_tables_distance(&(DpemEvaluateTables) {TABLES, cells, truth, share, 0}, &v[0], &v[1]);
	for (int i = 0; i < 2; i++)
		CHECK(fabs(v[i].value - exact[i]) < 1e-12 && fabs(v[i].lower - exact[i]) < 1e-12 && fabs(v[i].upper - exact[i]) < 1e-12 && v[i].sd == 0,
			  "without noise %g is %g, from %g to %g", exact[i], v[i].value, v[i].lower, v[i].upper);
}

/*
 * 2,000 releases each.  Intervals contain the distances in at least 95 %; fewer than 94 % of those of 95 % happen in 4 of
 * 100 times, but the numbers drawn are always the same, and intervals that hold whatever the differences are contain more.
 */
static void
check_coverage(Rng *rng, double sd, int every, double off)
{
	double		exact[2];
	int			covered[2] = {0, 0};
	double		bias[2] = {0, 0};
	double		width[2] = {0, 0};

	make_tables(rng, 10000, every, off);
	exactly(&exact[0], &exact[1]);
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemStatisticValue v[2];

		for (int c = 0; c < MOST; c++)
			noisy[c] = truth[c] + sd * rng_normal(rng);
		dpem_evaluate_tables_distance(&(DpemEvaluateTables) {TABLES, cells, noisy, share, sd}, &v[0], &v[1]);
		for (int i = 0; i < 2; i++)
		{
			covered[i] += v[i].lower <= exact[i] + 1e-12 && exact[i] <= v[i].upper + 1e-12;
			bias[i] += (v[i].value - exact[i]) / ROUNDS;
			width[i] += (v[i].upper - v[i].lower) / ROUNDS;
		}
	}
	for (int i = 0; i < 2; i++)
		CHECK(covered[i] >= 0.94 * ROUNDS, "%s, noise %g, every %d off by %g: %d of %d intervals contain %.4f", i ? "largest" : "mean", sd, every, off,
			  covered[i], ROUNDS, exact[i]);
	CHECK(fabs(bias[0]) < 0.05 * exact[0] + 0.2 * width[0], "mean %.4f, noise %g, every %d off by %g: bias %.4f, width %.4f", exact[0], sd, every, off, bias[0], width[0]);
#ifdef SHOW
	printf("sd %g every %d off %g: mean %.4f bias %.4f width %.4f cov %.3f; max %.4f bias %.4f width %.4f cov %.3f\n", sd, every, off, exact[0], bias[0], width[0],
		   covered[0] / 2000., exact[1], bias[1], width[1], covered[1] / 2000.);
#endif
}

/* where there are no rows, anything may be */
static void
check_nothing(void)
{
	DpemStatisticValue v[2];

	for (int c = 0; c < MOST; c++)
		noisy[c] = 0;
	dpem_evaluate_tables_distance(&(DpemEvaluateTables) {TABLES, cells, noisy, share, 1}, &v[0], &v[1]);
	CHECK(v[0].lower == 0 && v[0].upper == 1 && v[1].lower == 0 && v[1].upper == 1, "no rows");
	dpem_evaluate_tables_distance(&(DpemEvaluateTables) {TABLES, cells, noisy, share, 0}, &v[0], &v[1]);
	CHECK(v[0].lower == 0 && v[0].upper == 1, "no rows for certain");
}

int
main(void)
{
	Rng			rng = {2041};

	check_exact(&rng);
	for (int i = 0; i < 4; i++)
	{
		const double sd[] = {1, 8, 40, 150};

		check_coverage(&rng, sd[i], 1, 0);
		check_coverage(&rng, sd[i], 1, 0.3);
		check_coverage(&rng, sd[i], 10, 2);
	}
	check_nothing();
	return unit_report();
}
