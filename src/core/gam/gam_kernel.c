/*
 * gam_kernel.c - gradients, and the kernels of a pass: see gam_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_places.h"
#include "core/gam/gam_shape.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

/* what a residual of 1 adds, whole: a whole number */
typedef struct GamMark
{
	double		unit;
	bool		whole;
} GamMark;

#define KERNEL_BODY "core/gam/gam_body.h"
#include "core/pass/kernel_each_clone.h"

/* what is kept from block to block: sums of all cells, where gradients may see several of a column's as one */
static size_t
kept_length(const DpemMomentLayout *layout)
{
	return (size_t) layout->k + DPEM_GAM_MAX_CLASSES * DPEM_GAM_MAX_CELLS;
}

/* coefficients as whole numbers, which are kept, too, and of each score some for padding; their unit, 0 until they are found */
static size_t
whole_length(const DpemMomentLayout *layout)
{
	return 1 + kept_length(layout) / 2 + 1 + DPEM_GAM_MAX_CLASSES * 64 / 2;
}

/* residuals of a block, a class of each row, and places */
size_t
dpem_gam_gradient_scratch(const DpemMomentLayout *layout)
{
	return kept_length(layout) + whole_length(layout) + (DPEM_GAM_MAX_CLASSES + 1) * DPEM_BLOCK_STRIDE + dpem_gam_places_scratch(layout);
}

/* ---- residuals ---- */

/* classes of rows, in numbers, up to the end of the last group; padding is of none */
static void
find_classes(const DpemGamPlaces *cells, double *class)
{
	for (int row = 0; row < cells->rows; row++)
		class[row] = cells->target[row];
	for (int row = cells->rows; row < DPEM_BLOCK_PADDED(cells->rows); row++)
		class[row] = -1;
}

/* score[row], up to DPEM_BLOCK_PADDED */
static void
score_whole(DpemClone clone, const DpemGamShape *shape, const DpemGamPlaces *block, double unit, const int32_t *coefficient, double *score)
{
	_Alignas(64) int32_t sum[DPEM_BLOCK_ROWS] = {0};
	int			first = 0;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
	{
		int			cells = dpem_gam_term_cells(shape, term);

		CALL_CLONE(clone, gam_look_up, (block->rows, first, cells, dpem_gam_place_of(block, term), coefficient, sum));
		first += cells;
	}
	for (int row = 0; row < DPEM_BLOCK_PADDED(block->rows); row++)
		score[row] = row < block->rows ? unit * sum[row] : 0;
}

void
dpem_gam_residuals_clone(DpemClone clone, const DpemGamShape *shape, const DpemGamPlaces *cells, const double *coefficient, const DpemGamWhole *whole,
						 int bits, double *class, double *x)
{
	int			n = dpem_gam_cells(shape);
	int			rows = DPEM_BLOCK_PADDED(cells->rows);
	GamMark		mark = {dpem_gam_units(dpem_gam_gradient_mark(shape), bits), bits > 0};

	find_classes(cells, class);
	for (int s = 0; s < dpem_gam_scores(shape); s++)
	{
		double	   *score = x + (size_t) s * DPEM_BLOCK_STRIDE;

		if (whole != NULL)
			score_whole(clone, shape, cells, whole->unit, whole->coefficient + (size_t) s * dpem_gam_whole_length(shape), score);
		else
			dpem_gam_score_rows(shape, cells, coefficient + (size_t) s * n, score);
	}
	if (shape->targets > 2)
		CALL_CLONE(clone, gam_several_residuals, (shape->targets, rows, class, &mark, x));
	else if (shape->targets == 2)
		CALL_CLONE(clone, gam_two_residuals, (rows, class, &mark, x));
	else
		CALL_CLONE(clone, gam_number_residuals, (rows, class, cells->value, shape->middle, shape->reach, &mark, x));
}

/* ---- gradients ---- */

/* four terms at a time, none of whose cells are another's: a sum is added to again only after others */
static void
add_four(const int16_t *const *cell, int rows, const double *residual, double *sums)
{
	for (int row = 0; row < rows; row++)
	{
		double		own = residual[row];

		sums[cell[0][row]] += own;
		sums[cell[1][row]] += own;
		sums[cell[2][row]] += own;
		sums[cell[3][row]] += own;
	}
}

/* of the terms that are seen */
static void
add_residuals(const DpemGamShape *shape, const DpemGamPlaces *cells, const double *residual, double *sums)
{
	const int16_t *cell[4];
	int			n = 0;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
	{
		if (dpem_gam_seen_term_cells(shape, term) == 0)
			continue;
		cell[n++] = dpem_gam_place_of(cells, term);
		if (n < 4)
			continue;
		add_four(cell, cells->rows, residual, sums);
		n = 0;
	}
	for (int i = 0; i < n; i++)
		for (int row = 0; row < cells->rows; row++)
			sums[cell[i][row]] += residual[row];
}

