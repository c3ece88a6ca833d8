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
} DpemCellJoin;

/* nothing is joined; cells: their columns and lengths are read */
extern void dpem_cells_apart(const DpemBayesCounts *cells, DpemCellJoin *join);

/*
 * What is joined.  cells: columns, lengths and what is ordered, the number of classes; bins: of each cell rows as they
 * were released, not read of labels; sd: of their noise; noise: standard deviation in a count by class to come.  work: dpem_cells_join_work.
 */
extern size_t dpem_cells_join_work(const DpemBayesCounts *cells);
extern void dpem_cells_join(const DpemBayesCounts *cells, const double *bins, double sd, double noise, DpemCellJoin *join, DpemWorkspace work);

/* columns and lengths of what is left: arrays of as many as there are */
extern DpemBayesCounts dpem_cells_left(const DpemBayesCounts *cells, const DpemCellJoin *join, int *length, bool *ordered, bool *complete);

/* all cells' probabilities from those of what is left, which has so many cells; bins: as above */
extern void dpem_cells_part(const DpemBayesCounts *cells, const double *bins, const DpemCellJoin *join, const DpemBayes *left, int cells_left, DpemBayes *all);

#endif							/* DPEM_CORE_CELL_JOIN_H */
