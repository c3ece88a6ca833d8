/*
 * column_clamp.c - see column_clamp.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/statistics/clamp_rules.h"
#include "core/statistics/column_clamp.h"

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

/* do rows seem to be missing in a range, of so many? */
static bool
misses(const double *count, Range r, double sd, double rows, double rows_variance)
{
	return rows - sum_of(count, r) > DPEM_CLAMP_MISSED * sqrt(rows_variance + (r.to - r.from) * sd * sd);
}

/* a range that is being narrowed from level to level */
typedef struct Search
{
	Range		range;
	double		width;			/* of a bin of its level; the box is 2 */
	double		rows;			/* in it */
	double		variance;		/* of the noise in them */
} Search;

/*
 * The next level, of which a bin is cut into `parts`; false if it is not told there where rows are.  Of the whole box
 * a range that misses some grows; any other is better than one that does.
 */
static bool
look_nearer(Search *s, const double *count, int parts, double variance)
{
	Range		in = {s->range.from * parts, s->range.to * parts};
	double		sd = sqrt(variance);
	Range		r = seen(count, in, DPEM_CLAMP_SEEN * sd);

	if (r.to <= r.from)
		return false;
	r = with_tails(count, in, r, sd);
	while ((r.from > in.from || r.to < in.to) && misses(count, r, sd, s->rows, s->variance))
	{
		if (s->variance > 0)
			return false;
		r.from = r.from > in.from ? r.from - 1 : r.from;
		r.to = r.to < in.to ? r.to + 1 : r.to;
	}
	*s = (Search) {r, s->width / parts, sum_of(count, r), (r.to - r.from) * variance};
	return true;
}

void
dpem_column_clamp(const DpemMargins *m, int column, double *low, double *high, DpemWorkspace work)
{
	const DpemMarginGrid *grid = &m->grid;
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(grid));
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	Search		s = {{0, 1}, 2, m->rows, 0};
	double		more;

	dpem_margins_counts(m, column, count, variance);
	for (int l = 0; l < grid->levels && s.range.to - s.range.from <= DPEM_CLAMP_FEW; l++)
	{
		if (!look_nearer(&s, count, grid->parts, variance[l]))
			break;
		count += dpem_margin_level_bins(grid, l);
	}
	more = DPEM_CLAMP_WIDER * s.width * (s.range.to - s.range.from);
	*low = fmax(s.width * s.range.from - 1 - more, -1);
	*high = fmin(s.width * s.range.to - 1 + more, 1);
}
