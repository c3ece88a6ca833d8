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
	bool		heap;			/* a heap of rows is all that cells show, and */
	DpemKmeansTotal total;		/* what they say of it */
	DpemKmeans	beside;			/* centers of cells beside it, k of them, and */
	double	   *beside_spread;	/* k: root mean square distances of their rows */
} DpemKmeansLeft;

/*
 * plan->grid.looks passes and releases of counts, from the given grid on.  As long
 * as the rows are spread over it they are of one grid, and averaged; where the rows
 * stand in a small part, the next looks are at a finer grid within.  Returns the
 * cells of the innermost grid and, about it, those of the others that hold rows; of a heap those beside it.
 * Looks at a finer grid in which noise would hide clusters are left to passes.
 * Everything is allocated in the current memory context.
 */
extern DpemKmeansCounts dpem_kmeans_look(DpemKmeansRun *run, const DpemCellGrid *grid, DpemKmeansLeft *left);

/* ---- a heap of rows (kmeans_heap.c) ---- */

/* nothing is left yet; in the current memory context */
extern DpemKmeansLeft dpem_kmeans_left_make(const DpemKmeansRun *run);

/* centers of the cells beside a heap, if there may be rows there */
extern void dpem_kmeans_find_beside(const DpemKmeansRun *run, DpemKmeansCounts *beside, DpemKmeansLeft *left);

/*
 * Looks at all rows together, from nearer each time, in place of those at cells and, at last, of that about centers, as long as noise hides
 * clusters of theirs.  run->means are centers of a round normal law then, and those beside it; false if nothing is left to move them by.
 */
extern bool dpem_kmeans_look_at_heap(DpemKmeansRun *run, DpemKmeansLeft *left, double *spread);

/*
 * A pass over the rows about run->means, which move, in place of a look that is left: counts, sums and squared norms, a Gaussian
 * release of the multiplier that line DPEM_GRID_CELLS has paid for, with the noise of its own sensitivity (docs/proofs.md, sections
 * 10 and 14).  spread (k): root mean square distances of the clusters' rows.
 */
extern void dpem_kmeans_run_grid_pass(DpemKmeansRun *run, double *spread);

/* raises 22023, before the charge, if noise of such a pass is too large to be drawn */
extern void dpem_kmeans_check_grid_pass(const DpemKmeansPlan *plan);

#endif							/* DPEM_FAMILY_KMEANS_LOOKS_H */
