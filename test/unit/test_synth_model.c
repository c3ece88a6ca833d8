/*
 * test_synth_model.c - the graphical model of src/core/synth against enumeration of every cell.
 */
#include "core/synth/synth_rules.h"
#include "synth_fixture.h"
#include "unit.h"

static double
difference(size_t n, const double *a, const double *b)
{
	double		most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(a[i] - b[i]));
	return most;
}

static void
test_groups(void)
{
	SynthFixture f;
	double		sum = 0;

	fix_init(&f, 0, 1000);
	CHECK(f.levels.size[1][1] == 4 && f.levels.size[1][4] == 3, "nothing is joined without noise");
	fix_free(&f);
	fix_init(&f, 100, 1000);
	CHECK(f.levels.size[1][1] == 3, "the rare last category of an ordered column joins its neighbour: %d", f.levels.size[1][1]);
	CHECK(f.levels.group[1][f.levels.offset[1] + 3] == f.levels.group[1][f.levels.offset[1] + 2], "which is the third");
	CHECK(f.levels.size[1][4] == 2, "a rare category joins the smaller other one: %d", f.levels.size[1][4]);
	for (int c = 0; c < 4; c++)
		if (f.levels.group[1][f.levels.offset[1] + c] == f.levels.group[1][f.levels.offset[1] + 3])
			sum += f.levels.share[f.levels.offset[1] + c];
	CHECK_CLOSE(sum, 1, 1e-12, "shares in a group");
	for (int l = 1; l < DPEM_SYNTH_LEVELS; l++)
		for (int i = 0; i < f.levels.offset[FIX_COLUMNS]; i++)
			for (int k = 0; k < i; k++)
				for (int j = 0; j < FIX_COLUMNS; j++)
					if (k >= f.levels.offset[j] && i < f.levels.offset[j + 1] && f.levels.group[l - 1][i] == f.levels.group[l - 1][k])
						CHECK(f.levels.group[l][i] == f.levels.group[l][k], "level %d is made of groups of the one below", l);
	fix_free(&f);
}

/* bins far from all rows, of counts that are noise alone, have next to no rows; one that has some keeps them */
static void
test_empty(void)
{
	static const int size[] = {10};
	static const bool ordered[] = {true};
	static const double one_way[] = {-5, 12, 300, 400, 15, 350, 9, -8, 60, 70};
	const DpemSynthBody body = {9, {true, true, false, false, true, false, true, true, true}};	/* the last cell is what is unknown */
	DpemSynthDomain domain = {1, size, ordered, &body};
	double		sd = 10;
	double		memory[200];
	DpemSynthLevels levels;

	CHECK(dpem_synth_levels_work(&domain) <= 200, "memory");
	CHECK(dpem_synth_levels(&domain, one_way, &sd, 10, &levels, (DpemWorkspace) {memory, memory + 200}) == DPEM_OK, "levels");
	CHECK(levels.group[1][0] == levels.group[1][2] && levels.group[1][1] == levels.group[1][2], "bins before the rows are one with the first that has some");
	CHECK(levels.group[1][4] == levels.group[1][3] && levels.group[1][5] != levels.group[1][3], "as is one between them with that before it");
	CHECK(levels.share[0] + levels.share[1] < 0.001 && levels.share[4] < 0.001, "but have next to none of these: %g", levels.share[0] + levels.share[1]);
	CHECK(levels.share[0] > 0 && levels.share[1] > levels.share[0] && levels.share[4] > 0, "no row is impossible");
	CHECK(levels.share[8] > 0.9, "a bin that clearly has rows keeps them: %g", levels.share[8]);
	domain.body = NULL;
	CHECK(dpem_synth_levels(&domain, one_way, &sd, 10, &levels, (DpemWorkspace) {memory, memory + 200}) == DPEM_OK, "levels");
	CHECK(levels.group[1][4] != levels.group[1][2] || levels.share[4] > 0.01, "where nothing is known noise is taken for rows");
}

