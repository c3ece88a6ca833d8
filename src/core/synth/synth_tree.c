/*
 * synth_tree.c - see synth_tree.h.
 */
#include <math.h>

#include "core/synth/synth_tree.h"

typedef struct Graph
{
	int			columns;
	const int  *size;
	DpemSynthSet near[DPEM_SYNTH_COLUMNS];	/* neighbours, the column itself included */
} Graph;

static Graph
graph_of(const int *size, int columns, const DpemSynthSet *sets, int n)
{
	Graph		graph = {columns, size, {0}};

	for (int j = 0; j < columns; j++)
		graph.near[j] = dpem_synth_column(j);
	for (int i = 0; i < n; i++)
		for (DpemSynthSet set = sets[i]; set != 0; set &= set - 1)
			graph.near[__builtin_ctzll(set)] |= sets[i];
	return graph;
}

/* twice the edges that eliminating the column adds */
static double
fill_of(const Graph *graph, int j)
{
	int			fill = 0;

	for (DpemSynthSet set = graph->near[j]; set != 0; set &= set - 1)
		fill += dpem_synth_order(graph->near[j] & ~graph->near[__builtin_ctzll(set)]);
	return fill;
}

/* column of those alive whose elimination costs least; a tie goes to the other criterion */
static int
cheapest(const Graph *graph, DpemSynthSet alive, bool by_fill)
{
	double		least = INFINITY;
	double		least_cells = INFINITY;
	int			best = -1;

	for (DpemSynthSet set = alive; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);
		double		cells = dpem_synth_cells(graph->size, graph->near[j]);
		double		cost = by_fill ? fill_of(graph, j) : cells;

		if (cost < least || (cost == least && cells < least_cells))
		{
			least = cost;
			least_cells = cells;
			best = j;
		}
	}
	return best;
}

static bool
in_one_of(DpemSynthSet set, const DpemSynthSet *sets, int n)
{
	for (int i = 0; i < n; i++)
		if ((set & ~sets[i]) == 0)
			return true;
	return false;
}

static void
eliminate(Graph graph, bool by_fill, DpemSynthTree *tree)
{
	DpemSynthSet alive = 0;

	tree->cliques = 0;
	tree->cells = 0;
	for (int j = 0; j < graph.columns; j++)
		alive |= dpem_synth_column(j);
	while (alive != 0)
	{
		int			j = cheapest(&graph, alive, by_fill);
		DpemSynthSet clique = graph.near[j];

		alive &= ~dpem_synth_column(j);
		for (DpemSynthSet set = clique & alive; set != 0; set &= set - 1)
		{
			int			other = __builtin_ctzll(set);

			graph.near[other] = (graph.near[other] | clique) & alive;
		}
		if (in_one_of(clique, tree->set, tree->cliques))
			continue;
		tree->set[tree->cliques++] = clique;
		tree->cells += dpem_synth_cells(graph.size, clique);
	}
}

static void
swap_cliques(DpemSynthTree *tree, int i, int j)
{
	DpemSynthSet set = tree->set[i];

	tree->set[i] = tree->set[j];
	tree->set[j] = set;
}

/*
 * Prim's algorithm: the maximal cliques' spanning tree of largest separators is a
 * junction tree.  What shares nothing hangs on the first clique by an empty separator.
 */
static void
join(DpemSynthTree *tree)
{
	for (int placed = 0; placed < tree->cliques; placed++)
	{
		int			best = placed;
		int			shared = 0;

		tree->parent[placed] = placed == 0 ? -1 : 0;
		for (int i = placed; i < tree->cliques; i++)
			for (int p = 0; p < placed; p++)
				if (dpem_synth_order(tree->set[i] & tree->set[p]) > shared)
				{
					shared = dpem_synth_order(tree->set[i] & tree->set[p]);
					best = i;
					tree->parent[placed] = p;
				}
		swap_cliques(tree, placed, best);
	}
}

void
dpem_synth_tree(const int *size, int columns, const DpemSynthSet *sets, int n, DpemSynthTree *tree)
{
	Graph		graph = graph_of(size, columns, sets, n);
	DpemSynthTree other;

	eliminate(graph, false, tree);
	eliminate(graph, true, &other);
	if (other.cells < tree->cells)
		*tree = other;
	join(tree);
}
