/*
 * kmeans_looks.h - counts of a grid's cells in several looks, each at where the one before found the rows.
 */
#ifndef DPEM_FAMILY_KMEANS_LOOKS_H
#define DPEM_FAMILY_KMEANS_LOOKS_H

#include "families/kmeans/kmeans_grid.h"

/*
 * plan->grid.looks passes and releases of counts, from the given grid on.  As long
 * as the rows are spread over it they are of one grid, and averaged; where the rows
 * stand in a small part, the next looks are at a finer grid within.  Returns the
 * cells of the innermost grid and, about it, those of the others that hold rows.
 * Everything is allocated in the current memory context.
 */
extern DpemKmeansCounts dpem_kmeans_look(DpemKmeansRun *run, const DpemCellGrid *grid);

#endif							/* DPEM_FAMILY_KMEANS_LOOKS_H */
