/*
 * test_synth_plan.c - workloads, candidates and scores of src/core/synth.
 */
#include <stdlib.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/synth/synth_plan.h"
#include "unit.h"

static void
test_workload(void)
{
	DpemSynthWanted wanted[200];
	DpemSynthSet sets[200];
	int			n = dpem_synth_workload(14, -1, wanted);

	CHECK(n == 91 && n == dpem_synth_workload_size(14, -1), "all pairs of 14 columns");
	CHECK(dpem_synth_closure(wanted, n, 200, sets) == 91, "and they are the candidates");
	/* a pair shares two columns with itself and one with 2 * 12 others */
	for (int i = 0; i < n; i++)
		CHECK(dpem_synth_weight(wanted, n, sets[i]) == 26, "weight of pair %d", i);
	n = dpem_synth_workload(14, 13, wanted);
	CHECK(n == 91 + 78 && n == dpem_synth_workload_size(14, 13), "and triples with a label");
	CHECK(dpem_synth_closure(wanted, n, 200, sets) == 169, "all of which are candidates");
	CHECK(dpem_synth_closure(wanted, n, 168, sets) == -1, "too many");
	wanted[0] = (DpemSynthWanted) {1 | 4 | 16, 3};
	CHECK(dpem_synth_closure(wanted, 1, 200, sets) == 4, "a triple's pairs and itself");
	CHECK(sets[0] == (1 | 4) && sets[1] == (1 | 16) && sets[2] == (4 | 16) && sets[3] == (1 | 4 | 16), "in order");
	CHECK(dpem_synth_weight(wanted, 1, 1 | 2 | 4) == 6, "weight times shared columns");
}

/* searches for a row that moves a score by more than the step */
static void
test_score(void)
{
	DpemPublicRandom random = {3};
	int64_t		counts[12];
	double		expected[12];
	DpemInt128	worst = 0;
	DpemInt128	step = (DpemInt128) dpem_synth_score_step(26);

	for (int trial = 0; trial < 2000; trial++)
	{
		double		sd = 10 * dpem_public_uniform(&random);

		for (int i = 0; i < 12; i++)
		{
			counts[i] = (int64_t) dpem_public_index(&random, 5);
			expected[i] = trial % 3 == 0 ? (double) counts[i] : 5 * dpem_public_uniform(&random) - 0.5;
		}
		for (int i = 0; i < 12; i++)
		{
			DpemInt128	before = dpem_synth_score(12, counts, expected, sd, 26);
			DpemInt128	moved;

			counts[i]++;
			moved = dpem_synth_score(12, counts, expected, sd, 26) - before;
			counts[i]--;
			moved = moved < 0 ? -moved : moved;
			worst = moved > worst ? moved : worst;
		}
	}
	CHECK(worst == step, "the largest change is the step, and is attained: %g of %g", (double) worst, (double) step);
	for (int i = 0; i < 12; i++)
	{
		counts[i] = 10;
		expected[i] = 8.5;
	}
	CHECK_CLOSE((double) dpem_synth_score(12, counts, expected, 0.5, 2) / (1 << DPEM_SYNTH_SCORE_BITS),
				2 * (12 * 1.5 - sqrt(2 / M_PI) * 0.5 * 12), 1e-5, "AIM's score");
	CHECK(dpem_synth_score(12, counts, expected, 0.5, 2) == 2 * (12 * 98304 - (DpemInt128) 313741), "golden, to the unit");
}

/* squares add up to the columns, whatever their sizes: the release has the sensitivity of equal weights */
static void
test_weights(void)
{
	static const int size[] = {2, 100, 1, 16, 500};
	DpemSynthDomain domain = {5, size, NULL, NULL};
	double		weight[5];
	double		squares = 0;

	dpem_synth_column_weights(&domain, weight);
	for (int j = 0; j < 5; j++)
		squares += weight[j] * weight[j];
	CHECK_CLOSE(squares, 5, 1e-12, "squares of the weights");
	CHECK(weight[2] > 0 && weight[2] < weight[0] && weight[0] < weight[3] && weight[3] < weight[1] && weight[1] < weight[4], "large columns have more");
	CHECK_CLOSE(weight[1] / weight[0], pow(50, 1.0 / 3), 1e-12, "in proportion to the third root");
}

/* nothing is chosen of a single pair, nor where cells hold much more than noise; tables of three, and rounds, are always chosen */
static void
test_at_once(void)
{
	static const int size[] = {10, 10, 10, 10};
	DpemSynthDomain domain = {4, size, NULL, NULL};
	DpemSynthSet sets[] = {1 | 2, 1 | 4, 2 | 4, 1 | 8, 1 | 2 | 4};
	DpemSynthSchedule plan;

	/* cells of 100 rows, and the noise of four pairs' cells: 2 / mu */
	CHECK(dpem_synth_schedule(&domain, sets, 4, 10000, 0.2, 0, &plan) == DPEM_OK && plan.at_once, "ten standard deviations in a cell");
	CHECK_CLOSE(1 / (plan.one_way * plan.one_way) + 1 / (plan.measure * plan.measure), 1, 1e-12, "the whole budget");
	CHECK(plan.rounds >= 1 && plan.rounds <= 6, "rounds for the model: %d", plan.rounds);
	CHECK(dpem_synth_schedule(&domain, sets, 4, 10000, 0.05, 0, &plan) == DPEM_OK && !plan.at_once, "two and a half");
	CHECK_CLOSE(1 / (plan.one_way * plan.one_way) + plan.rounds / (plan.measure * plan.measure) + 0.63 * 0.63 * plan.rounds / (plan.choice * plan.choice),
				1, 1e-12, "the whole budget");
	CHECK(dpem_synth_schedule(&domain, sets, 1, 10000, 0.001, 0, &plan) == DPEM_OK && plan.at_once, "a single pair");
	CHECK(dpem_synth_schedule(&domain, sets, 4, 10000, 0.2, 3, &plan) == DPEM_OK && !plan.at_once && plan.rounds == 3, "rounds are asked for");
	CHECK(dpem_synth_schedule(&domain, sets, 5, 10000, 10, 0, &plan) == DPEM_OK && !plan.at_once, "a table of three");
	CHECK(dpem_synth_schedule(&domain, sets, 0, 10000, 10, 0, &plan) == DPEM_OK && !plan.at_once, "no pair at all");
}

/* noise alone is no misfit: of 100,000 seeded draws the mean is within 0.01 of 0, beside a standard deviation of 0.002 */
static void
test_misfit(void)
{
	static double released[100000];
	static double variance[100000];
	static double expected[100000];
	DpemPublicRandom random = {9};

	for (int i = 0; i < 100000; i++)
	{
		variance[i] = 1 + i % 3;
		expected[i] = i;
		released[i] = i + sqrt(variance[i]) * dpem_public_normal(&random);
	}
	CHECK(fabs(dpem_synth_misfit(100000, released, variance, expected)) < 1000, "noise: %g", dpem_synth_misfit(100000, released, variance, expected));
	for (int i = 0; i < 100000; i++)
		variance[i] = 0;
	released[0] += 3;
	CHECK(dpem_synth_misfit(1, released, variance, expected) == fabs(released[0]), "without noise all of it");
}

int
main(void)
{
	test_at_once();
	test_misfit();
	test_weights();
	test_workload();
	test_score();
	return unit_report();
}
