/*
 * quantile_tree.h - several quantiles of the same rows, the middle one first.
 *
 * Rows are counted in bins in ascending order, each bin cut into equal pieces with equal
 * parts of its rows.  A quantile is a cut between two pieces.  The first to be chosen is the
 * middle one of those wanted, among all cuts; it divides the rows into two parts, in each of
 * which the middle one of what is left is chosen next, and so on (Kaplan, Schnapp, Stemmer
 * 2022, "Differentially private approximate quantiles", Algorithm 1; here for cuts of bins
 * instead of values that all differ).  A row is in one of the parts of a depth, or divided
 * between them where its bin is, so that all choices of one depth, of all groups, are one
 * release (docs/proofs.md, 9, "several quantiles").
 *
 * For the quantile q of a part with N rows, a cut that has F rows below the middle of the piece before it, and F' below
 * the middle of the one after it, has the utility score -max(0, F - q N, q N - F'): 0 for the cut nearest to the rank,
 * however many rows a piece holds, so that many equal values do not lose to the many cuts where there are none.
 */
#ifndef DPEM_CORE_QUANTILE_TREE_H
#define DPEM_CORE_QUANTILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/noise/sampler.h"

#define DPEM_QUANTILES_MAX	127		/* in one tree */
#define DPEM_QUANTILE_CUTS	(1 << 20)	/* pieces of all bins together, at most */

typedef struct DpemQuantileNode
{
	int			depth;			/* from 0 */
	int			lower;			/* nodes whose cuts bound its part; -1, n: the first cut, the last one */
	int			upper;
	int64_t		level;			/* of the quantile in its part (core/statistics/quantile.h) */
} DpemQuantileNode;

typedef struct DpemQuantileTree
{
	int			n;
	int			depths;
	DpemQuantileNode node[DPEM_QUANTILES_MAX];	/* by ascending quantiles */
} DpemQuantileTree;

/* of n ascending, different levels (dpem_quantile_level); false if there are none, or too many */
extern bool dpem_quantile_tree_init(DpemQuantileTree *tree, const int64_t *level, int n);

/*
 * Range of a unit's effect on the sum of the scores of all choices of a depth, in parts of a
 * row, if every row of a unit is in one of the groups at most.  With D = max(level, parts - level):
 * 2 max D for add_remove; for replace_one 2 parts where there is one choice, else twice the sum of
 * the two largest D, which in several groups may be those of two of them; m rows: m times that.
 */
extern DpemUint128 dpem_quantile_tree_range(const DpemQuantileTree *tree, int depth, int groups,
											bool replace_one, int rows_per_unit);

/*
 * score[i] of the cut first + i, first <= first + i <= last, in the part between these two cuts;
 * in parts of a row, of twice the `pieces` to the counts' own unit.  The count of bin i is count[i stride];
 * bin i begins at the cut i pieces.  Exact for counts whose sum is below 2^80.
 */
extern void dpem_quantile_cut_scores(const DpemInt128 *count, size_t stride, int pieces, size_t first,
									 size_t last, int64_t level, DpemInt128 *score);

/*
 * With probability 95 % over all choices on its way, whatever the rows are, the cut of a quantile
 * misses its rank by at most this: scale[depth] is that of the choices of a depth, in rows, n the
 * cuts that there are.
 */
extern double dpem_quantile_tree_error(const DpemQuantileTree *tree, int node, const double *scale, int n);

/* a number of rows about as large as the mean error of a quantile's rank where rows are spread over many cuts */
extern double dpem_quantile_tree_spread(const DpemQuantileTree *tree, int node, const double *scale);

#endif							/* DPEM_CORE_QUANTILE_TREE_H */
