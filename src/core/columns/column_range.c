/*
 * column_range.c - see column_range.h.
 */
#include <math.h>

#include "core/columns/column_range.h"

const DpemRangeReach dpem_model_reach = {.seen = 4.0,.single = 2.0,.single_most = 5.0};

/* of a column's law, and of what it reaches, within the box */
static void
find_range(const DpemMarginGrid *grid, const double *p, double center, double reach, double *least, double *most)
{
	int			bins = dpem_margin_level_bins(grid, grid->levels - 1);
	double		width = 2.0 / bins;
	int			first = 0;
	int			last = bins - 1;

	while (first < last && p[first] <= 0)
		first++;
	while (last > first && p[last] <= 0)
		last--;
	*least = fmax(fmin(first * width - 1, center - reach), -1);
	*most = fmin(fmax((last + 1) * width - 1, center + reach), 1);
}

static bool
is_clamped(const DpemMargins *m, int column)
{
	return column < m->grid.columns && (m->values == NULL || m->values[column] <= DPEM_VALUES_DENSITY);
}

/* of a column's rows, the share that is not seen to be in bin `single` of the finest level: of less than its noise nobody knows */
static double
hidden_share(const DpemMargins *m, int column, int single, DpemWorkspace work)
{
	int			bins = dpem_margin_bins(&m->grid);
	double	   *count = dpem_workspace_take(&work, bins);
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		sd;
	double		rows = m->apart ? dpem_margins_known(m, column, &sd) : m->rows;

	dpem_margins_counts(m, column, count, variance);
	sd = sqrt(variance[m->grid.levels - 1]);
	return fmin(fmax(1 - count[bins - dpem_margin_level_bins(&m->grid, m->grid.levels - 1) + single] / rows, sd / rows), 1);
}

static double
find_reach(const DpemMargins *m, int column, const double *p, DpemRangeReach reach, DpemWorkspace work)
{
	int			single = 0;

	if (!dpem_margins_single(&m->grid, p))
		return reach.seen;
	while (p[single] <= 0.5)
		single++;
	return fmin(fmax(1 / sqrt(hidden_share(m, column, single, work)), reach.single), reach.single_most);
}

/* no range for any of d coordinates */
static void
clear_ranges(int d, double *range)
{
	for (int j = 0; j < d; j++)
	{
		range[j] = -DPEM_RANGE_NONE;
		range[d + j] = DPEM_RANGE_NONE;
	}
}

bool
dpem_column_range(const DpemMargins *m, int d, const double *center, const double *deviation, DpemRangeReach reach,
				  double *range, DpemWorkspace work)
{
	double	   *p = dpem_workspace_take(&work, dpem_margin_level_bins(&m->grid, m->grid.levels - 1));
	bool		any = false;

	clear_ranges(d, range);
	for (int j = 0; j < d; j++)
	{
		if (!is_clamped(m, j))
			continue;
		any = true;
		dpem_margins_law(m, j, p, work);
		find_range(&m->grid, p, center[j], deviation[j] * find_reach(m, j, p, reach, work), &range[j], &range[d + j]);
	}
	return any;
}

/* the bin of a law that has nearly all of it; -1: none */
static int
find_spike(int bins, const double *p)
{
	for (int b = 0; b < bins; b++)
		if (p[b] > DPEM_COLUMN_SPIKE)
			return b;
	return -1;
}

bool
dpem_column_spikes(const DpemMargins *m, int d, double *center, double *deviation, double *range, DpemWorkspace work)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double	   *p = dpem_workspace_take(&work, bins);
	bool		any = false;

	clear_ranges(d, range);
	for (int j = 0; j < m->grid.columns; j++)
	{
		int			spike;

		if (m->values == NULL || !dpem_values_tail(m->values[j]))
			continue;
		dpem_margins_law(m, j, p, work);
		spike = find_spike(bins, p);
		if (spike < 0)
			continue;
		any = true;
		dpem_margins_bin(&m->grid, spike, &range[j], &range[d + j]);
		center[j] = (range[j] + range[d + j]) / 2;
		deviation[j] = (range[d + j] - range[j]) / sqrt(12);
	}
	return any;
}
