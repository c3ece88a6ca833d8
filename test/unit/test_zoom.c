/*
 * test_zoom.c - grids within grids: where a finer one is made, and that no count is
 * in two of them.  Random numbers are seeded: the outcome is the same on every run.
 */
#include "core/kmeans/grid.h"
#include "core/kmeans/zoom.h"
#include "kernel_fixture.h"

#define PARTS 16
#define CELLS (PARTS * PARTS)

typedef struct Case
{
	DpemCellGrid grid;
	DpemZoomCounts counts;
	double		count[CELLS];
	double		middle[2 * CELLS];
} Case;

/* noise of that deviation in every cell of a plane's grid */
static void
make_case(Rng *rng, double sd, Case *c)
{
	c->grid = (DpemCellGrid) {.axes = 2,.d = 2,.axis = {{-1, 1, PARTS}, {-1, 1, PARTS}}};
	for (int i = 0; i < CELLS; i++)
		c->count[i] = sd * rng_normal(rng);
	dpem_cells_middles(&c->grid, c->middle);
	c->counts = (DpemZoomCounts) {CELLS, c->count, c->middle, sd};
}

static void
test_one_cell(void)
{
	Rng			rng = {1};

	for (int test = 0; test < 100; test++)
	{
		Case		c;
		DpemCellGrid box;
		DpemCellGrid grid;
		int			at = rng_below(&rng, CELLS);
		double		sd = test % 2 * 20;

		make_case(&rng, sd, &c);
		c.count[at] += 10000;
		CHECK(dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box), "test %d: all rows in one cell", test);
		CHECK(dpem_zoom_holds(&box, c.middle + 2 * at), "test %d: not in the box", test);
		CHECK(sd > 0 || dpem_cells_coarse(&box) == 1, "without noise the box is the cell");
		grid = dpem_zoom_grid(&box, 400);
		for (int a = 0; a < 2; a++)
		{
			double		width = (grid.axis[a].upper - grid.axis[a].lower) / grid.axis[a].parts;

			CHECK(fabs(grid.axis[a].lower + width - box.axis[a].lower) < 1e-12 &&
				  fabs(grid.axis[a].upper - width - box.axis[a].upper) < 1e-12, "a part more at either end");
			CHECK(grid.axis[a].parts >= 4 && width >= 0x1p-12, "%d parts", grid.axis[a].parts);
		}
	}
}

/* nothing is gained where rows are everywhere, nowhere, or partly elsewhere */
static void
test_no_box(void)
{
	Rng			rng = {2};
	Case		c;
	DpemCellGrid box;

	make_case(&rng, 20, &c);
	CHECK(!dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box), "noise alone");
	for (int i = 0; i < CELLS; i++)
		c.count[i] += 300;
	CHECK(!dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box), "rows everywhere");
	make_case(&rng, 20, &c);
	for (int i = 0; i < CELLS; i++)
		c.count[i] += i == 100 ? 10000 : 40;
	CHECK(!dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box), "half of the rows, too few in each cell to be sure of");
	make_case(&rng, 20, &c);
	c.count[0] += 5000;
	c.count[CELLS - 1] += 5000;
	CHECK(!dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box), "two cells far apart");
}

/* one cell of noise somewhere keeps no finer grid from being made of all rows in one cell */
static void
test_noise_elsewhere(void)
{
	Rng			rng = {3};
	int			lost = 0;

	for (int test = 0; test < 2000; test++)
	{
		Case		c;
		DpemCellGrid box;

		make_case(&rng, 20, &c);
		c.count[5 * PARTS + 5] += 10000;
		lost += !dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 2, &box);
	}
	CHECK(lost == 0, "rows are lost in %d of 2000", lost);
}

/* rows that are not sure of themselves but stand beside those that are */
static void
test_growth(void)
{
	Rng			rng = {5};
	Case		c;
	DpemCellGrid box;

	make_case(&rng, 20, &c);
	c.count[5 * PARTS + 5] += 10000;
	c.count[5 * PARTS + 6] = 60;
	CHECK(dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 5, &box) &&
		  dpem_zoom_holds(&box, c.middle + 2 * (5 * PARTS + 6)), "three deviations beside the box");
}

