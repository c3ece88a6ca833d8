/*
 * test_block_cells.c - blocks' outputs in cells: analyses by their definitions, and what a unit does to the counts, to the
 * choice of quartiles and to a winsorised sum.
 */
#include <stdlib.h>
#include <string.h>

#include "block_cells_fixture.h"
#include "core/statistics/quantile.h"

#define MOST 12					/* rows of a table */

/* ---- theta ---- */

static void
test_theta(void)
{
	DpemBlockCells task = task_of(DPEM_BLOCK_CENTERS, 3);
	DpemBlockCells back;
	DpemMomentLayout layout = {3 * 2 * CELLS, 2, DPEM_COUNTS_ALONE};
	size_t		n = dpem_block_cells_length(&task, 2);
	double		theta[32];

	dpem_block_cells_write(&task, 2, theta);
	CHECK(n == 3 + 4 + 6 && dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, 32) == n, "length");
	CHECK(dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, n - 1) == 0, "a number is missing");
	dpem_block_cells_of_pass(&dpem_kernel_block_cells, &layout, theta, &back);
	CHECK(back.analysis == DPEM_BLOCK_CENTERS && back.cells == CELLS && back.points == 3 && back.task.blocks == BLOCKS && back.task.steps == 3, "task");
	for (int i = 0; i < 7; i++)
	{
		const double bad[] = {-1, 2.5, NAN, 1e19};

		for (size_t b = 0; b < 4; b++)
		{
			dpem_block_cells_write(&task, 2, theta);
			theta[i] = bad[b];
			/* centers have no reach, whatever number it is */
			CHECK(dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, 32) == 0, "number %d is %g", i, bad[b]);
		}
	}
	dpem_block_cells_write(&task, 2, theta);
	layout.k++;
	CHECK(dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, 32) == 0, "another number of cells");
	layout = (DpemMomentLayout) {3 * 2 * CELLS, 2, DPEM_SECOND_NONE};
	CHECK(dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, 32) == 0, "sums beside the counts");
}

static void
test_fitting(void)
{
	for (int analysis = 0; analysis < DPEM_BLOCK_ANALYSES; analysis++)
		for (int points = 1; points < 3; points++)
			for (int d = 1; d < 3; d++)
				for (int reach = 0; reach < 2; reach++)
				{
					DpemBlockCells task = task_of(analysis, points);
					DpemMomentLayout layout = {points * d * CELLS, d, DPEM_COUNTS_ALONE};
					bool		fits = analysis == DPEM_BLOCK_CENTERS ? !reach
						: points == 1 && (analysis == DPEM_BLOCK_COEFFICIENTS ? reach : d == 1 && !reach);
					double		theta[16];

					task.task.reach = reach;
					dpem_block_cells_write(&task, d, theta);
					CHECK((dpem_kernel_theta_length(&dpem_kernel_block_cells, &layout, theta, 16) > 0) == fits,
						  "analysis %d of %d points in %d coordinates, reach %d", analysis, points, d, reach);
				}
}

static void
test_room(void)
{
	DpemBlockTask task = {.blocks = 10,.capacity = 95};

	CHECK(dpem_block_room(&task) == 26, "a tenth, and a few");
	CHECK(dpem_block_capacity(2, 1e5, 1e18) == 201000 && dpem_block_capacity(2, 1e5, 8000) == 1000 && dpem_block_capacity(1, 1, 0) == 1, "capacity");
	CHECK(dpem_robust_blocks(1) == 1 && dpem_robust_blocks(0) == 1 && dpem_robust_blocks(1e300) == DPEM_BLOCKS_MAX, "blocks of few and of many");
	CHECK(dpem_robust_blocks(1e4) > 100 && dpem_robust_blocks(1e4) < 1e4, "%d blocks", dpem_robust_blocks(1e4));
}

/* ---- analyses ---- */

static void
test_quantiles(void)
{
	static double room[WORK];
	const double sorted[] = {1, 2, 4, 5, 8};
	const double halves[] = {0, 1, 1.5, 2, 3, 4};
	const double ranges[] = {0, 0, 0.5, 1.5, 2.5, 3};
	DpemBlockCells median = task_of(DPEM_BLOCK_MEDIAN, 1);
	DpemBlockCells iqr = task_of(DPEM_BLOCK_IQR, 1);
	DpemWorkspace work = {room, room + WORK};

	for (size_t n = 0; n <= 5; n++)
	{
		double		rows[5];
		double		out = 77;

		for (size_t i = 0; i < n; i++)
			rows[i] = sorted[n - 1 - i];
		dpem_block_analyse(&median, n, rows, 1, UNIT, &out, work);
		CHECK(out == halves[n], "median of %d: %g", (int) n, out);
		dpem_block_analyse(&iqr, n, rows, 1, UNIT, &out, work);
		CHECK(out == ranges[n], "range of %d: %g", (int) n, out);
	}
	CHECK(dpem_block_analysis_work(&median, 100, 1) >= 100, "work");
}

