/*
 * margins_fixture.h - margins of made-up rows.
 */
#ifndef MARGINS_FIXTURE_H
#define MARGINS_FIXTURE_H

#include "core/kernels/kernel.h"
#include "core/kernels/margins.h"
#include "kernel_fixture.h"

#define MOST_D	40

typedef struct Fixture
{
	DpemMarginGrid grid;
	DpemMomentLayout layout;
	double		theta[5 + MOST_D];
	size_t		length;
	double	   *sums;
	double	   *counts;			/* workspace, zeros between blocks */
	Work		w;
} Fixture;

static Fixture
make_fixture(int d, int columns)
{
	Fixture		f = {.grid = dpem_margin_grid(columns, 1, sqrt(d)),.w = work_make(d, 1)};

	f.layout = (DpemMomentLayout) {dpem_margin_bins(&f.grid), d, DPEM_SECOND_NONE};
	dpem_margins_write(&f.grid, &f.layout, f.theta);
	f.length = dpem_moments_length(&f.layout);
	f.sums = numbers(f.length);
	f.counts = numbers(dpem_margins_scratch(&f.layout));
	memset(f.counts, 0, dpem_margins_scratch(&f.layout) * sizeof(double));
	return f;
}

static void
free_fixture(Fixture *f)
{
	free(f->sums);
	free(f->counts);
	work_free(&f->w);
}

/* a row of box coordinates, of which one may be beyond the box, in that place of the block */
static void
put_coordinates(Fixture *f, int row, const double *box, double keep)
{
	for (int j = 0; j < f->w.d; j++)
		f->w.block.x[(size_t) j * DPEM_BLOCK_STRIDE + row] = rint(ldexp(box[j] / f->grid.radius, FINE));
	f->w.block.keep[row] = keep;
	f->w.block.rows = row + 1;
}

static void
count_block(Fixture *f)
{
	dpem_kernel_margins.accumulate(&f->layout, f->theta, &f->w.block, FINE, P, f->sums, f->counts);
}

/* sums of the rows that were counted, and of no others */
static void
find_sums(Fixture *f)
{
	memset(f->sums, 0, f->length * sizeof(double));
	dpem_margins_complete(&f->layout, f->theta, FINE, P, f->sums, f->counts);
}

#endif							/* MARGINS_FIXTURE_H */
