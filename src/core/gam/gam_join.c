/*
 * gam_join.c - see gam_join.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_join.h"
#include "core/gam/gam_rules.h"

/* ---- how many bins ---- */

double
dpem_gam_bins_wanted(const DpemGamRows *rows, double told, double noise)
{
	double		most = rows->shape.targets == 1 ? dpem_gam_rules.number_bins : dpem_gam_rules.class_bins;

	return fmax(most * sqrt(told / noise), dpem_gam_rules.least_bins);
}

/* ---- which are one ---- */

void
dpem_gam_nearest_counts(int n, double total, double *count, double *sorted)
{
	double		sum = 0;
	double		shift = 0;

	memcpy(sorted, count, n * sizeof(double));
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && sorted[j] > sorted[j - 1]; j--)
		{
			double		larger = sorted[j];

			sorted[j] = sorted[j - 1];
			sorted[j - 1] = larger;
		}
	for (int i = 0; i < n; i++)
	{
		sum += sorted[i];
		if (sorted[i] > (sum - total) / (i + 1))
			shift = (sum - total) / (i + 1);
	}
	for (int i = 0; i < n; i++)
		count[i] = fmax(count[i] - shift, 0);
}

int
dpem_gam_join_bins(int bins, const double *count, double size, double clear, double *joined)
{
	double		sum = 0;
	double		most = 0;
	int			at = 0;
	int			last = 0;

	for (int i = 0; i < bins; i++)
	{
		if (sum > 0 && sum + count[i] / 2 > size)
		{
			sum = most = 0;
			at++;
			last = i;
		}
		sum += count[i];
		most = fmax(most, count[i]);
		joined[i] = at;
	}
	if (at == 0 || sum >= size / 2 || most >= clear)
		return at + 1;
	for (int i = last; i < bins; i++)
		joined[i] = at - 1;
	return at;
}

/* two bins in place of one: that of most rows and those before it, and all others; if it is the last, it alone */
static int
split_bins(int bins, const double *count, double *joined)
{
	int			most = 0;

	for (int i = 1; i < bins; i++)
		most = count[i] > count[most] ? i : most;
	for (int i = 0; i < bins; i++)
		joined[i] = i > most || (most == bins - 1 && i == most);
	return bins > 1 ? 2 : 1;
}

/* ---- what is to stay apart ---- */

/* cells from `first` to before `end` of a column whose cells begin at `at`, and those of them from `from` to before `to` */
typedef struct Stretch
{
	int			at;
	int			first;
	int			end;
	int			from;
	int			to;
} Stretch;

static int
is_within(const Stretch *s, int i)
{
	return i >= s->from && i < s->to;
}

/*
 * By how much those cells differ from the others of the stretch, beyond doubt, in what gradients would see of it: the excess of
 * one part less its share of that of both, of the score of which that is most.
 */
static double
difference(const DpemGamSeen *seen, const Stretch *s)
{
	double		rows[2] = {0};
	double		most = 0;
	double		part;
	double		square;

	for (int i = s->first; i < s->end; i++)
		rows[is_within(s, i)] += seen->count[s->at + i];
	if (rows[0] + rows[1] <= 0)
		return 0;
	part = rows[1] / (rows[0] + rows[1]);
	square = part * part * (s->end - s->first - (s->to - s->from)) + (1 - part) * (1 - part) * (s->to - s->from);
	for (int t = 0; t < seen->scores; t++)
	{
		double		sum[2] = {0};

		for (int i = s->first; i < s->end; i++)
			sum[is_within(s, i)] += seen->excess[t][s->at + i];
		most = fmax(most, fabs((1 - part) * sum[1] - part * sum[0]) - dpem_gam_rules.apart * seen->excess_sd[t] * sqrt(square));
	}
	return most;
}

/* the bin from which on a stretch differs most from what is before it; 0: nowhere by more than gradients' noise */
static int
best_cut(const DpemGamSeen *seen, Stretch s)
{
	double		most = seen->noise;
	int			best = 0;

	s.to = s.end;
	for (s.from = s.first + 1; s.from < s.end; s.from++)
	{
		double		here = difference(seen, &s);

		if (here > most)
		{
			most = here;
			best = s.from;
		}
	}
	return best;
}

/* cuts stretches of bins that are one, until no part differs; returns how many bins there are then */
static int
cut_bins(const DpemGamSeen *seen, int at, int bins, int own, double *joined)
{
	Stretch		s = {.at = at};

	while (s.first < bins)
	{
		int			cut;

		for (s.end = s.first + 1; s.end < bins && joined[s.end] == joined[s.first]; s.end++)
			continue;
		cut = best_cut(seen, s);
		for (int i = cut; cut > 0 && i < bins; i++)
			joined[i]++;
		own += cut > 0;
		if (cut == 0)
			s.first = s.end;
	}
	return own;
}

/* ---- bins of a column ---- */

/* a number's bins, whose column begins at `at`; returns how many are left */
static int
join_number(const DpemGamColumn *column, const DpemGamSeen *seen, int at, double *joined)
{
	double		size = seen->rows / seen->bins;
	int			own = dpem_gam_join_bins(column->bins, seen->count + at, size, INFINITY, joined);

	return cut_bins(seen, at, column->bins, own, joined);
}

static void
join_column(DpemGamColumn *column, const DpemGamSeen *seen, int at, double *joined)
{
	int			cells = dpem_gam_column_cells(column);
	int			own = column->bins;

	for (int i = 0; i < cells; i++)
		joined[i] = i;
	if (column->length == 0)
		own = join_number(column, seen, at, joined);
	if (own == 1 && cells == column->bins)
		own = split_bins(column->bins, seen->count + at, joined);
	for (int i = column->bins; i < cells; i++)
		joined[i] = own;
	column->joined = own + cells - column->bins;
}

void
dpem_gam_join_cells(int columns, DpemGamColumn *column, const DpemGamSeen *seen, double *joined)
{
	int			at = 0;

	for (int c = 0; c < columns; c++)
	{
		join_column(&column[c], seen, at, joined + at);
		at += dpem_gam_column_cells(&column[c]);
	}
}

bool
dpem_gam_are_joined(int columns, const DpemGamColumn *column)
{
	for (int c = 0; c < columns; c++)
		if (column[c].joined < dpem_gam_column_cells(&column[c]))
			return true;
	return false;
}
