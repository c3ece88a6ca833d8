/*
 * cells.c - see cells.h.
 *
 * On the wire a grid is: number of axes, whether projected, whether of two
 * levels; lower, upper, parts of each axis; the projection; and for two
 * levels a pair for each cell of the first: its parts per axis and the
 * number of its first part.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/cells.h"
#include "core/kernels/kernel.h"
#include "core/numeric/fpenv.h"

enum
{
	T_AXES, T_PROJECTED, T_LEVELS, T_HEADER
};

/* n^axes, or 0 beyond the limit */
static int
power(int n, int axes)
{
	int64_t		product = 1;

	for (int a = 0; a < axes; a++)
	{
		product *= n;
		if (n > DPEM_CELLS_MAX || product > DPEM_CELLS_MAX)
			return 0;
	}
	return (int) product;
}

int
dpem_cells_coarse(const DpemCellGrid *grid)
{
	int64_t		product = 1;

	for (int a = 0; a < grid->axes; a++)
	{
		product *= grid->axis[a].parts;
		if (product > DPEM_CELLS_MAX)
			return 0;
	}
	return (int) product;
}

int
dpem_cells_number(const DpemCellGrid *grid)
{
	int			coarse = dpem_cells_coarse(grid);
	int64_t		total = 0;

	if (grid->parts == NULL)
		return coarse;
	for (int c = 0; c < coarse; c++)
	{
		int			parts = power((int) grid->parts[c], grid->axes);

		total += parts;
		if (parts == 0 || total > DPEM_CELLS_MAX)
			return 0;
	}
	return (int) total;
}

size_t
dpem_cells_theta_length(const DpemCellGrid *grid)
{
	return T_HEADER + 3 * (size_t) grid->axes +
		(grid->projection ? (size_t) grid->axes * grid->d : 0) +
		(grid->parts ? 2 * (size_t) dpem_cells_coarse(grid) : 0);
}

void
dpem_cells_write(const DpemCellGrid *grid, double *theta)
{
	int			coarse = dpem_cells_coarse(grid);
	double		first = 0;

	theta[T_AXES] = grid->axes;
	theta[T_PROJECTED] = grid->projection != NULL;
	theta[T_LEVELS] = grid->parts != NULL;
	theta += T_HEADER;
	for (int a = 0; a < grid->axes; a++)
	{
		*theta++ = grid->axis[a].lower;
		*theta++ = grid->axis[a].upper;
		*theta++ = grid->axis[a].parts;
	}
	if (grid->projection)
	{
		memcpy(theta, grid->projection, (size_t) grid->axes * grid->d * sizeof(double));
		theta += (size_t) grid->axes * grid->d;
	}
	for (int c = 0; grid->parts != NULL && c < coarse; c++)
	{
		*theta++ = grid->parts[c];
		*theta++ = first;
		first += power((int) grid->parts[c], grid->axes);
	}
}

/* a grid in theta's memory; pair gets the table of the second level, or NULL */
static DpemCellGrid
read_grid(const double *theta, int d, const double **pair)
{
	DpemCellGrid grid = {.axes = (int) theta[T_AXES],.d = d};
	bool		projected = theta[T_PROJECTED] != 0;
	bool		levels = theta[T_LEVELS] != 0;

	theta += T_HEADER;
	for (int a = 0; a < grid.axes; a++, theta += 3)
		grid.axis[a] = (DpemCellAxis) {theta[0], theta[1], (int) theta[2]};
	if (projected)
	{
		grid.projection = theta;
		theta += (size_t) grid.axes * d;
	}
	*pair = levels ? theta : NULL;
	return grid;
}

static bool
is_count(double x, double least, double most)
{
	return x >= least && x <= most && x == rint(x);
}

static bool
check_axes(const double *axis, int axes)
{
	for (int a = 0; a < axes; a++, axis += 3)
	{
		/* a width beyond the range of double would make every position NaN */
		if (!(axis[0] < axis[1]) || !isfinite(axis[1] - axis[0]) || !is_count(axis[2], 1, DPEM_CELLS_MAX))
			return false;
	}
	return true;
}

/* cells of the second level, 0 if the table is not what dpem_cells_write leaves */
static int
check_pairs(const double *pair, int coarse, int axes)
{
	int64_t		total = 0;

	for (int c = 0; c < coarse; c++, pair += 2)
	{
		int			parts;

		if (!is_count(pair[0], 1, DPEM_CELLS_MAX) || pair[1] != (double) total)
			return 0;
		parts = power((int) pair[0], axes);
		total += parts;
		if (parts == 0 || total > DPEM_CELLS_MAX)
			return 0;
	}
	return (int) total;
}

static bool
check_header(const double *theta, int d)
{
	return is_count(theta[T_AXES], 1, DPEM_CELLS_MAX_AXES) && is_count(theta[T_PROJECTED], 0, 1) &&
		is_count(theta[T_LEVELS], 0, 1) && (theta[T_PROJECTED] == 1 || theta[T_AXES] == d);
}

