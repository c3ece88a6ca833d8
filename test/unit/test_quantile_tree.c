/*
 * test_quantile_tree.c - several quantiles of the same rows: which part each is chosen in, how far a unit moves the scores
 * of a depth, epsilon of all choices together, the error of ranks.
 *
 * Nothing here is random but for test_ranks, whose seed is fixed; for a fresh one it would raise a false alarm with
 * probability below 1e-9.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/choice.h"
#include "core/statistics/quantile.h"
#include "core/statistics/quantile_tree.h"
#include "seeded_source.h"
#include "unit.h"

#define PARTS DPEM_QUANTILE_PARTS
#define BINS 3
#define PIECES 2
#define CUTS (BINS * PIECES + 1)
#define GROUPS 2
#define MOST 2					/* rows in a bin */

/* quarters, unlike parts, and levels that leave parts of one depth of unlike D */
static const struct
{
	int			n;
	int64_t		level[3];
}			wanted[] = {
	{1, {PARTS / 4}}, {2, {PARTS / 4, PARTS / 2}}, {3, {PARTS / 4, PARTS / 2, 3 * (PARTS / 4)}},
	{3, {PARTS / 10, PARTS / 2, PARTS - PARTS / 10}}, {3, {PARTS / 8, PARTS / 4, PARTS - 1}}
};
#define TREES ((int) (sizeof(wanted) / sizeof(wanted[0])))

static void
test_shape(void)
{
	static const int64_t quarters[] = {PARTS / 4, PARTS / 2, 3 * (PARTS / 4)};
	static const int64_t equal[] = {5, 5};
	int64_t		many[DPEM_QUANTILES_MAX + 1];
	DpemQuantileTree tree;

	CHECK(dpem_quantile_tree_init(&tree, quarters, 3) && tree.depths == 2, "quartiles");
	CHECK(tree.node[1].depth == 0 && tree.node[1].lower == -1 && tree.node[1].upper == 3 && tree.node[1].level == PARTS / 2, "median");
	CHECK(tree.node[0].depth == 1 && tree.node[0].upper == 1 && tree.node[0].level == PARTS / 2 &&
		  tree.node[2].depth == 1 && tree.node[2].lower == 1 && tree.node[2].level == PARTS / 2, "halves of halves");
	CHECK(!dpem_quantile_tree_init(&tree, equal, 2) && !dpem_quantile_tree_init(&tree, quarters, 0), "equal ones, and none");
	for (int i = 0; i <= DPEM_QUANTILES_MAX; i++)
		many[i] = (i + 1) * (PARTS / (DPEM_QUANTILES_MAX + 2));
	CHECK(!dpem_quantile_tree_init(&tree, many, DPEM_QUANTILES_MAX + 1), "too many");
	CHECK(dpem_quantile_tree_init(&tree, many, DPEM_QUANTILES_MAX) && tree.depths == 7, "as many as there may be: %d", tree.depths);
}

/* ---- scores ---- */

/* by how many rows of a piece, twice, the middles of the pieces about a cut miss the rank of its part: 0 for the one nearest to it */
static void
test_scores(void)
{
	static const int whole[CUTS] = {4, 0, 2, 5, 5, 9, 17};
	static const int part[] = {4, 1, 1, 0, 3};
	const DpemInt128 count[2 * BINS] = {3, -7, 0, -7, 4, -7};
	DpemInt128	score[CUTS];

	dpem_quantile_cut_scores(count, 2, PIECES, 0, CUTS - 1, PARTS / 4, score);
	for (int cut = 0; cut < CUTS; cut++)
		CHECK(score[cut] == -whole[cut] * PARTS, "cut %d", cut);
	/* from within a bin to within another one */
	dpem_quantile_cut_scores(count, 2, PIECES, 1, 5, PARTS / 2, score);
	for (int cut = 1; cut < 6; cut++)
		CHECK(score[cut - 1] == -part[cut - 1] * PARTS, "cut %d of a part", cut);
	dpem_quantile_cut_scores(count, 2, PIECES, 6, 6, PARTS / 2, score);
	CHECK(score[0] == 0, "a part without rows");
}

