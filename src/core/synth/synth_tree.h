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

/* which columns stand in a table together: what a tree follows from */
typedef struct DpemSynthGraph
{
	int			columns;
	const int  *size;
	DpemSynthSet near[DPEM_SYNTH_COLUMNS];	/* neighbours, the column itself included */
} DpemSynthGraph;

/* without edges; and those of one more set */
extern void dpem_synth_graph_init(const int *size, int columns, DpemSynthGraph *graph);
extern void dpem_synth_graph_add(DpemSynthGraph *graph, DpemSynthSet set);

/*
 * The smaller of the trees that two greedy eliminations give, one by the least
 * cells of the clique, one by the fewest edges added (Koller, Friedman 2009,
 * section 9.4.3); columns in no set are cliques of their own.
 */
extern void dpem_synth_tree(const DpemSynthGraph *graph, DpemSynthTree *tree);

/* whether that tree has at most `limit` cells: stops as soon as that is known */
extern bool dpem_synth_tree_fits(const DpemSynthGraph *graph, double limit);

#endif							/* DPEM_CORE_SYNTH_TREE_H */
