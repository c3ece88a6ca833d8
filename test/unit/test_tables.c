/*
 * test_tables.c - counts of tables: a row adds 1 to one cell of each table, the right
 * one, and to nothing else; no two rows move a release or the scores of candidates
 * further than declared (docs/proofs.md, 24); parameters that are none are refused.
 */
#include "core/accounting/choice.h"
#include "core/accounting/sensitivity.h"
#include "core/kernels/kernel.h"
#include "core/synth/tables.h"
#include "core/synth/synth_plan.h"
#include "kernel_fixture.h"

#define COLUMNS	4				/* two numbers, of which the second may be unknown, and two labels */
#define TABLES	9
#define D		8				/* 2 numbers, labels of 2 and 3 categories, what tells where the second number is known */
#define CELLS	400
#define RADIUS	2.5

/* between the first number's bins, two of which are narrow */
static const double edges[] = {-0.9, 0.2, 0.21, 0.215};

static const DpemTableColumn columns[COLUMNS] = {
	{0, 1, 5, 0, -1, 1, edges}, {1, 1, 4, 7, -0.75, 1.5, NULL}, {2, 2, 3, 0, 0, 0, NULL}, {4, 3, 4, 0, 0, 0, NULL}
};

typedef struct Fixture
{
	Work		w;
	DpemTable	table[TABLES];
	int			cells;
	double	   *theta;
	size_t		length;
	double	   *scratch;
	DpemInt128	exact[CELLS];
	double		real[CELLS];
} Fixture;

static void
make_fixture(Fixture *f)
{
	static const DpemTable tables[TABLES] = {
		{.order = 1,.column = {0}}, {.order = 1,.column = {1}}, {.order = 1,.column = {2}}, {.order = 1,.column = {3}},
		{.order = 2,.column = {0, 1}}, {.order = 2,.column = {1, 3}}, {.order = 3,.column = {0, 2, 3}},
		{.order = 4,.column = {0, 1, 2, 3}}, {.order = 2,.column = {0, 1}}
	};
	DpemTableSet set = {RADIUS, COLUMNS, TABLES, columns, f->table};

	f->w = work_make(D, 1);
	memcpy(f->table, tables, sizeof(tables));
	f->cells = dpem_tables_arrange(columns, COLUMNS, f->table, TABLES);
	f->length = dpem_tables_theta_length(&set);
	f->theta = malloc(f->length * sizeof(double));
	dpem_tables_write(&set, f->theta);
	f->scratch = malloc(dpem_tables_scratch(f->theta) * sizeof(double));
}

/* category 0 .. cells - 1 of each column, the last of them what is unknown */
static void
random_cells(Rng *rng, int *cell)
{
	for (int c = 0; c < COLUMNS; c++)
		cell[c] = rng_below(rng, columns[c].cells);
}

/* in the middle of the bin: rounding to features moves it by far less */
static double
coordinate_of(const DpemTableColumn *column, int bin)
{
	double		lower = column->edge == NULL || bin == 0 ? column->lower : column->edge[bin - 1];
	double		upper = column->edge == NULL || bin == dpem_table_bins(column) - 1 ? column->upper : column->edge[bin];

	if (column->edge != NULL)
		return lower / 2 + upper / 2;
	return column->lower + (column->upper - column->lower) * (bin + 0.5) / dpem_table_bins(column);
}

static void
put_row(Fixture *f, int row, const int *cell, double keep)
{
	double		box[D] = {0};

	for (int c = 0; c < COLUMNS; c++)
	{
		if (columns[c].length > 1 && cell[c] < columns[c].length)
			box[columns[c].first + cell[c]] = 1;
		if (columns[c].length == 1)
			box[columns[c].first] = coordinate_of(&columns[c], cell[c] < dpem_table_bins(&columns[c]) ? cell[c] : 1);
		if (columns[c].known > 0)
			box[columns[c].known] = cell[c] < dpem_table_bins(&columns[c]);
	}
	for (int j = 0; j < D; j++)
		f->w.block.x[j * DPEM_BLOCK_STRIDE + row] = keep * rint(ldexp(box[j] / RADIUS, Q));
	f->w.block.keep[row] = keep;
}

