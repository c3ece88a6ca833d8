/*
 * test_cells.c - grids: which cell a row is in, whatever stands beside it, and
 * which numbers are no grid.
 */
#include "core/kernels/cells.h"
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#define WORDS 4096

typedef struct Case
{
	DpemCellGrid grid;
	double		projection[DPEM_CELLS_MAX_AXES * 8];
	double		parts[1024];
	double		theta[WORDS];
} Case;

/* a random grid; 0 axes: a projection of eight features to two */
static void
make_grid(Rng *rng, Case *c, int axes, bool levels)
{
	DpemCellGrid *g = &c->grid;

	memset(c, 0, sizeof(*c));
	g->axes = axes ? axes : 2;
	g->d = axes ? axes : 8;
	for (int a = 0; a < g->axes; a++)
		g->axis[a] = (DpemCellAxis) {rng_uniform(rng, -1, -0.2), rng_uniform(rng, 0.2, 1), 1 + rng_below(rng, 5)};
	for (int i = 0; i < g->axes * g->d; i++)
		c->projection[i] = rng_uniform(rng, -1, 1);
	g->projection = axes ? NULL : c->projection;
	for (int i = 0; i < dpem_cells_coarse(g); i++)
		c->parts[i] = 1 + rng_below(rng, 3);
	g->parts = levels ? c->parts : NULL;
	dpem_cells_write(g, c->theta);
}

/* the cell by its definition: the last one, in order, whose lower corner is not above the row */
static int
slow_cell(const DpemCellGrid *g, const double *x)
{
	int			coarse = 0;
	int			cell = 0;
	int			fine = 0;
	double		left[DPEM_CELLS_MAX_AXES];

	for (int a = 0; a < g->axes; a++)
	{
		const DpemCellAxis *axis = &g->axis[a];
		double		u = 0;
		int			part = 0;

		for (int j = 0; j < g->d; j++)
			u += (g->projection ? g->projection[a * g->d + j] : j == a) * x[j];
		left[a] = (u / 8192 - axis->lower) * (axis->parts / (axis->upper - axis->lower));
		while (part < axis->parts - 1 && left[a] >= part + 1)
			part++;
		left[a] -= part;
		coarse = coarse * axis->parts + part;
	}
	if (g->parts == NULL)
		return coarse;
	for (int i = 0; i < coarse; i++)
		cell += (int) lrint(pow(g->parts[i], g->axes));
	for (int a = 0; a < g->axes; a++)
	{
		int			part = 0;

		while (part < g->parts[coarse] - 1 && left[a] * g->parts[coarse] >= part + 1)
			part++;
		fine = fine * (int) g->parts[coarse] + part;
	}
	return cell + fine;
}

static void
row_of(const Work *w, int row, double *x)
{
	for (int j = 0; j < w->d; j++)
		x[j] = w->block.x[j * DPEM_BLOCK_STRIDE + row];
}

static void
test_cell_of_row(void)
{
	Rng			rng = {1};
	int32_t		component[DPEM_BLOCK_ROWS];
	Case		c;

	for (int test = 0; test < 200; test++)
	{
		Work		w;
		double		x[8];
		double	   *scratch = numbers(dpem_cells_scratch());
		int			wrong = 0;
		int			k;

		make_grid(&rng, &c, test % 5, test % 2);
		k = dpem_cells_number(&c.grid);
		w = work_make(c.grid.d, 1);
		fill_features(&rng, &w, DPEM_BLOCK_ROWS - rng_below(&rng, 40), Q);
		w.block.keep[3] = 0;
		dpem_cells_locate(c.theta, &w.block, Q, component, scratch);
		for (int row = 0; row < w.block.rows; row++)
		{
			row_of(&w, row, x);
			wrong += component[row] != (row == 3 ? -1 : slow_cell(&c.grid, x)) || component[row] >= k;
		}
		CHECK(wrong == 0, "test %d: %d of %d rows in another cell", test, wrong, w.block.rows);
		free(scratch);
		work_free(&w);
	}
}

