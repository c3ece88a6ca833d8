/*
 * gam_counts.c - counts by class and pairs of cells, and of a number by its margins: dpem_gam_moments and dpem_gam_mark_target of gam_kernel.h.
 *
 * Of a row with p terms p (p - 1) / 2 pairs are counted, most of the work of the pass.  Where all rows count alike these are
 * whole numbers of 16 bits, small enough for a processor's cache, until they may be too many.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_places.h"
#include "core/gam/gam_shape.h"
#include "core/numeric/fpenv.h"

/* what of the workspace is kept from block to block, a number of it: rows in the counts, then the counts, in the order of the pairs */
#define MOST_COUNTED	(UINT16_MAX - DPEM_BLOCK_ROWS)
#define COUNTS_IN_NUMBER	(sizeof(double) / sizeof(uint16_t))

/* pairs, and a line for null rows after them, are no more than the components, of which there are two for each cell besides */
static size_t
kept_length(const DpemMomentLayout *layout)
{
	return 1 + ((size_t) layout->k + COUNTS_IN_NUMBER - 1) / COUNTS_IN_NUMBER;
}

/* scores, and cells of pairs */
size_t
dpem_gam_moments_scratch(const DpemMomentLayout *layout)
{
	return kept_length(layout) + DPEM_BLOCK_STRIDE + dpem_gam_places_scratch(layout);
}

/* ---- what rows count ---- */

/* each row's share in two classes, the second of which may be none, and in its pairs */
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
	double		odds = exp(-fabs(score));
	double		p = (score < 0 ? odds : 1) / (1 + odds);

	return dpem_gam_within(4 * (p * (1 - p)), 0, 1);
}

/* a number's, by its bin or, with two classes, by its distances from both bounds */
static void
share_number(const DpemGamShape *shape, double y, double slack, double mark, int bits, int n, int row, Shares *shares)
{
	double		half = dpem_gam_bins_half(shape);

	shares->offset[0][row] = shape->classes > 2 ? n * dpem_gam_bin((y - shape->bins_middle) / half, slack / half, shape->classes) : 0;
	shares->mark[0][row] = rounded_down(shape->classes > 2 ? mark : mark * (1 - y) / 2, bits);
	shares->offset[1][row] = n;
	shares->mark[1][row] = rounded_down(mark * (1 + y) / 2, bits);
}

/* score: of each row, of two classes; NULL: zeros */
static void
find_shares(const DpemGamShape *shape, const DpemGamPlaces *block, const double *score, double slack, int bits, Shares *shares)
{
	int			n = dpem_gam_cells(shape);
	double		single = dpem_gam_units(dpem_gam_single_mark(shape), bits);
	double		pair = dpem_gam_units(dpem_gam_pair_mark(shape), bits);

	shares->two = shape->targets == 1 && shape->classes == 2;
	for (int row = 0; row < block->rows; row++)
	{
		double		weight = block->target[row] < 0 ? 0 : score != NULL ? weight_of(score[row]) : 1;

		shares->pair[row] = rounded_down(pair * weight, bits);
		if (shape->targets == 1)
			share_number(shape, dpem_gam_within(block->value[row], -1, 1), slack, single * weight, bits, n, row, shares);
		else
		{
			shares->offset[0][row] = n * (block->target[row] < 0 ? 0 : block->target[row]);
			shares->mark[0][row] = rounded_down(single * weight, bits);
		}
	}
}

/* coefficients of two classes, that weigh rows: all are zero? */
static bool
all_alike(const DpemGamShape *shape, const double *coefficient)
{
	int			n = dpem_gam_cells(shape);

	for (int i = 0; shape->targets == 2 && i < n; i++)
		if (coefficient[i] != 0)
			return false;
	return true;
}

/* ---- counting ---- */

static void
add_singles(const int16_t *cell, int rows, const Shares *shares, double *sums)
{
	for (int row = 0; row < rows; row++)
		sums[shares->offset[0][row] + cell[row]] += shares->mark[0][row];
	for (int row = 0; shares->two && row < rows; row++)
		sums[shares->offset[1][row] + cell[row]] += shares->mark[1][row];
}

static size_t
line_of(int cell)
{
	return (size_t) cell * (size_t) (cell - 1) / 2;
}

/* pairs of a term with those before it, one by one: the cells of two terms stay in the nearest cache */
static void
add_weighted_pairs(const DpemGamPlaces *block, int term, const Shares *shares, double *sums)
{
	const int16_t *cell = dpem_gam_place_of(block, term);
	size_t		line[DPEM_BLOCK_ROWS];

	for (int row = 0; row < block->rows; row++)
		line[row] = line_of(cell[row]);
	for (int e = 0; e < term; e++)
	{
		const int16_t *other = dpem_gam_place_of(block, e);

		for (int row = 0; row < block->rows; row++)
			sums[line[row] + (size_t) other[row]] += shares->pair[row];
	}
}

