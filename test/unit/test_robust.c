/*
 * test_robust.c - local sensitivity of medians and interquartile ranges: all small tables and all their neighbours.
 *
 * Nothing here is random.
 */
#include "robust_fixture.h"

/* ---- values, by their definition ---- */

/* the first cell by which at least q / 4 of the rows have come */
static int
quartile(const int *rows, int q)
{
	int			n = rows_in(rows);
	int			below = 0;

	for (int b = 0; b < CELLS; b++)
	{
		below += rows[b];
		if (4 * below >= q * n)
			return b;
	}
	return CELLS - 1;
}

/* of rows that may be seen */
static int
value_of(DpemRobustStatistic statistic, const int *rows)
{
	DpemInt128	room[DPEM_ROBUST_ROOM * CELLS];
	double		count[3 * CELLS];

	for (int b = 0; b < 3 * CELLS; b++)
		count[b] = b % 3 == 0 ? rows[b / 3] : NAN;
	return dpem_robust_value_of(statistic, count, 3, CELLS, room);
}

static void
test_values(void)
{
	int			rows[CELLS] = {0};

	do
	{
		Fixture		median;
		Fixture		iqr;
		Fixture		attention;

		make_table(&median, DPEM_ROBUST_MEDIAN, rows, true, 1, 1);
		make_table(&iqr, DPEM_ROBUST_IQR, rows, false, 2, 1 << 18);
		CHECK(dpem_robust_value(&median.table) == quartile(rows, 2), "median of %d rows", rows_in(rows));
		make_table(&attention, DPEM_ROBUST_ATTENTION, rows, true, 1, 1);
		CHECK(dpem_robust_value(&iqr.table) == quartile(rows, 3) - quartile(rows, 1), "iqr of %d rows", rows_in(rows));
		CHECK(value_of(DPEM_ROBUST_MEDIAN, rows) == quartile(rows, 2), "median of %d rows that may be seen", rows_in(rows));
		CHECK(value_of(DPEM_ROBUST_IQR, rows) == dpem_robust_value(&iqr.table), "iqr of %d rows that may be seen", rows_in(rows));
		CHECK(value_of(DPEM_ROBUST_ATTENTION, rows) == dpem_robust_value(&attention.table), "center of %d rows that may be seen", rows_in(rows));
	} while (next_table(rows, MOST));
}

/* A(k) by its definition: all a that are a cell's excess or within one part of it, and both ends */
static int
longest_of(const DpemRobustQuantile *q, DpemInt128 w)
{
	int			most = 0;

	for (int i = 0; i < 3 * CELLS + 2; i++)
	{
		DpemInt128	a = i == 3 * CELLS ? 0 : i > 3 * CELLS ? -w : q->excess[i / 3] + i % 3 - 1;
		int			from = 0;
		int			to = 0;

		if (a > 0 || a < -w)
			continue;
		while (from < CELLS - 1 && q->excess[from] < a)
			from++;
		while (to < CELLS - 1 && q->excess[to] < a + w)
			to++;
		most = to - from > most ? to - from : most;
	}
	return most;
}

static void
test_reach(void)
{
	int			rows[CELLS] = {0};

	do
		for (int replace_one = 0; replace_one < 2; replace_one++)
		{
			Fixture		f;
			int			wrong = 0;

			make_table(&f, DPEM_ROBUST_IQR, rows, replace_one, 1 + rows_in(rows) % 2, 1);
			for (int k = 0; k < FAR; k++)
			{
				int			sum = 0;

				for (int i = 0; i < 2; i++)
					sum += longest_of(&f.table.quantile[i], f.table.quantile[i].most + k * f.table.range);
				wrong += dpem_robust_reach(&f.table, k) != (sum < CELLS - 1 ? sum : CELLS - 1);
			}
			CHECK(wrong == 0, "%d reaches of %d rows", wrong, rows_in(rows));
		}
	while (next_table(rows, MOST));
}

/* ---- neighbours ---- */

