/*
 * quantile_tree.c - see quantile_tree.h.
 */
#include <math.h>

#include "core/statistics/quantile.h"
#include "core/statistics/quantile_tree.h"

/* level of a quantile between two others, 0 and DPEM_QUANTILE_PARTS being the ends */
static int64_t
level_within(int64_t level, int64_t lower, int64_t upper)
{
	return dpem_quantile_level((double) (level - lower) / (double) (upper - lower));
}

/* quantiles first to last are those of one part */
static void
add_part(DpemQuantileTree *tree, const int64_t *level, int first, int last, int depth)
{
	int			middle = first + (last - first) / 2;
	int64_t		below = first > 0 ? level[first - 1] : 0;
	int64_t		above = last < tree->n - 1 ? level[last + 1] : DPEM_QUANTILE_PARTS;

	if (first > last)
		return;
	tree->node[middle] = (DpemQuantileNode) {depth, first - 1, last + 1, level_within(level[middle], below, above)};
	tree->depths = depth + 1 > tree->depths ? depth + 1 : tree->depths;
	add_part(tree, level, first, middle - 1, depth + 1);
	add_part(tree, level, middle + 1, last, depth + 1);
}

bool
dpem_quantile_tree_init(DpemQuantileTree *tree, const int64_t *level, int n)
{
	*tree = (DpemQuantileTree) {.n = n};
	if (n < 1 || n > DPEM_QUANTILES_MAX)
		return false;
	for (int i = 0; i < n; i++)
	{
		if (level[i] <= (i > 0 ? level[i - 1] : 0) || level[i] >= DPEM_QUANTILE_PARTS)
			return false;
	}
	add_part(tree, level, 0, n - 1, 0);
	return true;
}

DpemUint128
dpem_quantile_tree_range(const DpemQuantileTree *tree, int depth, int groups, bool replace_one, int rows_per_unit)
{
	int64_t		most = 0;
	int64_t		second = 0;
	int64_t		moves;

	for (int i = 0; i < tree->n; i++)
	{
		int64_t		above = DPEM_QUANTILE_PARTS - tree->node[i].level;
		int64_t		larger = tree->node[i].level > above ? tree->node[i].level : above;

		if (tree->node[i].depth != depth)
			continue;
		second = larger > most ? most : larger > second ? larger : second;
		most = larger > most ? larger : most;
	}
	moves = most;
	if (replace_one)
		moves = groups > 1 ? 2 * most : second > 0 ? most + second : DPEM_QUANTILE_PARTS;
	return (DpemUint128) (2 * moves) * (unsigned int) rows_per_unit;
}

/* rows below a cut, in pieces; *bin, *below: where the search begins, and the whole bins' rows before it */
static DpemInt128
rows_below(const DpemInt128 *count, size_t stride, int pieces, size_t cut, size_t *bin, DpemInt128 *below)
{
	for (; (*bin + 1) * (size_t) pieces <= cut; (*bin)++)
		*below += count[*bin * stride];
	return *below * pieces + (cut % (size_t) pieces > 0 ? count[*bin * stride] * (DpemInt128) (cut % (size_t) pieces) : 0);
}

void
dpem_quantile_cut_scores(const DpemInt128 *count, size_t stride, int pieces, size_t first, size_t last, int64_t level,
						 DpemInt128 *score)
{
	DpemInt128	below = 0;
	DpemInt128	outside;
	DpemInt128	rank;
	size_t		bin = 0;

	outside = rows_below(count, stride, pieces, first, &bin, &below);
	for (size_t cut = first; cut <= last; cut++)
		score[cut - first] = rows_below(count, stride, pieces, cut, &bin, &below) - outside;
	rank = 2 * level * score[last - first];
	below = 0;
	for (size_t cut = first; cut <= last; cut++)
	{
		DpemInt128	own = score[cut - first];
		DpemInt128	above = cut < last ? score[cut + 1 - first] : own;
		DpemInt128	over = DPEM_QUANTILE_PARTS * (below + own) - rank;
		DpemInt128	under = rank - DPEM_QUANTILE_PARTS * (own + above);

		score[cut - first] = -(over > 0 ? over : under > 0 ? under : 0);
		below = own;
	}
}

/* the error of a part's own rank, and those of the two cuts that its rank is counted from, in proportion */
static double
error_of(const DpemQuantileTree *tree, int node, const double *reach)
{
	const DpemQuantileNode *at;
	double		q;

	if (node < 0 || node >= tree->n)
		return 0;
	at = &tree->node[node];
	q = (double) at->level / (double) DPEM_QUANTILE_PARTS;
	return reach[at->depth] + (1 - q) * error_of(tree, at->lower, reach) + q * error_of(tree, at->upper, reach);
}

double
dpem_quantile_tree_error(const DpemQuantileTree *tree, int node, const double *scale, int n)
{
	double		reach[DPEM_QUANTILES_MAX];
	int			choices = tree->node[node].depth + 1;

	/* of so many choices each misses by more with a probability of 5 % / choices */
	for (int d = 0; d < choices; d++)
		reach[d] = n > 1 ? scale[d] * log((20.0 * choices - 1) * (n - 1)) * (1 + 1e-9) : 0;
	return error_of(tree, node, reach);
}

double
dpem_quantile_tree_spread(const DpemQuantileTree *tree, int node, const double *scale)
{
	return error_of(tree, node, scale);
}