/* four terms at a time, which follow one another: a count is added to again only after others */
static void
count_four(const uint32_t *line, const int16_t *place, int rows, uint16_t *count)
{
	for (int row = 0; row < rows; row++)
	{
		uint16_t   *own = count + line[row];

		own[place[row]]++;
		own[place[row + DPEM_BLOCK_ROWS]]++;
		own[place[row + 2 * DPEM_BLOCK_ROWS]]++;
		own[place[row + 3 * DPEM_BLOCK_ROWS]]++;
	}
}

/* null rows count in a line of their own, after those of the n cells */
static void
count_pairs(const DpemGamPlaces *block, int n, int term, uint16_t *count)
{
	const int16_t *cell = dpem_gam_place_of(block, term);
	uint32_t	line[DPEM_BLOCK_ROWS];
	int			e = 0;

	for (int row = 0; row < block->rows; row++)
		line[row] = (uint32_t) line_of(block->target[row] < 0 ? n : cell[row]);
	for (; e + 4 <= term; e += 4)
		count_four(line, dpem_gam_place_of(block, e), block->rows, count);
	for (; e < term; e++)
	{
		const int16_t *place = dpem_gam_place_of(block, e);

		for (int row = 0; row < block->rows; row++)
			count[line[row] + (uint32_t) place[row]]++;
	}
}

static void
add_counted(const DpemGamShape *shape, int bits, double *sums, double *scratch)
{
	int			n = dpem_gam_cells(shape);
	double		mark = dpem_gam_units(dpem_gam_pair_mark(shape), bits);
	double	   *pair = sums + (size_t) shape->classes * n;
	uint16_t   *count = (uint16_t *) (scratch + 1);

	if (scratch[0] == 0)
		return;
	for (size_t i = 0; i < line_of(n); i++)
		pair[i] += mark * count[i];
	memset(count, 0, line_of(n + 1) * sizeof(uint16_t));
	scratch[0] = 0;
}

void
dpem_gam_complete_moments(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	DpemFpenv	fpenv;

	(void) layout;
	(void) feature_bits;
	dpem_fpenv_enter(&fpenv);
	dpem_gam_read(theta, &shape, column, couple);
	add_counted(&shape, responsibility_bits, sums, scratch);
	dpem_fpenv_leave(&fpenv);
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
	double	   *score = scratch + kept_length(layout);
	bool		alike = all_alike(&shape, coefficient);
	Shares		shares;
	DpemFpenv	fpenv;
	DpemGamPlaces cells;

	dpem_fpenv_enter(&fpenv);
	cells = dpem_gam_places(&shape, block, score + DPEM_BLOCK_STRIDE);
	if (!alike)
		dpem_gam_score_rows(&shape, &cells, coefficient, score);
	find_shares(&shape, &cells, alike ? NULL : score, dpem_gam_slack(&shape, feature_bits), responsibility_bits, &shares);
	if (scratch[0] > MOST_COUNTED)
		add_counted(&shape, responsibility_bits, sums, scratch);
	for (int c = 0; c < dpem_gam_terms(&shape); c++)
	{
		add_singles(dpem_gam_place_of(&cells, c), block->rows, &shares, sums);
		if (alike)
			count_pairs(&cells, n, c, (uint16_t *) (scratch + 1));
		else
			add_weighted_pairs(&cells, c, &shares, sums + (size_t) shape.classes * n);
	}
	scratch[0] += alike ? block->rows : 0;
	dpem_fpenv_leave(&fpenv);
}

/* ---- where a number is ---- */

static void
mark_level(const DpemGamShape *shape, const DpemGamPlaces *block, int level, double slack, int bits, double *sums)
{
	int			bins = dpem_margin_level_bins(&shape->margins, level);
	double		mark = dpem_gam_units(dpem_margin_mark(&shape->margins, level), bits);

	for (int row = 0; row < block->rows; row++)
		if (block->target[row] >= 0)
			sums[dpem_gam_bin(dpem_gam_within(block->value[row], -1, 1), slack, bins)] += mark;
}

void
dpem_gam_mark_target(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
				int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair couple[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	DpemFpenv	fpenv;
	DpemGamPlaces cells;

	(void) layout;
	(void) scratch;
	dpem_fpenv_enter(&fpenv);
	dpem_gam_read(theta, &shape, column, couple);
	cells = dpem_gam_places(&shape, block, NULL);
	for (int level = 0; level < shape.margins.levels; level++)
	{
		mark_level(&shape, &cells, level, dpem_gam_slack(&shape, feature_bits), responsibility_bits, sums);
		sums += dpem_margin_level_bins(&shape.margins, level);
	}
	dpem_fpenv_leave(&fpenv);
}