/* rows of a unit, one after the other: each appears, leaves or moves, as far as the adjacency allows */
static void
move_unit(Search *s, const int *rows, int *others, int left, int sign)
{
	compare(s, rows, others);
	for (int step = 0; step < CELLS * (CELLS + 2) && left > 0; step++)
	{
		int			from = step / CELLS < CELLS ? step / CELLS : -1;
		int			to = step % CELLS;
		bool		leaves = step / CELLS == CELLS + 1;

		/* all of a unit's rows appear, or all leave, or under replace_one any of this */
		if (leaves)
		{
			from = to;
			to = -1;
		}
		if ((from >= 0 && others[from] == 0) || (!s->replace_one && ((from >= 0 && to >= 0) || (sign != 0 && sign != (to >= 0 ? 1 : -1)))))
			continue;
		others[from >= 0 ? from : to] += from >= 0 ? -1 : 1;
		if (from >= 0 && to >= 0)
			others[to]++;
		move_unit(s, rows, others, left - 1, to >= 0 ? 1 : -1);
		others[from >= 0 ? from : to] -= from >= 0 ? -1 : 1;
		if (from >= 0 && to >= 0)
			others[to]--;
	}
}

static Search
search(DpemRobustStatistic statistic, bool replace_one, int rows_per_unit, double multiplier, int most)
{
	Search		s = {
		.statistic = statistic,.replace_one = replace_one,.rows_per_unit = rows_per_unit,.law = dpem_smooth_law(multiplier),.multiplier = multiplier
	};
	int			rows[CELLS] = {0};

	do
	{
		int			others[CELLS];

		for (int b = 0; b < CELLS; b++)
			others[b] = rows[b];
		move_unit(&s, rows, others, rows_per_unit, 0);
	} while (next_table(rows, most));
	return s;
}

static void
test_neighbours(void)
{
	for (int i = 0; i < 8; i++)
	{
		DpemRobustStatistic statistic = i & 1 ? DPEM_ROBUST_IQR : DPEM_ROBUST_MEDIAN;
		int			rows_per_unit = i & 4 ? 2 : 1;
		Search		s = search(statistic, i & 2, rows_per_unit, 0.5, i & 4 ? 1 : MOST);

		CHECK(s.pairs > 500 && s.faults == 0, "case %d: %d faults at %d pairs", i, s.faults, s.pairs);
		CHECK(s.worst_smooth <= 1 + 1e-9 && s.worst_smooth > 0.9, "case %d: ln M changes by %g beta", i, s.worst_smooth);
		CHECK(s.worst_range <= 1, "case %d: a range of %.12g epsilon", i, s.worst_range);
		CHECK(s.attained > 0 && (s.released > 0 || (i & 4)), "case %d: %d attained, %d released", i, s.attained, s.released);
	}
}

/* of few rows M is near the whole domain, and moves little: of a table without rows but one, scores move by most of what is paid for */
static void
test_epsilons(void)
{
	static const double multiplier[] = {0.02, 0.2, 1, 5, 40, 2000, 65536};

	for (size_t i = 0; i < sizeof(multiplier) / sizeof(multiplier[0]); i++)
	{
		Search		s = search(DPEM_ROBUST_MEDIAN, true, 1, multiplier[i], 2);

		CHECK(s.faults == 0 && s.worst_smooth <= 1 + 1e-9 && s.worst_range <= 1, "%g: %d faults, %g, %.12g", multiplier[i], s.faults, s.worst_smooth, s.worst_range);
		CHECK(multiplier[i] < 1 || s.worst_range > 0.3, "%g: only %g of epsilon", multiplier[i], s.worst_range);
	}
}

/* more rows in one cell than there are steps: nothing but the last weight bounds how far tables beyond them reach */
static void
test_last_weight(void)
{
	Search		s = {.statistic = DPEM_ROBUST_MEDIAN,.rows_per_unit = 1,.law = dpem_smooth_law(0.5),.multiplier = 0.5};

	for (int most = 0; most < 100; most++)
		for (int first = 0; first < 3; first++)
		{
			int			rows[CELLS] = {first, 0, most};
			int			others[CELLS] = {first, 0, most};

			move_unit(&s, rows, others, 1, 0);
		}
	CHECK(s.faults == 0 && s.worst_smooth <= 1 + 1e-9 && s.worst_range <= 1, "%d faults, ln M changes by %g beta, a range of %g epsilon", s.faults, s.worst_smooth, s.worst_range);
}