/* the cell of a row does not depend on its place or its neighbours */
static void
test_row_purity(void)
{
	Rng			rng = {2};
	Case		c;

	for (int test = 0; test < 100; test++)
	{
		Work		w;
		Work		other;
		double	   *scratch = numbers(dpem_cells_scratch());
		int32_t		component[DPEM_BLOCK_ROWS];
		int32_t		alone[DPEM_BLOCK_ROWS];
		int			wrong = 0;

		make_grid(&rng, &c, test % 5, test % 2);
		w = work_make(c.grid.d, 1);
		other = work_make(c.grid.d, 1);
		fill_features(&rng, &w, DPEM_BLOCK_ROWS, Q);
		dpem_cells_locate(c.theta, &w.block, Q, component, scratch);
		for (int i = 0; i < 50; i++)
		{
			int			row = rng_below(&rng, DPEM_BLOCK_ROWS);
			int			n = 1 + rng_below(&rng, 100);
			int			place = rng_below(&rng, n);

			fill_features(&rng, &other, n, Q);
			copy_row(&w, row, &other, place);
			dpem_cells_locate(c.theta, &other.block, Q, alone, scratch);
			wrong += alone[place] != component[row];
		}
		CHECK(wrong == 0, "%d of 50 rows changed their cell with their place", wrong);
		free(scratch);
		work_free(&w);
		work_free(&other);
	}
}

/* the middle of every cell is in that cell: numbering and geometry agree */
static void
test_middles(void)
{
	Rng			rng = {3};
	Case		c;

	for (int test = 0; test < 60; test++)
	{
		int			k;
		int			wrong = 0;
		double	   *middle;
		double	   *scratch = numbers(dpem_cells_scratch());

		make_grid(&rng, &c, 1 + test % 4, test % 2);
		k = dpem_cells_number(&c.grid);
		middle = numbers((size_t) k * c.grid.axes);
		dpem_cells_middles(&c.grid, middle);
		for (int i = 0; i < k; i++)
		{
			Work		w = work_make(c.grid.d, 1);
			int32_t		component[DPEM_BLOCK_ROWS];
			int			zero = 0;

			work_fill(&w, middle + (size_t) i * c.grid.axes, &zero, 1);
			dpem_cells_locate(c.theta, &w.block, 0, component, scratch);
			wrong += component[0] != i;
			work_free(&w);
		}
		CHECK(wrong == 0, "%d of %d middles in another cell", wrong, k);
		free(middle);
		free(scratch);
	}
}

/* far outside, and where a projection overflows, a row is still in some cell */
static void
test_far_rows(void)
{
	Case		c = {.grid = {.axes = 2,.d = 2}};
	Work		w = work_make(2, 1);
	double	   *scratch = numbers(dpem_cells_scratch());
	double		rows[4][2] = {{-8192, -8192}, {8192, 8192}, {8192, 0}, {1, -1}};
	double		huge[4] = {1.7e308, 1.7e308, -1.7e308, 1.7e308};
	int			which[4] = {0, 1, 2, 3};
	int32_t		component[DPEM_BLOCK_ROWS];

	for (int a = 0; a < 2; a++)
		c.grid.axis[a] = (DpemCellAxis) {-0.1, 0.1, 3};
	dpem_cells_write(&c.grid, c.theta);
	work_fill(&w, &rows[0][0], which, 4);
	dpem_cells_locate(c.theta, &w.block, Q, component, scratch);
	CHECK(component[0] == 0 && component[1] == 8 && component[2] == 7 && component[3] == 4,
		  "cells %d %d %d %d", component[0], component[1], component[2], component[3]);
	c.grid.projection = huge;
	dpem_cells_write(&c.grid, c.theta);
	dpem_cells_locate(c.theta, &w.block, Q, component, scratch);
	for (int i = 0; i < 4; i++)
		CHECK(component[i] >= 0 && component[i] < 9, "cell %d", component[i]);
	free(scratch);
	work_free(&w);
}

static void
test_wire(void)
{
	Rng			rng = {4};
	Case		c;

	for (int test = 0; test < 200; test++)
	{
		size_t		length;
		size_t		available;
		int			k;

		make_grid(&rng, &c, test % 5, test % 2);
		k = dpem_cells_number(&c.grid);
		length = dpem_cells_theta_length(&c.grid);
		available = length + rng_below(&rng, 3);
		CHECK(dpem_cells_check(k, c.grid.d, c.theta, available) == length, "a grid is refused");
		CHECK(dpem_cells_check(k + 1, c.grid.d, c.theta, available) == 0, "another number of cells");
		CHECK(dpem_cells_check(k, c.grid.d + 1, c.theta, available) != length, "another number of features");
		for (size_t n = 0; n < length; n++)
			CHECK(dpem_cells_check(k, c.grid.d, c.theta, n) == 0, "%zu of %zu numbers", n, length);
	}
}

