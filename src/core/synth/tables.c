/*
 * tables.c - see tables.h.
 *
 * On the wire: radius, number of columns, number of tables; the numbers of each
 * column; of each table its order, its columns, its first cell and its cells; and the
 * edges of the columns that have some.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_bins.h"
#include "core/kernels/kernel.h"
#include "core/numeric/bisect.h"
#include "core/synth/tables.h"
#include "core/numeric/fpenv.h"

enum
{
	T_RADIUS, T_COLUMNS, T_TABLES, T_HEADER
};

#define COLUMN_NUMBERS	7
#define TABLE_NUMBERS	(3 + DPEM_TABLES_ORDER)

int
dpem_table_bins(const DpemTableColumn *column)
{
	return column->cells - (column->known > 0 ? 1 : 0);
}

/* numbers of its edges */
static size_t
edges_of(const DpemTableColumn *column)
{
	return column->edge != NULL ? (size_t) dpem_table_bins(column) - 1 : 0;
}

/* cells of a table; 0 if it is none over so many columns, or too large */
static int
cells_of(const DpemTableColumn *column, int columns, const DpemTable *table)
{
	int64_t		cells = 1;

	if (table->order < 1 || table->order > DPEM_TABLES_ORDER)
		return 0;
	for (int i = 0; i < table->order; i++)
	{
		int			c = table->column[i];

		if (c < 0 || c >= columns || (i > 0 && c <= table->column[i - 1]))
			return 0;
		cells *= column[c].cells;
		if (cells > DPEM_TABLES_MAX_CELLS)
			return 0;
	}
	return (int) cells;
}

int
dpem_tables_arrange(const DpemTableColumn *column, int columns, DpemTable *table, int tables)
{
	int			total = 0;

	for (int t = 0; t < tables; t++)
	{
		table[t].first = total;
		table[t].cells = cells_of(column, columns, &table[t]);
		total += table[t].cells;
		if (table[t].cells == 0 || total > DPEM_TABLES_MAX_CELLS)
			return 0;
	}
	return total;
}

/* ---- parameters of a pass ---- */

size_t
dpem_tables_theta_length(const DpemTableSet *set)
{
	size_t		edges = 0;

	for (int c = 0; c < set->columns; c++)
		edges += edges_of(&set->column[c]);
	return T_HEADER + COLUMN_NUMBERS * (size_t) set->columns + TABLE_NUMBERS * (size_t) set->tables + edges;
}

size_t
dpem_tables_cells_length(const double *theta)
{
	return T_HEADER + COLUMN_NUMBERS * (size_t) theta[T_COLUMNS] + TABLE_NUMBERS * (size_t) theta[T_TABLES];
}

static void
write_table(const DpemTable *table, double *theta)
{
	theta[0] = table->order;
	for (int i = 0; i < DPEM_TABLES_ORDER; i++)
		theta[1 + i] = i < table->order ? table->column[i] : 0;
	theta[1 + DPEM_TABLES_ORDER] = table->first;
	theta[2 + DPEM_TABLES_ORDER] = table->cells;
}

void
dpem_tables_write(const DpemTableSet *set, double *theta)
{
	theta[T_RADIUS] = set->radius;
	theta[T_COLUMNS] = set->columns;
	theta[T_TABLES] = set->tables;
	theta += T_HEADER;
	for (int c = 0; c < set->columns; c++, theta += COLUMN_NUMBERS)
	{
		const DpemTableColumn *column = &set->column[c];
		const double number[COLUMN_NUMBERS] = {column->first, column->length, column->cells, column->known,
		column->lower, column->upper, column->edge != NULL};

		memcpy(theta, number, sizeof(number));
	}
	for (int t = 0; t < set->tables; t++, theta += TABLE_NUMBERS)
		write_table(&set->table[t], theta);
	for (int c = 0; c < set->columns; c++)
		for (size_t i = 0; i < edges_of(&set->column[c]); i++)
			*theta++ = set->column[c].edge[i];
}

static const double *
column_numbers(const double *theta, int column)
{
	return theta + T_HEADER + COLUMN_NUMBERS * (size_t) column;
}

/* edge: where the edges of this column are, if it has some */
static DpemTableColumn
read_column(const double *theta, int column, const double *edge)
{
	const double *number = column_numbers(theta, column);

	return (DpemTableColumn) {
		(int) number[0], (int) number[1], (int) number[2], (int) number[3], number[4], number[5], number[6] > 0 ? edge : NULL
	};
}

int
dpem_tables_number(const double *theta)
{
	return (int) theta[T_TABLES];
}

