/*
 * gmm_cells_seeds.h - starts of a mixture in cells: k-means++ on those whose counts stand out of the noise (post-processing).
 */
#ifndef DPEM_CORE_GMM_CELLS_SEEDS_H
#define DPEM_CORE_GMM_CELLS_SEEDS_H

#include "core/mixture/gmm_cells.h"
#include "core/numeric/public_random.h"

typedef struct DpemCellSeeds
{
	const DpemGmmCells *cells;
	DpemPublicRandom random;
	double		threshold;
	double	   *distance;		/* n: squared, to the nearest mean so far; 0 for a cell below the threshold */
} DpemCellSeeds;

/*
 * gmm becomes round clusters of the cells that stand out by so many deviations of the noise: k-means++ (Arthur, Vassilvitskii 2007)
 * with the best of a few candidates each time, and some of Lloyd's steps.  work: k * d numbers.
 */
extern void dpem_cell_seeds(DpemCellSeeds *seeds, double deviations, DpemGmm *gmm, DpemWorkspace work);

#endif							/* DPEM_CORE_GMM_CELLS_SEEDS_H */
