/*
 * robust.c - see robust.h.
 */
#include <math.h>

#include "core/robust/robust.h"
#include "core/robust/robust_rules.h"
#include "core/statistics/quantile.h"

/* ---- excesses ---- */

static DpemRobustQuantile
quantile_of(int64_t level, const DpemInt128 *count, size_t stride, int cells, const DpemRobustRows *rows, DpemInt128 *excess)
{
	int64_t		above = DPEM_QUANTILE_PARTS - level;
	int64_t		most = rows->replace_one ? DPEM_QUANTILE_PARTS : level > above ? level : above;
	DpemInt128	below = 0;
	DpemInt128	rank = 0;

	for (int b = 0; b < cells; b++)
		rank += level * count[(size_t) b * stride];
	for (int b = 0; b < cells; b++)
	{
		below += DPEM_QUANTILE_PARTS * count[(size_t) b * stride];
		excess[b] = below - rank;
	}
	return (DpemRobustQuantile) {excess, most * rows->one * rows->rows_per_unit};
}

void
dpem_robust_table(DpemRobustTable *table, DpemRobustStatistic statistic, const DpemInt128 *count, size_t stride, int cells,
				  const DpemRobustRows *rows, DpemInt128 *excess)
{
	static const int64_t levels[][DPEM_ROBUST_QUANTILES] = {
		[DPEM_ROBUST_MEDIAN] = {DPEM_QUANTILE_PARTS / 2},
		[DPEM_ROBUST_IQR] = {DPEM_QUANTILE_PARTS / 4, 3 * (DPEM_QUANTILE_PARTS / 4)},
		[DPEM_ROBUST_ATTENTION] = {0}
	};

	table->cells = cells;
	table->statistic = statistic;
	table->n = statistic == DPEM_ROBUST_IQR ? 2 : 1;
	table->range = DPEM_QUANTILE_PARTS * rows->one * rows->rows_per_unit;
	for (int i = 0; i < table->n; i++)
		table->quantile[i] = quantile_of(levels[statistic][i], count, stride, cells, rows, excess + (size_t) i * cells);
}

/* T(0): some excess is not negative, as that of the last cell is (S - Q) N */
static int
cell_of(const DpemRobustQuantile *q, int cells)
{
	int			b = 0;

	while (b < cells - 1 && q->excess[b] < 0)
		b++;
	return b;
}

/* the first shortest run of cells that holds so many rows, in parts: from *first, and how far its last one is from that */
static int
shortest(const DpemRobustTable *table, DpemInt128 rows, int *first)
{
	const DpemInt128 *upto = table->quantile[0].excess;
	int			least = table->cells;
	int			last = 0;

	*first = 0;
	for (int b = 0; b < table->cells; b++)
	{
		DpemInt128	before = b > 0 ? upto[b - 1] : 0;

		while (last < table->cells && (last < b || upto[last] - before < rows))
			last++;
		if (last == table->cells)
			break;
		if (last - b < least)
		{
			least = last - b;
			*first = b;
		}
	}
	return least < table->cells ? least : table->cells - 1;
}

/* more than half of the rows and of a unit's */
static DpemInt128
majority(const DpemRobustTable *table)
{
	return (table->quantile[0].excess[table->cells - 1] + table->range) / 2 + 1;
}

static int
attention(const DpemRobustTable *table)
{
	int			first;
	int			length = shortest(table, majority(table), &first);

	return first + length / 2;
}

int
dpem_robust_value(const DpemRobustTable *table)
{
	int			first;

	if (table->statistic == DPEM_ROBUST_ATTENTION)
		return attention(table);
	first = cell_of(&table->quantile[0], table->cells);
	return table->n == 1 ? first : cell_of(&table->quantile[1], table->cells) - first;
}

int
dpem_robust_value_of(DpemRobustStatistic statistic, const double *count, size_t stride, int cells, DpemInt128 *room)
{
	const DpemRobustRows rows = {1, true, 1};
	DpemRobustTable table;

	for (int b = 0; b < cells; b++)
		room[b] = (DpemInt128) count[(size_t) b * stride];
	dpem_robust_table(&table, statistic, room, 1, cells, &rows, room + cells);
	return dpem_robust_value(&table);
}

/* ---- A(k) ---- */

/*
 * The longest T(a + w) - T(a) for -w <= a <= 0.  For each cell b = T(a) the largest such a is the best: the cell's own
 * excess, or 0 for the quantile's.  Cells whose excess is that of one before them are no T(a), but then shorter.
 */