/* bins near the rows that together clearly have some do not make rows of the noise beyond them, at whichever end */
static void
test_empty_ends(void)
{
	static const int size[] = {13};
	static const bool ordered[] = {true};
	static const double counts[] = {900, 60, 38, 36, 25, 5, -6, 18, 3, 20, -2, 15};
	double		sd = 10;
	double		memory[300];
	DpemSynthLevels levels;

	for (int mirrored = 0; mirrored < 2; mirrored++)
	{
		double		one_way[13] = {0};
		DpemSynthBody body = {.bins = 12};
		DpemSynthDomain domain = {1, size, ordered, &body};
		int			last = mirrored ? 0 : 11;
		int			near = mirrored ? 9 : 2;

		for (int i = 0; i < 12; i++)
		{
			one_way[mirrored ? 11 - i : i] = counts[i];
			body.empty[mirrored ? 11 - i : i] = i > 0;
		}
		CHECK(dpem_synth_levels(&domain, one_way, &sd, 10, &levels, (DpemWorkspace) {memory, memory + 300}) == DPEM_OK, "levels");
		CHECK(levels.share[last] < 1e-4, "a bin far from all rows has next to none: %g", levels.share[last]);
		CHECK(levels.share[near] > 0.1, "one near them has those it is seen to have: %g", levels.share[near]);
	}
}

/* every table of every level of a fitted model, in cliques and across them */
static void
test_tables(double sd, double tree_cells)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		fine[FIX_CELLS];
	double		expected[FIX_CELLS];
	double		table[FIX_CELLS];
	double		loss;

	fix_init(&f, sd, tree_cells);
	fix_measure(&f, sd);
	for (int i = 0; i < 5; i++)
		CHECK(dpem_synth_fit(&f.model, 100, &loss) == DPEM_OK, "fit");
	CHECK(loss > 0 && loss < 3, "squares per cell: %g", loss);
	fix_enumerate(&f, joint);
	for (DpemSynthSet set = 1; set < 1 << FIX_COLUMNS; set++)
		for (int l = 0; l < DPEM_SYNTH_LEVELS; l++)
		{
			DpemSynthTable t = {set, l};

			fix_marginal(joint, set, fine);
			dpem_synth_coarsen(&f.levels, t, fine, expected);
			if (dpem_synth_order(set) > 3 && tree_cells < 500)
				continue;
			CHECK(dpem_synth_table(&f.model, t, table) == DPEM_OK, "table %d of level %d", (int) set, l);
			CHECK(difference((size_t) dpem_synth_table_cells(&f.levels, t), table, expected) < 1e-8 * f.model.total,
				  "table %d of level %d", (int) set, l);
		}
	fix_free(&f);
}

/* at the minimum theta = (y - m) / (ridge v) */
static void
test_optimum(void)
{
	SynthFixture f;
	double		worst = 0;
	double		table[FIX_CELLS];

	fix_init(&f, 10, 1000);
	fix_measure(&f, 10);
	for (int i = 0; i < 20; i++)
		dpem_synth_fit(&f.model, 200, NULL);
	for (int t = FIX_COLUMNS; t < f.model.tables; t++)
	{
		const DpemSynthMeasured *m = &f.model.table[t];
		double		shift = f.model.total;

		dpem_synth_table(&f.model, m->table, table);
		for (size_t i = 0; i < m->cells; i++)
			shift -= m->value[i];
		for (size_t i = 0; i < m->cells; i++)
		{
			double		misfit = m->value[i] + shift / (double) m->cells - table[i];

			worst = fmax(worst, fabs(misfit - dpem_synth_ridge * m->variance[i] * m->theta[i]));
		}
	}
	CHECK(worst < 1, "largest violation of the optimum, in rows, of noise of 10: %g", worst);
	fix_free(&f);
}

/* by the method of moments, within bounds */
static void
test_learned_ridge(void)
{
	SynthFixture f;
	DpemSynthTable table = {1 | 4, 1};
	DpemSynthMeasured *m;
	double		expected[6] = {100, 200, 300, 400, 500, 600};
	double		value[6];

	fix_init(&f, 0, 1000);
	CHECK(dpem_synth_table_cells(&f.levels, table) == 6, "cells");
	for (int i = 0; i < 6; i++)
		value[i] = expected[i] + (i % 2 == 0 ? 50 : -50);
	CHECK(dpem_synth_add(&f.model, table, value, 10, NULL) == DPEM_OK, "add");
	m = &f.model.table[f.model.tables - 1];
	CHECK(m->ridge == dpem_synth_ridge, "before it is learnt");
	dpem_synth_learn_ridge(&f.model, expected);
	CHECK_CLOSE(m->ridge, 2100.0 / (6 * 2400), 1e-12, "rows by excess over noise");
	dpem_synth_learn_ridge(&f.model, value);
	CHECK(m->ridge == dpem_synth_most_ridge, "nothing but noise");
	memset(expected, 0, sizeof expected);
	dpem_synth_learn_ridge(&f.model, expected);
	CHECK(m->ridge == dpem_synth_ridge, "all of it new");
	fix_free(&f);
}

static int	propagations;

static void
count_propagation(void)
{
	propagations++;
}

