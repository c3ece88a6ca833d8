/*
 * summary_estimate.c - what a released summary says; see summary.h.
 */
#include <math.h>

#include "core/statistics/summary.h"

/* a sum that was released with a weight */
typedef struct Entry
{
	double		value;
	double		sd;
} Entry;

static Entry
entry_of(const DpemNoisyMoments *m, int component, int coordinate, double weight)
{
	size_t		at = (size_t) component * dpem_moments_record(&m->layout) + 1 + coordinate;

	return (Entry) {m->value[at] / weight, m->sum_sd / weight};
}

static void
put(Entry e, DpemStatisticValue *out)
{
	*out = (DpemStatisticValue) {e.value, e.sd, e.value - DPEM_NORMAL_975 * e.sd, e.value + DPEM_NORMAL_975 * e.sd, 0};
}

static Entry
rows_of(const DpemSummary *s, const DpemNoisyMoments *m)
{
	return entry_of(m, DPEM_SUMMARY_KNOWN, s->constant, s->rows);
}

/* a number that is always known is so in every row, whichever of the two was released */
static Entry
known_of(const DpemSummary *s, const DpemNoisyMoments *m, int column)
{
	const DpemSummaryColumn *c = &s->column[column];
	Entry		sum = {0, 0};

	if (c->length == 0)
		return c->known > 0 ? entry_of(m, DPEM_SUMMARY_KNOWN, c->first, c->known) : rows_of(s, m);
	for (int i = 0; i < c->length; i++)
	{
		Entry		e = entry_of(m, DPEM_SUMMARY_KNOWN, c->first + i, c->known);

		sum = (Entry) {sum.value + e.value, hypot(sum.sd, e.sd)};
	}
	return sum;
}

void
dpem_summary_rows(const DpemSummary *s, const DpemNoisyMoments *m, DpemStatisticValue *out)
{
	put(rows_of(s, m), out);
}

void
dpem_summary_known(const DpemSummary *s, const DpemNoisyMoments *m, int column, DpemStatisticValue *out)
{
	put(known_of(s, m, column), out);
}

void
dpem_summary_missing(const DpemSummary *s, const DpemNoisyMoments *m, int column, DpemStatisticValue *out)
{
	Entry		rows = rows_of(s, m);
	Entry		known = known_of(s, m, column);

	if (s->column[column].length == 0 && s->column[column].observed < 0)
		put((Entry) {0, 0}, out);
	else
		put((Entry) {rows.value - known.value, hypot(rows.sd, known.sd)}, out);
}

void
dpem_summary_category(const DpemSummary *s, const DpemNoisyMoments *m, int column, int i, DpemStatisticValue *out)
{
	const DpemSummaryColumn *c = &s->column[column];

	put(entry_of(m, DPEM_SUMMARY_KNOWN, c->first + i, c->known), out);
}

/* of y = 2 u - 1 in [-1, 1], from sums of u and u^2 and the number of rows: sum y = 2 sum u - n would have noise that goes
 * with that of n, so that u itself is taken, of half the range */
void
dpem_summary_statistic(const DpemSummary *s, const DpemNoisyMoments *m, int column, const DpemStatistic *statistic,
					   double lower, double upper, DpemStatisticValue *out)
{
	const DpemSummaryColumn *c = &s->column[column];
	DpemStatisticScale scale = {.middle = {lower, 0},.half = {upper - lower, 0}};
	Entry		n = known_of(s, m, column);
	Entry		sum = entry_of(m, DPEM_SUMMARY_SUM, c->first, c->sum);
	Entry		square = {0, 0};
	DpemStatisticMoments moments = {.noise = DPEM_NOISE_GAUSSIAN,.n = n.value,.s = {sum.value, 0}};

	if (statistic->second != DPEM_SECOND_NONE)
		square = entry_of(m, DPEM_SUMMARY_SQUARE, c->first, c->square);
	moments.p = square.value;
	moments.sd[DPEM_PART_COUNT] = n.sd;
	moments.sd[DPEM_PART_SUM] = sum.sd;
	moments.sd[DPEM_PART_SECOND] = square.sd;
	statistic->estimate(&moments, &scale, out);
	if (!statistic->per_row || statistic->second != DPEM_SECOND_NONE)
		return;
	out->value = fmin(fmax(out->value, lower), upper);
	out->lower = fmin(fmax(out->lower, lower), upper);
	out->upper = fmin(fmax(out->upper, lower), upper);
}

