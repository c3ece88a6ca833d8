/*
 * gam_cells.c - from coordinates to cells, as codes; see gam_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_kernel.h"
#include "core/gam/gam_shape.h"
#include "core/numeric/fpenv.h"

#define NUMBER_CODES	4		/* of a number of 64 bits */

bool
dpem_gam_fits_bytes(const DpemGamShape *shape)
{
	for (int c = 0; c < shape->columns; c++)
		if (dpem_gam_column_cells(&shape->column[c]) > UINT8_MAX + 1)
			return false;
	return true;
}

int
dpem_gam_column_codes(const DpemGamShape *shape)
{
	return dpem_gam_fits_bytes(shape) ? (shape->columns + 1) / 2 : shape->columns;
}

int
dpem_gam_shape_codes(const DpemGamShape *shape)
{
	return dpem_gam_column_codes(shape) + 1 + (shape->targets == 1 ? NUMBER_CODES : 0);
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

void
dpem_gam_put_column(bool bytes, int column, int rows, const int16_t *cell, int16_t *code)
{
	uint8_t    *byte = (uint8_t *) code + (size_t) column * DPEM_BLOCK_ROWS;

	if (!bytes)
		memcpy(code + (size_t) column * DPEM_BLOCK_ROWS, cell, rows * sizeof(int16_t));
	for (int row = 0; row < rows * bytes; row++)
		byte[row] = (uint8_t) cell[row];
}

void
dpem_gam_get_column(bool bytes, int column, int rows, int offset, const int16_t *code, int16_t *place)
{
	const uint8_t *byte = (const uint8_t *) code + (size_t) column * DPEM_BLOCK_ROWS;
	const int16_t *cell = code + (size_t) column * DPEM_BLOCK_ROWS;
	int			in_bytes = bytes ? rows : 0;
	int			others = rows - in_bytes;

	for (int row = 0; row < in_bytes; row++)
		place[row] = (int16_t) (byte[row] + offset);
	for (int row = 0; row < others; row++)
		place[row] = (int16_t) (cell[row] + offset);
}

/* cell[row]: its category; comparisons and maxima of doubles go through vectors */
static void
find_category(const DpemBlock *block, int first, int length, int missing, int16_t *cell)
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
		cell[row] = (int16_t) (last[row] > 0 ? (int) last[row] - 1 : missing);
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

	if (equal)
		for (int row = 0; row < block->rows; row++)
			bin[row] = (int16_t) dpem_gam_bin(x[row] * unit, slack, column->bins);
	else
		for (int row = 0; row < block->rows; row++)
			bin[row] = (int16_t) dpem_gam_edges_below(edge, column->bins - 1, x[row] * unit + slack);
}

/* those whose number is not known are in the cell after the bins */
static void
find_number(const DpemBlock *block, const DpemGamColumn *column, const double *edge, double unit, double slack, int16_t *cell)
{
	const double *known = column->known >= 0 ? block->x + (size_t) column->known * DPEM_BLOCK_STRIDE : NULL;

	find_bin(block, column, edge, unit, slack, cell);
	for (int row = 0; known != NULL && row < block->rows; row++)
		cell[row] = known[row] > 0 ? cell[row] : (int16_t) column->bins;
}

/* code[0 .. DPEM_BLOCK_ROWS): class, then those of a number's box coordinates */
static void
find_target(const DpemGamShape *shape, const DpemBlock *block, double unit, int16_t *code)
{
	int			first = block->d - shape->targets;
	const double *x = block->x + (size_t) first * DPEM_BLOCK_STRIDE;
	double	   *value = (double *) (code + DPEM_BLOCK_ROWS);

	find_category(block, first, shape->targets > 1 ? shape->targets : 0, shape->targets > 1 ? -1 : 0, code);
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
	int16_t		cell[DPEM_BLOCK_ROWS];
	bool		bytes;

	dpem_fpenv_enter(&fpenv);
	dpem_gam_read(theta, &shape, column, pair);
	unit = ldexp(shape.radius, -feature_bits);
	bytes = dpem_gam_fits_bytes(&shape);
	for (int c = 0; c < shape.columns; c++)
	{
		if (column[c].length > 0)
			find_category(block, column[c].first, column[c].length, column[c].length, cell);
		else
			find_number(block, &column[c], dpem_gam_column_edges(&shape, c), unit, dpem_gam_slack(&shape, feature_bits), cell);
		dpem_gam_put_column(bytes, c, block->rows, cell, code);
	}
	find_target(&shape, block, unit, code + (size_t) dpem_gam_column_codes(&shape) * DPEM_BLOCK_ROWS);
	dpem_fpenv_leave(&fpenv);
}
