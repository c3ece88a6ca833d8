/*
 * test_margins_known.c - margins of numbers that may be unknown: a row leaves
 * marks in the columns whose coordinate tells that they are known, and nowhere
 * else, so that its marks stay in the unit ball (docs/proofs.md, 20).
 */
#include "core/kernels/kernel.h"
#include "core/kernels/margins.h"
#include "kernel_fixture.h"

#define COLUMNS	3
#define WIDTH	(2 * COLUMNS + 1)	/* a coordinate that is neither stands between them */

/* squared norm of a row's marks, and in *wrong how many columns have marks though unknown, or none though known */
static double
mark_row(const DpemMarginGrid *grid, const DpemMomentLayout *layout, Work *w, unsigned known, double *sums, int *wrong)
{
	double		theta[64];
	double		square = 0;
	double	   *counts = numbers(dpem_margins_scratch(layout));

	memset(counts, 0, dpem_margins_scratch(layout) * sizeof(double));
	dpem_margins_write(grid, layout, theta);
	CHECK(dpem_kernel_margins.theta_valid(layout, theta), "the grid is none");
	for (int j = 0; j < COLUMNS; j++)
		w->block.x[(size_t) (COLUMNS + 1 + j) * DPEM_BLOCK_STRIDE] = known >> j & 1 ? 1 << (FINE - 2) : 0;
	w->block.keep[0] = 1;
	w->block.rows = 1;
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	dpem_kernel_margins.accumulate(layout, theta, &w->block, FINE, P, sums, counts);
	dpem_margins_complete(layout, theta, FINE, P, sums, counts);
	free(counts);
	for (int j = 0; j < COLUMNS; j++)
	{
		double		own = 0;

		for (int bin = 0; bin < layout->k; bin++)
			own += pow(ldexp(sums[(size_t) bin * dpem_moments_record(layout) + 1 + j], -P - Q), 2);
		*wrong += (own > 0) != (known >> j & 1);
		square += own;
	}
	return square;
}

/* raw rows, of which numbers that are not finite are unknown: what is added has the unit of complete rows' marks */
static void
check_incomplete(void)
{
	static const double lower[COLUMNS] = {0, 0, 0};
	static const double upper[COLUMNS] = {1, 1, 1};
	DpemMarginGrid grid = dpem_margin_grid(COLUMNS, 1, 2);
	DpemMomentLayout layout = {dpem_margin_bins(&grid), COLUMNS, DPEM_SECOND_NONE};
	size_t		length = dpem_moments_length(&layout);
	double	   *sums = numbers(length);
	double		theta[64];
	Work		w = work_make(COLUMNS, 1);

	dpem_margins_write(&grid, &layout, theta);
	for (int bits = 0; bits <= FINE; bits += FINE)
		for (unsigned known = 0; known < 1u << COLUMNS; known++)
		{
			DpemFeatureMap map = {.d = COLUMNS,.bits = bits,.radius = 2,.lower = lower,.upper = upper};
			double		square = 0;
			int			n = 0;

			for (int j = 0; j < COLUMNS; j++)
			{
				w.block.x[(size_t) j * DPEM_BLOCK_STRIDE] = known >> j & 1 ? 0.3 : j % 2 ? NAN : INFINITY;
				n += known >> j & 1;
			}
			w.block.rows = 1;
			memset(sums, 0, length * sizeof(double));
			dpem_kernel_margins_observed.add_incomplete(&layout, theta, &map, &w.block, bits > 0 ? P : 0, sums, NULL);
			for (size_t i = 0; i < length; i++)
				square += pow(ldexp(sums[i], bits > 0 ? -P - Q : 0), 2);
			CHECK(square <= (double) n / COLUMNS + (bits > 0 ? 0 : 1e-12) && square > (double) n / COLUMNS - 1e-6, "%d known of an incomplete row: squared norm %.17g", n, square);
		}
	free(sums);
	work_free(&w);
}

int
main(void)
{
	DpemMarginGrid grid = dpem_margin_grid(COLUMNS, 1, 2);
	DpemMomentLayout layout = {dpem_margin_bins(&grid), WIDTH, DPEM_SECOND_NONE};
	double	   *sums = numbers(dpem_moments_length(&layout));
	Work		w = work_make(WIDTH, 1);
	int			wrong = 0;

	grid.known = COLUMNS + 1;
	for (unsigned known = 0; known < 1u << COLUMNS; known++)
		for (int place = -1; place <= 1; place++)
		{
			double		square;
			int			n = 0;

			for (int j = 0; j < COLUMNS; j++)
			{
				w.block.x[(size_t) j * DPEM_BLOCK_STRIDE] = place * ldexp(0.4, FINE);
				n += known >> j & 1;
			}
			square = mark_row(&grid, &layout, &w, known, sums, &wrong);
			CHECK(square <= (double) n / COLUMNS && square > (double) n / COLUMNS - 1e-6, "%d known: squared norm %.17g", n, square);
		}
	CHECK(wrong == 0, "%d columns have marks they should not have, or none", wrong);
	grid.known = COLUMNS + 2;
	{
		double		theta[64];

		dpem_margins_write(&grid, &layout, theta);
		CHECK(!dpem_kernel_margins.theta_valid(&layout, theta), "known coordinates beyond the last");
	}
	check_incomplete();
	free(sums);
	work_free(&w);
	return unit_report();
}
