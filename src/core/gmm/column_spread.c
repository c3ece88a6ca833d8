/*
 * column_spread.c - see column_spread.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/gmm/column_spread.h"
#include "core/gmm/gmm_whiten.h"

/*
 * Chosen by test/bench/utility_{logit,factors,gmm}.pl.  Lower thresholds take noise for rows, which
 * makes a column that is narrow in its domain many times too wide (one in fifty without SEEN_ALONE); higher
 * ones lose tails.  Without a floor, columns of few ones (of a single value, as far as is seen) make for clipped rows; what
 * may be hidden beside many values costs more as a floor than as clipped rows.
 *
 * Hidden ones are at the other end of [0, 1]: of a9a, 123 ones of which many are rare, AUC is 0.888 / 0.889 / 0.892 at
 * epsilon 0.5 / 1 / 4 without HIDDEN_ONES, 0.900 / 0.901 / 0.901 with it (test/bench/utility_logit.pl); in proportion to the
 * noise it is worse at 4, with three times as much at 0.1.  In other domains as much costs adult's gains and losses 0.003 at 0.5.
 *
 * DPEM_VALUES_TAIL, at epsilon 0.1 (test/bench/utility_gmm.pl, nats a row): Pareto counts -37.3 with HIDDEN_TOGETHER, -30.2
 * without, heavy counts -23.1 and -22.6.  Regressions need it: AUC of adult is 0.886 with it, 0.766 without.
 */
#define SEEN		3.0
#define SEEN_ALONE	4.5		/* of a bin with nothing to be seen on either side */
#define UNSEEN		0.2		/* of a bin's rows: fewer are not missed, as they would make narrow columns wide */
#define HIDDEN_TOGETHER	1.5
#define HIDDEN_APART	0.05
#define HIDDEN_ONES	0.35
#define TOGETHER	8.0
#define APART		0.4
#define SINGLE		0.9
#define APART_ROWS	4.0		/* deviations of its noise that a column's number of rows is off the mean of all by, if it is another */

static size_t
place(const DpemMargins *m, int bin, int column)
{
	return (size_t) bin * dpem_moments_record(&m->released->layout) + 1 + (size_t) column;
}

/* of a bin of that level, in rows */
static double
level_variance(const DpemMarginGrid *grid, double sum_sd, int level)
{
	double		sd = sum_sd / dpem_margin_mark(grid, level);

	return sd * sd;
}

/* variance of a bin's estimate by its own mark and the bins within it, for each level */
static void
merged_variances(const DpemMarginGrid *grid, double sum_sd, double *variance)
{
	variance[grid->levels - 1] = level_variance(grid, sum_sd, grid->levels - 1);
	for (int l = grid->levels - 2; l >= 0; l--)
	{
		double		own = level_variance(grid, sum_sd, l);
		double		within = grid->parts * variance[l + 1];

		variance[l] = own + within > 0 ? own * within / (own + within) : 0;
	}
}

/* what its first level holds */
double
dpem_margins_column(const DpemMargins *m, int column)
{
	double		sum = 0;

	for (int bin = 0; bin < m->grid.parts; bin++)
		sum += m->released->value[place(m, bin, column)];
	return sum / dpem_margin_mark(&m->grid, 0);
}

/* mean over the columns */
static double
count_rows(const DpemMargins *m)
{
	double		sum = 0;

	for (int j = 0; j < m->grid.columns; j++)
		sum += dpem_margins_column(m, j);
	return sum / m->grid.columns;
}

static double
column_sd(const DpemMargins *m)
{
	return sqrt(level_variance(&m->grid, m->released->sum_sd, 0) * m->grid.parts);
}

double
dpem_margins_best_known(const DpemMargins *m, double *sd)
{
	double		most = m->counted;

	*sd = m->counted_sd;
	for (int j = 0; j < m->grid.columns; j++)
	{
		double		rows = dpem_margins_column(m, j);

		if (rows <= most || fabs(rows - m->counted) <= APART_ROWS * column_sd(m))
			continue;
		most = rows;
		*sd = column_sd(m);
	}
	return most;
}

double
dpem_margins_known(const DpemMargins *m, int column, double *sd)
{
	*sd = column_sd(m);
	return fmax(dpem_gmm_rows(dpem_margins_column(m, column), *sd, m->rows), fmax(*sd, 1));
}

/* in which the column is known */
static double
rows_of(const DpemMargins *m, int column)
{
	double		sd;

	return m->apart ? dpem_margins_known(m, column, &sd) : m->rows;
}

