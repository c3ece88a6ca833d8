/*
 * gam_kernel.c - see gam_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_kernel.h"
#include "core/gam/gam_shape.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

/* of a block: the cells of its rows, a column after the other, and each row's target */
typedef struct Cells
{
	int32_t    *cell;			/* terms * DPEM_BLOCK_STRIDE, among all cells */
	int32_t    *target;			/* DPEM_BLOCK_STRIDE: the class of a label, 0 of a number, -1 of null rows */
	const double *value;		/* of a number, in features */
	double		unit;			/* features to box coordinates */
} Cells;

size_t
dpem_gam_scratch(const DpemMomentLayout *layout)
{
	/* every term has a component of its own */
	size_t		terms = (size_t) (layout->k < 2 * DPEM_GAM_MAX_COLUMNS ? layout->k : 2 * DPEM_GAM_MAX_COLUMNS);

	return (terms / 2 + 1 + DPEM_GAM_MAX_CLASSES) * DPEM_BLOCK_STRIDE;
}

/* ---- from coordinates to cells ---- */

/* comparisons and maxima of doubles go through vectors */
static void
find_category(const DpemBlock *block, int first, int length, int32_t missing, int32_t *place)
{
	double		last[DPEM_BLOCK_ROWS] = {0};	/* category above 0, from 1; 0: none is */

	for (int j = 0; j < length; j++)
	{
		const double *x = block->x + (size_t) (first + j) * DPEM_BLOCK_STRIDE;
		double		at = j + 1;

		for (int row = 0; row < block->rows; row++)
		{
			double		here = x[row] > 0 ? at : 0;

			last[row] = last[row] > here ? last[row] : here;
		}
	}
	for (int row = 0; row < block->rows; row++)
		place[row] = last[row] > 0 ? (int32_t) last[row] - 1 : missing;
}

/* rounding moved a coordinate by half a unit at most, so that one on an edge is in the bin above it */
static void
find_bin(const DpemBlock *block, const DpemGamColumn *column, double unit, double slack, int32_t *place)
{
	const double *x = block->x + (size_t) column->first * DPEM_BLOCK_STRIDE;
	const double *known = column->known >= 0 ? block->x + (size_t) column->known * DPEM_BLOCK_STRIDE : NULL;

	for (int row = 0; row < block->rows; row++)
		place[row] = known != NULL && !(known[row] > 0) ? column->bins : dpem_gam_bin(x[row] * unit, slack, column->bins);
}

/* of the columns' cells, each among all */
static void
find_pair(const DpemGamShape *shape, const Cells *cells, int rows, int q, int offset, int32_t *place)
{
	const int32_t *first = cells->cell + (size_t) shape->pair[q].first * DPEM_BLOCK_STRIDE;
	const int32_t *second = cells->cell + (size_t) shape->pair[q].second * DPEM_BLOCK_STRIDE;
	int			across = shape->column[shape->pair[q].second].parts;

	for (int row = 0; row < rows; row++)
		place[row] = offset + (int32_t) shape->part[first[row]] * across + (int32_t) shape->part[second[row]];
}

static Cells
find_cells(const DpemGamShape *shape, const DpemBlock *block, int bits, double *scratch)
{
	Cells		cells = {.target = (int32_t *) scratch,.unit = ldexp(shape->radius, -bits)};
	double		slack = bits > 0 ? cells.unit / 2 : DPEM_GAM_SLACK;
	int			first = block->d - shape->targets;
	int			offset = 0;

	cells.cell = cells.target + DPEM_BLOCK_STRIDE;
	cells.value = block->x + (size_t) first * DPEM_BLOCK_STRIDE;
	find_category(block, first, shape->targets > 1 ? shape->targets : 0, shape->targets > 1 ? -1 : 0, cells.target);
	for (int row = 0; row < block->rows; row++)
		cells.target[row] = block->keep[row] != 0 ? cells.target[row] : -1;
	for (int c = 0; c < shape->columns; c++)
	{
		const DpemGamColumn *column = &shape->column[c];
		int32_t    *cell = cells.cell + (size_t) c * DPEM_BLOCK_STRIDE;

		if (column->length > 0)
			find_category(block, column->first, column->length, column->length, cell);
		else
			find_bin(block, column, cells.unit, slack, cell);
		for (int row = 0; row < block->rows; row++)
			cell[row] += offset;
		offset += dpem_gam_column_cells(column);
	}
	for (int q = 0; q < shape->pairs; q++)
	{
		find_pair(shape, &cells, block->rows, q, offset, cells.cell + (size_t) (shape->columns + q) * DPEM_BLOCK_STRIDE);
		offset += dpem_gam_term_cells(shape, shape->columns + q);
	}
	return cells;
}

