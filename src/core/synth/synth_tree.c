/*
 * synth_tree.c - see synth_tree.h.
 */
#include <math.h>

#include "core/synth/synth_tree.h"

void
dpem_synth_graph_init(const int *size, int columns, DpemSynthGraph *graph)
{
	graph->columns = columns;
	graph->size = size;
	for (int j = 0; j < columns; j++)
		graph->near[j] = dpem_synth_column(j);
}

void
dpem_synth_graph_add(DpemSynthGraph *graph, DpemSynthSet set)
{
	for (DpemSynthSet rest = set; rest != 0; rest &= rest - 1)
		graph->near[__builtin_ctzll(rest)] |= set;
}

/* ---- elimination ------------------------------------------------------------- */

/* what a column's elimination costs is kept until one of its neighbours, or an edge between two of them, changes */
typedef struct Elimination
{
	DpemSynthGraph graph;
	bool		by_fill;		/* the criterion: edges added, or cells */
	DpemSynthSet alive;
	DpemSynthSet stale;			/* columns whose costs have to be found again */
	int			fill[DPEM_SYNTH_COLUMNS];	/* twice the edges that eliminating the column adds */
	double		cells[DPEM_SYNTH_COLUMNS];
} Elimination;

static int
fill_of(const DpemSynthGraph *graph, int j)
{
	int			fill = 0;

	for (DpemSynthSet set = graph->near[j]; set != 0; set &= set - 1)
		fill += dpem_synth_order(graph->near[j] & ~graph->near[__builtin_ctzll(set)]);
	return fill;
}

static void
find_costs(Elimination *e)
{
	for (DpemSynthSet set = e->stale & e->alive; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);

		e->cells[j] = dpem_synth_cells(e->graph.size, e->graph.near[j]);
		e->fill[j] = e->by_fill ? fill_of(&e->graph, j) : 0;
	}
	e->stale = 0;
}

/* column of those alive whose elimination costs least; a tie goes to fewer cells, then to the first */
static int
cheapest(const Elimination *e)
{
	int			best = -1;

	for (DpemSynthSet set = e->alive; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);

		if (best < 0 || e->fill[j] < e->fill[best] || (e->fill[j] == e->fill[best] && e->cells[j] < e->cells[best]))
			best = j;
	}
	return best;
}

/* takes a column out and joins its neighbours to each other; returns them and it */
static DpemSynthSet
take_out(Elimination *e, int j)
{
	DpemSynthSet clique = e->graph.near[j];
	bool		adds = e->fill[j] > 0;

	e->alive &= ~dpem_synth_column(j);
	for (DpemSynthSet set = clique & e->alive; set != 0; set &= set - 1)
	{
		int			other = __builtin_ctzll(set);

		e->graph.near[other] = (e->graph.near[other] | clique) & e->alive;
	}
	e->stale = clique;
	for (DpemSynthSet set = adds ? e->alive & ~clique : 0; set != 0; set &= set - 1)
	{
		DpemSynthSet between = e->graph.near[__builtin_ctzll(set)] & clique;

		if ((between & (between - 1)) != 0)
			e->stale |= set & -set;
	}
	return clique;
}

static bool
in_one_of(DpemSynthSet set, const DpemSynthSet *sets, int n)
{
	for (int i = 0; i < n; i++)
		if ((set & ~sets[i]) == 0)
			return true;
	return false;
}

/* the maximal cliques; false, and not all of them, if they have more cells than the limit */
static bool
eliminate(const DpemSynthGraph *graph, bool by_fill, double limit, DpemSynthTree *tree)
{
	Elimination e = {.graph = *graph,.by_fill = by_fill};

	tree->cliques = 0;
	tree->cells = 0;
	for (int j = 0; j < graph->columns; j++)
		e.alive |= dpem_synth_column(j);
	e.stale = e.alive;
	while (e.alive != 0)
	{
		DpemSynthSet clique;

		find_costs(&e);
		clique = take_out(&e, cheapest(&e));
		if (in_one_of(clique, tree->set, tree->cliques))
			continue;
		tree->set[tree->cliques++] = clique;
		tree->cells += dpem_synth_cells(graph->size, clique);
		if (tree->cells > limit)
			return false;
	}
	return true;
}

bool
dpem_synth_tree_fits(const DpemSynthGraph *graph, double limit)
{
	DpemSynthTree tree;

	return eliminate(graph, false, limit, &tree) || eliminate(graph, true, limit, &tree);
}

/* ---- the tree of the cliques --------------------------------------------------- */

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
dpem_synth_tree(const DpemSynthGraph *graph, DpemSynthTree *tree)
{
	DpemSynthTree other;

	(void) eliminate(graph, false, INFINITY, tree);
	if (eliminate(graph, true, tree->cells, &other) && other.cells < tree->cells)
		*tree = other;
	join(tree);
}
