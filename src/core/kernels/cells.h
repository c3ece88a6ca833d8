/*
 * cells.h - counting rows in the cells of a public grid.
 *
 * A grid is a box in feature coordinates, or in up to twelve linear combinations
 * of them, cut into equal parts along each axis.  In a grid of two levels each of
 * these cells is cut again, into its own number of parts per axis.  Rows outside
 * the box belong to the nearest cell at its border, so every valid row is in
 * exactly one cell.  Cell numbers vary fastest along the last axis.
 *
 * The kernel `cells` (kernel.h) has grids as parameters; its moments are
 * counts alone, one component per cell.
 */
#ifndef DPEM_CORE_CELLS_H
#define DPEM_CORE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"

#define DPEM_CELLS_MAX_AXES 12
#define DPEM_CELLS_MAX		(1 << 20)

typedef struct DpemCellAxis
{
	double		lower;
	double		upper;			/* > lower */
	int			parts;			/* >= 1 */
} DpemCellAxis;

typedef struct DpemCellGrid
{
	int			axes;			/* 1 .. DPEM_CELLS_MAX_AXES */
	int			d;				/* features of a row */
	DpemCellAxis axis[DPEM_CELLS_MAX_AXES];
	const double *projection;	/* axes * d, or NULL: the axes are the features, d of them */
	const double *parts;		/* of every cell: its parts per axis, >= 1; NULL: one level */
} DpemCellGrid;

/* cells before and after the second cut; 0 if there are more than DPEM_CELLS_MAX */
extern int	dpem_cells_coarse(const DpemCellGrid *grid);
extern int	dpem_cells_number(const DpemCellGrid *grid);

/* a grid as parameters of a pass, dpem_cells_theta_length numbers */
extern size_t dpem_cells_theta_length(const DpemCellGrid *grid);
extern void dpem_cells_write(const DpemCellGrid *grid, double *theta);

/*
 * If the `available` numbers of theta begin with a grid of k cells in d features,
 * the number that the grid takes; else 0.
 */
extern size_t dpem_cells_check(int k, int d, const double *theta, size_t available);

/*
 * component[row] = the cell of every row of the block, -1 for null rows.
 * Features are in units of 2^-feature_bits.  scratch: dpem_cells_scratch
 * doubles.
 */
extern size_t dpem_cells_scratch(void);
extern void dpem_cells_locate(const double *theta, const DpemBlock *block, int feature_bits,
							  int32_t *component, double *scratch);

/* the middles of all cells, dpem_cells_number * axes numbers */
extern void dpem_cells_middles(const DpemCellGrid *grid, double *middle);

#endif							/* DPEM_CORE_CELLS_H */
