/*
 * gam_kernel.c - see gam_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_kernel.h"
#include "core/gam/gam_shape.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

/* of a block of codes: where each row is, a term after the other */
typedef struct Cells
{
	int			rows;
	int			columns;
	const int16_t *code;		/* of columns, */
	const int16_t *pair;		/* and of pairs */
	const int16_t *target;		/* the class of a label, 0 of a number, -1 of null rows */
	const double *value;		/* of a number, in box coordinates */
} Cells;

/* scores or residuals of a block, and cells of its pairs, of which each has a component of its own */
size_t
dpem_gam_scratch(const DpemMomentLayout *layout)
{
	size_t		pairs = (size_t) (layout->k < DPEM_GAM_MAX_COLUMNS ? layout->k : DPEM_GAM_MAX_COLUMNS);

	return DPEM_GAM_MAX_CLASSES * DPEM_BLOCK_STRIDE + pairs * (DPEM_BLOCK_ROWS * sizeof(int16_t) / sizeof(double));
}

/* each of these cells among all */
static void
find_pair(const DpemGamShape *shape, const Cells *cells, int q, int offset, int16_t *place)
{
	const int16_t *first = cells->code + (size_t) shape->pair[q].first * DPEM_BLOCK_ROWS;
	const int16_t *second = cells->code + (size_t) shape->pair[q].second * DPEM_BLOCK_ROWS;
	int			across = shape->column[shape->pair[q].second].parts;

	for (int row = 0; row < cells->rows; row++)
		place[row] = (int16_t) (offset + (int) shape->part[first[row]] * across + (int) shape->part[second[row]]);
}

static Cells
find_cells(const DpemGamShape *shape, const DpemBlock *block, double *scratch)
{
	int16_t    *pair = (int16_t *) (scratch + DPEM_GAM_MAX_CLASSES * DPEM_BLOCK_STRIDE);
	const int16_t *target = block->code + (size_t) shape->columns * DPEM_BLOCK_ROWS;
	int			offset = shape->pairs > 0 ? dpem_gam_main_cells(shape) : 0;
	Cells		cells = {
		.rows = block->rows,.columns = shape->columns,.code = block->code,.pair = pair,.target = target,
		.value = (const double *) (target + DPEM_BLOCK_ROWS)
	};

	for (int q = 0; q < shape->pairs; q++)
	{
		find_pair(shape, &cells, q, offset, pair + (size_t) q * DPEM_BLOCK_ROWS);
		offset += dpem_gam_term_cells(shape, shape->columns + q);
	}
	return cells;
}

static const int16_t *
cells_of_term(const Cells *cells, int term)
{
	return term < cells->columns ? cells->code + (size_t) term * DPEM_BLOCK_ROWS
		: cells->pair + (size_t) (term - cells->columns) * DPEM_BLOCK_ROWS;
}

/* ---- scores ---- */

/* four terms at a time, so that scores are loaded and stored a quarter as often */
static void
add_four(const Cells *cells, int term, const double *coefficient, double *score)
{
	const int16_t *a = cells_of_term(cells, term);
	const int16_t *b = cells_of_term(cells, term + 1);
	const int16_t *c = cells_of_term(cells, term + 2);
	const int16_t *d = cells_of_term(cells, term + 3);

	for (int row = 0; row < cells->rows; row++)
		score[row] += (coefficient[a[row]] + coefficient[b[row]]) + (coefficient[c[row]] + coefficient[d[row]]);
}

