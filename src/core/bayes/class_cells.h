/*
 * class_cells.h - counts of rows by class and by cell of every column, in one
 * release.
 *
 * A column's cells are parts of a number's public domain (core/gam/gam_bins.h), or the categories of a
 * label.  A valid row of a known class leaves a mark for its class, and one for
 * its class and its cell in every column whose value is known.  All marks have the
 * same size, and the marks of a row form a vector without negative entries and of
 * norm at most 1 (docs/proofs.md, 21): `dpem_document_sensitivity2`.
 *
 * The kernel `class_cells` (kernel.h) uses the sums of its components as one long
 * vector of places: place i is sum i % d of component i / d.  A class's places
 * stand together, first that of its number of rows, then those of the cells, in
 * the order of the columns; with `as_one` rows of all classes are marked at the places of one.  Counts are zero.
 */
#ifndef DPEM_CORE_CLASS_CELLS_H
#define DPEM_CORE_CLASS_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/moments.h"

/* DpemCellColumn.known, where no coordinate tells: the number is known in every valid row; a label */
#define DPEM_CELLS_ALWAYS	0
#define DPEM_CELLS_OF_LABEL	(-1)

typedef struct DpemCellColumn
{
	int			first;			/* its coordinate, or the first of its categories' */
	int			cells;			/* parts, or categories */
	int			known;			/* coordinate, not the first, that is above 0 where the number is known; or as above */
	const double *edge;			/* cells - 1: between parts, ascending box coordinates; not read of a label */
} DpemCellColumn;

typedef struct DpemClassCells
{
	double		radius;			/* of the pass's feature map: features times this are box coordinates */
	int			classes;
	int			first_class;	/* coordinate of the first class's category */
	bool		as_one;			/* rows that have a class are counted whatever it is */
	int			columns;
	const DpemCellColumn *column;
} DpemClassCells;

/* classes that are told apart */
extern int	dpem_class_cells_apart(const DpemClassCells *cells);

/* cells of all columns, places of all classes, and components of a pass in d coordinates that has as many */
extern size_t dpem_class_cells_number(const DpemClassCells *cells);
extern size_t dpem_class_cells_places(const DpemClassCells *cells);
extern int	dpem_class_cells_components(const DpemClassCells *cells, int d);

/* where place i is in moments of that layout */
extern size_t dpem_class_cells_at(const DpemMomentLayout *layout, size_t place);

/* a row's mark, a real number: 1 / sqrt(columns + 1) */
extern double dpem_class_cells_mark(const DpemClassCells *cells);

/* as parameters of a pass, dpem_class_cells_theta_length numbers */
extern size_t dpem_class_cells_theta_length(const DpemClassCells *cells);
extern void dpem_class_cells_write(const DpemClassCells *cells, double *theta);

/* numbers that the parameters take that `theta` begins with; 0 if they are none for the layout, or, of any layout, for d coordinates */
extern size_t dpem_class_cells_check(const DpemMomentLayout *layout, const double *theta, size_t available);
extern size_t dpem_class_cells_check_shape(int d, const double *theta, size_t available);

/* parameters that were checked, and a place among them */
typedef struct DpemCellsRead
{
	const double *theta;
	size_t		length;			/* numbers in theta */
	int			classes;
	int			columns;
	size_t		cells;			/* of all columns */
	int			next;			/* column, */
	const double *edge;			/* and its edges, if it is a number */
} DpemCellsRead;

extern DpemCellsRead dpem_class_cells_read(const double *theta);

/* of each row of a block its class, from 0; -1: it has none, or does not count */
extern void dpem_class_cells_find_class(const double *theta, const DpemBlock *block, int feature_bits, double *class);

/* likewise its cell of the next column, from 0; -1: it is not known.  Returns the column's cells */
extern int	dpem_class_cells_find_next(DpemCellsRead *read, const DpemBlock *block, int feature_bits, double *which);

/*
 * sums[] = the block's marks (overwritten).  With bits a mark is rounded down to units of
 * 2^-(p + q), q = DPEM_FEATURE_BITS whatever feature_bits are, so that the squares of a row's marks add up to exactly at most
 * 2^(2 (p + q)); without, it is a real number.  scratch: 2 * DPEM_BLOCK_STRIDE doubles.
 */
extern void dpem_class_cells_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
										int feature_bits, int responsibility_bits, double *sums, double *scratch);

#endif							/* DPEM_CORE_CLASS_CELLS_H */