DpemTable
dpem_tables_read(const double *theta, int table)
{
	const double *number = column_numbers(theta, (int) theta[T_COLUMNS]) + TABLE_NUMBERS * (size_t) table;
	DpemTable	read = {.order = (int) number[0],.first = (int) number[1 + DPEM_TABLES_ORDER],.cells = (int) number[2 + DPEM_TABLES_ORDER]};

	for (int i = 0; i < read.order; i++)
		read.column[i] = (int) number[1 + i];
	return read;
}

static bool
check_column(const double *number, int d)
{
	if (!dpem_is_whole(number[0], 0, d - 1) || !dpem_is_whole(number[1], 1, d - number[0]) ||
		!dpem_is_whole(number[2], 1, DPEM_TABLES_MAX_CELLS) || !dpem_is_whole(number[3], 0, d - 1))
		return false;
	if (number[1] > 1)
		return number[2] == number[1] + 1 && number[3] == 0 && number[6] == 0;
	if (!dpem_is_whole(number[6], 0, 1))
		return false;
	return number[2] > (number[3] > 0 ? 1 : 0) && number[4] < number[5] && isfinite(number[5] - number[4]);
}

bool
dpem_table_edges_ascend(const DpemTableColumn *column)
{
	double		last = column->lower;

	for (size_t i = 0; i < edges_of(column); last = column->edge[i++])
		if (!(column->edge[i] > last && column->edge[i] < column->upper))
			return false;
	return true;
}

/* those of all columns, which were checked; returns the numbers that all parameters take, 0 if there are too few or some are none */
static size_t
check_edges(const double *theta, size_t available)
{
	size_t		at = dpem_tables_cells_length(theta);

	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
	{
		DpemTableColumn column = read_column(theta, c, theta + at);

		if (available - at < edges_of(&column) || !dpem_table_edges_ascend(&column))
			return 0;
		at += edges_of(&column);
	}
	return at;
}

/* a table's numbers as they are after the tables before it, which have `first` cells; returns its cells, or 0 */
static int
check_table(const double *theta, int columns, const double *number, int first)
{
	DpemTable	table = {0};
	double		cells = 1;

	if (!dpem_is_whole(number[0], 1, DPEM_TABLES_ORDER))
		return 0;
	table.order = (int) number[0];
	for (int i = 0; i < table.order; i++)
	{
		if (!dpem_is_whole(number[1 + i], i == 0 ? 0 : number[i] + 1, columns - 1))
			return 0;
		cells *= column_numbers(theta, (int) number[1 + i])[2];
	}
	if (cells > DPEM_TABLES_MAX_CELLS || number[1 + DPEM_TABLES_ORDER] != first || number[2 + DPEM_TABLES_ORDER] != cells)
		return 0;
	return (int) cells;
}

size_t
dpem_tables_check(int k, int d, const double *theta, size_t available)
{
	int			total = 0;

	if (available < T_HEADER || !(theta[T_RADIUS] > 0) || !isfinite(theta[T_RADIUS]) ||
		!dpem_is_whole(theta[T_COLUMNS], 1, DPEM_TABLES_MAX_COLUMNS) || !dpem_is_whole(theta[T_TABLES], 1, DPEM_TABLES_MAX))
		return 0;
	if (available < dpem_tables_cells_length(theta))
		return 0;
	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
		if (!check_column(column_numbers(theta, c), d))
			return 0;
	for (int t = 0; t < (int) theta[T_TABLES]; t++)
	{
		const double *number = column_numbers(theta, (int) theta[T_COLUMNS]) + TABLE_NUMBERS * (size_t) t;
		int			cells = check_table(theta, (int) theta[T_COLUMNS], number, total);

		total += cells;
		if (cells == 0 || total > DPEM_TABLES_MAX_CELLS)
			return 0;
	}
	return total == k ? check_edges(theta, available) : 0;
}

/* ---- rows ---- */

/* the cell of each row, of every column: integers as doubles do not need, but as scratch memory is */
size_t
dpem_tables_scratch(const double *theta)
{
	return ((size_t) theta[T_COLUMNS] + 1) * DPEM_BLOCK_STRIDE / 2 + DPEM_BLOCK_STRIDE;
}

static void
label_cells(const DpemTableColumn *column, const DpemBlock *block, int32_t *cell)
{
	for (int row = 0; row < block->rows; row++)
		cell[row] = column->length;
	for (int j = 0; j < column->length; j++)
	{
		const double *x = block->x + (size_t) (column->first + j) * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
			cell[row] = x[row] > 0 ? j : cell[row];
	}
}

