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
	DpemStatisticMoments moments = {.noise = DPEM_NOISE_GAUSSIAN,.upper_half = true,.n = n.value,.s = {sum.value, 0}};

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

/* a sum of released bins of a column */
typedef struct Rank
{
	double		value;
	double		squares;		/* of its coefficients */
	double	   *coefficient;	/* of each component, added to; NULL: not wanted */
	double		weight;			/* which what is added is multiplied with there */
} Rank;

static void
add_bin(Rank *rank, const DpemSummary *s, const DpemNoisyMoments *m, int column, int level, int bin, double coefficient)
{
	const DpemSummaryColumn *c = &s->column[column];
	int			component = DPEM_SUMMARY_BINS + bin;

	for (int l = 0; l < level; l++)
		component += dpem_summary_level_bins(l);
	rank->value += coefficient * entry_of(m, component, c->first, c->bins / sqrt(s->levels)).value;
	rank->squares += coefficient * coefficient;
	if (rank->coefficient != NULL)
		rank->coefficient[component] += rank->weight * coefficient;
}

/*
 * Rows below the lower end of a bin of the finest level.  At each level whole bins are added up within the bin of the
 * level above, from its lower end, or taken away from it, from its upper end.  Returns how many times all rows are added.
 */
static double
add_rank(Rank *rank, const DpemSummary *s, const DpemNoisyMoments *m, int column, int finest)
{
	int			within = dpem_summary_level_bins(s->levels - 1);
	double		above = 0;		/* coefficient of the bin that the last level's bins are within */
	double		rows = 0;

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
			rows = down ? 1 : 0;
		else
			add_bin(rank, s, m, column, l - 1, bin / DPEM_SUMMARY_PARTS, above + (down ? 1 : 0));
		for (int i = down ? place + 1 : 0; i < (down ? DPEM_SUMMARY_PARTS : place); i++)
			add_bin(rank, s, m, column, l, bin - place + i, down ? -1 : 1);
		above = down ? -1 : 0;
	}
	add_bin(rank, s, m, column, s->levels - 1, finest, above);
	return rows;
}

typedef struct Crossing
{
	int			below;			/* last end with a noisy rank below the quantile's, and first one not below it */
	int			reached;
	int			low;			/* first end whose rank may be the quantile's or more, and last one whose rank may be less, as far as noise tells */
	int			high;
} Crossing;

static Crossing
find_crossing(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, int bins, double reach)
{
	Entry		n = known_of(s, m, column);
	double		sd = m->sum_sd / s->column[column].bins * sqrt(s->levels);
	Crossing	found = {0, -1, bins, 0};

	for (int end = 1; end < bins; end++)
	{
		Rank		rank = {0};
		double		rows = add_rank(&rank, s, m, column, end);
		double		off = rank.value + (rows - q) * n.value;
		double		noise = sqrt(rank.squares * sd * sd + (rows - q) * (rows - q) * n.sd * n.sd);

		if (off < 0)
			found.below = end;
		else if (found.reached < 0)
			found.reached = end;
		if (off >= -reach * noise && found.low == bins)
			found.low = end;
		if (off <= reach * noise)
			found.high = end;
	}
	found.reached = found.reached < 0 ? bins : found.reached;
	return found;
}

/* reach: how many deviations of the noise the interval takes in */
static void
find_quantile(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, const double domain[2], double reach,
			  DpemStatisticValue *out)
{
	int			bins = dpem_summary_level_bins(s->levels - 1);
	double		width = (domain[1] - domain[0]) / bins;
	Crossing	found = find_crossing(s, m, column, q, bins, reach);
	double		middle = (found.below + found.reached) / 2.0;

	/* of the quantile's bin the upper end is none before the first, and the lower one none beyond the last: each fails in 2.5 of 100 */
	out->value = domain[0] + width * middle;
	out->lower = domain[0] + width * fmin(found.low - 1, floor(middle));
	out->upper = domain[0] + width * fmax(found.high + 1, ceil(middle));
	out->sd = (out->upper - out->lower) / (2 * reach);
}

void
dpem_summary_quantile(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, double lower, double upper,
					  DpemStatisticValue *out)
{
	find_quantile(s, m, column, q, (double[2]) {lower, upper}, DPEM_NORMAL_975, out);
}

/* ---- what follows from two quantiles ---- */

#define NORMAL_9875		2.241402727604947	/* two such intervals hold together in 95 of 100 releases */

