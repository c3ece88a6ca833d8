/*
 * class_cells.c - see class_cells.h.
 *
 * On the wire: radius, classes, first class's coordinate, whether they are as one, columns; then first
 * coordinate, cells and what tells that it is known, of each column, and after these the edges of all numbers.
 */
#include <math.h>
#include <string.h>

#include "core/bayes/class_cells.h"
#include "core/gam/gam_bins.h"
#include "core/kernels/kernel.h"
#include "core/numeric/bisect.h"
#include "core/numeric/fpenv.h"

enum
{
	T_RADIUS, T_CLASSES, T_FIRST_CLASS, T_AS_ONE, T_COLUMNS, T_HEADER
};

#define PER_COLUMN		3
#define MOST_COLUMNS	100000
#define MOST_CELLS		(1 << 20)	/* of a column */
#define MOST_COMPONENTS (1 << 18)
#define SLACK			1e-12	/* without quantisation: of rounding errors in a coordinate */

int
dpem_class_cells_apart(const DpemClassCells *cells)
{
	return cells->as_one ? 1 : cells->classes;
}

size_t
dpem_class_cells_number(const DpemClassCells *cells)
{
	size_t		n = 0;

	for (int j = 0; j < cells->columns; j++)
		n += cells->column[j].cells;
	return n;
}

size_t
dpem_class_cells_places(const DpemClassCells *cells)
{
	return (size_t) dpem_class_cells_apart(cells) * (1 + dpem_class_cells_number(cells));
}

int
dpem_class_cells_components(const DpemClassCells *cells, int d)
{
	size_t		k = (dpem_class_cells_places(cells) + d - 1) / d;

	return k > MOST_COMPONENTS ? MOST_COMPONENTS + 1 : (int) k;
}

size_t
dpem_class_cells_at(const DpemMomentLayout *layout, size_t place)
{
	size_t		d = (size_t) layout->d;

	return place / d * dpem_moments_record(layout) + 1 + place % d;
}

double
dpem_class_cells_mark(const DpemClassCells *cells)
{
	return 1 / sqrt(cells->columns + 1.0);
}

/* of a column */
static int
edges_of(const DpemCellColumn *column)
{
	return column->known == DPEM_CELLS_OF_LABEL ? 0 : column->cells - 1;
}

/* ---- parameters of a pass ---------------------------------------------------- */

size_t
dpem_class_cells_theta_length(const DpemClassCells *cells)
{
	size_t		length = T_HEADER + PER_COLUMN * (size_t) cells->columns;

	for (int j = 0; j < cells->columns; j++)
		length += edges_of(&cells->column[j]);
	return length;
}

void
dpem_class_cells_write(const DpemClassCells *cells, double *theta)
{
	theta[T_RADIUS] = cells->radius;
	theta[T_CLASSES] = cells->classes;
	theta[T_FIRST_CLASS] = cells->first_class;
	theta[T_AS_ONE] = cells->as_one;
	theta[T_COLUMNS] = cells->columns;
	theta += T_HEADER;
	for (int j = 0; j < cells->columns; j++, theta += PER_COLUMN)
	{
		theta[0] = cells->column[j].first;
		theta[1] = cells->column[j].cells;
		theta[2] = cells->column[j].known;
	}
	for (int j = 0; j < cells->columns; j++)
		for (int i = 0; i < edges_of(&cells->column[j]); i++)
			*theta++ = cells->column[j].edge[i];
}

/* edge: of this column's, if it is a number */
static DpemCellColumn
read_column(const double *theta, int j, const double *edge)
{
	theta += T_HEADER + PER_COLUMN * (size_t) j;
	return (DpemCellColumn) {(int) theta[0], (int) theta[1], (int) theta[2], edge};
}

static const double *
first_edge(const double *theta)
{
	return theta + T_HEADER + PER_COLUMN * (size_t) theta[T_COLUMNS];
}