static void
test_keep(void)
{
	Rng			rng = {4};

	for (int test = 0; test < 50; test++)
	{
		Case		c;
		DpemCellGrid box = {.axes = 2,.d = 2,.axis = {{-0.5, 0.25, 6}, {0, 0.125, 1}}};
		Case		other;
		double		sum = 0;

		make_case(&rng, 1, &c);
		other = c;
		other.counts.count = other.count;
		other.counts.middle = other.middle;
		for (int i = 0; i < CELLS; i++)
			sum += c.count[i];
		CHECK(dpem_zoom_keep(&c.counts, &box, true) == 6 && dpem_zoom_keep(&other.counts, &box, false) == CELLS - 6,
			  "every cell on one side");
		for (int i = 0; i < 6; i++)
		{
			CHECK(dpem_zoom_holds(&box, c.middle + 2 * i), "a cell outside was kept");
			sum -= c.count[i];
		}
		for (int i = 0; i < CELLS - 6; i++)
		{
			CHECK(!dpem_zoom_holds(&box, other.middle + 2 * i), "a cell within was kept");
			sum -= other.count[i];
		}
		CHECK(fabs(sum) < 1e-9, "counts were lost: %g", sum);
	}
}

/* what a point stands for is that of the innermost box about it */
static void
test_blur(void)
{
	double		lower[4] = {-1, -1, -0.1, -0.1};
	double		upper[4] = {1, 1, 0.1, 0.1};
	double		variance[4] = {1, 2, 3, 4};
	DpemBlur	blur = {2, lower, upper, variance};
	double		near[2] = {0.05, -0.1};
	double		far[2] = {0.05, 0.2};
	DpemCellGrid grid = {.axes = 2,.d = 2,.axis = {{-1, 1, 2}, {0, 6, 1}}};
	double		within[2];

	CHECK(dpem_blur_at(&blur, 2, near) == variance + 2 && dpem_blur_at(&blur, 2, far) == variance, "the innermost");
	dpem_zoom_blur(&grid, within);
	CHECK(fabs(within[0] - 1.0 / 12) < 1e-15 && fabs(within[1] - 3) < 1e-15, "uniform within a cell");
}

/* counts of a finer grid are not looked at again where noise is a large part of them, whatever they are counts of */
static void
test_dim(void)
{
	CHECK(dpem_zoom_is_dim(0.125, 2000, 105) && dpem_zoom_is_dim(0.01, 10000, 105), "noise of a twentieth and a hundredth of the rows");
	CHECK(!dpem_zoom_is_dim(0.01, 40000, 105) && !dpem_zoom_is_dim(0.01, 2000, 3), "less noise");
	CHECK(!dpem_zoom_is_dim(0.01, 10, 0), "none");
	CHECK(!dpem_zoom_is_dim(0.25, 2000, 105), "not much of a part of the domain");
	CHECK(dpem_zoom_is_dark(0.125, 2000, 105) && !dpem_zoom_is_dark(0.01, 10000, 105), "so much that not even one look pays, and less");
	CHECK(!dpem_zoom_is_dark(0.25, 2000, 105), "in more of the domain");
}

/*
 * Few rows in one cell, as far above the noise of a count as noise alone adds up to in all others together: whether most rows
 * stand there is not told by that sum.  A probability of 0.01 to lose them is more than 30 of 2,000, and above 100 below 1e-20.
 */
static void
test_few_rows(void)
{
	Rng			rng = {6};
	int			lost = 0;

	for (int test = 0; test < 2000; test++)
	{
		Case		c;
		DpemCellGrid box;

		make_case(&rng, 20, &c);
		c.count[5 * PARTS + 5] += 20 * PARTS;
		lost += !dpem_zoom_box(&c.grid, &c.counts, DPEM_NOISE_GAUSSIAN, 2, &box);
	}
	CHECK(lost < 100, "rows are lost in %d of 2000", lost);
}

int
main(void)
{
	test_one_cell();
	test_no_box();
	test_noise_elsewhere();
	test_growth();
	test_keep();
	test_blur();
	test_dim();
	test_few_rows();
	return unit_report();
}