/* ---- scores ---- */

/* score[row] of every row of the block, a column after the other */
static void
find_scores(const DpemGamShape *shape, const Cells *cells, const double *coefficient, int rows, double *score)
{
	int			terms = dpem_gam_terms(shape);

	memset(score, 0, (size_t) rows * sizeof(double));
	for (int c = 0; c < terms; c++)
	{
		const int32_t *cell = cells->cell + (size_t) c * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < rows; row++)
			score[row] += coefficient[cell[row]];
	}
}

static double
within(double value, double least, double most)
{
	return value >= most ? most : value > least ? value : least;
}

static double
logistic(double score)
{
	double		odds = exp(-fabs(score));

	return (score < 0 ? odds : 1) / (1 + odds);
}

/* ---- counts and pairs ---- */

/* weight[row]: 1 at a score of 0; a score that is no number gives no weight */
static void
find_weights(const DpemGamShape *shape, const Cells *cells, const double *coefficient, int rows, double *weight)
{
	if (shape->targets == 2)
		find_scores(shape, cells, coefficient, rows, weight);
	for (int row = 0; row < rows; row++)
	{
		double		p = shape->targets == 2 ? logistic(weight[row]) : 0.5;

		weight[row] = within(4 * (p * (1 - p)), 0, 1);
	}
}

/* of the counts: a row's share in two classes, which are one and the same where it is in one */
typedef struct Shares
{
	int			class[2];
	double		mark[2];
} Shares;

static double
rounded_down(double mark, int bits)
{
	return bits > 0 ? floor(mark) : mark;
}

static Shares
shares_of(const DpemGamShape *shape, const Cells *cells, int row, double mark, int bits)
{
	Shares		shares = {{cells->target[row], cells->target[row]}, {rounded_down(mark, bits), 0}};
	double		y;

	if (shape->targets > 1)
		return shares;
	y = within(cells->value[row] * cells->unit, -1, 1);
	if (shape->classes > 2)
		shares.class[0] = shares.class[1] = dpem_gam_bin(y, bits > 0 ? cells->unit / 2 : DPEM_GAM_SLACK, shape->classes);
	else
		shares = (Shares) {{0, 1}, {rounded_down(mark * (1 - y) / 2, bits), rounded_down(mark * (1 + y) / 2, bits)}};
	return shares;
}

static void
add_row(const DpemGamShape *shape, const Cells *cells, int row, int n, const Shares *shares, double pair, double *sums)
{
	const int32_t *cell = cells->cell + row;
	double	   *pairs = sums + (size_t) shape->classes * n;
	int			terms = dpem_gam_terms(shape);

	for (int c = 0; c < terms; c++)
	{
		size_t		i = (size_t) cell[(size_t) c * DPEM_BLOCK_STRIDE];
		double	   *line = pairs + i * (i - 1) / 2;

		sums[(size_t) shares->class[0] * n + i] += shares->mark[0];
		sums[(size_t) shares->class[1] * n + i] += shares->mark[1];
		for (int e = 0; e < c; e++)
			line[cell[(size_t) e * DPEM_BLOCK_STRIDE]] += pair;
	}
}

