/*
 * synth_tree.h - junction trees of sets of columns.  Private to core/synth.
 */
#ifndef DPEM_CORE_SYNTH_TREE_H
#define DPEM_CORE_SYNTH_TREE_H

#include "core/synth/synth_domain.h"

typedef struct DpemSynthTree
{
	int			cliques;
	double		cells;
	DpemSynthSet set[DPEM_SYNTH_COLUMNS];
	int			parent[DPEM_SYNTH_COLUMNS]; /* -1: the root, which is the first; parents stand before their children */
} DpemSynthTree;

/*
 * The smaller of the trees that two greedy eliminations give, one by the least
 * cells of the clique, one by the fewest edges added (Koller, Friedman 2009,
 * section 9.4.3); columns in no set are cliques of their own.
 */
extern void dpem_synth_tree(const int *size, int columns, const DpemSynthSet *sets, int n, DpemSynthTree *tree);

#endif							/* DPEM_CORE_SYNTH_TREE_H */