static bool
check_column(const double *column, int d)
{
	bool		label = column[2] == DPEM_CELLS_OF_LABEL;

	return dpem_is_whole(column[0], 0, d - 1) && dpem_is_whole(column[1], 1, label ? d - column[0] : MOST_CELLS) &&
		(label || dpem_is_whole(column[2], 0, d - 1));
}

/* ascending within the domain */
static bool
are_edges(const double *edge, int n)
{
	double		last = -1;

	for (int i = 0; i < n; last = edge[i++])
		if (!(edge[i] >= last && edge[i] <= 1))
			return false;
	return true;
}

/* those of all columns, which were checked; returns the numbers that all parameters take, 0 if there are too few or some are none */
static size_t
check_edges(const double *theta, size_t available)
{
	const double *edge = first_edge(theta);

	for (int j = 0; j < (int) theta[T_COLUMNS]; j++)
	{
		DpemCellColumn column = read_column(theta, j, edge);
		int			n = edges_of(&column);

		if (available - (size_t) (edge - theta) < (size_t) n || !are_edges(edge, n))
			return 0;
		edge += n;
	}
	return (size_t) (edge - theta);
}

size_t
dpem_class_cells_check_shape(int d, const double *theta, size_t available)
{
	size_t		length;

	if (available < T_HEADER || !(theta[T_RADIUS] > 0) || !isfinite(theta[T_RADIUS]) ||
		!dpem_is_whole(theta[T_FIRST_CLASS], 0, d - 1) || !dpem_is_whole(theta[T_CLASSES], 1, d - theta[T_FIRST_CLASS]) ||
		!dpem_is_whole(theta[T_AS_ONE], 0, 1) || !dpem_is_whole(theta[T_COLUMNS], 1, MOST_COLUMNS))
		return 0;
	length = T_HEADER + PER_COLUMN * (size_t) theta[T_COLUMNS];
	if (available < length)
		return 0;
	for (const double *column = theta + T_HEADER; column < theta + length; column += PER_COLUMN)
	{
		if (!check_column(column, d))
			return 0;
	}
	return check_edges(theta, available);
}

size_t
dpem_class_cells_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	size_t		length = dpem_class_cells_check_shape(layout->d, theta, available);
	DpemCellsRead read;

	if (length == 0 || layout->second != DPEM_SECOND_NONE)
		return 0;
	read = dpem_class_cells_read(theta);
	return ceil((theta[T_AS_ONE] > 0 ? 1 : theta[T_CLASSES]) * (1 + (double) read.cells) / layout->d) == layout->k ? length : 0;
}

/* ---- rows ---------------------------------------------------------------------- */

DpemCellsRead
dpem_class_cells_read(const double *theta)
{
	DpemCellsRead read = {
		.theta = theta,.classes = (int) theta[T_CLASSES],.columns = (int) theta[T_COLUMNS],.edge = first_edge(theta)
	};
	const double *edge = read.edge;

	for (int j = 0; j < read.columns; j++)
	{
		DpemCellColumn column = read_column(theta, j, edge);

		read.cells += (size_t) column.cells;
		edge += edges_of(&column);
	}
	read.length = (size_t) (edge - theta);
	return read;
}

/*
 * The square root is at most half a unit in its last place too large, and
 * scaling by a power of two is exact; what is taken away is more than that, even
 * of the sum of all squares.
 */
static double
mark_of(int columns, int bits)
{
	double		mark = 1 / sqrt(columns + 1.0);

	return bits > 0 ? floor(ldexp(mark * (1 - 0x1p-40), bits)) : mark;
}

/* box coordinates of what features are 1 */
static double
unit_of(const double *theta, int bits)
{
	return ldexp(theta[T_RADIUS], -bits);
}

/* which[row] = the first of n coordinates that is on in the row, -1: none is */
static void
find_category(const DpemBlock *block, double unit, int first, int n, double *which)
{
	for (int row = 0; row < block->rows; row++)
		which[row] = -1;
	for (int i = 0; i < n; i++)
	{
		const double *x = block->x + (size_t) (first + i) * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
			which[row] = which[row] < 0 && x[row] * unit > 0.5 ? i : which[row];
	}
}