static void
test_cells(void)
{
	static const double part[] = {-1e300, -1.01, -1, -0.99, 0.999 / 7 * 2 - 1, 2.001 / 7 - 1, 0, 0.99, 1, 1.5, INFINITY, NAN, -INFINITY};
	static const int expected[] = {0, 0, 0, 0, 0, 1, 3, 6, 6, 6, 6, 0, 0};

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		for (int analysis = 0; analysis < DPEM_BLOCK_ANALYSES; analysis++)
		{
			DpemBlockCells task = task_of(analysis, 1);
			DpemInt128	exact[CELLS] = {0};
			double		real[CELLS] = {0};
			double		out = (analysis == DPEM_BLOCK_IQR ? part[i] + 1 : part[i]) * UNIT;

			dpem_block_cells_add(&task, 1, &out, UNIT, ONE, exact, NULL);
			dpem_block_cells_add(&task, 1, &out, UNIT, ONE, NULL, real);
			for (int c = 0; c < CELLS; c++)
				CHECK(exact[c] == (c == expected[i] ? ONE : 0) && real[c] == (c == expected[i]), "%g, analysis %d: cell %d", part[i], analysis, c);
		}
}

/* one count for each output, whatever it is, and in its own cells */
static void
test_outputs(void)
{
	DpemBlockCells task = task_of(DPEM_BLOCK_CENTERS, 2);
	const double out[] = {-UNIT, 0, UNIT, NAN};
	const int	expected[] = {0, 3, 6, 0};
	DpemInt128	exact[4 * CELLS] = {0};

	dpem_block_cells_add(&task, 2, out, UNIT, ONE, exact, NULL);
	for (int i = 0; i < 4 * CELLS; i++)
		CHECK(exact[i] == (i % CELLS == expected[i / CELLS] ? ONE : 0), "count %d", i);
}

/* ---- what a unit does ---- */

typedef struct Table
{
	int			n;
	int			block[MOST];
	double		x[MOST];
} Table;

/* counts of one output */
static void
count_table(const Table *t, DpemBlockAnalysis analysis, DpemInt128 *count)
{
	static double room[WORK];
	DpemWorkspace work = {room, room + WORK};
	DpemBlockCells task = task_of(analysis, 1);

	memset(count, 0, CELLS * sizeof(DpemInt128));
	for (int b = 0; b < BLOCKS; b++)
	{
		double		rows[MOST];
		double		out = 0;
		size_t		n = 0;

		for (int i = 0; i < t->n; i++)
		{
			if (t->block[i] == b)
				rows[n++] = t->x[i];
		}
		dpem_block_analyse(&task, n, rows, 1, UNIT, &out, work);
		dpem_block_cells_add(&task, 1, &out, UNIT, ONE, count, NULL);
	}
}

static void
add_rows(Table *t, int rows, int block)
{
	for (int i = 0; i < rows; i++)
	{
		t->block[t->n] = block < 0 ? below(BLOCKS) : block;
		t->x[t->n++] = below(3) == 0 ? UNIT * (2 * below(2) - 1) : uniform(-UNIT, UNIT);
	}
}

typedef struct Worst
{
	double		moved;			/* blocks that changed their cells */
	double		range[2];		/* of the scores of both quartiles, in parts of a row */
	double		sum;			/* of the winsorised sum, over the range's width */
} Worst;

static void
compare_sums(const DpemInt128 *a, const DpemInt128 *b, Worst *worst)
{
	for (int first = 0; first < CELLS; first++)
		for (int third = 0; third < CELLS; third++)
		{
			DpemWinsorRange range = dpem_winsor_range(first, third, CELLS);
			DpemInt128	difference = dpem_winsor_sum(a, 1, CELLS, range) - dpem_winsor_sum(b, 1, CELLS, range);

			CHECK(range.low >= 0 && range.low < range.high && range.high < CELLS, "a range from %d to %d", range.low, range.high);
			worst->sum = fmax(worst->sum, fabs((double) difference) / ONE / (range.high - range.low));
		}
}

static void
compare(const DpemInt128 *a, const DpemInt128 *b, Worst *worst)
{
	const int64_t level[] = {DPEM_QUANTILE_PARTS / 4, 3 * (DPEM_QUANTILE_PARTS / 4)};
	double		moved = 0;

	for (int c = 0; c < CELLS; c++)
		moved += fabs((double) (a[c] - b[c])) / ONE / 2;
	worst->moved = fmax(worst->moved, moved);
	for (int i = 0; i < 2; i++)
	{
		DpemInt128	score[2][CELLS];
		double		most = -INFINITY;
		double		least = INFINITY;

		dpem_quantile_scores(a, 1, CELLS, level[i], score[0]);
		dpem_quantile_scores(b, 1, CELLS, level[i], score[1]);
		for (int c = 0; c < CELLS; c++)
		{
			most = fmax(most, (double) (score[0][c] - score[1][c]));
			least = fmin(least, (double) (score[0][c] - score[1][c]));
		}
		worst->range[i] = fmax(worst->range[i], (most - least) / ONE);
	}
	compare_sums(a, b, worst);
}