/* ---- range ---- */

typedef struct Search
{
	const DpemQuantileTree *tree;
	int			groups;
	int			cut[DPEM_QUANTILES_MAX];	/* the same ones of all groups, which bound parts */
	int64_t		worst[3];		/* of each depth */
} Search;

/* scores of all choices of a depth in one group, which are as many for all tables */
static int
score_depth(const Search *s, int depth, const int *rows, int64_t *out)
{
	int			n = 0;

	for (int i = 0; i < s->tree->n; i++)
	{
		const DpemQuantileNode *node = &s->tree->node[i];
		int			first = node->lower < 0 ? 0 : s->cut[node->lower];
		int			last = node->upper == s->tree->n ? CUTS - 1 : s->cut[node->upper];
		DpemInt128	count[BINS];
		DpemInt128	score[CUTS];

		if (node->depth != depth)
			continue;
		for (int b = 0; b < BINS; b++)
			count[b] = rows[b];
		dpem_quantile_cut_scores(count, 1, PIECES, (size_t) first, (size_t) last, node->level, score);
		out[n++] = last - first + 1;
		for (int c = 0; c <= last - first; c++)
			out[n++] = (int64_t) score[c];
	}
	return n;
}

/* the range of the sum of all choices' scores is the sum of their ranges: each may be any of its own */
static int64_t
range_between(const int64_t *a, const int64_t *b, int n)
{
	int64_t		sum = 0;

	for (int i = 0; i < n;)
	{
		int64_t		most = INT64_MIN;
		int64_t		least = INT64_MAX;
		int			end = i + 1 + (int) a[i];

		for (i++; i < end; i++)
		{
			most = b[i] - a[i] > most ? b[i] - a[i] : most;
			least = b[i] - a[i] < least ? b[i] - a[i] : least;
		}
		sum += most - least;
	}
	return sum;
}

/* how far each depth's scores are moved by a row that goes from a bin (-1: from nowhere) of one group to one of another */
static void
note_move(Search *s, int rows[GROUPS][BINS], int from_group, int from, int to_group, int to)
{
	int			after[GROUPS][BINS];

	for (int i = 0; i < GROUPS * BINS; i++)
		after[i / BINS][i % BINS] = rows[i / BINS][i % BINS];
	if (from >= 0)
		after[from_group][from]--;
	after[to_group][to]++;
	for (int depth = 0; depth < s->tree->depths; depth++)
	{
		int64_t		range = 0;

		for (int g = 0; g < s->groups; g++)
		{
			int64_t		was[3 * (CUTS + 1)];
			int64_t		is[3 * (CUTS + 1)];
			int			n = score_depth(s, depth, rows[g], was);

			(void) score_depth(s, depth, after[g], is);
			range += range_between(was, is, n);
		}
		s->worst[depth] = range > s->worst[depth] ? range : s->worst[depth];
	}
}

static void
move_rows(Search *s, int rows[GROUPS][BINS], bool replace_one)
{
	for (int to = 0; to < s->groups * BINS; to++)
	{
		note_move(s, rows, 0, -1, to / BINS, to % BINS);
		for (int from = 0; replace_one && from < s->groups * BINS; from++)
		{
			if (rows[from / BINS][from % BINS] > 0)
				note_move(s, rows, from / BINS, from % BINS, to / BINS, to % BINS);
		}
	}
}

static bool
next_table(int rows[GROUPS][BINS], int groups)
{
	for (int i = 0; i < groups * BINS; i++)
	{
		if (++rows[i / BINS][i % BINS] <= MOST)
			return true;
		rows[i / BINS][i % BINS] = 0;
	}
	return false;
}

/* ascending cuts, one after the other */
static bool
next_cuts(Search *s)
{
	for (int i = s->tree->n - 1; i >= 0; i--)
	{
		if (s->cut[i] == CUTS - 1)
			continue;
		s->cut[i]++;
		for (int j = i + 1; j < s->tree->n; j++)
			s->cut[j] = s->cut[i];
		return true;
	}
	return false;
}