/* of a number, one on an edge in the part above it; -1 where it is not known; slack: by which rounding may have moved coordinates */
static void
find_part(const DpemBlock *block, double unit, double slack, DpemCellColumn column, double *which)
{
	const double *x = block->x + (size_t) column.first * DPEM_BLOCK_STRIDE;
	const double *known = column.known == DPEM_CELLS_ALWAYS ? block->keep : block->x + (size_t) column.known * DPEM_BLOCK_STRIDE;

	for (int row = 0; row < block->rows; row++)
		which[row] = known[row] > 0 ? dpem_gam_edges_below(column.edge, column.cells - 1, x[row] * unit + slack) : -1;
}

void
dpem_class_cells_find_class(const double *theta, const DpemBlock *block, int feature_bits, double *class)
{
	find_category(block, unit_of(theta, feature_bits), (int) theta[T_FIRST_CLASS], (int) theta[T_CLASSES], class);
	for (int row = 0; row < block->rows; row++)
		class[row] = block->keep[row] > 0 ? class[row] : -1;
}

int
dpem_class_cells_find_next(DpemCellsRead *read, const DpemBlock *block, int feature_bits, double *which)
{
	DpemCellColumn column = read_column(read->theta, read->next++, read->edge);
	double		unit = unit_of(read->theta, feature_bits);

	if (column.known == DPEM_CELLS_OF_LABEL)
		find_category(block, unit, column.first, column.cells, which);
	else
		find_part(block, unit, feature_bits > 0 ? unit / 2 : SLACK, column, which);
	read->edge += edges_of(&column);
	return column.cells;
}

typedef struct Marks
{
	const DpemMomentLayout *layout;
	int			rows;
	const double *class;		/* whose places each row of the block marks, below 0: none */
	double		mark;
	size_t		per_class;		/* places */
	double	   *sums;
} Marks;

static void
add_mark(const Marks *marks, int row, size_t place)
{
	marks->sums[dpem_class_cells_at(marks->layout, (size_t) marks->class[row] * marks->per_class + place)] += marks->mark;
}

static void
add_column(const Marks *marks, size_t place, const double *which)
{
	for (int row = 0; row < marks->rows; row++)
		if (marks->class[row] >= 0 && which[row] >= 0)
			add_mark(marks, row, place + (size_t) which[row]);
}

void
dpem_class_cells_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
							int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemCellsRead read = dpem_class_cells_read(theta);
	Marks		marks = {
		.layout = layout,.rows = block->rows,.class = scratch,
		.mark = mark_of(read.columns, dpem_summed_bits(feature_bits, responsibility_bits)),.per_class = 1 + read.cells,.sums = sums
	};
	size_t		place = 1;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	dpem_class_cells_find_class(theta, block, feature_bits, scratch);
	for (int row = 0; row < block->rows; row++)
	{
		if (theta[T_AS_ONE] > 0)
			scratch[row] = fmin(scratch[row], 0);
		if (scratch[row] >= 0)
			add_mark(&marks, row, 0);
	}
	for (int j = 0; j < read.columns; j++)
	{
		int			cells = dpem_class_cells_find_next(&read, block, feature_bits, scratch + DPEM_BLOCK_STRIDE);

		add_column(&marks, place, scratch + DPEM_BLOCK_STRIDE);
		place += (size_t) cells;
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------------- */

static size_t
scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return 2 * DPEM_BLOCK_STRIDE;
}

const DpemKernel dpem_kernel_class_cells = {
	.name = "class_cells",.code = 16,.contribution = DPEM_DOCUMENT,.max_components = MOST_COMPONENTS,
	.theta_check = dpem_class_cells_check,.scratch_length = scratch_length,.fine = true,.accumulate = dpem_class_cells_accumulate
};
