/*
 * test_quantile.c - quantiles as choices among bins: scores, how far a unit
 * moves them, the law of the choice, the error of the rank.
 *
 * The seed is fixed.  For a fresh one the check of the law would raise a false
 * alarm with probability ALPHA = 1e-9 for each of five laws.
 */
#include <math.h>
#include <stdlib.h>

#include "chance.h"
#include "core/accounting/choice.h"
#include "core/statistics/quantile.h"
#include "seeded_source.h"
#include "unit.h"

#define ALPHA 1e-9
#define PARTS DPEM_QUANTILE_PARTS
#define BINS 5
#define MOST 3					/* rows in a bin */

static const int64_t levels[] = {1, PARTS / 10, PARTS / 4, PARTS / 2, 3 * (PARTS / 4), PARTS - 1};
#define LEVELS ((int) (sizeof(levels) / sizeof(levels[0])))

static void
test_levels(void)
{
	CHECK(dpem_quantile_level(0.5) == PARTS / 2 && dpem_quantile_level(0.25) == PARTS / 4, "halves");
	CHECK(dpem_quantile_level(1e-300) == 1 && dpem_quantile_level(1 - 0x1p-53) == PARTS - 1, "the ends");
	CHECK(llabs(dpem_quantile_level(0.1) - PARTS / 10) <= 1, "the nearest");
	CHECK(dpem_quantile_level(0) == 0 && dpem_quantile_level(1) == 0 && dpem_quantile_level(NAN) == 0 &&
		  dpem_quantile_level(-1) == 0 && dpem_quantile_level(INFINITY) == 0, "domain");
}

/* ---- scores ---- */

/* by how many parts of a row bin b misses the rank: the distance from q N to [F, F'] */
static int64_t
miss_of(const int *rows, int n, int b, int64_t level)
{
	int64_t		total = 0;
	int64_t		below = 0;
	int64_t		upto;

	for (int i = 0; i < n; i++)
	{
		total += rows[i];
		below += i < b ? rows[i] : 0;
	}
	upto = below + rows[b];
	if (below * PARTS > level * total)
		return below * PARTS - level * total;
	return upto * PARTS < level * total ? level * total - upto * PARTS : 0;
}

/* what the rows of a table score, counts being in units of 2^18 and one record in three */
static void
score_table(const int *rows, int64_t level, int64_t *score)
{
	DpemInt128	count[3 * BINS];
	DpemInt128	out[BINS];

	for (int i = 0; i < 3 * BINS; i++)
		count[i] = i % 3 == 0 ? (DpemInt128) rows[i / 3] << 18 : -77;
	dpem_quantile_scores(count, 3, BINS, level, out);
	for (int i = 0; i < BINS; i++)
		score[i] = (int64_t) (out[i] / (1 << 18));
}

/* all tables of at most MOST rows in each of BINS bins, one after the other */
static bool
next_table(int *rows)
{
	for (int i = 0; i < BINS; i++)
	{
		if (++rows[i] <= MOST)
			return true;
		rows[i] = 0;
	}
	return false;
}

static void
test_scores(void)
{
	int			rows[BINS] = {0};
	int			bad = 0;

	do
		for (int l = 0; l < LEVELS; l++)
		{
			int64_t		score[BINS];
			bool		any = false;

			score_table(rows, levels[l], score);
			for (int i = 0; i < BINS; i++)
			{
				bad += score[i] != -miss_of(rows, BINS, i, levels[l]);
				any |= score[i] == 0;
			}
			bad += !any;
		}
	while (next_table(rows));
	CHECK(bad == 0, "%d scores are not what they are by definition, or no bin is right", bad);
}

/* 2^60 rows, and more than half of them equal */
static void
test_large(void)
{
	const DpemInt128 one = (DpemInt128) 1 << 78;
	const DpemInt128 count[4] = {one, 5 * one, 3 * one, 0};
	DpemInt128	score[4];

	dpem_quantile_scores(count, 1, 4, PARTS / 2, score);
	CHECK(score[0] == -(one / 2 * 7) * PARTS && score[1] == 0 && score[2] == -(one / 2 * 3) * PARTS &&
		  score[3] == -(one / 2 * 9) * PARTS, "large counts");
}

/* the first of the best bins is that of the ceil(q n)-th of the sorted rows, SQL's percentile_disc */
static void
test_discrete(void)
{
	SeededSource seeded;
	int			bad = 0;

	seeded_init(&seeded, 1);
	for (int trial = 0; trial < 2000; trial++)
	{
		int			rows[BINS];
		int64_t		score[BINS];
		int64_t		level = 1 + (int64_t) (seeded_word(&seeded) % (PARTS - 1));
		int			total = 0;
		int			upto = 0;
		int			first = 0;
		int			expected = 0;

		for (int i = 0; i < BINS; i++)
			total += rows[i] = (int) (seeded_word(&seeded) % 100) * (seeded_word(&seeded) % 3 > 0);
		if (total == 0)
			continue;
		score_table(rows, level, score);
		for (int i = 1; i < BINS; i++)
			first = score[i] > score[first] ? i : first;
		while ((upto += rows[expected]) * PARTS < level * total)
			expected++;
		bad += first != expected;
	}
	CHECK(bad == 0, "%d of 2000", bad);
}