/* ---- the search itself ---- */

/* a smaller range, or a bound that forgets the quartile on the other side, is found out */
static void
test_the_search(void)
{
	int			rows[CELLS] = {0};
	int			faults = 0;

	do
		for (int from = 0; from < CELLS; from++)
		{
			Fixture		a;
			Fixture		b;
			int			others[CELLS];

			for (int c = 0; c < CELLS; c++)
				others[c] = rows[c] + (c == from);
			make_table(&a, DPEM_ROBUST_MEDIAN, rows, false, 1, 2);
			make_table(&b, DPEM_ROBUST_MEDIAN, others, false, 1, 2);
			a.table.range /= 2;
			b.table.range /= 2;
			for (int k = 0; k < FAR; k++)
				faults += dpem_robust_reach(&a.table, k) > dpem_robust_reach(&b.table, k + 1);
		}
	while (next_table(rows, MOST));
	CHECK(faults > 0, "half the range suffices");
}

/* ---- laws ---- */

static void
test_laws(void)
{
	DpemSmoothLaw law = dpem_smooth_law(0.5);
	DpemInt128	score[CELLS];
	double		size[2];

	CHECK(dpem_smooth_law(0).scale == 0 && dpem_smooth_law(NAN).scale == 0 && dpem_smooth_law(INFINITY).scale == 0 && dpem_smooth_law(1e6).scale == 0 &&
		  dpem_smooth_law(1e-6).scale == 0, "laws that are none");
	CHECK_CLOSE((double) law.decay, -expm1(-0.25) * 0x1p40, 1e-9, "beta is a quarter");
	CHECK(law.slope == 1 << 21, "alpha is an eighth");
	CHECK_CLOSE((double) law.scale, 0x1p40, 1e-9, "scores are in natural units");
	/* of one cell's width: weights (8 + |y - 1|)^-4 */
	dpem_smooth_scores(1, (DpemUint128) 1 << 40, &law, CELLS, score);
	size[0] = (double) (score[1] - score[4]) / (double) law.scale;
	size[1] = (double) (score[1] - score[0]) / (double) law.scale;
	CHECK_CLOSE(size[0], 4 * log(11.0 / 8), 1e-9, "three cells away");
	CHECK_CLOSE(size[1], 4 * log(9.0 / 8), 1e-9, "one cell away");
	CHECK(score[0] == score[2], "both sides");
}

/* M by its definition, of many cells, with weights in floating point */
static void
test_sensitivity(void)
{
	enum
	{
		N = 400
	};
	static DpemInt128 count[N];
	static DpemInt128 excess[DPEM_ROBUST_QUANTILES * N];
	const DpemRobustRows how = {1, true, 1};
	DpemSmoothLaw law = dpem_smooth_law(1);
	DpemRobustTable table;
	double		most = 0;

	for (int b = 0; b < N; b++)
		count[b] = b > 150 && b < 250 ? 20 : b % 3;
	dpem_robust_table(&table, DPEM_ROBUST_MEDIAN, count, 1, N, &how, excess);
	for (int k = 0; k < 2000; k++)
		most = fmax(most, exp(-0.125 * k) * dpem_robust_reach(&table, k));
	CHECK_CLOSE((double) dpem_smooth_sensitivity(&table, &law) * 0x1p-40, most, 1e-6, "smooth sensitivity");
	CHECK(most < 3, "far below the domain: %g", most);
	CHECK(dpem_robust_distance(&table, N - 1) == DPEM_ROBUST_FARTHEST, "nothing is beyond the domain");
	CHECK(dpem_robust_reach(&table, DPEM_ROBUST_FARTHEST) == N - 1, "everything is in reach at last");
}

int
main(void)
{
	test_values();
	test_reach();
	test_neighbours();
	test_epsilons();
	test_last_weight();
	test_the_search();
	test_laws();
	test_sensitivity();
	return unit_report();
}
