/*
 * margins.h - one-way histograms of all columns in one release.
 *
 * The box [-1, 1] of every column is cut into `parts` equal bins, each of these
 * again into `parts`, and so on for `levels` levels.  A valid row leaves a mark in
 * one bin of every level of every column.  All marks of a level have the same size,
 * and the marks of a row form a vector without negative entries and of norm at
 * most 1 (docs/proofs.md, 20): `dpem_document_sensitivity2`.
 *
 * Coordinates that are the categories of one label share its marks: of a row in a category they are in that
 * coordinate's last bins, as if it were 1, of a row in none in the bins of 0 of the label's first coordinate.  So a label costs as
 * much as a number, however many categories it has.
 *
 * The kernel `margins` (kernel.h) has one component for each bin, whose sums are
 * the marks in it, a coordinate for each column; its counts are zero.
 */
#ifndef DPEM_CORE_MARGINS_H
#define DPEM_CORE_MARGINS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/moments.h"

#define DPEM_MARGINS_MAX_LEVELS	3
#define DPEM_MARGINS_MAX_PARTS	64

/* what a coordinate with margins is */
enum
{
	DPEM_MARGINS_NUMBER, DPEM_MARGINS_LABEL, DPEM_MARGINS_NEXT	/* a label's first category; another of the label before it */
};

typedef struct DpemMarginGrid
{
	double		radius;			/* of the pass's feature map: features times this are box coordinates */
	int			columns;		/* number of leading coordinates that have margins */
	int			parts;			/* 2 .. 64, of every bin of the level above */
	int			levels;			/* 1 .. DPEM_MARGINS_MAX_LEVELS */
	int			known;			/* coordinate from which on as many tell by being above 0 which rows leave marks
								 * in each column; 0: all rows do */
	const double *kind;			/* of each of these coordinates, as above; NULL: all are numbers */
	int			marks;			/* of a row in a level: numbers and labels; 0: one for each column */
} DpemMarginGrid;

/* the finest grid for a pass over `columns` columns of `groups` groups, from these public numbers alone */
extern DpemMarginGrid dpem_margin_grid(int columns, int groups, double radius);

/* the same grid for coordinates of these kinds, which stay the caller's */
extern DpemMarginGrid dpem_margin_grid_of(DpemMarginGrid grid, const double *kind);

/* marks of a row in a level: one for each number and label */
extern int	dpem_margin_marks(const DpemMarginGrid *grid);

/* coordinates of the number or label that begins at one; kind as above */
extern int	dpem_margin_width(const DpemMarginGrid *grid, int column);

/* may a bin have so many parts? */
extern bool dpem_is_margin_parts(double parts);

/* bins of one level (the first is 0), of those before it, and of all */
extern int	dpem_margin_level_bins(const DpemMarginGrid *grid, int level);
extern int	dpem_margin_level_first(const DpemMarginGrid *grid, int level);

static inline int
dpem_margin_bins(const DpemMarginGrid *grid)
{
	return dpem_margin_level_first(grid, grid->levels);
}

/* a row's mark in a bin of that level, a real number: sqrt(share of the level / marks) */
extern double dpem_margin_mark(const DpemMarginGrid *grid, int level);

/* the grid as that many parameters of a pass; whether parameters are those of a grid for the layout */
extern size_t dpem_margins_theta_length(const DpemMomentLayout *layout);
extern void dpem_margins_write(const DpemMarginGrid *grid, const DpemMomentLayout *layout, double *theta);
extern bool dpem_margins_valid(const DpemMomentLayout *layout, const double *theta);

/*
 * Counts the block's rows by bin in scratch, dpem_margins_scratch(layout) numbers, zero before the first block; then adds their
 * marks to sums[], and clears it.  In the layout of moments.h: a record
 * of d + 1 numbers for each bin, level by level, bins ascending.  With bits a mark
 * is rounded down to units of 2^-(p + q), q = DPEM_FEATURE_BITS whatever feature_bits are, so that the
 * squares of a row's marks add up to exactly at most 2^(2 (p + q)); without, it is a real number.
 */
extern void dpem_margins_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
									int feature_bits, int responsibility_bits, double *sums, double *scratch);
extern void dpem_margins_complete(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits,
								  double *sums, double *scratch);
extern size_t dpem_margins_scratch(const DpemMomentLayout *layout);

#endif							/* DPEM_CORE_MARGINS_H */