static void
count(Fixture *f, int rows)
{
	f->w.block.rows = rows;
	memset(f->exact, 0, sizeof(f->exact));
	dpem_tables_tally(f->theta, &f->w.block, Q, 1, f->exact, NULL, f->scratch);
}

static int
expected_cell(const DpemTable *table, const int *cell)
{
	int			at = 0;

	for (int i = 0; i < table->order; i++)
		at = at * columns[table->column[i]].cells + cell[table->column[i]];
	return table->first + at;
}

static void
check_rows(Fixture *f, Rng *rng)
{
	int			bad = 0;

	for (int round = 0; round < 500; round++)
	{
		int			cell[COLUMNS];
		int			sum = 0;

		random_cells(rng, cell);
		put_row(f, 0, cell, 1);
		count(f, 1);
		for (int t = 0; t < TABLES; t++)
			bad += f->exact[expected_cell(&f->table[t], cell)] != 1;
		for (int i = 0; i < CELLS; i++)
			sum += (int) f->exact[i];
		bad += sum != TABLES;
		put_row(f, 0, cell, 0);
		count(f, 1);
		for (int i = 0; i < CELLS; i++)
			bad += f->exact[i] != 0;
	}
	CHECK(bad == 0, "%d rows are not where they belong", bad);
}

/* a block is the sum of its rows, in both kinds of numbers; whatever coordinates hold, each row is in one cell of each table */
static void
check_blocks(Fixture *f, Rng *rng)
{
	int			bad = 0;

	for (int row = 0; row < 300; row++)
	{
		for (int j = 0; j < D; j++)
			f->w.block.x[j * DPEM_BLOCK_STRIDE + row] = rint(ldexp(rng_uniform(rng, -1, 1), Q));
		f->w.block.keep[row] = row % 7 > 0;
	}
	count(f, 300);
	memset(f->real, 0, sizeof(f->real));
	dpem_tables_tally(f->theta, &f->w.block, Q, 1, NULL, f->real, f->scratch);
	for (int t = 0; t < TABLES; t++)
	{
		int			sum = 0;

		for (int i = f->table[t].first; i < f->table[t].first + f->table[t].cells; i++)
		{
			sum += (int) f->exact[i];
			bad += f->real[i] != (double) f->exact[i];
		}
		bad += sum != 300 - 43;
	}
	CHECK(bad == 0, "%d tables of a block are not of all its rows", bad);
}

/* squared, of the difference of what two rows add, or of one */
static double
moved2(Fixture *f, const int *a, const int *b)
{
	DpemInt128	first[CELLS];
	double		sum = 0;

	put_row(f, 0, a, 1);
	count(f, 1);
	memcpy(first, f->exact, sizeof(first));
	memset(f->exact, 0, sizeof(f->exact));
	if (b != NULL)
	{
		put_row(f, 0, b, 1);
		count(f, 1);
	}
	for (int i = 0; i < CELLS; i++)
		sum += (double) ((first[i] - f->exact[i]) * (first[i] - f->exact[i]));
	return sum;
}

static void
check_sensitivity(Fixture *f, Rng *rng)
{
	double		worst[2] = {0, 0};

	for (int round = 0; round < 500; round++)
	{
		int			a[COLUMNS];
		int			b[COLUMNS];

		random_cells(rng, a);
		random_cells(rng, b);
		worst[0] = fmax(worst[0], moved2(f, a, NULL));
		worst[1] = fmax(worst[1], moved2(f, a, b));
	}
	CHECK(worst[0] == TABLES && worst[0] <= dpem_tables_sensitivity2(TABLES, false), "a row alone moves %g", worst[0]);
	CHECK(worst[1] == 2 * TABLES && worst[1] <= dpem_tables_sensitivity2(TABLES, true), "a pair moves %g", worst[1]);
	CHECK(isnan(dpem_tables_sensitivity2(0, false)), "no tables have a price");
}

