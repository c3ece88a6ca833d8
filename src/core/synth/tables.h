/*
 * tables.h - counts of many small tables (marginals) in one pass.
 *
 * A column's values fall into cells: a label's categories, and bins of a number's
 * coordinate, equal ones or between given edges; what is unknown, or no category, has the last cell.  A
 * table is the product of 1 to DPEM_TABLES_ORDER columns.  A valid row adds 1 to
 * one cell of each table and nothing to any other (docs/proofs.md, 24):
 * DPEM_ROW_OF_TABLES.
 *
 * The kernel `tables` (kernel.h) has a component for each cell: tables one after the
 * other, the cells of a table with its last column fastest.
 */
#ifndef DPEM_CORE_TABLES_H
#define DPEM_CORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"
#include "core/pass/moments.h"

#define DPEM_TABLES_MAX_CELLS	(1 << 20)	/* of all tables */
#define DPEM_TABLES_MAX_COLUMNS 256
#define DPEM_TABLES_MAX			8192
#define DPEM_TABLES_ORDER		4

/* how a column's values become cells; coordinates are those of the pass */
typedef struct DpemTableColumn
{
	int			first;			/* coordinate */
	int			length;			/* coordinates: 1 of a number, the categories of a label, of which one at most is above 0 */
	int			cells;			/* with that of what is unknown, which every label has */
	int			known;			/* of a number: coordinate that is above 0 where it is known; 0: it always is */
	double		lower;			/* of a number: outer edges of the bins, in box coordinates */
	double		upper;
	const double *edge;			/* of a number: between its bins, one less than these, ascending, strictly within lower and upper; NULL: they are equal */
} DpemTableColumn;

typedef struct DpemTable
{
	int			order;
	int			column[DPEM_TABLES_ORDER];	/* ascending */
	int			first;			/* its first cell among all */
	int			cells;
} DpemTable;

typedef struct DpemTableSet
{
	double		radius;			/* of the pass's feature map: features times this are box coordinates */
	int			columns;
	int			tables;
	const DpemTableColumn *column;
	const DpemTable *table;		/* filled by dpem_tables_arrange */
} DpemTableSet;

/*
 * What a model says of tables of its columns, whose cells are in groups that it knows.  column: first is a
 * coordinate of the model, lower and upper are in that of its scale, known is 1 of a number that may be unknown.  table: order
 * and columns alone.
 */
typedef struct DpemExpectedTables
{
	int			columns;
	const DpemTableColumn *column;
	const int *const *group;	/* columns: the group of each cell, from 0 */
	const int  *groups;			/* columns */
	int			tables;
	DpemTable  *table;
	double	  **share;			/* tables: of the rows, by groups, the last column's fastest; they add up to 1 */
} DpemExpectedTables;

/* bins of a number's column: its cells but that of what is unknown */
extern int	dpem_table_bins(const DpemTableColumn *column);

/* whether its edges, if it has some, ascend between its ends */
extern bool dpem_table_edges_ascend(const DpemTableColumn *column);

/*
 * Fills first and cells of tables whose order and columns are given.  Returns the number
 * of cells in all; 0 if they are more than DPEM_TABLES_MAX_CELLS or a table is not of
 * ascending columns.
 */
extern int	dpem_tables_arrange(const DpemTableColumn *column, int columns, DpemTable *table, int tables);

/* parameters of a pass: their number, and writing them */
extern size_t dpem_tables_theta_length(const DpemTableSet *set);
extern void dpem_tables_write(const DpemTableSet *set, double *theta);

/* how many of the numbers, the first ones, say which cells each table has; those after them are edges */
extern size_t dpem_tables_cells_length(const double *theta);

/*
 * If the `available` numbers of theta begin with tables of k cells in all over d
 * coordinates, how many numbers these take; else 0.
 */
extern size_t dpem_tables_check(int k, int d, const double *theta, size_t available);

/* of checked parameters: number of tables, and one of them */
extern int	dpem_tables_number(const double *theta);
extern DpemTable dpem_tables_read(const double *theta, int table);

/*
 * Adds `unit` to exact[], or 1 to real[] (the other is NULL), for the cell of each
 * table that each valid row of the block is in.  A row's cells are a function of that
 * row and the parameters alone.  scratch: dpem_tables_scratch doubles.
 */
extern size_t dpem_tables_scratch(const double *theta);
extern void dpem_tables_tally(const double *theta, const DpemBlock *block, int feature_bits, int64_t unit,
							  DpemInt128 *exact, double *real, double *scratch);

#endif							/* DPEM_CORE_TABLES_H */
