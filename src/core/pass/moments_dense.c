/*
 * moments_dense.c - see moments_dense.h.
 *
 * A panel of PANEL coordinates times their responsibilities meets all
 * coordinates up to its last: PANEL rows of the triangle at a time, so that no
 * square matrix is ever held.
 */
#include <string.h>

#include "core/numeric/linalg.h"
#include "core/numeric/workspace.h"
#include "core/pass/moments_dense.h"

#define PANEL	64

bool
dpem_moments_is_dense(const DpemMomentLayout *layout)
{
	return layout->k == 1 && layout->second == DPEM_SECOND_FULL && layout->d >= DPEM_MOMENTS_DENSE_FROM;
}

typedef struct Scratch
{
	double	   *panel;			/* weighted coordinates */
	double	   *product;		/* their rows of the matrix */
} Scratch;

static Scratch
take_scratch(int d, DpemWorkspace *work)
{
	return (Scratch) {
		.panel = dpem_workspace_take(work, (size_t) PANEL * DPEM_BLOCK_STRIDE),
			.product = dpem_workspace_take(work, (size_t) PANEL * (size_t) d)
	};
}

size_t
dpem_moments_dense_scratch(const DpemMomentLayout *layout)
{
	DpemWorkspace dry = {NULL, NULL};

	take_scratch(layout->d, &dry);
	return dpem_workspace_taken(&dry);
}

static double
sum_rows(int rows, const double *a)
{
	double		sum = 0;

	for (int row = 0; row < rows; row++)
		sum += a[row];
	return sum;
}

/* panel_j = r x_j for coordinates first to last - 1, and the sums s_j */
static void
weigh(const DpemBlock *block, const double *r, int first, int last, double *panel, double *sums)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);

	for (int j = first; j < last; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		double	   *out = panel + (size_t) (j - first) * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < padded; row++)
			out[row] = r[row] * x[row];
		sums[j] = sum_rows(padded, out);
	}
}

void
dpem_moments_dense_block(const DpemMomentLayout *layout, const DpemBlock *block, const double *r,
						 double *sums, double *scratch)
{
	int			d = layout->d;
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	DpemWorkspace work = {scratch, scratch + dpem_moments_dense_scratch(layout)};
	Scratch		s = take_scratch(d, &work);
	double	   *second = sums + 1 + d;

	sums[0] = sum_rows(padded, r);
	for (int first = 0; first < d; first += PANEL)
	{
		int			last = first + PANEL < d ? first + PANEL : d;

		weigh(block, r, first, last, s.panel, sums + 1);
		dpem_linalg_product_nt(last - first, last, padded, s.panel, DPEM_BLOCK_STRIDE, block->x,
							   DPEM_BLOCK_STRIDE, s.product, d);
		for (int i = first; i < last; i++, second += i)
			memcpy(second, s.product + (size_t) (i - first) * d, (i + 1) * sizeof(double));
	}
}