/* ---- quantiles ---- */

/* a sum of released bins: its value and the squares of its coefficients */
typedef struct Rank
{
	double		value;
	double		squares;
} Rank;

static double
bin_of(const DpemSummary *s, const DpemNoisyMoments *m, int column, int level, int bin)
{
	const DpemSummaryColumn *c = &s->column[column];
	int			component = DPEM_SUMMARY_BINS + bin;

	for (int l = 0; l < level; l++)
		component += dpem_summary_level_bins(l);
	return entry_of(m, component, c->first, c->bins / sqrt(s->levels)).value;
}

/*
 * Rows below the lower end of a bin of the finest level.  At each level whole bins are added up within the bin of the
 * level above, from its lower end, or taken away from it, from its upper end; *rows: how many times all rows are added.
 */
static Rank
rank_below(const DpemSummary *s, const DpemNoisyMoments *m, int column, int finest, double *rows)
{
	Rank		rank = {0, 0};
	int			within = dpem_summary_level_bins(s->levels - 1);
	double		above = 0;		/* coefficient of the bin that the last level's bins are within */

	*rows = 0;
	for (int l = 0; l < s->levels; l++)
	{
		int			bin;
		int			place;
		bool		down;

		within /= DPEM_SUMMARY_PARTS;
		bin = finest / within;
		place = bin % DPEM_SUMMARY_PARTS;
		down = place > DPEM_SUMMARY_PARTS / 2;
		if (l == 0)
			*rows = down ? 1 : 0;
		else
		{
			above += down ? 1 : 0;
			rank.value += above * bin_of(s, m, column, l - 1, bin / DPEM_SUMMARY_PARTS);
			rank.squares += above * above;
		}
		for (int i = down ? place + 1 : 0; i < (down ? DPEM_SUMMARY_PARTS : place); i++)
		{
			rank.value += (down ? -1 : 1) * bin_of(s, m, column, l, bin - place + i);
			rank.squares += 1;
		}
		above = down ? -1 : 0;
	}
	rank.value += above * bin_of(s, m, column, s->levels - 1, finest);
	rank.squares += above * above;
	return rank;
}

typedef struct Crossing
{
	int			below;			/* last end with a noisy rank below the quantile's, and first one not below it */
	int			reached;
	int			low;			/* first and last end within the noise */
	int			high;
} Crossing;

static Crossing
find_crossing(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, int bins)
{
	Entry		n = known_of(s, m, column);
	double		sd = m->sum_sd / s->column[column].bins * sqrt(s->levels);
	Crossing	found = {0, -1, -1, 0};

	for (int end = 1; end < bins; end++)
	{
		double		rows;
		Rank		rank = rank_below(s, m, column, end, &rows);
		double		off = rank.value + (rows - q) * n.value;
		double		noise = sqrt(rank.squares * sd * sd + (rows - q) * (rows - q) * n.sd * n.sd);

		if (off < 0)
			found.below = end;
		else if (found.reached < 0)
			found.reached = end;
		if (fabs(off) > DPEM_NORMAL_975 * noise)
			continue;
		found.low = found.low < 0 ? end : found.low;
		found.high = end;
	}
	found.reached = found.reached < 0 ? bins : found.reached;
	return found;
}

void
dpem_summary_quantile(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, double lower, double upper,
					  DpemStatisticValue *out)
{
	int			bins = dpem_summary_level_bins(s->levels - 1);
	double		width = (upper - lower) / bins;
	Crossing	found = find_crossing(s, m, column, q, bins);
	double		middle = (found.below + found.reached) / 2.0;
	double		low = found.low < 0 ? found.reached - 1 : found.low - 1;
	double		high = found.low < 0 ? found.below + 1 : found.high + 1;

	/* the quantile is in a bin next to an end whose rank fits */
	out->value = lower + width * middle;
	out->lower = lower + width * fmin(fmax(low, 0), floor(middle));
	out->upper = lower + width * fmax(fmin(high, bins), ceil(middle));
	out->sd = (out->upper - out->lower) / (2 * DPEM_NORMAL_975);
}