/* all tables, all their neighbours, all cuts of the one quantile that bounds others */
static void
search(Search *s, bool replace_one)
{
	for (int cut = 0; cut < CUTS; cut++)
	{
		int			rows[GROUPS][BINS] = {{0}};

		for (int i = 0; i < s->tree->n; i++)
			s->cut[i] = cut;
		do
			move_rows(s, rows, replace_one);
		while (next_table(rows, s->groups));
	}
}

static void
test_range(void)
{
	for (int t = 0; t < TREES; t++)
		for (int groups = 1; groups <= GROUPS; groups++)
			for (int replace_one = 0; replace_one < 2; replace_one++)
			{
				DpemQuantileTree tree;
				Search		s = {.tree = &tree,.groups = groups};

				CHECK(dpem_quantile_tree_init(&tree, wanted[t].level, wanted[t].n), "tree %d", t);
				search(&s, replace_one);
				for (int depth = 0; depth < tree.depths; depth++)
				{
					int64_t		bound = 2 * PIECES * (int64_t) dpem_quantile_tree_range(&tree, depth, groups, replace_one, 1);

					CHECK(s.worst[depth] <= bound && s.worst[depth] > bound / 2, "tree %d, %d groups, depth %d: %lld of %lld", t, groups, depth,
						  (long long) s.worst[depth], (long long) bound);
					/* where a level is not at an end, which takes more rows than these tables have */
					CHECK(t > 2 || s.worst[depth] >= bound - bound / 4, "tree %d, %d groups, depth %d: only %lld of %lld", t, groups, depth,
						  (long long) s.worst[depth], (long long) bound);
				}
			}
}

static void
test_bounds(void)
{
	DpemQuantileTree tree;

	(void) dpem_quantile_tree_init(&tree, wanted[3].level, 3);
	CHECK(dpem_quantile_tree_range(&tree, 0, 1, true, 1) == 2 * PARTS && dpem_quantile_tree_range(&tree, 0, 9, true, 3) == 6 * PARTS &&
		  dpem_quantile_tree_range(&tree, 0, 9, false, 1) == PARTS, "median");
	CHECK_CLOSE((double) dpem_quantile_tree_range(&tree, 1, 1, true, 1), 3.2 * PARTS, 1e-8, "two parts of one group");
	CHECK_CLOSE((double) dpem_quantile_tree_range(&tree, 1, 1, false, 2), 3.2 * PARTS, 1e-8, "a unit of two rows");
}

/* ---- epsilon ---- */

/* logarithm of the probability of the cuts, all chosen at scales in the scores' units, epsilon / depths each */
static long double
log_law(Search *s, const int *rows, bool replace_one, double epsilon)
{
	long double sum = 0;

	for (int i = 0; i < s->tree->n; i++)
	{
		const DpemQuantileNode *node = &s->tree->node[i];
		int			first = node->lower < 0 ? 0 : s->cut[node->lower];
		int			last = node->upper == s->tree->n ? CUTS - 1 : s->cut[node->upper];
		double		scale = 2 * PIECES * (double) dpem_quantile_tree_range(s->tree, node->depth, 1, replace_one, 1) * s->tree->depths / epsilon;
		DpemInt128	count[BINS];
		DpemInt128	score[CUTS];
		long double total = 0;

		for (int b = 0; b < BINS; b++)
			count[b] = rows[b];
		dpem_quantile_cut_scores(count, 1, PIECES, (size_t) first, (size_t) last, node->level, score);
		for (int c = 0; c <= last - first; c++)
			total += expl((long double) score[c] / scale);
		sum += (long double) score[s->cut[i] - first] / scale - logl(total);
	}
	return sum;
}

