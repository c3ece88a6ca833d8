/*
 * test_synth_use.c - what a fitted model answers, against enumeration of every cell.
 */
#include "core/synth/synth_rules.h"
#include "synth_fixture.h"
#include "unit.h"

static void
fitted(SynthFixture *f, double *joint)
{
	fix_init(f, 100, 1000);
	fix_measure(f, 100);
	dpem_synth_fit(&f->model, 100, NULL);
	fix_enumerate(f, joint);
}

static void
test_filter(void)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		expected[FIX_CELLS];
	double		before[FIX_CELLS];
	double		table[FIX_CELLS];
	bool		allowed[17];
	DpemSynthTable asked = {2 | 16, 0};

	fitted(&f, joint);
	dpem_synth_table(&f.model, (DpemSynthTable) {31, 0}, before);
	for (int i = 0; i < 17; i++)
		allowed[i] = i != 0 && i != 6 && i != 11 && i != 12;
	for (int cell = 0; cell < FIX_CELLS; cell++)
	{
		int			row[FIX_COLUMNS];

		fix_row(cell, row);
		for (int j = 0; j < FIX_COLUMNS; j++)
			if (!allowed[f.levels.offset[j] + row[j]])
				joint[cell] = 0;
	}
	fix_marginal(joint, asked.set, expected);
	CHECK(dpem_synth_filtered(&f.model, asked, allowed, table) == DPEM_OK, "filtered");
	for (int i = 0; i < 12; i++)
		CHECK(fabs(table[i] - expected[i]) < 1e-7, "cell %d is %.9g, expected %.9g", i, table[i], expected[i]);
	for (int i = 0; i < 3; i++)
		allowed[i] = false;
	CHECK(dpem_synth_filtered(&f.model, asked, allowed, table) == DPEM_OK, "nothing is allowed");
	for (int i = 0; i < 12; i++)
		CHECK(table[i] == 0, "cell %d of nothing is %g", i, table[i]);
	dpem_synth_table(&f.model, (DpemSynthTable) {31, 0}, table);
	CHECK(memcmp(table, before, sizeof table) == 0, "the model is what it was");
	fix_free(&f);
}

static void
test_posterior(void)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		posterior[5];
	double		density;

	fitted(&f, joint);
	for (int cell = 0; cell < FIX_CELLS; cell += 7)
		for (int hide = 0; hide < FIX_COLUMNS; hide++)
		{
			double		expected[5] = {0};
			double		sum = 0;
			int			row[FIX_COLUMNS];
			int			other[FIX_COLUMNS];

			fix_row(cell, row);
			CHECK(dpem_synth_log_density(&f.model, row, &density) == DPEM_OK, "density");
			CHECK_CLOSE(exp(density) * f.model.total, joint[cell], 1e-9, "density of cell %d", cell);
			row[hide] = -1;
			for (int i = 0; i < FIX_CELLS; i++)
			{
				bool		agrees = true;

				fix_row(i, other);
				for (int j = 0; j < FIX_COLUMNS; j++)
					agrees = agrees && (j == 3 || row[j] < 0 || row[j] == other[j]);
				if (agrees)
				{
					expected[other[3]] += joint[i];
					sum += joint[i];
				}
			}
			CHECK(dpem_synth_posterior(&f.model, 3, row, posterior) == DPEM_OK, "posterior");
			for (int c = 0; c < 5; c++)
				CHECK_CLOSE(posterior[c], expected[c] / sum, 1e-9, "cell %d without column %d: %d", cell, hide, c);
		}
	CHECK(dpem_synth_log_density(&f.model, (int[]) {0, 0, 2, 0, 0}, &density) == DPEM_BAD_ARGUMENT, "no such category");
	fix_free(&f);
}

