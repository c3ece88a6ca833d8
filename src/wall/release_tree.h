/*
 * release_tree.h - sums over batches of rows, one batch after the other, with the noise of a binary tree.
 *
 * Batches are the groups of a pass: a row is in one at most, by its own values.  With every batch the
 * sums of the tree's nodes that end with it (core/online/tree_sums.h) are released, and what the next batch's
 * rows are asked may depend on them.  A row is in one node of each level, so that the whole tree costs what
 * as many releases as it has levels do (docs/proofs.md, 28); a line pays for all at once.
 */
#ifndef DPEM_WALL_RELEASE_TREE_H
#define DPEM_WALL_RELEASE_TREE_H

#include "core/online/tree_sums.h"
#include "wall/release.h"

typedef struct DpemTree DpemTree;

/*
 * Over the groups of the pass, in their order, by its kernel and layout (without second moments), and by the first part's
 * feature map.  The line has dpem_tree_levels(groups) releases.  The source must keep its rows
 * (dpem_source_keeps_rows): which rows of a unit count is chosen once.
 */
extern DpemTree *dpem_tree_begin(DpemCharge *charge, int line, DpemSource *source, const DpemPass *pass,
								 const DpemReleaseSpec *spec);

/*
 * Reads the rows of the next batch with these parameters.  Returns how many nodes end with it
 * (dpem_tree_ending), and puts them into node[0], node[1], ...: DPEM_TREE_MOST_LEVELS have room.
 */
extern int	dpem_tree_next(DpemTree *tree, const double *theta, DpemNoisyMoments **node);

#endif							/* DPEM_WALL_RELEASE_TREE_H */