/* of every outcome of all choices together, for all small tables and their neighbours */
static void
test_privacy(void)
{
	const double epsilon = 0.8;
	long double worst[2] = {0, 0};

	for (int t = 0; t < TREES; t++)
	{
		DpemQuantileTree tree;
		Search		s = {.tree = &tree};

		(void) dpem_quantile_tree_init(&tree, wanted[t].level, wanted[t].n);
		do
		{
			int			rows[GROUPS][BINS] = {{0}};

			do
				for (int move = 0; move < BINS * (BINS + 1); move++)
				{
					int			from = move / BINS - 1;
					long double before = log_law(&s, rows[0], from >= 0, epsilon);
					long double moved;

					if (from >= 0 && rows[0][from] == 0)
						continue;
					rows[0][move % BINS]++;
					rows[0][from < 0 ? 0 : from] -= from >= 0;
					moved = log_law(&s, rows[0], from >= 0, epsilon);
					rows[0][from < 0 ? 0 : from] += from >= 0;
					rows[0][move % BINS]--;
					worst[from >= 0] = fmaxl(worst[from >= 0], fabsl(moved - before));
				}
			while (next_table(rows, 1));
		} while (next_cuts(&s));
	}
	CHECK(worst[0] <= epsilon && worst[0] > 0.4 * epsilon, "add_remove: %Lg of %g", worst[0], epsilon);
	CHECK(worst[1] <= epsilon && worst[1] > 0.4 * epsilon, "replace_one: %Lg of %g", worst[1], epsilon);
}

/* ---- ranks ---- */

/* rows by which the quartiles of 1,000 different values miss, and how many of 400 runs miss by more than is said */
static void
test_ranks(void)
{
	enum
	{
		N = 1000, RUNS = 400
	};
	const double scale[] = {8, 8};
	static DpemInt128 count[N];
	static DpemInt128 score[N + 1];
	static DpemFineRoom room[N + 1];
	DpemQuantileTree tree;
	DpemSampler sampler;
	SeededSource seeded;
	int			missed = 0;
	double		sum[3] = {0};

	seeded_init(&seeded, 3);
	dpem_sampler_init(&sampler, &seeded.source);
	(void) dpem_quantile_tree_init(&tree, wanted[2].level, 3);
	for (int i = 0; i < N; i++)
		count[i] = 1;
	for (int run = 0; run < RUNS; run++)
	{
		size_t		cut[3];

		for (int depth = 0; depth < 2; depth++)
			for (int i = 0; i < 3; i++)
			{
				size_t		first = tree.node[i].lower < 0 ? 0 : cut[tree.node[i].lower];
				size_t		last = tree.node[i].upper == 3 ? N : cut[tree.node[i].upper];

				if (tree.node[i].depth != depth)
					continue;
				dpem_quantile_cut_scores(count, 1, 1, first, last, tree.node[i].level, score);
				(void) dpem_sample_fine_choice(&sampler, score, last - first + 1, (DpemUint128) (2 * scale[depth] * PARTS), room, &cut[i]);
				cut[i] += first;
			}
		for (int i = 0; i < 3; i++)
		{
			double		off = fabs((double) cut[i] - (i + 1) * N / 4.0);

			sum[i] += off / RUNS;
			missed += off > dpem_quantile_tree_error(&tree, i, scale, N + 1);
		}
	}
	/* deviations of the means below 0.5: |Laplace| of scale 8, and of it plus one half as wide */
	CHECK(fabs(sum[1] - 8) < 3.5 && fabs(sum[0] - 28 / 3.0) < 3.5 && fabs(sum[2] - 28 / 3.0) < 3.5, "%g, %g, %g rows", sum[0], sum[1], sum[2]);
	CHECK(missed <= 20, "%d of %d ranks", missed, 3 * RUNS);
	CHECK_CLOSE(dpem_quantile_tree_spread(&tree, 0, scale), 12, 1e-12, "own and half of the median's");
	CHECK_CLOSE(dpem_quantile_tree_error(&tree, 1, scale, 101), 8 * log(1900), 1e-6, "one choice");
	CHECK_CLOSE(dpem_quantile_tree_error(&tree, 2, scale, 101), 12 * log(3900), 1e-6, "two choices");
}

int
main(void)
{
	test_shape();
	test_scores();
	test_range();
	test_bounds();
	test_privacy();
	test_ranks();
	return unit_report();
}
