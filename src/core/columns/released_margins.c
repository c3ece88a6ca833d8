/*
 * released_margins.c - see released_margins.h.
 */
#include <math.h>

#include "core/columns/released_margins.h"
#include "core/pass/features.h"

#define APART_ROWS	4.0		/* deviations of its noise that a column's number of rows is off the mean of all by, if it is another */

double
dpem_margins_sum(const DpemMargins *m, int bin, int column)
{
	return m->released->value[(size_t) bin * dpem_moments_record(&m->released->layout) + 1 + (size_t) column];
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

/* the first coordinate of a column, and how many bins of the first level count its rows: of a label one for each category and one for none */
static int
counting_bins(const DpemMargins *m, int column, int *first)
{
	for (*first = column; m->grid.kind && m->grid.kind[*first] == DPEM_MARGINS_NEXT; --*first) ;
	return m->grid.kind && m->grid.kind[*first] != DPEM_MARGINS_NUMBER ? dpem_margin_width(&m->grid, *first) + 1 : m->grid.parts;
}

/* what its first level holds */
double
dpem_margins_column(const DpemMargins *m, int column)
{
	bool		label = m->grid.kind && m->grid.kind[column] != DPEM_MARGINS_NUMBER;
	int			first;
	int			bins = counting_bins(m, column, &first);
	int			none = m->grid.parts / 2;
	double		sum = 0;

	for (int i = 0; i < bins; i++)
		sum += !label ? dpem_margins_sum(m, i, first) : i == 0 ? dpem_margins_sum(m, none, first)
			: dpem_margins_sum(m, m->grid.parts - 1, first + i - 1);
	return sum / dpem_margin_mark(&m->grid, 0);
}

/* mean over the columns, each as its noise allows; sd: what is left of that */
static double
count_rows(const DpemMargins *m, double *sd)
{
	double		sum = 0;
	double		weights = 0;

	for (int j = 0; j < m->grid.columns; j += dpem_margin_width(&m->grid, j))
	{
		int			first;
		double		weight = 1.0 / counting_bins(m, j, &first);

		sum += weight * dpem_margins_column(m, j);
		weights += weight;
	}
	*sd = sqrt(level_variance(&m->grid, m->released->sum_sd, 0) / weights);
	return sum / weights;
}

static double
column_sd(const DpemMargins *m, int column)
{
	int			first;

	return sqrt(level_variance(&m->grid, m->released->sum_sd, 0) * counting_bins(m, column, &first));
}

double
dpem_margins_best_known(const DpemMargins *m, double *sd)
{
	double		most = m->counted;

	*sd = m->counted_sd;
	for (int j = 0; j < m->grid.columns; j += dpem_margin_width(&m->grid, j))
	{
		double		rows = dpem_margins_column(m, j);

		if (rows <= most || fabs(rows - m->counted) <= APART_ROWS * column_sd(m, j))
			continue;
		most = rows;
		*sd = column_sd(m, j);
	}
	return most;
}

double
dpem_margins_known(const DpemMargins *m, int column, double *sd)
{
	*sd = column_sd(m, column);
	return fmax(dpem_known_rows(dpem_margins_column(m, column), *sd, m->rows), fmax(*sd, 1));
}

double
dpem_margins_rows(const DpemMargins *m, int column)
{
	double		sd;

	return m->apart ? dpem_margins_known(m, column, &sd) : m->rows;
}

DpemMargins
dpem_margins_take(const DpemMarginGrid *grid, const DpemNoisyMoments *released, double public_rows)
{
	DpemMargins m = {.grid = *grid,.released = released};
	double		variance[DPEM_MARGINS_MAX_LEVELS];

	m.counted = count_rows(&m, &m.counted_sd);
	merged_variances(grid, released->sum_sd, variance);
	m.likely = dpem_known_rows(m.counted, m.counted_sd, public_rows);
	m.rows = fmax(m.likely, fmax(m.counted_sd, 1));
	m.noise = sqrt(variance[0]) / m.rows;
	return m;
}

DpemMargins
dpem_margins_join(const DpemMargins *own, const DpemMargins *others, int column, double public_rows, DpemNoisyMoments *released)
{
	double		scale = dpem_margin_mark(&own->grid, 0) / dpem_margin_mark(&others->grid, 0);
	double		sd = others->released->sum_sd * scale;
	double		share = 1 / (1 + sd * sd / (own->released->sum_sd * own->released->sum_sd));
	DpemMargins joined;

	if (own->grid.parts != others->grid.parts || own->grid.levels != others->grid.levels)
		return *own;
	released->layout = own->released->layout;
	released->sum_sd = sqrt(1 - share) * own->released->sum_sd;
	for (int bin = 0; bin < dpem_margin_bins(&own->grid); bin++)
	{
		double	   *value = &released->value[(size_t) bin * dpem_moments_record(&released->layout) + 1];

		*value = (1 - share) * dpem_margins_sum(own, bin, 0) + share * scale * dpem_margins_sum(others, bin, column);
	}
	joined = dpem_margins_take(&own->grid, released, public_rows);
	joined.values = own->values;
	joined.regressed = own->regressed;
	return joined;
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
			count[first + b] = trust * dpem_margins_sum(m, first + b, column) / dpem_margin_mark(grid, l) +
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

void
dpem_margins_bin(const DpemMarginGrid *grid, int bin, double *lower, double *upper)
{
	double		width = 2.0 / dpem_margin_level_bins(grid, grid->levels - 1);
	double		rounded = ldexp(grid->radius, -DPEM_FINE_BITS) / 2;

	*lower = fmax(bin * width - 1 - rounded, -1);
	*upper = fmin((bin + 1) * width - 1 + rounded, 1);
}