/* all rows' probabilities still add up to 1, and none is 0, also where the model has one */
static void
test_background(void)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		share[64];
	double		sum = 0;
	double		density;
	double		least = 0;

	fitted(&f, joint);
	CHECK(f.model.levels->offset[FIX_COLUMNS] <= 64 && dpem_synth_background_shares(&f.model, share) == DPEM_OK, "shares");
	for (int cell = 0; cell < FIX_CELLS; cell++)
	{
		int			row[FIX_COLUMNS];
		double		before;

		fix_row(cell, row);
		CHECK(dpem_synth_log_density(&f.model, row, &density) == DPEM_OK, "density");
		before = dpem_synth_before_background(f.model.levels, share, row, density);
		CHECK(before > density + log1p(-dpem_synth_background), "cell %d: %g before the background, %g without", cell, before, density);
		sum += exp(before);
		before = dpem_synth_before_background(f.model.levels, share, row, -INFINITY);
		CHECK(isfinite(before) && before < density + 5, "cell %d: %g of the background alone", cell, before);
		least = fmin(least, before);
	}
	CHECK_CLOSE(sum, 1, 1e-9, "all rows");
	CHECK(least > log(dpem_synth_background) + FIX_COLUMNS * log(dpem_synth_background / 5), "none is rarer than %g", least);
	fix_free(&f);
}

#define DRAWN 200000

/*
 * Pearson's statistic over all cells.  Its mean is the cells and its standard deviation sqrt(2
 * cells); cells + 12 sqrt(2 cells) is exceeded with probability far below 1e-6 (Laurent, Massart
 * 2000, lemma 1: exp(-t) above cells + 2 sqrt(cells t) + 2 t, with t = 40).
 */
static void
test_rows(void)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		drawn[2][FIX_CELLS] = {{0}};
	double		chi2[2] = {0};
	DpemPublicRandom random = {99};
	int		   *rows = calloc((size_t) DRAWN * FIX_COLUMNS, sizeof(int));
	size_t		work;
	double	   *memory;

	fitted(&f, joint);
	work = dpem_synth_rows_work(&f.model, DRAWN);
	memory = calloc(work, sizeof(double));
	for (int way = 0; way < 2; way++)
	{
		DpemStatus	status = way == 0 ? dpem_synth_sample(&f.model, &random, DRAWN, rows) :
			dpem_synth_rows(&f.model, &random, DRAWN, rows, (DpemWorkspace) {memory, memory + work});

		CHECK(status == DPEM_OK, "rows");
		for (int i = 0; i < DRAWN; i++)
			drawn[way][fix_place(fix_size, 31, rows + i * FIX_COLUMNS)]++;
		for (int i = 0; i < FIX_CELLS; i++)
		{
			double		expected = joint[i] / f.model.total * DRAWN;

			CHECK(expected > 0 || drawn[way][i] == 0, "cell %d has no rows", i);
			if (expected > 0)
				chi2[way] += (drawn[way][i] - expected) * (drawn[way][i] - expected) / expected;
		}
		CHECK(chi2[way] < FIX_CELLS + 2 * sqrt(FIX_CELLS * 40.0) + 80, "chi square of way %d: %g", way, chi2[way]);
	}
	CHECK(chi2[1] < chi2[0], "rows that are spread evenly are nearer: %g, %g", chi2[1], chi2[0]);
	free(memory);
	free(rows);
	fix_free(&f);
}

static void
test_association(void)
{
	SynthFixture f;
	double		joint[FIX_CELLS];
	double		information[FIX_COLUMNS * FIX_COLUMNS];
	double		table[FIX_CELLS];
	double		entropy = 0;
	size_t		work;
	double	   *memory;
	static const double even[4] = {1, 0, 0, 1};
	static const double apart[6] = {1, 2, 3, 2, 4, 6};

	CHECK_CLOSE(dpem_synth_information(2, 2, even), log(2), 1e-14, "one bit");
	CHECK(fabs(dpem_synth_information(2, 3, apart)) < 1e-15, "independent columns");
	fitted(&f, joint);
	work = dpem_synth_association_work(&f.model);
	memory = calloc(work, sizeof(double));
	CHECK(dpem_synth_association(&f.model, information, (DpemWorkspace) {memory, memory + work}) == DPEM_OK, "association");
	fix_marginal(joint, 1 | 8, table);
	CHECK_CLOSE(information[3], dpem_synth_information(3, 5, table), 1e-8, "of the categories, from the groups");
	CHECK(information[3] == information[3 * FIX_COLUMNS], "symmetric");
	fix_marginal(joint, 2, table);
	for (int c = 0; c < 4; c++)
		entropy -= table[c] / f.model.total * log(table[c] / f.model.total);
	CHECK_CLOSE(information[FIX_COLUMNS + 1], entropy, 1e-9, "entropy of a column");
	free(memory);
	fix_free(&f);
}

int
main(void)
{
	test_filter();
	test_posterior();
	test_background();
	test_rows();
	test_association();
	return unit_report();
}
