/*
 * test_synth_refine.c - tables that were released by themselves, refined beside a model that has not or hardly taken them in.
 */
#include "core/numeric/vector.h"
#include "synth_fixture.h"
#include "unit.h"

#define PAIR	(1 | 2)			/* sizes 3 and 4, whose counts depend on each other */
#define CELLS	12

/* the model's table of the pair, which knows single columns alone, and the true one */
static void
tables_of(SynthFixture *f, double *model, double *truth)
{
	DpemPublicRandom random = {11};

	fix_init(f, 0, 1000);
	for (int j = 0; j < FIX_COLUMNS; j++)
		fix_add(f, (DpemSynthTable) {dpem_synth_column(j), 0}, 1, &random);
	dpem_synth_fit(&f->model, 200, NULL);
	CHECK(dpem_synth_table(&f->model, (DpemSynthTable) {PAIR, 0}, model) == DPEM_OK, "the model's table");
	fix_marginal(f->joint, PAIR, truth);
}

static double
distance(const double *a, const double *b)
{
	double		sum = 0;

	for (int i = 0; i < CELLS; i++)
		sum += fabs(a[i] - b[i]) / 2;
	return sum;
}

static void
refine(const SynthFixture *f, const double *released, double sd, double *cells)
{
	size_t		n = dpem_synth_refine_work(&f->levels, PAIR);
	double	   *memory = calloc(n, sizeof(double));

	dpem_synth_refine(&f->levels, PAIR, DPEM_SYNTH_LEVELS - 1, released, sd, cells, (DpemWorkspace) {memory, memory + n});
	free(memory);
}

/* without noise it is what was released; far below the noise it is what the model says; never negative, always as many rows */
static void
test_ends(void)
{
	SynthFixture f;
	double		model[CELLS];
	double		truth[CELLS];
	double		cells[CELLS];
	double		released[CELLS];
	DpemPublicRandom random = {5};

	tables_of(&f, model, truth);
	CHECK(distance(model, truth) > 100, "the columns depend on each other: %g rows", distance(model, truth));
	memcpy(cells, model, sizeof cells);
	refine(&f, truth, 1e-3, cells);
	CHECK(distance(cells, truth) < 3, "exact release: %g rows off", distance(cells, truth));
	for (int i = 0; i < CELLS; i++)
		released[i] = model[i] + 3000 * dpem_public_normal(&random);
	memcpy(cells, model, sizeof cells);
	refine(&f, released, 3000, cells);
	CHECK(distance(cells, model) < 0.3 * distance(released, model), "noise alone: %g rows of %g", distance(cells, model), distance(released, model));
	CHECK_CLOSE(dpem_sum(cells, CELLS), dpem_sum(model, CELLS), 1e-6, "as many rows");
	for (int i = 0; i < CELLS; i++)
		CHECK(cells[i] >= 0, "cell %d is not negative", i);
	fix_free(&f);
}

/* over noise from little to much the mean error is below those of the model and of the release, or near the lesser */
static void
test_between(void)
{
	SynthFixture f;
	double		model[CELLS];
	double		truth[CELLS];
	DpemPublicRandom random = {6};

	tables_of(&f, model, truth);
	for (double sd = 3; sd < 1000; sd *= 3)
	{
		double		refined = 0;
		double		raw = 0;

		for (int trial = 0; trial < 200; trial++)
		{
			double		released[CELLS];
			double		cells[CELLS];

			for (int i = 0; i < CELLS; i++)
				released[i] = truth[i] + sd * dpem_public_normal(&random);
			memcpy(cells, model, sizeof cells);
			refine(&f, released, sd, cells);
			refined += distance(cells, truth) / 200;
			raw += distance(released, truth) / 200;
		}
		CHECK(refined < 1.35 * fmin(raw, distance(model, truth)), "noise of %g: %g rows off, released %g, model %g", sd, refined, raw,
			  distance(model, truth));
	}
	fix_free(&f);
}

/* raked tables have the sums, and the odds of the table before */
static void
test_sums(void)
{
	SynthFixture f;
	double		model[CELLS];
	double		cells[CELLS];
	double		sums[17];
	double		found[17] = {0};

	tables_of(&f, model, cells);
	memcpy(model, cells, sizeof cells);
	memcpy(sums, f.one_way, sizeof sums);
	sums[0] += 50;
	sums[1] -= 50;
	dpem_synth_rake(&f.levels, PAIR, sums, cells);
	dpem_synth_add_sums(&f.levels, PAIR, cells, 2, found);
	for (int i = 0; i < 7; i++)
		CHECK_CLOSE(found[i], 2 * sums[i], 1e-7, "sum %d", i);
	CHECK(found[7] == 0, "other columns have none");
	CHECK_CLOSE(cells[0] * cells[5] / (cells[1] * cells[4]), model[0] * model[5] / (model[1] * model[4]), 1e-9, "odds");
	fix_free(&f);
}

int
main(void)
{
	test_ends();
	test_between();
	test_sums();
	return unit_report();
}
