/*
 * cell_join.h - parts of numbers that are one where rows are counted by class.
 *
 * core/gam/gam_join.h says why: noise in a part is the same however few rows are in it.  A first release counts rows in the parts of
 * all numbers, whatever their class; parts next to each other are joined until a number has about as many as noise in counts by
 * class lets it, but few rows at an end stay apart if they stand in a cell that this noise does not hide, as those of a flag.  A number of which
 * one part is left is not counted by class at all.  Within a part the joined
 * ones have the shares of all rows, as the first release has them, so that they say the same of the class.
 *
 * Everything here reads released numbers and public facts.
 */
#ifndef DPEM_CORE_CELL_JOIN_H
#define DPEM_CORE_CELL_JOIN_H

#include "core/bayes/bayes_estimate.h"

typedef struct DpemCellJoin
{
	int		   *place;			/* of each cell: which of those that are left in its column it is in, from 0 */
	int		   *left;			/* columns: how many these are; 0: the column is not counted */
	double	   *rows;			/* in each cell, as they were released, then the nearest that are possible; not read of labels */
	double		sd;				/* of the noise in these; 0: nothing was released */
} DpemCellJoin;

/* nothing is joined; cells: their columns and lengths are read */
extern void dpem_cells_apart(const DpemBayesCounts *cells, DpemCellJoin *join);

/*
 * What is joined, by its rows.  cells: columns, lengths and what is ordered, the number of classes; noise: standard deviation
 * in a count by class to come.  Rows are then not negative and add up to those that know the number.  work: dpem_cells_join_work.
 */
extern size_t dpem_cells_join_work(const DpemBayesCounts *cells);
extern void dpem_cells_join(const DpemBayesCounts *cells, double noise, DpemCellJoin *join, DpemWorkspace work);

/* columns and lengths of what is left: arrays of as many as there are */
extern DpemBayesCounts dpem_cells_left(const DpemBayesCounts *cells, const DpemCellJoin *join, int *length, bool *ordered, bool *complete);

/*
 * All cells' probabilities from those of what is left, which has so many cells.  The noise that is stated of a class is that of
 * counts by class, or that of shares within a part, whichever is larger.
 */
extern void dpem_cells_part(const DpemBayesCounts *cells, const DpemCellJoin *join, const DpemBayes *left, int cells_left, DpemBayes *all);

#endif							/* DPEM_CORE_CELL_JOIN_H */