static void
test_between(void)
{
	SynthFixture f;

	fix_init(&f, 5, 1000);
	fix_measure(&f, 5);
	f.model.between = count_propagation;
	dpem_synth_fit(&f.model, 10, NULL);
	CHECK(propagations >= 10, "a chance to stop before every propagation: %d", propagations);
	fix_free(&f);
}

/* exact tables of a tree: the model of most entropy has them, and is their product */
static void
test_exact(void)
{
	SynthFixture f;
	DpemPublicRandom random = {1};
	double		a[6];
	double		b[6];
	double		expected[FIX_CELLS];
	double		table[FIX_CELLS];
	static const DpemSynthSet sets[] = {1 | 4, 4 | 16};

	fix_init(&f, 0, 1000);
	for (int i = 0; i < 2; i++)
		fix_add(&f, (DpemSynthTable) {sets[i], 1}, 1e-3, &random);
	dpem_synth_fit(&f.model, 500, NULL);
	fix_marginal(f.joint, sets[0], a);
	fix_marginal(f.joint, sets[1], b);
	dpem_synth_table(&f.model, (DpemSynthTable) {1 | 4 | 16, 0}, table);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; j++)
			for (int k = 0; k < 3; k++)
				expected[(i * 2 + j) * 3 + k] = a[i * 2 + j] * b[j * 3 + k] / (b[j * 3] + b[j * 3 + 1] + b[j * 3 + 2]);
	CHECK(difference(18, table, expected) < 1, "conditional independence: %g rows", difference(18, table, expected));
	CHECK_CLOSE(dpem_synth_tree_cells(&f.model, 0), 4 + 5 + 6 + 6, 1e-15, "cells of the tree");
	CHECK_CLOSE(dpem_synth_tree_cells(&f.model, 1 | 16), 4 + 5 + 18, 1e-15, "with the edge that closes the triangle");
	fix_free(&f);
}

static void
test_restored(void)
{
	SynthFixture f;
	SynthFixture g;
	double		a[20];
	double		b[20];

	fix_init(&f, 100, 1000);
	fix_measure(&f, 100);
	dpem_synth_fit(&f.model, 100, NULL);
	fix_init(&g, 100, 1000);
	for (int t = 0; t < f.model.tables; t++)
		CHECK(dpem_synth_add(&g.model, f.model.table[t].table, f.model.table[t].value, 1, f.model.table[t].theta) == DPEM_OK, "add %d", t);
	dpem_synth_set_total(&g.model, f.model.total);
	CHECK(dpem_synth_calibrate(&g.model) == DPEM_OK, "calibrate");
	dpem_synth_table(&f.model, (DpemSynthTable) {2 | 8, 0}, a);
	dpem_synth_table(&g.model, (DpemSynthTable) {2 | 8, 0}, b);
	CHECK(memcmp(a, b, sizeof a) == 0, "the same model from theta, to the bit");
	fix_free(&f);
	fix_free(&g);
}

static void
test_refusals(void)
{
	SynthFixture f;
	double		value[FIX_CELLS] = {0};
	DpemSynthShape shape = {4, 20, 1000, 1000};

	fix_init(&f, 0, 30);
	CHECK(dpem_synth_fit(&f.model, 1, NULL) == DPEM_BAD_ARGUMENT, "no tables");
	CHECK(dpem_synth_add(&f.model, (DpemSynthTable) {1 | 2 | 8, 1}, value, 1, NULL) == DPEM_BAD_ARGUMENT, "too large for the tree");
	CHECK(dpem_synth_add(&f.model, (DpemSynthTable) {1, DPEM_SYNTH_LEVELS}, value, 1, NULL) == DPEM_BAD_ARGUMENT, "no such level");
	CHECK(dpem_synth_add(&f.model, (DpemSynthTable) {0, 1}, value, 1, NULL) == DPEM_BAD_ARGUMENT, "no columns");
	CHECK(dpem_synth_add(&f.model, (DpemSynthTable) {1, 1}, value, 0, NULL) == DPEM_BAD_ARGUMENT, "no noise");
	CHECK(dpem_synth_model_init(&shape, &f.levels, &f.model, (DpemWorkspace) {NULL, NULL}) == DPEM_BAD_ARGUMENT, "another number of columns");
	fix_free(&f);
}

int
main(void)
{
	test_empty();
	test_empty_ends();
	test_groups();
	test_tables(0.5, 1000);
	test_tables(100, 1000);
	test_tables(5, 60);
	test_optimum();
	test_learned_ridge();
	test_between();
	test_exact();
	test_restored();
	test_refusals();
	return unit_report();
}
