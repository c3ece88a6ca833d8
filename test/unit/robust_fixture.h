/*
 * robust_fixture.h - small tables of rows in cells, and the search for two neighbours that break what is proved of them.
 */
#ifndef DPEM_TEST_ROBUST_FIXTURE_H
#define DPEM_TEST_ROBUST_FIXTURE_H

#include <math.h>
#include <stdlib.h>

#include "core/robust/robust.h"
#include "core/robust/robust_rules.h"
#include "unit.h"

#define CELLS 5
#define MOST 3					/* rows in a cell */
#define FAR 6					/* units: beyond, these tables are all within reach */
#define ROOM (DPEM_ROBUST_QUANTILES * CELLS)

typedef struct Fixture
{
	DpemRobustTable table;
	DpemInt128	excess[ROOM];
} Fixture;

static inline void
make_table(Fixture *f, DpemRobustStatistic statistic, const int *rows, bool replace_one, int rows_per_unit, DpemInt128 one)
{
	const DpemRobustRows how = {one, replace_one, rows_per_unit};
	DpemInt128	count[2 * CELLS];

	for (int b = 0; b < CELLS; b++)
	{
		count[2 * b] = rows[b] * one;
		count[2 * b + 1] = -77;	/* what stands between is not read */
	}
	dpem_robust_table(&f->table, statistic, count, 2, CELLS, &how, f->excess);
}

static inline bool
next_table(int rows[CELLS], int most)
{
	for (int b = 0; b < CELLS; b++)
	{
		if (++rows[b] <= most)
			return true;
		rows[b] = 0;
	}
	return false;
}

static inline int
rows_in(const int *rows)
{
	int			n = 0;

	for (int b = 0; b < CELLS; b++)
		n += rows[b];
	return n;
}

/* what is asked of two neighbours, and how far the search has come */
typedef struct Search
{
	DpemRobustStatistic statistic;
	bool		replace_one;
	int			rows_per_unit;
	DpemSmoothLaw law;
	double		multiplier;
	int			pairs;
	int			faults;			/* against what proofs.md says */
	int			attained;		/* values that differ by all of A(0) */
	int			released;		/* pairs of which a test would let a value through */
	double		worst_smooth;	/* ln M / M' over beta */
	double		worst_range;	/* of the choice, over epsilon */
} Search;

static inline double
natural_range(const DpemInt128 *a, const DpemInt128 *b, DpemUint128 scale)
{
	double		most = -INFINITY;
	double		least = INFINITY;

	for (int y = 0; y < CELLS; y++)
	{
		most = fmax(most, (double) (a[y] - b[y]) / (double) scale);
		least = fmin(least, (double) (a[y] - b[y]) / (double) scale);
	}
	return most - least;
}

static inline void
compare_smooth(Search *s, const Fixture *a, const Fixture *b)
{
	DpemUint128 sa = dpem_smooth_sensitivity(&a->table, &s->law);
	DpemUint128 sb = dpem_smooth_sensitivity(&b->table, &s->law);
	int			moved = abs(dpem_robust_value(&a->table) - dpem_robust_value(&b->table));
	DpemInt128	score[2][CELLS];
	double		beta = 1 / (2 * DPEM_SMOOTH_POWER * s->multiplier);

	dpem_smooth_scores(dpem_robust_value(&a->table), sa, &s->law, CELLS, score[0]);
	dpem_smooth_scores(dpem_robust_value(&b->table), sb, &s->law, CELLS, score[1]);
	s->worst_smooth = fmax(s->worst_smooth, fabs(log((double) sa / (double) sb)) / beta);
	s->worst_range = fmax(s->worst_range, natural_range(score[0], score[1], s->law.scale) * s->multiplier);
	s->faults += ((DpemUint128) moved << 40) > sa || ((DpemUint128) moved << 40) > sb;
}

static inline void
compare(Search *s, const int *rows, const int *others)
{
	Fixture		a;
	Fixture		b;
	int			moved;

	make_table(&a, s->statistic, rows, s->replace_one, s->rows_per_unit, 1);
	make_table(&b, s->statistic, others, s->replace_one, s->rows_per_unit, 1);
	moved = abs(dpem_robust_value(&a.table) - dpem_robust_value(&b.table));
	s->pairs++;
	s->faults += moved > dpem_robust_reach(&a.table, 0) || moved > dpem_robust_reach(&b.table, 0);
	s->attained += moved > 0 && moved == dpem_robust_reach(&a.table, 0);
	for (int k = 0; k < FAR; k++)
		s->faults += dpem_robust_reach(&a.table, k) > dpem_robust_reach(&b.table, k + 1) ||
			dpem_robust_reach(&b.table, k) > dpem_robust_reach(&a.table, k + 1) ||
			dpem_robust_reach(&a.table, k) > dpem_robust_reach(&a.table, k + 1);
	for (int proposal = 1; proposal < CELLS - 1; proposal++)
	{
		int64_t		from = dpem_robust_distance(&a.table, proposal);
		int64_t		to = dpem_robust_distance(&b.table, proposal);

		/* either both distances are 0, or a value moves by no more than was proposed */
		s->faults += llabs(from - to) > 1 || ((from > 0 || to > 0) && moved > proposal);
		s->released += from > 0 || to > 0;
	}
	compare_smooth(s, &a, &b);
}

#endif							/* DPEM_TEST_ROBUST_FIXTURE_H */
