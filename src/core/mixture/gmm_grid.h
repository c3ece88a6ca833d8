/*
 * gmm_grid.h - the grid over whitened rows that a mixture's cells are counted in.
 */
#ifndef DPEM_CORE_GMM_GRID_H
#define DPEM_CORE_GMM_GRID_H

#include "core/mixture/gmm_cells.h"
#include "core/kernels/cells.h"

/* norm at which whitened rows are clipped for the grid: beyond the corners of the widest grid */
extern double dpem_gmm_grid_radius(int d);

/*
 * The grid over the first `axes` of d whitened coordinates, of about `most` cells at most: every axis as wide as the domain's box
 * is there (center in box coordinates, whitening from them), at most DPEM_GMM_CELLS_REACH deviations.  projection: axes * d,
 * filled and kept by the grid; not read where axes are d.
 */
extern DpemCellGrid dpem_gmm_grid(int k, int axes, int d, int most, const double *center, const double *whitening, double rows, double sd,
								  double *projection);

/* cells of such a grid, in its axes; arrays of counts (n) and middles (n * axes) are the caller's */
extern DpemGmmCells dpem_gmm_grid_cells(const DpemCellGrid *grid, const double *count, double sd,
										double rows, double *middle);

/* noise levels of the components' records: one for all, from their average number of cells */
extern DpemNoisyMoments dpem_gmm_grid_noise(const DpemGmmCells *cells, const DpemGmm *gmm);

#endif							/* DPEM_CORE_GMM_GRID_H */