/* every single number of a two-level grid damaged */
static void
test_damage(void)
{
	static const double bad[] = {-1, 0.5, 5, 1e300, -1e300, 0x1p21};
	Rng			rng = {5};
	Case		c;
	Case		damaged;
	size_t		length;
	int			k;
	int32_t		component[DPEM_BLOCK_ROWS];
	double	   *scratch = numbers(dpem_cells_scratch());
	Work		w = work_make(2, 1);

	make_grid(&rng, &c, 2, true);
	k = dpem_cells_number(&c.grid);
	length = dpem_cells_theta_length(&c.grid);
	fill_features(&rng, &w, DPEM_BLOCK_ROWS, Q);
	for (size_t i = 0; i < length; i++)
		for (size_t b = 0; b < sizeof(bad) / sizeof(bad[0]); b++)
		{
			int			outside = 0;

			damaged = c;
			damaged.theta[i] = bad[b];
			if (bad[b] == c.theta[i])
				continue;
			if (dpem_cells_check(k, 2, damaged.theta, length) == 0)
			{
				unit_passed++;
				continue;
			}
			/* what is accepted after all must be harmless */
			dpem_cells_locate(damaged.theta, &w.block, Q, component, scratch);
			for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
				outside += component[row] < 0 || component[row] >= k;
			CHECK(outside == 0 && i >= 3 && i < 9 && i % 3 != 2, "number %zu as %g is accepted", i, bad[b]);
		}
	free(scratch);
	work_free(&w);
}

static void
test_limits(void)
{
	DpemCellGrid grid = {.axes = 1,.d = 1,.axis = {{-1, 1, DPEM_CELLS_MAX}}};
	double		theta[8];
	double		parts[2] = {1024, 1};

	CHECK(dpem_cells_number(&grid) == DPEM_CELLS_MAX, "as many cells as there may be");
	dpem_cells_write(&grid, theta);
	CHECK(dpem_cells_check(DPEM_CELLS_MAX, 1, theta, 6) == 6, "and they are accepted");
	theta[5]++;
	CHECK(dpem_cells_check(DPEM_CELLS_MAX + 1, 1, theta, 6) == 0, "one more is not");
	grid.axes = grid.d = 2;
	grid.axis[0] = grid.axis[1] = (DpemCellAxis) {-1, 1, 1025};
	CHECK(dpem_cells_number(&grid) == 0, "too many along two axes");
	grid.axis[0].parts = 2;
	grid.axis[1].parts = 1;
	grid.parts = parts;
	CHECK(dpem_cells_number(&grid) == 0, "too many in the second cut");
}

/* sums of located rows, exact and real */
static void
test_counts(void)
{
	DpemInt128	exact[3] = {0, 7, 0};
	double		real[3] = {0, 7, 0};
	int32_t		component[5] = {1, -1, 0, 1, -1};
	DpemMomentLayout layout = {3, 10, DPEM_COUNTS_ALONE};
	DpemBlock	block = {.rows = 5,.d = 10};

	dpem_moments_add_located(&layout, &block, component, INT64_C(1) << P, exact);
	dpem_moments_add_located_real(&layout, &block, component, real);
	CHECK(exact[0] == 1 << P && exact[1] == 7 + (2 << P) && exact[2] == 0, "exact counts");
	CHECK(real[0] == 1 && real[1] == 9 && real[2] == 0, "real counts");
	CHECK(dpem_moments_record(&layout) == 1 && dpem_moments_length(&layout) == 3 &&
		  dpem_moments_second_length(&layout) == 0, "a layout of counts alone");
	CHECK(dpem_kernel_from_code(5) == &dpem_kernel_cells, "the kernel's code");
}

int
main(void)
{
	test_cell_of_row();
	test_row_purity();
	test_middles();
	test_far_rows();
	test_wire();
	test_damage();
	test_limits();
	test_counts();
	return unit_report();
}