void
dpem_gam_moments(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				 int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	const double *coefficient = dpem_gam_read(theta, &shape, column, couple);
	int			n = dpem_gam_cells(&shape);
	double		single = dpem_gam_units(dpem_gam_single_mark(&shape), responsibility_bits);
	double		pair = dpem_gam_units(dpem_gam_pair_mark(&shape), responsibility_bits);
	double	   *weight = scratch;
	DpemFpenv	fpenv;
	Cells		cells;

	dpem_fpenv_enter(&fpenv);
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	cells = find_cells(&shape, block, feature_bits, scratch + DPEM_BLOCK_STRIDE);
	find_weights(&shape, &cells, coefficient, block->rows, weight);
	for (int row = 0; row < block->rows; row++)
	{
		Shares		shares;

		if (cells.target[row] < 0)
			continue;
		shares = shares_of(&shape, &cells, row, single * weight[row], responsibility_bits);
		add_row(&shape, &cells, row, n, &shares, rounded_down(pair * weight[row], responsibility_bits), sums);
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- gradients ---- */

/* residual[s * DPEM_BLOCK_STRIDE + row] = the score of class s, and in its place the class or not less its probability */
static void
several_residuals(int classes, const int32_t *target, int rows, double *residual)
{
	for (int row = 0; row < rows; row++)
	{
		double	   *score = residual + row;
		double		most = -INFINITY;
		double		total = 0;

		for (int c = 0; c < classes; c++)
			most = fmax(most, score[(size_t) c * DPEM_BLOCK_STRIDE]);
		for (int c = 0; c < classes; c++)
			total += score[(size_t) c * DPEM_BLOCK_STRIDE] = exp(score[(size_t) c * DPEM_BLOCK_STRIDE] - most);
		for (int c = 0; c < classes; c++)
			score[(size_t) c * DPEM_BLOCK_STRIDE] = ((c == target[row]) - score[(size_t) c * DPEM_BLOCK_STRIDE] / total) * M_SQRT1_2;
	}
}

/* residual: DPEM_BLOCK_STRIDE numbers for each score; of null rows whatever comes */
static void
find_residuals(const DpemGamShape *shape, const Cells *cells, const double *coefficient, int n, int rows, double *residual)
{
	for (int s = 0; s < dpem_gam_scores(shape); s++)
		find_scores(shape, cells, coefficient + (size_t) s * n, rows, residual + (size_t) s * DPEM_BLOCK_STRIDE);
	if (shape->targets > 2)
		several_residuals(shape->targets, cells->target, rows, residual);
	else if (shape->targets == 2)
	{
		for (int row = 0; row < rows; row++)
			residual[row] = cells->target[row] - logistic(residual[row]);
	}
	else
	{
		for (int row = 0; row < rows; row++)
			residual[row] = within((within(cells->value[row] * cells->unit, -1, 1) - shape->middle - residual[row]) / shape->reach, -1, 1);
	}
}

/* toward zero, so that no norm grows; what is no number adds nothing */
static double
contribution_of(double residual, double mark, int bits)
{
	double		value = fabs(residual) <= 1 ? residual * mark : 0;

	return bits > 0 ? trunc(value) : value;
}

void
dpem_gam_gradient(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				  int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	const double *coefficient = dpem_gam_read(theta, &shape, column, couple);
	int			n = dpem_gam_cells(&shape);
	double		mark = dpem_gam_units(dpem_gam_gradient_mark(&shape), responsibility_bits);
	double	   *residual = scratch;
	DpemFpenv	fpenv;
	Cells		cells;

	dpem_fpenv_enter(&fpenv);
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	cells = find_cells(&shape, block, feature_bits, scratch + DPEM_GAM_MAX_CLASSES * DPEM_BLOCK_STRIDE);
	find_residuals(&shape, &cells, coefficient, n, block->rows, residual);
	for (int s = 0; s < dpem_gam_scores(&shape); s++, residual += DPEM_BLOCK_STRIDE, sums += n)
	{
		for (int row = 0; row < block->rows; row++)
			residual[row] = cells.target[row] < 0 ? 0 : contribution_of(residual[row], mark, responsibility_bits);
		for (int c = 0; c < dpem_gam_terms(&shape); c++)
		{
			const int32_t *cell = cells.cell + (size_t) c * DPEM_BLOCK_STRIDE;

			for (int row = 0; row < block->rows; row++)
				sums[cell[row]] += residual[row];
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernels of a pass ---- */

const DpemKernel dpem_kernel_gam_moments = {
	.name = "gam_moments",.code = 19,.contribution = DPEM_TALLIES,.max_components = 1 << 20,
	.theta_check = dpem_gam_check_moments,.scratch_length = dpem_gam_scratch,.accumulate = dpem_gam_moments
};

const DpemKernel dpem_kernel_gam_gradient = {
	.name = "gam_gradient",.code = 20,.contribution = DPEM_RESIDUALS,.max_components = 1 << 20,
	.theta_check = dpem_gam_check_gradient,.scratch_length = dpem_gam_scratch,.accumulate = dpem_gam_gradient
};