static void
put_ends(double value, double lower, double upper, DpemStatisticValue *out)
{
	*out = (DpemStatisticValue) {value, (upper - lower) / (2 * DPEM_NORMAL_975), lower, upper, 0};
}

void
dpem_summary_spread(const DpemSummary *s, const DpemNoisyMoments *m, int column, double q, double lower, double upper,
				   DpemStatisticValue *out)
{
	DpemStatisticValue low;
	DpemStatisticValue high;

	find_quantile(s, m, column, q, (double[2]) {lower, upper}, NORMAL_9875, &low);
	find_quantile(s, m, column, 1 - q, (double[2]) {lower, upper}, NORMAL_9875, &high);
	put_ends(fmax(high.value - low.value, 0), fmax(high.lower - low.upper, 0), high.upper - low.lower, out);
}

/* the integral of the share of rows below x over ends first to last of bins, by trapezoids, in bins; its noise */
static Entry
integrate_shares(const DpemSummary *s, const DpemNoisyMoments *m, int column, int first, int last)
{
	double		coefficient[DPEM_SUMMARY_BINS + DPEM_SUMMARY_ALL_BINS] = {0};
	int			bins = dpem_summary_level_bins(s->levels - 1);
	double		sd = m->sum_sd / s->column[column].bins * sqrt(s->levels);
	Entry		n = known_of(s, m, column);
	Entry		all = {0, 0};
	double		rows = 0;
	double		squares = 0;

	for (int end = first; end <= last; end++)
	{
		double		weight = end == first || end == last ? 0.5 : 1;
		Rank		rank = {.coefficient = coefficient,.weight = weight};

		/* no row is below the first end, and all are below the last */
		if (end > 0 && end < bins)
			rows += weight * add_rank(&rank, s, m, column, end);
		else
			rows += end == 0 ? 0 : weight;
		all.value += weight * rank.value;
	}
	for (int i = 0; i < dpem_summary_components(s); i++)
		squares += coefficient[i] * coefficient[i];
	all.value = (all.value + rows * n.value) / n.value;
	all.sd = hypot(sqrt(squares) * sd, (rows - all.value) * n.sd) / n.value;
	return all;
}

/*
 * With F the share of the rows below x, and l and h the quantiles of levels a and 1 - a, the mean of the rows between
 * them is ((1 - a) h - a l - integral of F from l to h) / (1 - 2 a).  Its derivative in l and h is 0 at the quantiles
 * themselves: what their noise does to it is of second order, and at most what it does to a rank times what it does to an end.
 * A trapezoid is off by at most half a bin for each row.
 */
void
dpem_summary_middle_mean(const DpemSummary *s, const DpemNoisyMoments *m, int column, double a, bool winsorised, double lower,
						 double upper, DpemStatisticValue *out)
{
	double		width = (upper - lower) / dpem_summary_level_bins(s->levels - 1);
	double		rank_sd = m->sum_sd / s->column[column].bins * sqrt(DPEM_SUMMARY_PARTS / 2) * s->levels;
	Entry		n = known_of(s, m, column);
	DpemStatisticValue low;
	DpemStatisticValue high;
	Entry		shares;
	double		mean;
	double		half;

	find_quantile(s, m, column, a, (double[2]) {lower, upper}, DPEM_NORMAL_975, &low);
	find_quantile(s, m, column, 1 - a, (double[2]) {lower, upper}, DPEM_NORMAL_975, &high);
	if (!(n.value > 3 * fmax(n.sd, 1)) || high.value < low.value + width)
	{
		put_ends(low.value / 2 + high.value / 2, lower, upper, out);
		return;
	}
	low.value = lower + width * floor((low.value - lower) / width);
	high.value = lower + width * ceil((high.value - lower) / width);
	shares = integrate_shares(s, m, column, (int) rint((low.value - lower) / width), (int) rint((high.value - lower) / width));
	mean = ((1 - a) * high.value - a * low.value - width * shares.value) / (1 - 2 * a);
	half = (DPEM_NORMAL_975 * width * shares.sd + DPEM_NORMAL_975 * rank_sd / n.value * (high.upper - high.lower + low.upper - low.lower) / 2)
		/ (1 - 2 * a) + width;
	if (winsorised)
	{
		mean = a * low.value + a * high.value + (1 - 2 * a) * mean;
		half = (1 - 2 * a) * half + a * (high.upper - high.lower + low.upper - low.lower);
	}
	mean = fmin(fmax(mean, lower), upper);
	put_ends(mean, fmax(mean - half, lower), fmin(mean + half, upper), out);
}