/* what is beyond an outer edge is in the bin there */
static void
equal_bins(const DpemTableColumn *column, const double *x, int rows, double unit, int32_t *cell)
{
	int			bins = dpem_table_bins(column);
	double		scale = bins / (column->upper - column->lower);

	for (int row = 0; row < rows; row++)
	{
		double		at = (x[row] * unit - column->lower) * scale;

		cell[row] = at >= bins ? bins - 1 : at > 0 ? (int32_t) at : 0;
	}
}

static void
placed_bins(const DpemTableColumn *column, const double *x, int rows, double unit, int32_t *cell)
{
	int			inner = dpem_table_bins(column) - 1;

	for (int row = 0; row < rows; row++)
		cell[row] = dpem_gam_edges_below(column->edge, inner, x[row] * unit);
}

static void
number_cells(const DpemTableColumn *column, const DpemBlock *block, double unit, int32_t *cell)
{
	const double *x = block->x + (size_t) column->first * DPEM_BLOCK_STRIDE;
	const double *known = block->x + (size_t) column->known * DPEM_BLOCK_STRIDE;
	int			bins = dpem_table_bins(column);

	if (column->edge == NULL)
		equal_bins(column, x, block->rows, unit, cell);
	else
		placed_bins(column, x, block->rows, unit, cell);
	for (int row = 0; column->known > 0 && row < block->rows; row++)
		cell[row] = known[row] > 0 ? cell[row] : bins;
}

static void
find_cells(const double *theta, const DpemBlock *block, int feature_bits, int32_t *cell)
{
	double		unit = theta[T_RADIUS] / (double) (INT64_C(1) << feature_bits);
	const double *edge = theta + dpem_tables_cells_length(theta);
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int c = 0; c < (int) theta[T_COLUMNS]; c++)
	{
		DpemTableColumn column = read_column(theta, c, edge);

		if (column.length > 1)
			label_cells(&column, block, cell + (size_t) c * DPEM_BLOCK_STRIDE);
		else
			number_cells(&column, block, unit, cell + (size_t) c * DPEM_BLOCK_STRIDE);
		edge += edges_of(&column);
	}
	dpem_fpenv_leave(&fpenv);
}

/* place[row] = the row's cell of the table, among those of all tables */
static void
place_rows(const double *theta, const DpemTable *table, const DpemBlock *block, const int32_t *cell, int32_t *place)
{
	for (int i = 0; i < table->order; i++)
	{
		const int32_t *of = cell + (size_t) table->column[i] * DPEM_BLOCK_STRIDE;
		int32_t		cells = (int32_t) column_numbers(theta, table->column[i])[2];

		for (int row = 0; row < block->rows; row++)
			place[row] = i == 0 ? of[row] : place[row] * cells + of[row];
	}
}

/* a null row adds nothing to a cell, like any other */
void
dpem_tables_tally(const double *theta, const DpemBlock *block, int feature_bits, int64_t unit,
				  DpemInt128 *exact, double *real, double *scratch)
{
	int32_t    *cell = (int32_t *) scratch;
	int32_t    *place = cell + (size_t) theta[T_COLUMNS] * DPEM_BLOCK_STRIDE;

	find_cells(theta, block, feature_bits, cell);
	for (int t = 0; t < (int) theta[T_TABLES]; t++)
	{
		DpemTable	table = dpem_tables_read(theta, t);

		place_rows(theta, &table, block, cell, place);
		if (exact != NULL)
		{
			for (int row = 0; row < block->rows; row++)
				exact[table.first + place[row]] += (int64_t) block->keep[row] * unit;
		}
		else
		{
			for (int row = 0; row < block->rows; row++)
				real[table.first + place[row]] += block->keep[row];
		}
	}
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
tables_theta_check(const DpemMomentLayout *layout, const double *theta, size_t available)
{
	return layout->second == DPEM_COUNTS_ALONE ? dpem_tables_check(layout->k, layout->d, theta, available) : 0;
}

static size_t
tables_scratch_length(const DpemMomentLayout *layout)
{
	(void) layout;
	return (DPEM_TABLES_MAX_COLUMNS + 2) * DPEM_BLOCK_STRIDE / 2;
}

static void
tables_tally(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block, int feature_bits,
			 int64_t unit, DpemInt128 *exact, double *real, double *scratch)
{
	(void) layout;
	dpem_tables_tally(theta, block, feature_bits, unit, exact, real, scratch);
}

const DpemKernel dpem_kernel_tables = {
	.name = "tables",.code = 30,.contribution = DPEM_ROW_OF_TABLES,.max_components = DPEM_TABLES_MAX_CELLS,
	.theta_check = tables_theta_check,.scratch_length = tables_scratch_length,.fine = true,.tally = tables_tally
};