/* found once; without bits there are none */
static DpemGamWhole
find_whole(const DpemGamShape *shape, const double *coefficient, int bits, double *kept)
{
	int32_t    *to = (int32_t *) (kept + 1);

	if (bits > 0 && kept[0] == 0)
		kept[0] = dpem_gam_round_coefficients(shape, coefficient, to);
	return (DpemGamWhole) {kept[0], to};
}

void
dpem_gam_gradient(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				  int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	const double *coefficient = dpem_gam_read(theta, &shape, column, couple);
	double	   *kept = scratch;
	double	   *residual = kept + kept_length(layout) + whole_length(layout);
	double	   *class = residual + DPEM_GAM_MAX_CLASSES * DPEM_BLOCK_STRIDE;
	int			n = dpem_gam_cells(&shape);
	DpemFpenv	fpenv;
	DpemGamPlaces cells;
	DpemGamWhole whole;

	(void) sums;
	(void) feature_bits;
	dpem_fpenv_enter(&fpenv);
	cells = dpem_gam_places(&shape, block, class + DPEM_BLOCK_STRIDE);
	whole = find_whole(&shape, coefficient, responsibility_bits, kept + kept_length(layout));
	dpem_gam_residuals_clone(dpem_clone_best(), &shape, &cells, coefficient, responsibility_bits > 0 ? &whole : NULL, responsibility_bits, class, residual);
	for (int s = 0; s < dpem_gam_scores(&shape); s++)
		add_residuals(&shape, &cells, residual + (size_t) s * DPEM_BLOCK_STRIDE, kept + (size_t) s * n);
	dpem_fpenv_leave(&fpenv);
}

/* one score's, of all cells to those that are seen; pairs' cells are as they are after those of the columns */
static void
add_seen(const DpemGamShape *shape, const double *kept, double *sums)
{
	const double *joined = shape->joined;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
	{
		int			seen = dpem_gam_seen_term_cells(shape, term);
		bool		main = joined != NULL && term < shape->columns;

		for (int i = dpem_gam_term_cells(shape, term), j = 0; i > 0; i--, j++, kept++)
			if (seen > 0)
				sums[main ? (int) joined[j] : j] += *kept;
		joined += main ? dpem_gam_term_cells(shape, term) : 0;
		sums += seen;
	}
}

void
dpem_gam_complete_gradient(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	size_t		n;

	(void) feature_bits;
	(void) responsibility_bits;
	(void) dpem_gam_read(theta, &shape, column, couple);
	n = (size_t) dpem_gam_cells(&shape);
	for (int s = 0; s < dpem_gam_scores(&shape); s++)
		add_seen(&shape, scratch + s * n, sums + (size_t) s * dpem_gam_seen_cells(&shape));
	memset(scratch, 0, dpem_gam_scores(&shape) * n * sizeof(double));
	scratch[kept_length(layout)] = 0;
}

/* ---- the kernels of a pass ---- */

const DpemKernel dpem_kernel_gam_target = {
	.name = "gam_target",.code = 53,.contribution = DPEM_TALLIES,.max_components = 1 << 13,.adds = true,.fine = true,
	.theta_check = dpem_gam_check_target,.scratch_length = dpem_kernel_no_length,.codes = dpem_gam_codes,.encode = dpem_gam_encode,
	.accumulate = dpem_gam_mark_target
};

const DpemKernel dpem_kernel_gam_moments = {
	.name = "gam_moments",.code = 19,.contribution = DPEM_TALLIES,.max_components = 1 << 20,.adds = true,.fine = true,
	.theta_check = dpem_gam_check_moments,.scratch_length = dpem_gam_moments_scratch,.codes = dpem_gam_codes,.encode = dpem_gam_encode,
	.accumulate = dpem_gam_moments,.complete = dpem_gam_complete_moments
};

const DpemKernel dpem_kernel_gam_gradient = {
	.name = "gam_gradient",.code = 20,.contribution = DPEM_RESIDUALS,.max_components = 1 << 20,.adds = true,.fine = true,
	.theta_check = dpem_gam_check_gradient,.scratch_length = dpem_gam_gradient_scratch,.codes = dpem_gam_codes,.encode = dpem_gam_encode,
	.accumulate = dpem_gam_gradient,.complete = dpem_gam_complete_gradient
};
