/*
 * column_clamp.c - see column_clamp.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/columns/clamp_rules.h"
#include "core/columns/column_clamp.h"

/* bins [from, to) of a level */
typedef struct Range
{
	int			from;
	int			to;
} Range;

static double
sum_of(const double *count, Range r)
{
	double		sum = 0;

	for (int b = r.from; b < r.to; b++)
		sum += count[b];
	return sum;
}

/* from the first to the last of the bins that exceed the threshold; empty if none does */
static Range
seen(const double *count, Range in, double threshold)
{
	Range		r = {in.to, in.from};

	for (int b = in.from; b < in.to; b++)
	{
		r.from = count[b] > threshold && r.from == in.to ? b : r.from;
		r.to = count[b] > threshold ? b + 1 : r.to;
	}
	return r;
}

/* do the next bins in that direction, of the n there are, hold rows? */
static bool
holds_rows(const double *count, int step, int n, double sd)
{
	double		sum = 0;

	for (int i = 1; i <= n && i <= DPEM_CLAMP_LONGEST_WINDOW; i++)
	{
		sum += count[step * (i - 1)];
		if ((i & (i - 1)) == 0 && sum > DPEM_CLAMP_REACHED * sqrt(i) * sd)
			return true;
	}
	return false;
}

static Range
with_tails(const double *count, Range in, Range r, double sd)
{
	while (r.from > in.from && holds_rows(count + r.from - 1, -1, r.from - in.from, sd))
		r.from--;
	while (r.to < in.to && holds_rows(count + r.to, 1, in.to - r.to, sd))
		r.to++;
	return r;
}

/* a range that is being narrowed from level to level */
typedef struct Search
{
	Range		range;
	double		width;			/* of a bin of its level; the box is 2 */
	double		variance;		/* of the noise in the rows in it, as its level counted them; 0: it is the box */
	double		rows;			/* in it */
} Search;

/*
 * How many rows seem to be missing in a range of bins within another one, in deviations of the noise in that?  Of the box what the first level counted is all rows,
 * so that the rest of its bins is what is missing: how many rows have a value is not public.
 */
static double
missed(const Search *s, const double *count, Range in, Range r, double variance)
{
	int			bins = r.to - r.from;
	bool		box = !(s->variance > 0);
	double		rows = box ? sum_of(count, in) : s->rows;
	double		noise = box ? (in.to - in.from - bins) * variance : s->variance + bins * variance;

	return noise > 0 ? (rows - sum_of(count, r)) / sqrt(noise) : 0;
}

static Range
longer(Range in, Range r)
{
	return (Range) {r.from > in.from ? r.from - 1 : r.from, r.to < in.to ? r.to + 1 : r.to};
}

/*
 * The next level, of which a bin is cut into `parts`; false if it is not told there where rows are.  A range that misses
 * some grows, as far as it may; one that misses some still is worse than that of the level before.
 */
static bool
look_nearer(Search *s, const double *count, int parts, double variance)
{
	Range		in = {s->range.from * parts, s->range.to * parts};
	double		sd = sqrt(variance);
	Range		r = seen(count, in, DPEM_CLAMP_SEEN * sd);
	int			most = s->variance > 0 ? DPEM_CLAMP_GROWS : in.to - in.from;

	if (r.to <= r.from)
		return false;
	r = with_tails(count, in, r, sd);
	for (int i = 0; i < most && missed(s, count, in, r, variance) > DPEM_CLAMP_MISSED; i++)
		r = longer(in, r);
	if (missed(s, count, in, r, variance) > DPEM_CLAMP_GIVEN_UP)
		return false;
	*s = (Search) {r, s->width / parts, (r.to - r.from) * variance, sum_of(count, r)};
	return true;
}

/*
 * Of a number of domain [0, 1] that seems to be nearly always 0, or 1, what noise hides is at the other end as a rule, where a
 * clamp would cut off all of it, and noise at the domain is no more than what it hides of such rows.
 */
static bool
hides_ones(const DpemMargins *m, int column, const Search *s)
{
	DpemColumnValues values = m->values != NULL ? m->values[column] : DPEM_VALUES_ANY;
	int			bins = (int) lrint(2 / s->width);

	return values == DPEM_VALUES_TWO ||
		(values == DPEM_VALUES_ONES && s->range.to - s->range.from <= DPEM_CLAMP_FEW && (s->range.from == 0 || s->range.to == bins));
}

void
dpem_column_clamp(const DpemMargins *m, int column, double *low, double *high, DpemWorkspace work)
{
	const DpemMarginGrid *grid = &m->grid;
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(grid));
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	Search		s = {{0, 1}, 2, 0, 0};
	double		more;

	dpem_margins_counts(m, column, count, variance);
	for (int l = 0; l < grid->levels && s.range.to - s.range.from <= DPEM_CLAMP_FEW; l++)
	{
		if (!look_nearer(&s, count, grid->parts, variance[l]))
			break;
		count += dpem_margin_level_bins(grid, l);
	}
	if (hides_ones(m, column, &s))
		s = (Search) {{0, 1}, 2, 0, 0};
	more = DPEM_CLAMP_WIDER * s.width * (s.range.to - s.range.from);
	*low = fmax(s.width * s.range.from - 1 - more, -1);
	*high = fmin(s.width * s.range.to - 1 + more, 1);
}
