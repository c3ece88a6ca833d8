/*
 * column_spread.c - see column_spread.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/columns/column_spread.h"

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
#define HIDDEN_TOGETHER	1.5
#define HIDDEN_APART	0.05
#define MOST_APART		0.5		/* of the variance that is seen: of a column narrow in its domain the rest would be all of it */
#define HIDDEN_ONES	0.35
#define TOGETHER	8.0
#define APART		0.4

size_t
dpem_column_spread_work(const DpemMarginGrid *grid)
{
	return dpem_margin_level_bins(grid, grid->levels - 1) + dpem_margins_law_work(grid);
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

	for (int l = 0; l < m->grid.levels; l++)
	{
		double		mark = dpem_margin_mark(&m->grid, l);

		sum += dpem_margins_sum(m, dpem_margin_level_first(&m->grid, l + 1) - 1, column) * mark;
		precision += mark * mark;
	}
	*sd = m->released->sum_sd / sqrt(precision);
	return sum / precision;
}

static void
see_from_zero(double *center, double *variance)
{
	*variance += *center * *center;
	*center = 0;
}

/* of two values; one of which noise hides is as if no row had it, but it is not forgotten */
static void
find_two(const DpemMargins *m, int column, bool centered, double *center, double *variance)
{
	double		lower = values_of(m, column) == DPEM_VALUES_CATEGORY ? 0 : -1;
	double		sd;
	double		count = count_last(m, column, &sd);
	double		rows = dpem_margins_rows(m, column);
	double		share = count > DPEM_COLUMNS_SEEN * sd ? fmin(count / rows, 1) : 0;
	double		least = 0;

	if (rows * fmin(share, 1 - share) <= DPEM_COLUMNS_SEEN * sd)
		least = hidden_ones(m, 1 - lower);
	*center = lower + share * (1 - lower);
	*variance = fmax(share * (1 - share) * (1 - lower) * (1 - lower), least);
	if (!centered)
		see_from_zero(center, variance);
}

/*
 * Of any others; single: nearly all rows seem to have the same value.  That may be an end of the bin, from whose middle rows would be sqrt(3) deviations of
 * a uniform law away, all of them: several such columns would clip every row.
 */
static void
find_law(const DpemMargins *m, int column, bool centered, double *p, DpemWorkspace work, double *center, double *variance, bool *single)
{
	double		half = 1.0 / dpem_margin_level_bins(&m->grid, m->grid.levels - 1);

	dpem_margins_law(m, column, p, work);
	dpem_margins_law_moments(&m->grid, p, center, variance);
	if (!centered)
		see_from_zero(center, variance);
	*single = dpem_margins_single(&m->grid, p);
	if (*single && dpem_values_tail(values_of(m, column)))
		*variance = fmax(*variance, half * half);
}

/* by what the variance of a column grows that seems to have a single value, as that many do, or not */
static double
hidden_variance(const DpemMargins *m, int column, bool single, int singles, double center, double variance)
{
	DpemColumnValues values = values_of(m, column);
	double		alike = single ? TOGETHER * singles : APART * dpem_margin_marks(&m->grid);
	double		hidden;

	if (values >= DPEM_VALUES_TWO || (single && dpem_values_tail(values)))
		return 0;
	if (hides_ones(m, column, center, variance))
		return hidden_ones(m, 1 + fabs(center));
	hidden = (single ? HIDDEN_TOGETHER : HIDDEN_APART) * m->noise * pow(fmin(1, alike * m->noise), 2);
	return single || !m->regressed ? hidden : fmin(hidden, MOST_APART * variance);
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
