/*
 * test_synth_tree.c - junction trees of core/synth, which keep and stop early what they can, beside the plain greedy
 * eliminations that they are defined by.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/public_random.h"
#include "core/synth/synth_tree.h"
#include "unit.h"

/* edges that are missing among the neighbours, twice */
static int
plain_fill(int columns, const DpemSynthSet *near, int j)
{
	int			fill = 0;

	for (int a = 0; a < columns; a++)
		for (int b = 0; b < columns; b++)
			fill += (near[j] >> a & 1) && (near[j] >> b & 1) && !(near[a] >> b & 1);
	return fill;
}

static int
plain_cheapest(const int *size, int columns, const DpemSynthSet *near, const bool *gone, bool by_fill)
{
	int			best = -1;
	double		least[2] = {INFINITY, INFINITY};

	for (int j = 0; j < columns; j++)
	{
		double		cells = dpem_synth_cells(size, near[j]);
		double		cost = by_fill ? plain_fill(columns, near, j) : cells;

		if (gone[j] || cost > least[0] || (cost == least[0] && cells >= least[1]))
			continue;
		least[0] = cost;
		least[1] = cells;
		best = j;
	}
	return best;
}

/* takes a column out of the others' neighbours, which become each other's */
static void
plain_take_out(int columns, DpemSynthSet *near, int out)
{
	for (int j = 0; j < columns; j++)
	{
		if (j != out && (near[out] >> j & 1))
			near[j] = (near[j] | near[out]) & ~dpem_synth_column(out);
	}
}

/* cells of the maximal cliques, all costs found again at each step */
static double
plain_cells(const DpemSynthGraph *graph, bool by_fill)
{
	DpemSynthSet near[DPEM_SYNTH_COLUMNS];
	DpemSynthSet clique[DPEM_SYNTH_COLUMNS];
	bool		gone[DPEM_SYNTH_COLUMNS] = {false};
	double		cells = 0;

	memcpy(near, graph->near, sizeof near);
	for (int step = 0; step < graph->columns; step++)
	{
		int			j = plain_cheapest(graph->size, graph->columns, near, gone, by_fill);
		bool		part = false;

		clique[step] = near[j];
		for (int before = 0; before < step; before++)
			part = part || (clique[step] & ~clique[before]) == 0;
		cells += part ? 0 : dpem_synth_cells(graph->size, clique[step]);
		gone[j] = true;
		plain_take_out(graph->columns, near, j);
	}
	return cells;
}

static DpemSynthSet
random_set(DpemPublicRandom *random, int columns)
{
	DpemSynthSet set = 0;

	while (dpem_synth_order(set) < 2 + (int) (dpem_public_uniform(random) * dpem_public_uniform(random) * 3))
		set |= dpem_synth_column((int) dpem_public_index(random, (uint64_t) columns));
	return set;
}

/* every clique holds what it shares with those before it in its parent */
static void
check_tree(const DpemSynthTree *tree, const DpemSynthSet *sets, int n)
{
	for (int c = 0; c < tree->cliques; c++)
	{
		DpemSynthSet before = 0;

		for (int b = 0; b < c; b++)
			before |= tree->set[b];
		CHECK(c == 0 ? tree->parent[c] == -1 : tree->parent[c] >= 0 && tree->parent[c] < c, "clique %d has a parent before it", c);
		CHECK(c == 0 || (tree->set[c] & before & ~tree->set[tree->parent[c]]) == 0, "which has all that it shares");
	}
	for (int i = 0; i < n; i++)
	{
		bool		found = false;

		for (int c = 0; c < tree->cliques; c++)
			found = found || (sets[i] & ~tree->set[c]) == 0;
		CHECK(found, "set %d is in a clique", i);
	}
}

static void
check_fits(const DpemSynthGraph *graph, double cells)
{
	CHECK(dpem_synth_tree_fits(graph, cells), "it fits into its cells: %g", cells);
	CHECK(!dpem_synth_tree_fits(graph, nextafter(cells, 0)), "and into no fewer");
	CHECK(dpem_synth_tree_fits(graph, 2 * cells) && !dpem_synth_tree_fits(graph, cells / 2), "twice and half");
}

/* a graph that grows edge by edge until it is dense; few sizes, so that there are ties */
static void
test_growing(int columns, int sets, uint64_t seed)
{
	DpemPublicRandom random = {seed};
	DpemSynthGraph graph;
	DpemSynthSet set[300];
	int			size[DPEM_SYNTH_COLUMNS];

	for (int j = 0; j < columns; j++)
		size[j] = 1 + (int) dpem_public_index(&random, seed % 2 == 0 ? 4 : 30);
	dpem_synth_graph_init(size, columns, &graph);
	for (int i = 0; i < sets; i++)
	{
		DpemSynthTree tree;
		double		cells;

		set[i] = random_set(&random, columns);
		dpem_synth_graph_add(&graph, set[i]);
		cells = fmin(plain_cells(&graph, false), plain_cells(&graph, true));
		dpem_synth_tree(&graph, &tree);
		CHECK(tree.cells == cells, "%d columns, %d sets: %g cells, plainly %g", columns, i + 1, tree.cells, cells);
		check_tree(&tree, set, i + 1);
		check_fits(&graph, cells);
	}
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
	{
		test_growing(1 + (int) seed, 10, seed);
		test_growing(14, 60, seed);
		test_growing(30, 100, seed);
	}
	test_growing(64, 150, 7);
	test_growing(64, 300, 8);
	return unit_report();
}