/* ---- range ---- */

typedef struct Search
{
	int64_t		level;
	bool		replace_one;
	int64_t		old[BINS];		/* scores before */
	int64_t		worst;
} Search;

static void
note_range(Search *s, const int *rows)
{
	int64_t		now[BINS];
	int64_t		most = INT64_MIN;
	int64_t		least = INT64_MAX;

	score_table(rows, s->level, now);
	for (int i = 0; i < BINS; i++)
	{
		int64_t		change = now[i] - s->old[i];

		most = change > most ? change : most;
		least = change < least ? change : least;
	}
	s->worst = most - least > s->worst ? most - least : s->worst;
}

/* `left` rows of one unit come (bin -1: from nowhere) or, for replace_one, take other values or leave */
static void
move_rows(Search *s, int *rows, int left)
{
	if (left == 0)
	{
		note_range(s, rows);
		return;
	}
	for (int from = -1; from < (s->replace_one ? BINS : 0); from++)
	{
		if (from >= 0 && rows[from] == 0)
			continue;
		for (int to = s->replace_one ? -1 : 0; to < BINS; to++)
		{
			if (from >= 0)
				rows[from]--;
			if (to >= 0)
				rows[to]++;
			move_rows(s, rows, left - 1);
			if (from >= 0)
				rows[from]++;
			if (to >= 0)
				rows[to]--;
		}
	}
}

/* the greatest range over all small tables and all their neighbours; a row leaving is one coming, read backwards */
static int64_t
search_range(int64_t level, bool replace_one, int rows_per_unit)
{
	Search		s = {.level = level,.replace_one = replace_one};
	int			rows[BINS] = {0};

	do
	{
		score_table(rows, level, s.old);
		move_rows(&s, rows, rows_per_unit);
	} while (next_table(rows));
	return s.worst;
}

static void
test_range(void)
{
	for (int replace_one = 0; replace_one < 2; replace_one++)
		for (int m = 1; m <= 2; m++)
			for (int l = 0; l < LEVELS; l++)
			{
				int64_t		bound = (int64_t) dpem_quantile_range(levels[l], replace_one, m);
				int64_t		worst = m == 1 || l % 2 == 1 ? search_range(levels[l], replace_one, m) : bound;
				/* at the far ends it takes more rows than these tables have */
				bool		attained = levels[l] >= PARTS / 4 && levels[l] <= 3 * (PARTS / 4);

				CHECK(worst <= bound, "level %lld, %d rows: %lld of %lld", (long long) levels[l], m, (long long) worst, (long long) bound);
				CHECK(!attained || worst == bound, "level %lld, %d rows: %lld of %lld", (long long) levels[l], m, (long long) worst,
					  (long long) bound);
			}
	CHECK(dpem_quantile_range(PARTS / 2, false, 1) == PARTS && dpem_quantile_range(PARTS / 2, true, 3) == 6 * PARTS &&
		  dpem_quantile_range(PARTS / 4, false, 2) == 3 * PARTS && dpem_quantile_range(1, false, 1) == 2 * (PARTS - 1), "range");
}

/* responsibilities that are no corners of the simplex move scores no further */
static void
test_parts_of_rows(void)
{
	SeededSource seeded;
	double		worst = 0;

	seeded_init(&seeded, 5);
	for (int trial = 0; trial < 100000; trial++)
	{
		int64_t		level = levels[trial % LEVELS];
		bool		replace_one = seeded_word(&seeded) & 1;
		DpemInt128	count[2][BINS];
		DpemInt128	score[2][BINS];
		double		most = -INFINITY;
		double		least = INFINITY;

		for (int i = 0; i < BINS; i++)
			count[0][i] = count[1][i] = seeded_word(&seeded) % (4 << 18);
		for (int row = 0; row <= replace_one; row++)
			for (int part = 0, left = 1 << 18; left > 0; part++)
			{
				int			r = part < 3 ? (int) (seeded_word(&seeded) % (left + 1)) : left;

				count[row][seeded_word(&seeded) % BINS] += r;
				left -= r;
			}
		for (int t = 0; t < 2; t++)
			dpem_quantile_scores(count[t], 1, BINS, level, score[t]);
		for (int i = 0; i < BINS; i++)
		{
			most = fmax(most, (double) (score[1][i] - score[0][i]));
			least = fmin(least, (double) (score[1][i] - score[0][i]));
		}
		worst = fmax(worst, (most - least) / (0x1p18 * (double) dpem_quantile_range(level, replace_one, 1)));
	}
	CHECK(worst <= 1 && worst > 0.5, "%g of the range", worst);
}