static void
find_scores(const DpemGamShape *shape, const Cells *cells, const double *coefficient, double *score)
{
	int			terms = dpem_gam_terms(shape);
	int			term = 0;

	memset(score, 0, (size_t) cells->rows * sizeof(double));
	for (; term + 4 <= terms; term += 4)
		add_four(cells, term, coefficient, score);
	for (; term < terms; term++)
	{
		const int16_t *cell = cells_of_term(cells, term);

		for (int row = 0; row < cells->rows; row++)
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

/* of the counts: each row's share in two classes, the second of which may be none, and in its pairs */
typedef struct Shares
{
	bool		two;
	int			offset[2][DPEM_BLOCK_ROWS];	/* of the class's counts */
	double		mark[2][DPEM_BLOCK_ROWS];
	double		pair[DPEM_BLOCK_ROWS];
} Shares;

static double
rounded_down(double mark, int bits)
{
	return bits > 0 ? floor(mark) : mark;
}

/* 1 at a score of 0; a score that is no number gives no weight */
static double
weight_of(double score)
{
	double		p = logistic(score);

	return within(4 * (p * (1 - p)), 0, 1);
}

/* a number's, by its bin or, with two classes, by its distances from both bounds */
static void
share_number(const DpemGamShape *shape, double y, double slack, double mark, int bits, int n, int row, Shares *shares)
{
	shares->offset[0][row] = shape->classes > 2 ? n * dpem_gam_bin(y, slack, shape->classes) : 0;
	shares->mark[0][row] = rounded_down(shape->classes > 2 ? mark : mark * (1 - y) / 2, bits);
	shares->offset[1][row] = n;
	shares->mark[1][row] = rounded_down(mark * (1 + y) / 2, bits);
}

/* score: of each row, of two classes */
static void
find_shares(const DpemGamShape *shape, const Cells *cells, const double *score, double slack, int bits, Shares *shares)
{
	int			n = dpem_gam_cells(shape);
	double		single = dpem_gam_units(dpem_gam_single_mark(shape), bits);
	double		pair = dpem_gam_units(dpem_gam_pair_mark(shape), bits);

	shares->two = shape->targets == 1 && shape->classes == 2;
	for (int row = 0; row < cells->rows; row++)
	{
		double		weight = cells->target[row] < 0 ? 0 : shape->targets == 2 ? weight_of(score[row]) : 1;

		shares->pair[row] = rounded_down(pair * weight, bits);
		if (shape->targets == 1)
			share_number(shape, within(cells->value[row], -1, 1), slack, single * weight, bits, n, row, shares);
		else
		{
			shares->offset[0][row] = n * (cells->target[row] < 0 ? 0 : cells->target[row]);
			shares->mark[0][row] = rounded_down(single * weight, bits);
		}
	}
}

static void
add_counts(const int16_t *cell, int rows, const Shares *shares, double *sums)
{
	for (int row = 0; row < rows; row++)
		sums[shares->offset[0][row] + cell[row]] += shares->mark[0][row];
	for (int row = 0; shares->two && row < rows; row++)
		sums[shares->offset[1][row] + cell[row]] += shares->mark[1][row];
}

/* pairs of a term with those before it, one by one: the cells of two terms stay in the nearest cache */
static void
add_pairs(const Cells *cells, int term, const Shares *shares, double *sums)
{
	const int16_t *cell = cells_of_term(cells, term);
	size_t		line[DPEM_BLOCK_ROWS];

	for (int row = 0; row < cells->rows; row++)
		line[row] = (size_t) cell[row] * (size_t) (cell[row] - 1) / 2;
	for (int e = 0; e < term; e++)
	{
		const int16_t *other = cells_of_term(cells, e);

		for (int row = 0; row < cells->rows; row++)
			sums[line[row] + (size_t) other[row]] += shares->pair[row];
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
	size_t		singles = (size_t) shape.classes * (size_t) dpem_gam_cells(&shape);
	Shares		shares;
	DpemFpenv	fpenv;
	Cells		cells;

	(void) layout;
	dpem_fpenv_enter(&fpenv);
	cells = find_cells(&shape, block, scratch);
	if (shape.targets == 2)
		find_scores(&shape, &cells, coefficient, scratch);
	find_shares(&shape, &cells, scratch, dpem_gam_slack(&shape, feature_bits), responsibility_bits, &shares);
	for (int c = 0; c < dpem_gam_terms(&shape); c++)
	{
		add_counts(cells_of_term(&cells, c), block->rows, &shares, sums);
		add_pairs(&cells, c, &shares, sums + singles);
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- gradients ---- */

/* residual[s * DPEM_BLOCK_STRIDE + row] = the score of class s, and in its place the class or not less its probability */
static void
several_residuals(int classes, const int16_t *target, int rows, double *residual)
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
find_residuals(const DpemGamShape *shape, const Cells *cells, const double *coefficient, int n, double *residual)
{
	for (int s = 0; s < dpem_gam_scores(shape); s++)
		find_scores(shape, cells, coefficient + (size_t) s * n, residual + (size_t) s * DPEM_BLOCK_STRIDE);
	if (shape->targets > 2)
		several_residuals(shape->targets, cells->target, cells->rows, residual);
	else if (shape->targets == 2)
	{
		for (int row = 0; row < cells->rows; row++)
			residual[row] = cells->target[row] - logistic(residual[row]);
	}
	else
	{
		for (int row = 0; row < cells->rows; row++)
			residual[row] = within((within(cells->value[row], -1, 1) - shape->middle - residual[row]) / shape->reach, -1, 1);
	}
}

/* toward zero, so that no norm grows; what is no number adds nothing */
static double
contribution_of(double residual, double mark, int bits)
{
	double		value = fabs(residual) <= 1 ? residual * mark : 0;

	return bits > 0 ? trunc(value) : value;
}

/* where cells of all columns are among those that are seen */
static void
find_seen(const DpemGamShape *shape, int16_t *seen)
{
	const double *joined = shape->joined;
	int			offset = 0;

	for (int c = 0; c < shape->columns; offset += shape->column[c++].joined)
		for (int i = dpem_gam_column_cells(&shape->column[c]); i > 0; i--, joined++)
			*seen++ = (int16_t) (shape->column[c].joined > 0 ? offset + (int) *joined : 0);
}

/* of columns whose cells are joined, and of pairs, whose cells are as they are after those */
static void
add_joined(const DpemGamShape *shape, const Cells *cells, const double *residual, double *sums)
{
	int16_t		seen[DPEM_GAM_MAX_CELLS];
	int			shift = dpem_gam_cells(shape) - dpem_gam_seen_cells(shape);

	find_seen(shape, seen);
	for (int c = 0; c < dpem_gam_terms(shape); c++)
	{
		const int16_t *cell = cells_of_term(cells, c);

		if (dpem_gam_seen_term_cells(shape, c) == 0)
			continue;
		for (int row = 0; row < cells->rows; row++)
			sums[c < shape->columns ? seen[cell[row]] : cell[row] - shift] += residual[row];
	}
}

static void
add_residuals(const DpemGamShape *shape, const Cells *cells, const double *residual, double *sums)
{
	if (shape->joined != NULL)
	{
		add_joined(shape, cells, residual, sums);
		return;
	}
	for (int c = 0; c < dpem_gam_terms(shape); c++)
	{
		const int16_t *cell = cells_of_term(cells, c);

		for (int row = 0; row < cells->rows; row++)
			sums[cell[row]] += residual[row];
	}
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
	int			seen = dpem_gam_seen_cells(&shape);
	double		mark = dpem_gam_units(dpem_gam_gradient_mark(&shape), responsibility_bits);
	double	   *residual = scratch;
	DpemFpenv	fpenv;
	Cells		cells;

	(void) layout;
	(void) feature_bits;
	dpem_fpenv_enter(&fpenv);
	cells = find_cells(&shape, block, scratch);
	find_residuals(&shape, &cells, coefficient, n, residual);
	for (int s = 0; s < dpem_gam_scores(&shape); s++, residual += DPEM_BLOCK_STRIDE, sums += seen)
	{
		for (int row = 0; row < block->rows; row++)
			residual[row] = cells.target[row] < 0 ? 0 : contribution_of(residual[row], mark, responsibility_bits);
		add_residuals(&shape, &cells, residual, sums);
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernels of a pass ---- */

const DpemKernel dpem_kernel_gam_moments = {
	.name = "gam_moments",.code = 19,.contribution = DPEM_TALLIES,.max_components = 1 << 20,.adds = true,
	.theta_check = dpem_gam_check_moments,.scratch_length = dpem_gam_scratch,.codes = dpem_gam_codes,.encode = dpem_gam_encode,
	.accumulate = dpem_gam_moments
};

const DpemKernel dpem_kernel_gam_gradient = {
	.name = "gam_gradient",.code = 20,.contribution = DPEM_RESIDUALS,.max_components = 1 << 20,.adds = true,
	.theta_check = dpem_gam_check_gradient,.scratch_length = dpem_gam_scratch,.codes = dpem_gam_codes,.encode = dpem_gam_encode,
	.accumulate = dpem_gam_gradient
};