size_t
dpem_cells_check(int k, int d, const double *theta, size_t available)
{
	const double *pair;
	DpemCellGrid grid;
	size_t		needed = T_HEADER;
	int			coarse;

	if (available < needed || !check_header(theta, d))
		return 0;
	needed += (size_t) theta[T_AXES] * (3 + (theta[T_PROJECTED] == 1 ? (size_t) d : 0));
	if (available < needed || !check_axes(theta + T_HEADER, (int) theta[T_AXES]))
		return 0;
	grid = read_grid(theta, d, &pair);
	coarse = dpem_cells_coarse(&grid);
	if (coarse == 0)
		return 0;
	if (pair == NULL)
		return coarse == k ? needed : 0;
	needed += 2 * (size_t) coarse;
	return available >= needed && check_pairs(pair, coarse, grid.axes) == k ? needed : 0;
}

/* ---- rows ---- */

size_t
dpem_cells_scratch(void)
{
	return DPEM_CELLS_MAX_AXES * DPEM_BLOCK_STRIDE;
}

/*
 * position[row] = where the row stands along an axis, in parts from its lower
 * end.  Every row sees the same operations in the same order (row purity).
 */
static void
find_positions(const DpemCellGrid *grid, int a, const DpemBlock *block, double unit, double *position)
{
	const DpemCellAxis *axis = &grid->axis[a];
	double		scale = axis->parts / (axis->upper - axis->lower);

	for (int row = 0; row < block->rows; row++)
		position[row] = 0;
	for (int j = 0; j < grid->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		double		factor = grid->projection ? grid->projection[(size_t) a * grid->d + j] : j == a;

		for (int row = 0; factor != 0 && row < block->rows; row++)
			position[row] += factor * x[row];
	}
	for (int row = 0; row < block->rows; row++)
		position[row] = (position[row] * unit - axis->lower) * scale;
}

/* the part that a position is in; the first for a position that is no number */
static int
part_of(double position, int parts)
{
	if (!(position >= 1))
		return 0;
	return position < parts ? (int) position : parts - 1;
}

/* cell of one row; fine is what is left of its positions within the coarse cell */
static int
cell_of(const DpemCellGrid *grid, const double *pair, const double *position)
{
	double		rest[DPEM_CELLS_MAX_AXES];
	int			cell = 0;
	int			fine = 0;

	for (int a = 0; a < grid->axes; a++)
	{
		int			part = part_of(position[a * DPEM_BLOCK_STRIDE], grid->axis[a].parts);

		rest[a] = position[a * DPEM_BLOCK_STRIDE] - part;
		cell = cell * grid->axis[a].parts + part;
	}
	if (pair == NULL)
		return cell;
	pair += 2 * (size_t) cell;
	for (int a = 0; a < grid->axes; a++)
		fine = fine * (int) pair[0] + part_of(rest[a] * pair[0], (int) pair[0]);
	return (int) pair[1] + fine;
}

void
dpem_cells_locate(const double *theta, const DpemBlock *block, int feature_bits,
				  int32_t *component, double *scratch)
{
	const double *pair;
	DpemCellGrid grid = read_grid(theta, block->d, &pair);
	double		unit = 1.0 / (double) (INT64_C(1) << feature_bits);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int a = 0; a < grid.axes; a++)
		find_positions(&grid, a, block, unit, scratch + a * DPEM_BLOCK_STRIDE);
	for (int row = 0; row < block->rows; row++)
		component[row] = block->keep[row] > 0 ? cell_of(&grid, pair, scratch + row) : -1;
	dpem_fpenv_leave(&fpenv);
}

/* ---- where cells are ---- */

/* middles of the parts of the cell with the given lower corner and widths */
static double *
part_middles(const double *corner, const double *width, int axes, int parts, double *middle)
{
	int			n = power(parts, axes);

	for (int i = 0; i < n; i++, middle += axes)
	{
		int			rest = i;

		for (int a = axes - 1; a >= 0; a--, rest /= parts)
			middle[a] = corner[a] + width[a] * (rest % parts + 0.5) / parts;
	}
	return middle;
}

void
dpem_cells_middles(const DpemCellGrid *grid, double *middle)
{
	int			coarse = dpem_cells_coarse(grid);

	for (int c = 0; c < coarse; c++)
	{
		double		corner[DPEM_CELLS_MAX_AXES];
		double		width[DPEM_CELLS_MAX_AXES];
		int			rest = c;

		for (int a = grid->axes - 1; a >= 0; a--)
		{
			const DpemCellAxis *axis = &grid->axis[a];

			width[a] = (axis->upper - axis->lower) / axis->parts;
			corner[a] = axis->lower + width[a] * (rest % axis->parts);
			rest /= axis->parts;
		}
		middle = part_middles(corner, width, grid->axes, grid->parts ? (int) grid->parts[c] : 1, middle);
	}
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
cells_theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return layout->second == DPEM_COUNTS_ALONE
		? dpem_cells_check(layout->k, layout->d, theta, available) : 0;
}

static size_t
cells_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return dpem_cells_scratch();
}

static void
cells_locate(const DpemMomentLayout *layout, const double *theta, DpemBlock *block, int feature_bits,
			 int32_t *component, double *scratch)
{
	(void) layout;
	dpem_cells_locate(theta, block, feature_bits, component, scratch);
}

const DpemKernel dpem_kernel_cells = {
	.name = "cells",.code = 5,.max_components = DPEM_CELLS_MAX,.theta_check = cells_theta_check,
	.scratch_length = cells_scratch_length,.counts_rows = true,.locate = cells_locate
};