/* ---- law ---- */

/* P(bin) proportional to exp(-miss / scale), misses and scale in parts of a row */
static void
fill_law(const int *rows, int64_t level, double scale, long double *p)
{
	long double sum = 0;

	for (int i = 0; i < BINS; i++)
		sum += p[i] = expl(-miss_of(rows, BINS, i, level) / (long double) scale);
	for (int i = 0; i < BINS; i++)
		p[i] /= sum;
}

/* epsilon is kept by the probabilities themselves, for every small table, its neighbours and its bins */
static void
test_privacy(void)
{
	const double epsilon = 0.7;
	int			rows[BINS] = {0};
	long double worst = 0;

	do
		for (int l = 0; l < LEVELS; l++)
		{
			double		scale = (double) dpem_choice_scale(1 / epsilon, dpem_quantile_range(levels[l], true, 1));
			double		scale_added = (double) dpem_choice_scale(1 / epsilon, dpem_quantile_range(levels[l], false, 1));

			for (int to = 0; to < BINS; to++)
			{
				int			from = (to + 2) % BINS;
				int			leaves = rows[from] > 0;
				long double p[2][BINS];
				long double moved[2][BINS];

				fill_law(rows, levels[l], scale_added, p[0]);
				fill_law(rows, levels[l], scale, moved[0]);
				rows[to]++;
				fill_law(rows, levels[l], scale_added, p[1]);
				rows[from] -= leaves;
				fill_law(rows, levels[l], scale, moved[1]);
				rows[from] += leaves;
				rows[to]--;
				for (int i = 0; i < BINS; i++)
					worst = fmaxl(worst, fmaxl(fabsl(logl(p[1][i] / p[0][i])), fabsl(logl(moved[1][i] / moved[0][i]))));
			}
		}
	while (next_table(rows));
	CHECK(worst <= epsilon && worst > 0.5 * epsilon, "epsilon %g: %Lg", epsilon, worst);
}

static void
test_law(void)
{
	static const int tables[][BINS] = {{3, 1, 0, 4, 2}, {0, 0, 9, 0, 0}, {0, 0, 0, 0, 0}, {4, 0, 0, 0, 4}, {1, 2, 3, 4, 5}};
	const long	draws = 40000;
	DpemChoiceLevel level[BINS];
	DpemSampler sampler;
	SeededSource seeded;

	seeded_init(&seeded, 9);
	dpem_sampler_init(&sampler, &seeded.source);
	for (int t = 0; t < 5; t++)
	{
		int64_t		q = levels[1 + t % (LEVELS - 2)];
		DpemUint128 scale = dpem_choice_scale(0.9, dpem_quantile_range(q, t % 2, 1) << 18);
		DpemInt128	count[BINS];
		DpemInt128	score[BINS];
		long double p[BINS];
		long		seen[BINS] = {0};
		size_t		chosen;

		for (int i = 0; i < BINS; i++)
			count[i] = (DpemInt128) tables[t][i] << 18;
		dpem_quantile_scores(count, 1, BINS, q, score);
		fill_law(tables[t], q, (double) scale / 0x1p18, p);
		for (long i = 0; i < draws; i++)
		{
			if (dpem_sample_exponential_choice(&sampler, score, BINS, 1, scale, level, &chosen) == DPEM_OK)
				seen[chosen]++;
		}
		CHECK(chi_square(seen, p, BINS, draws) > ALPHA, "table %d: p = %Lg", t, chi_square(seen, p, BINS, draws));
	}
}

/* ---- error of the rank ---- */

/* worst where one bin is right and all others miss by just more than that */
static void
test_rank_error(void)
{
	for (int n = 2; n <= 4096; n = 3 * n / 2 + 1)
		for (double scale = 0.01; scale < 1e5; scale *= 3.3)
		{
			double		error = dpem_quantile_rank_error(scale, n);
			long double weight = (n - 1) * expl(-(long double) error / scale);
			long double missed = weight / (1 + weight);

			CHECK(missed <= 0.05L && missed > 0.0499L, "%d bins, scale %g: %Lg", n, scale, missed);
		}
	CHECK(dpem_quantile_rank_error(5, 1) <= 0 && dpem_quantile_rank_error(0, 9) <= 0, "nothing to miss");
}

int
main(void)
{
	test_levels();
	test_scores();
	test_large();
	test_discrete();
	test_range();
	test_parts_of_rows();
	test_privacy();
	test_law();
	test_rank_error();
	return unit_report();
}
