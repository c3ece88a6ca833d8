/*
 * kmeans_looks.h - counts of a grid's cells in several looks, each at where the one before found the rows.
 */
#ifndef DPEM_FAMILY_KMEANS_LOOKS_H
#define DPEM_FAMILY_KMEANS_LOOKS_H

#include "core/kmeans/nearby_step.h"
#include "families/kmeans/kmeans_grid.h"

/* looks that were paid for and not made: passes over the rows about centers tell more for the same noise */
typedef struct DpemKmeansLeft
{
	int			looks;
	DpemKmeansTotal *heap;		/* its mean and spread, where a heap of rows is all that cells show; else NULL */
} DpemKmeansLeft;

/*
 * plan->grid.looks passes and releases of counts, from the given grid on.  As long
 * as the rows are spread over it they are of one grid, and averaged; where the rows
 * stand in a small part, the next looks are at a finer grid within.  Returns the
 * cells of the innermost grid and, about it, those of the others that hold rows.
 * Looks at a finer grid in which noise would hide clusters are left to passes.
 * Everything is allocated in the current memory context.
 */
extern DpemKmeansCounts dpem_kmeans_look(DpemKmeansRun *run, const DpemCellGrid *grid, DpemKmeansLeft *left);

/*
 * A pass over the rows about run->means, which move, in place of a look that is left: counts, sums and squared norms, a Gaussian
 * release of the multiplier that line DPEM_GRID_CELLS has paid for, with the noise of its own sensitivity (docs/proofs.md, sections
 * 10 and 14).  spread (k): root mean square distances of the clusters' rows.
 */
extern void dpem_kmeans_run_grid_pass(DpemKmeansRun *run, double *spread);

/* raises 22023, before the charge, if noise of such a pass is too large to be drawn */
extern void dpem_kmeans_check_grid_pass(const DpemKmeansPlan *plan);

#endif							/* DPEM_FAMILY_KMEANS_LOOKS_H */