/* change of the score of a table of a few cells, of counts near and far from what is expected, in steps */
static double
score_change(Rng *rng, const int64_t *counts, int up, int down, int64_t weight)
{
	double		expected[4];
	int64_t		after[4];

	for (int i = 0; i < 4; i++)
	{
		expected[i] = rng_below(rng, 2) ? counts[i] + rng_uniform(rng, -1.5, 1.5) : rng_uniform(rng, -5, 30);
		after[i] = counts[i] + (i == up) - (i == down);
	}
	return (double) (dpem_synth_score(4, after, expected, 3.7, weight) - dpem_synth_score(4, counts, expected, 3.7, weight)) /
		(double) dpem_synth_score_step(weight);
}

/* the greatest less the least change of candidates' scores: a row more, and a row that changes its cell */
static void
check_scores(Rng *rng)
{
	double		most[2] = {0, 0};
	double		least[2] = {0, 0};

	for (int round = 0; round < 20000; round++)
	{
		int64_t		counts[4];
		int			up = rng_below(rng, 4);

		for (int i = 0; i < 4; i++)
			counts[i] = 1 + rng_below(rng, 20);
		for (int replaced = 0; replaced < 2; replaced++)
		{
			double		change = score_change(rng, counts, up, replaced ? (up + 1) % 4 : -1, 1 + rng_below(rng, 50));

			most[replaced] = fmax(most[replaced], change);
			least[replaced] = fmin(least[replaced], change);
		}
	}
	for (int replaced = 0; replaced < 2; replaced++)
	{
		double		range = 2 * (double) dpem_choice_range(1, replaced, 1);

		CHECK(most[replaced] - least[replaced] <= range, "scores move by %.9f of %g", most[replaced] - least[replaced], range);
		CHECK(most[replaced] - least[replaced] > 0.99 * range, "no pair attains %g, at most %g", range, most[replaced] - least[replaced]);
	}
}

static void
check_parameters(Fixture *f)
{
	DpemTable	wrong[2] = {{.order = 2,.column = {1, 0}}, {.order = 1,.column = {COLUMNS}}};
	size_t		refused = 0;
	DpemTable	read = dpem_tables_read(f->theta, 6);

	CHECK(dpem_tables_check(f->cells, D, f->theta, f->length) == f->length, "parameters are refused");
	CHECK(read.order == 3 && read.column[2] == 3 && read.first == f->table[6].first && read.cells == f->table[6].cells,
		  "a table is read differently");
	CHECK(dpem_tables_check(f->cells, D, f->theta, f->length - 1) == 0, "less than all parameters");
	CHECK(dpem_tables_check(f->cells + 1, D, f->theta, f->length) == 0, "parameters of other cells");
	CHECK(dpem_tables_check(f->cells, D - 1, f->theta, f->length) == 0, "parameters of more coordinates");
	for (int i = 0; i < 2; i++)
		CHECK(dpem_tables_arrange(columns, COLUMNS, &wrong[i], 1) == 0, "a table of columns that are none");
	/* edges ascend, strictly within the domain */
	for (int i = 0; i < 4; i++)
	{
		double	   *edge = f->theta + dpem_tables_cells_length(f->theta) + i;
		const double wrong_edges[] = {-1, 1, NAN, i > 0 ? edge[-1] : -2};

		for (int w = 0; w < 4; w++)
		{
			double		was = *edge;

			*edge = wrong_edges[w];
			CHECK(dpem_tables_check(f->cells, D, f->theta, f->length) == 0, "edge %d at %g", i, *edge);
			*edge = was;
		}
	}
	/* every number is checked but the domains' ends, which may be others, and columns that a table has not; edges leave three apart */
	for (size_t i = 0; i < f->length; i++)
	{
		double		was = f->theta[i];

		f->theta[i] = was + 0.5;
		refused += dpem_tables_check(f->cells, D, f->theta, f->length) == 0;
		f->theta[i] = was;
	}
	CHECK(refused == 2 + 5 * COLUMNS + 3 * TABLES + 17 + 3, "%zu fractions are refused", refused);
}

int
main(void)
{
	Rng			rng = {2024};
	static Fixture f;

	make_fixture(&f);
	CHECK(f.cells > 0 && f.cells <= CELLS, "%d cells", f.cells);
	check_rows(&f, &rng);
	check_blocks(&f, &rng);
	check_sensitivity(&f, &rng);
	check_scores(&rng);
	check_parameters(&f);
	work_free(&f.w);
	free(f.theta);
	free(f.scratch);
	return unit_report();
}
