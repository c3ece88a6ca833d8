/*
 * test_synth_plan.c - workloads, candidates, scores and ResidualPlanner of src/core/synth.
 */
#include <stdlib.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/synth/synth_plan.h"
#include "core/synth/synth_residual.h"
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

/* ---- ResidualPlanner ---------------------------------------------------------- */

static const int size[3] = {3, 2, 4};

static void
plan(DpemSynthResiduals *r, DpemSynthSet *sets, double *sd, DpemSynthWanted *wanted, double mu)
{
	wanted[0] = (DpemSynthWanted) {1 | 2, 1};
	wanted[1] = (DpemSynthWanted) {2 | 4, 4};
	*r = (DpemSynthResiduals) {size, dpem_synth_residuals(wanted, 2, 20, sets), sets, sd};
	CHECK(r->n == 6, "the empty set, three columns, two pairs: %d", r->n);
	CHECK(dpem_synth_residuals_plan(wanted, 2, mu, r) == DPEM_OK, "plan");
}

/* prod (n - 1) / n */
static double
share(DpemSynthSet set)
{
	double		product = 1;

	for (int j = 0; j < 3; j++)
		if (set & dpem_synth_column(j))
			product *= (size[j] - 1.0) / size[j];
	return product;
}

static double
goal(const DpemSynthResiduals *r, const DpemSynthWanted *wanted)
{
	return wanted[0].weight * pow(dpem_synth_residuals_sd(r, wanted[0].set), 2) +
		wanted[1].weight * pow(dpem_synth_residuals_sd(r, wanted[1].set), 2);
}

static void
test_residual_plan(void)
{
	DpemSynthResiduals r;
	DpemSynthWanted wanted[2];
	DpemSynthSet sets[20];
	double		sd[20];
	double		mu2 = 0;
	double		best;
	DpemPublicRandom random = {5};

	plan(&r, sets, sd, wanted, 0.3);
	for (int i = 0; i < r.n; i++)
		mu2 += share(sets[i]) / (sd[i] * sd[i]);
	CHECK_CLOSE(mu2, 0.09, 1e-12, "the budget is spent");
	best = goal(&r, wanted);
	for (int trial = 0; trial < 1000; trial++)
	{
		double		other[20];
		double		spent = 0;
		DpemSynthResiduals moved = {size, r.n, sets, other};

		for (int i = 0; i < r.n; i++)
		{
			other[i] = sd[i] * exp(0.5 * dpem_public_normal(&random));
			spent += share(sets[i]) / (other[i] * other[i]);
		}
		for (int i = 0; i < r.n; i++)
			other[i] *= sqrt(spent / 0.09);
		CHECK(goal(&moved, wanted) >= best * (1 - 1e-12), "no other plan of that cost is better");
	}
	CHECK(isnan(dpem_synth_residuals_sd(&r, 1 | 4)), "a table that is not in the closure");
	CHECK(dpem_synth_residuals_plan(wanted, 2, 0, &r) == DPEM_BAD_ARGUMENT, "no budget");
}

/* a row's part, a table from its parts, and the variance of a cell: linear maps, so exactly */
static void
test_residual_parts(void)
{
	DpemSynthResiduals r;
	DpemSynthWanted wanted[2];
	DpemSynthSet sets[20];
	double		sd[20];
	double		memory[20][24];
	double	   *part[20];
	double		table[8];
	double		out[12];
	double		variance = 0;
	DpemSynthSet set = 2 | 4;

	plan(&r, sets, sd, wanted, 1);
	for (int i = 0; i < 8; i++)
		table[i] = i * i - 3 * i;
	for (int i = 0; i < r.n; i++)
	{
		size_t		cells = (size_t) dpem_synth_cells(size, sets[i]);
		double		square = 0;

		part[i] = memory[i];
		memset(part[i], 0, sizeof memory[i]);
		part[i][0] = 1;
		dpem_synth_residual_part(size, sets[i], part[i]);
		for (size_t c = 0; c < cells; c++)
			square += part[i][c] * part[i][c];
		CHECK_CLOSE(square, share(sets[i]), 1e-12, "squared length of a row's part %d", i);
		if ((sets[i] & ~set) == 0)
			variance += sd[i] * sd[i] * square / pow(dpem_synth_cells(size, set & ~sets[i]), 2);
		/* the exact part of the table: its sums over other columns, centred */
		memset(part[i], 0, sizeof memory[i]);
		for (int cell = 0; cell < 8; cell++)
		{
			int			b = cell / 4;
			int			c = cell % 4;

			if ((sets[i] & ~set) == 0)
				part[i][(sets[i] & 2 ? b : 0) * (sets[i] & 4 ? 4 : 1) + (sets[i] & 4 ? c : 0)] += table[cell];
		}
		dpem_synth_residual_part(size, sets[i], part[i]);
	}
	CHECK_CLOSE(dpem_synth_residuals_sd(&r, set), sqrt(variance), 1e-12, "standard deviation of a cell");
	CHECK(dpem_synth_residuals_table(&r, part, set, out) == DPEM_OK, "table");
	for (int i = 0; i < 8; i++)
		CHECK(fabs(out[i] - table[i]) < 1e-12, "cell %d is %g, expected %g", i, out[i], table[i]);
	CHECK(dpem_synth_residuals_table(&r, part, 1 | 4, out) == DPEM_BAD_ARGUMENT, "a table without all its parts");
}

int
main(void)
{
	test_workload();
	test_score();
	test_residual_plan();
	test_residual_parts();
	return unit_report();
}