DpemMargins
dpem_margins_take(const DpemMarginGrid *grid, const DpemNoisyMoments *released, double public_rows)
{
	DpemMargins m = {.grid = *grid,.released = released};
	double		variance[DPEM_MARGINS_MAX_LEVELS];

	m.counted = count_rows(&m);
	m.counted_sd = sqrt(level_variance(grid, released->sum_sd, 0) * grid->parts / grid->columns);
	merged_variances(grid, released->sum_sd, variance);
	m.rows = fmax(dpem_gmm_rows(m.counted, m.counted_sd, public_rows), fmax(m.counted_sd, 1));
	m.noise = sqrt(variance[0]) / m.rows;
	return m;
}

/* rows in each bin, all levels: count[first of level + bin] */
static void
estimate_counts(const DpemMargins *m, int column, const double *variance, double *count)
{
	const DpemMarginGrid *grid = &m->grid;
	int			first = dpem_margin_bins(grid);

	for (int l = grid->levels - 1; l >= 0; l--)
	{
		int			bins = dpem_margin_level_bins(grid, l);
		double		own = level_variance(grid, m->released->sum_sd, l);
		double		trust = l < grid->levels - 1 && own + grid->parts * variance[l + 1] > 0
			? grid->parts * variance[l + 1] / (own + grid->parts * variance[l + 1]) : 1;
		int			below = first;

		first -= bins;
		for (int b = 0; b < bins; b++)
		{
			double		within = 0;

			for (int i = 0; i < grid->parts && trust < 1; i++)
				within += count[below + b * grid->parts + i];
			count[first + b] = trust * m->released->value[place(m, first + b, column)] / dpem_margin_mark(grid, l) +
				(1 - trust) * within;
		}
	}
}

void
dpem_margins_counts(const DpemMargins *m, int column, double *count, double variance[DPEM_MARGINS_MAX_LEVELS])
{
	merged_variances(&m->grid, m->released->sum_sd, variance);
	estimate_counts(m, column, variance, count);
}

/* does a bin exceed what noise alone does, or the lower threshold beside one that exceeds the same? */
static bool
is_seen(const double *count, int i, int parts, double sd)
{
	double		least = SEEN * sd;

	if (count[i] > SEEN_ALONE * sd)
		return true;
	return count[i] > least && ((i > 0 && count[i - 1] > least) || (i < parts - 1 && count[i + 1] > least));
}

/*
 * whole, the share of a bin with `rows`, among those within it: p[0..parts).  What rows those that are
 * seen clearly do not hold, where they are many, is in the others, and nobody knows where.
 */
static void
share_out(const double *count, int parts, double sd, double rows, double whole, double *p)
{
	double		sum = 0;
	double		hidden;
	int			seen = 0;

	for (int i = 0; i < parts; i++)
	{
		sum += is_seen(count, i, parts, sd) ? count[i] : 0;
		seen += is_seen(count, i, parts, sd);
	}
	hidden = seen > 0 && seen < parts ? rows - sum - SEEN * sd * sqrt(seen) : 0;
	if (hidden < UNSEEN * rows)
		hidden = 0;
	for (int i = 0; i < parts; i++)
		p[i] = seen == 0 ? whole / parts
			: whole * (is_seen(count, i, parts, sd) ? count[i] : hidden / (parts - seen)) / (sum + hidden);
}

void
dpem_margins_law(const DpemMargins *m, int column, double *p, DpemWorkspace work)
{
	const DpemMarginGrid *grid = &m->grid;
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(grid));
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		rows = rows_of(m, column);
	int			first = 0;
	int			above = 1;

	dpem_margins_counts(m, column, count, variance);
	p[0] = 1;
	for (int l = 0; l < grid->levels; l++)
	{
		/* from the last one on, as a bin's share stands where those of the first ones go */
		for (int b = above - 1; b >= 0; b--)
			share_out(count + first + b * grid->parts, grid->parts, sqrt(variance[l]), p[b] * rows, p[b], p + b * grid->parts);
		first += above * grid->parts;
		above *= grid->parts;
	}
}

size_t
dpem_column_spread_work(const DpemMarginGrid *grid)
{
	return dpem_margin_level_bins(grid, grid->levels - 1) + dpem_margin_bins(grid);
}

/* rows of a bin lie anywhere in it */
static void
find_spread(const DpemMarginGrid *grid, const double *p, bool centered, double *center, double *variance)
{
	int			bins = dpem_margin_level_bins(grid, grid->levels - 1);
	double		width = 2.0 / bins;
	double		mean = 0;
	double		square = width * width / 12;

	for (int b = 0; b < bins; b++)
		mean += p[b] * ((b + 0.5) * width - 1);
	*center = centered ? mean : 0;
	for (int b = 0; b < bins; b++)
		square += p[b] * pow((b + 0.5) * width - 1 - *center, 2);
	*variance = square;
}