static int
longest(const DpemRobustQuantile *q, int cells, DpemInt128 w)
{
	int			end = 0;
	int			most = 0;

	for (int b = 0; b < cells; b++)
	{
		DpemInt128	from = q->excess[b] < 0 ? q->excess[b] : 0;

		while (end < cells - 1 && q->excess[end] < from + w)
			end++;
		if (from >= -w && end - b > most)
			most = end - b;
	}
	return most;
}

int
dpem_robust_reach(const DpemRobustTable *table, int64_t k)
{
	int			sum = 0;
	int			first;

	if (table->statistic == DPEM_ROBUST_ATTENTION)
		return shortest(table, majority(table) + (k + 1) * table->range, &first);
	for (int i = 0; i < table->n; i++)
		sum += longest(&table->quantile[i], table->cells, table->quantile[i].most + k * table->range);
	return sum < table->cells - 1 ? sum : table->cells - 1;
}

int64_t
dpem_robust_distance(const DpemRobustTable *table, int proposal)
{
	int64_t		low = -1;		/* A(low) is no more than was proposed */
	int64_t		high = DPEM_ROBUST_FARTHEST;

	while (high - low > 1)
	{
		int64_t		middle = low + (high - low) / 2;

		if (dpem_robust_reach(table, middle) > proposal)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* ---- smooth sensitivity ---- */

#define WEIGHT_BITS	40
#define SLOPE_BITS	24
#define SCORE_BITS	40

/*
 * Scores are off by less than two units each (smooth_scores): two tables' differences by less than four, and a range
 * of them by less than eight, which takes a scale that is larger by eight noise multipliers; the rest is for roundings.
 */
#define SCORE_SLACK	32

double
dpem_smooth_beta(double noise_multiplier)
{
	return 1 / (2 * DPEM_SMOOTH_POWER * noise_multiplier);
}

DpemSmoothLaw
dpem_smooth_law(double noise_multiplier)
{
	double		beta = dpem_smooth_beta(noise_multiplier);
	DpemSmoothLaw law = {0, 0, 0};

	if (!(noise_multiplier >= 1 / DPEM_SMOOTH_MOST_MULTIPLIER && noise_multiplier <= DPEM_SMOOTH_MOST_MULTIPLIER))
		return law;
	law.decay = (uint64_t) floor(ldexp(-expm1(-beta) * (1 - 1e-12), WEIGHT_BITS));
	law.slope = (uint64_t) floor(ldexp(beta / 2, SLOPE_BITS));
	law.scale = ((DpemUint128) 1 << SCORE_BITS) + SCORE_SLACK * (DpemUint128) ceil(noise_multiplier);
	return law;
}

/* weights fall by no more than e^-beta a step, until they hardly matter or, after the last step, do not fall any more */
DpemUint128
dpem_smooth_sensitivity(const DpemRobustTable *table, const DpemSmoothLaw *law)
{
	const DpemUint128 whole = (DpemUint128) 1 << WEIGHT_BITS;
	DpemUint128 weight = whole;
	DpemUint128 most = 0;

	for (int k = 0; k < DPEM_SMOOTH_STEPS && weight * 16 * (unsigned int) table->cells > whole; k++)
	{
		DpemUint128 weighted = weight * (unsigned int) dpem_robust_reach(table, k);

		most = weighted > most ? weighted : most;
		weight -= weight * law->decay >> WEIGHT_BITS;
	}
	weight *= (unsigned int) (table->cells - 1);
	return weight > most ? weight : most;
}

/*
 * -p ln(M / alpha + |y - value|) 2^SCORE_BITS but for a constant: the sum is exact, below 2^103, its conversion and its
 * logarithm, below 72, are off by less than 2^-45 together, which is 1/8 of a unit, and rounding by one half; products
 * by powers of two are exact.
 */
void
dpem_smooth_scores(int value, DpemUint128 sensitivity, const DpemSmoothLaw *law, int cells, DpemInt128 *score)
{
	DpemUint128 step = (DpemUint128) law->slope << WEIGHT_BITS;

	for (int y = 0; y < cells; y++)
	{
		unsigned int away = (unsigned int) (y < value ? value - y : y - value);
		DpemUint128 size = (sensitivity << SLOPE_BITS) + step * away;

		score[y] = -(DpemInt128) rint(ldexp(DPEM_SMOOTH_POWER * log((double) size), SCORE_BITS));
	}
}
