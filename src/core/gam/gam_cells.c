/*
 * gam_cells.c - from coordinates to cells, as codes of 16 bits; see gam_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_kernel.h"
#include "core/gam/gam_shape.h"
#include "core/numeric/fpenv.h"

#define NUMBER_CODES	4		/* of a number of 64 bits */

int
dpem_gam_shape_codes(const DpemGamShape *shape)
{
	return shape->columns + 1 + (shape->targets == 1 ? NUMBER_CODES : 0);
}

int
dpem_gam_codes(const double *theta)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair pair[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;

	dpem_gam_read(theta, &shape, column, pair);
	return dpem_gam_shape_codes(&shape);
}

/* place[row]: offset and its category; comparisons and maxima of doubles go through vectors */
static void
find_category(const DpemBlock *block, int first, int length, int missing, int offset, int16_t *place)
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
		place[row] = (int16_t) (offset + (last[row] > 0 ? (int) last[row] - 1 : missing));
}

/* all bins are found at once where they are equal parts */
static bool
are_equal(const double *edge, int bins)
{
	for (int i = 1; edge != NULL && i < bins; i++)
		if (edge[i - 1] != dpem_gam_equal_edge(i, bins))
			return false;
	return true;
}

/* edge: between bins; NULL: these are equal parts.  Rounding moved a coordinate by half a unit at most, so that one on an edge is in the bin above it */
static void
find_bin(const DpemBlock *block, const DpemGamColumn *column, const double *edge, double unit, double slack, int16_t *bin)
{
	const double *x = block->x + (size_t) column->first * DPEM_BLOCK_STRIDE;
	bool		equal = are_equal(edge, column->bins);

	for (int row = 0; row < block->rows; row++)
		bin[row] = (int16_t) (equal ? dpem_gam_bin(x[row] * unit, slack, column->bins) : dpem_gam_edges_below(edge, column->bins - 1, x[row] * unit + slack));
}

/* those whose number is not known are in the cell after the bins */
static void
find_number(const DpemBlock *block, const DpemGamColumn *column, const double *edge, double unit, double slack, int offset, int16_t *place)
{
	const double *known = column->known >= 0 ? block->x + (size_t) column->known * DPEM_BLOCK_STRIDE : NULL;

	find_bin(block, column, edge, unit, slack, place);
	for (int row = 0; row < block->rows; row++)
		place[row] = (int16_t) (offset + (known != NULL && !(known[row] > 0) ? column->bins : place[row]));
}

/* code[0 .. DPEM_BLOCK_ROWS): class, then those of a number's box coordinates */
static void
find_target(const DpemGamShape *shape, const DpemBlock *block, double unit, int16_t *code)
{
	int			first = block->d - shape->targets;
	const double *x = block->x + (size_t) first * DPEM_BLOCK_STRIDE;
	double	   *value = (double *) (code + DPEM_BLOCK_ROWS);

	find_category(block, first, shape->targets > 1 ? shape->targets : 0, shape->targets > 1 ? -1 : 0, 0, code);
	for (int row = 0; row < block->rows; row++)
		if (block->keep[row] == 0)
			code[row] = -1;
	for (int row = 0; shape->targets == 1 && row < block->rows; row++)
		value[row] = x[row] * unit;
}

void
dpem_gam_encode(const double *theta, const DpemBlock *block, int feature_bits, int16_t *code)
{
	DpemGamColumn column[DPEM_GAM_MAX_COLUMNS];
	DpemGamPair pair[DPEM_GAM_MAX_COLUMNS];
	DpemGamShape shape;
	DpemFpenv	fpenv;
	double		unit;
	int			offset = 0;

	dpem_fpenv_enter(&fpenv);
	dpem_gam_read(theta, &shape, column, pair);
	unit = ldexp(shape.radius, -feature_bits);
	for (int c = 0; c < shape.columns; c++, code += DPEM_BLOCK_ROWS)
	{
		if (column[c].length > 0)
			find_category(block, column[c].first, column[c].length, column[c].length, offset, code);
		else
			find_number(block, &column[c], dpem_gam_column_edges(&shape, c), unit, dpem_gam_slack(&shape, feature_bits), offset, code);
		offset += dpem_gam_column_cells(&column[c]);
	}
	find_target(&shape, block, unit, code);
	dpem_fpenv_leave(&fpenv);
}