bool
dpem_margins_single(const DpemMarginGrid *grid, const double *p)
{
	int			bins = dpem_margin_level_bins(grid, grid->levels - 1);
	double		most = 0;

	for (int b = 0; b < bins; b++)
		most = fmax(most, p[b]);
	return most > SINGLE;
}

static DpemColumnValues
values_of(const DpemMargins *m, int column)
{
	return m->values ? m->values[column] : DPEM_VALUES_ANY;
}

/* variance that rows have which noise hides, at a distance from all that is seen */
static double
hidden_ones(const DpemMargins *m, double distance)
{
	return HIDDEN_ONES * sqrt(m->noise) * distance * distance;
}

/*
 * A number of domain [0, 1] of which noise leaves a single value to be seen, or, at an end, one part of the first level: ones, far
 * from the zeros, are hidden.
 */
static bool
hides_ones(const DpemMargins *m, int column, double center, double variance)
{
	double		part = 2.0 / m->grid.parts;
	double		width = 2.0 / dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double		most = fabs(center) > 1 - part ? part : width;

	return values_of(m, column) == DPEM_VALUES_ONES && variance <= most * most / 6;
}

/* rows in the last bins of all levels, which alone tell where they are; sd: of their noise */
static double
count_last(const DpemMargins *m, int column, double *sd)
{
	double		sum = 0;
	double		precision = 0;
	int			end = 0;

	for (int l = 0; l < m->grid.levels; l++)
	{
		double		mark = dpem_margin_mark(&m->grid, l);

		end += dpem_margin_level_bins(&m->grid, l);
		sum += m->released->value[place(m, end - 1, column)] * mark;
		precision += mark * mark;
	}
	*sd = m->released->sum_sd / sqrt(precision);
	return sum / precision;
}

/* of two values; one of which noise hides is as if no row had it, but it is not forgotten */
static void
find_two(const DpemMargins *m, int column, bool centered, double *center, double *variance)
{
	double		lower = values_of(m, column) == DPEM_VALUES_CATEGORY ? 0 : -1;
	double		sd;
	double		count = count_last(m, column, &sd);
	double		rows = rows_of(m, column);
	double		share = count > SEEN * sd ? fmin(count / rows, 1) : 0;
	double		least = 0;

	if (rows * fmin(share, 1 - share) <= SEEN * sd)
		least = hidden_ones(m, 1 - lower);
	*center = lower + share * (1 - lower);
	*variance = fmax(share * (1 - share) * (1 - lower) * (1 - lower), least);
	if (!centered)
	{
		*variance += *center * *center;
		*center = 0;
	}
}

/* of any others; single: nearly all rows seem to have the same value */
static void
find_law(const DpemMargins *m, int column, bool centered, double *p, DpemWorkspace work, double *center, double *variance, bool *single)
{
	dpem_margins_law(m, column, p, work);
	find_spread(&m->grid, p, centered, center, variance);
	*single = dpem_margins_single(&m->grid, p);
}

/* by what the variance of a column grows that seems to have a single value, as that many do, or not */
static double
hidden_variance(const DpemMargins *m, int column, bool single, int singles, double center, double variance)
{
	DpemColumnValues values = values_of(m, column);
	double		alike = single ? TOGETHER * singles : APART * m->grid.columns;

	if (values >= DPEM_VALUES_TWO || (single && values == DPEM_VALUES_TAIL))
		return 0;
	if (hides_ones(m, column, center, variance))
		return hidden_ones(m, 1 + fabs(center));
	return (single ? HIDDEN_TOGETHER : HIDDEN_APART) * m->noise * pow(fmin(1, alike * m->noise), 2);
}

void
dpem_column_spread(const DpemMargins *m, bool centered, double *center, double *deviation, DpemWorkspace work)
{
	double	   *p = dpem_workspace_take(&work, dpem_margin_level_bins(&m->grid, m->grid.levels - 1));
	int			singles = 0;

	for (int j = 0; j < m->grid.columns; j++)
	{
		double		variance;
		bool		single = false;

		if (values_of(m, j) >= DPEM_VALUES_TWO)
			find_two(m, j, centered, &center[j], &variance);
		else
			find_law(m, j, centered, p, work, &center[j], &variance, &single);
		deviation[j] = single ? -variance : variance;
		singles += single;
	}
	for (int j = 0; j < m->grid.columns; j++)
	{
		bool		single = deviation[j] < 0;
		double		variance = fabs(deviation[j]);

		deviation[j] = fmin(sqrt(variance + hidden_variance(m, j, single, singles, center[j], variance)), 2);
	}
}