/* a unit of several rows is there, is not, or has others; together: in one block */
static Worst
search(DpemBlockAnalysis analysis, int rows, bool together)
{
	Worst		worst = {0, {0, 0}, 0};

	for (int trial = 0; trial < 4000; trial++)
	{
		Table		a = {.n = 0};
		Table		b;
		int			block = together ? below(BLOCKS) : -1;
		DpemInt128	count[2][CELLS];

		add_rows(&a, below(MOST - rows + 1), -1);
		b = a;
		add_rows(&b, rows, block);
		/* not together, each row is in the block that was drawn for it, in both tables */
		if (below(2) == 0)
		{
			a = b;
			for (int i = a.n - rows; i < a.n; i++)
				a.x[i] = below(3) == 0 ? UNIT * (2 * below(2) - 1) : uniform(-UNIT, UNIT);
		}
		count_table(&a, analysis, count[0]);
		count_table(&b, analysis, count[1]);
		compare(count[0], count[1], &worst);
	}
	return worst;
}

static void
test_units(void)
{
	for (int i = 0; i < 8; i++)
	{
		DpemBlockAnalysis analysis = i & 1 ? DPEM_BLOCK_IQR : DPEM_BLOCK_MEDIAN;
		bool		together = !(i & 2);
		int			rows = i & 4 ? 3 : 1;
		int			most = together ? 1 : rows;
		double		range = (double) dpem_quantile_range(DPEM_QUANTILE_PARTS / 4, true, most);
		Worst		worst = search(analysis, rows, together);

		CHECK(worst.moved <= most && worst.moved > most - 0.5, "case %d: %g blocks moved", i, worst.moved);
		CHECK(worst.range[0] <= range && worst.range[1] <= range && worst.range[0] > 0.4 * range, "case %d: ranges %g and %g", i, worst.range[0], worst.range[1]);
		CHECK(worst.sum <= most && worst.sum > most - 0.5, "case %d: a sum moves by %g ranges", i, worst.sum);
	}
}

/* rows of a unit in several blocks, sold as if they were in one, and blocks sold as if one could only appear, are found out */
static void
test_the_search(void)
{
	Worst		worst = search(DPEM_BLOCK_MEDIAN, 3, false);

	CHECK(worst.moved > 1 && worst.sum > 1 && worst.range[0] > (double) dpem_quantile_range(DPEM_QUANTILE_PARTS / 4, true, 1), "rows of one block in three");
	worst = search(DPEM_BLOCK_MEDIAN, 1, true);
	CHECK(worst.range[1] > (double) DPEM_QUANTILE_PARTS / 2, "half a row suffices");
}

/* A(k) of the blocks' median bounds what a unit does to it, under the adjacency that blocks have */
static void
test_reach(void)
{
	const DpemRobustRows how = {ONE, true, 1};
	int			faults = 0;
	int			moves = 0;

	for (int trial = 0; trial < 4000; trial++)
	{
		Table		a = {.n = 0};
		Table		b;
		DpemRobustTable table[2];
		DpemInt128	count[2][CELLS];
		DpemInt128	excess[2][DPEM_ROBUST_QUANTILES * CELLS];
		int			moved;

		add_rows(&a, below(MOST), -1);
		b = a;
		add_rows(&b, 1, -1);
		count_table(&a, DPEM_BLOCK_MEDIAN, count[0]);
		count_table(&b, DPEM_BLOCK_MEDIAN, count[1]);
		for (int i = 0; i < 2; i++)
			dpem_robust_table(&table[i], DPEM_ROBUST_MEDIAN, count[i], 1, CELLS, &how, excess[i]);
		moved = abs(dpem_robust_value(&table[0]) - dpem_robust_value(&table[1]));
		moves += moved > 0;
		faults += moved > dpem_robust_reach(&table[0], 0) || moved > dpem_robust_reach(&table[1], 0);
		for (int k = 0; k < BLOCKS; k++)
			faults += dpem_robust_reach(&table[0], k) > dpem_robust_reach(&table[1], k + 1) ||
				dpem_robust_reach(&table[1], k) > dpem_robust_reach(&table[0], k + 1);
	}
	CHECK(faults == 0 && moves > 100, "%d faults, %d moves", faults, moves);
}

int
main(void)
{
	test_theta();
	test_fitting();
	test_room();
	test_quantiles();
	test_cells();
	test_outputs();
	test_units();
	test_the_search();
	test_reach();
	return unit_report();
}
