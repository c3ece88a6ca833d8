/*
 * column_target.c - see column_target.h.
 */
#include <math.h>

#include "core/columns/column_clamp.h"
#include "core/columns/column_spread.h"
#include "core/columns/column_target.h"

/* chosen with the mean alone of linear regressions (core/linreg/linreg_rules.c) */
const double dpem_target_reach = 2.5;

#define WITHIN_POINTS	400		/* of the posterior, */
#define WITHIN_REACH	8.0		/* deviations of the noise on either side of its highest point */

void
dpem_target_anywhere(double *center, double *deviation)
{
	*center = 0;
	*deviation = 1 / dpem_target_reach;
}

size_t
dpem_target_locate_work(const DpemMarginGrid *grid)
{
	return 2 * (size_t) grid->columns + dpem_column_spread_work(grid);
}

/*
 * Where noise is large the law may be that of a bin which is noise.  A clamp holds nearly all rows as far as they can be told from
 * noise, and where they cannot it is the domain: of a mean alone, whose noise is all that a wide target costs, so is the target then.
 */
void
dpem_target_locate(const DpemMargins *margins, bool alone, double *center, double *deviation, DpemWorkspace work)
{
	int			target = margins->grid.columns - 1;
	double	   *centers = dpem_workspace_take(&work, margins->grid.columns);
	double	   *deviations = dpem_workspace_take(&work, margins->grid.columns);
	double		reach;
	double		low;
	double		high;

	dpem_column_spread(margins, true, centers, deviations, work);
	dpem_column_clamp(margins, target, &low, &high, work);
	*center = centers[target];
	*deviation = deviations[target];
	reach = dpem_target_reach * *deviation;
	if (high - low < 2)
	{
		low = fmax(low, *center - reach);
		high = fmin(high, *center + reach);
		*center = (low + high) / 2;
		*deviation = (high - low) / 2 / dpem_target_reach;
	}
	else if (alone)
		dpem_target_anywhere(center, deviation);
}

double
dpem_target_within(double released, double sd)
{
	double		highest = fmin(fmax(released, -1), 1);
	double		low = fmax(highest - WITHIN_REACH * sd, -1);
	double		high = fmin(highest + WITHIN_REACH * sd, 1);
	double		sum = 0;
	double		weights = 0;

	for (int i = 0; sd > 0 && i < WITHIN_POINTS; i++)
	{
		double		at = low + (high - low) * (i + 0.5) / WITHIN_POINTS;
		double		weight = exp(((highest - released) * (highest - released) - (at - released) * (at - released)) / (2 * sd * sd));

		sum += weight * at;
		weights += weight;
	}
	return weights > 0 ? sum / weights : highest;
}

/* ---- the mean alone ---- */

#define HIDDEN_TAIL	0.25	/* deviations that the mean may be off by for what margins hide of a skewed number: up to where noise costs as much no tail is cut off */
#define NOWHERE	0.2				/* of the rows, noise in a first-level bin: with more no bin tells anything (core/linreg/linreg_rules.c) */

void
dpem_target_add_release(int n, const double *value, double sd, double *mean, double *mean_sd)
{
	double		share = *mean_sd * *mean_sd / (sd * sd + *mean_sd * *mean_sd);

	for (int i = 0; i < n; i++)
		mean[i] += share * (value[i] - mean[i]);
	*mean_sd *= sqrt(1 - share);
}

bool
dpem_target_is_nowhere(const DpemMarginGrid *grid, double sd, double rows)
{
	return sd / dpem_margin_mark(grid, 0) > NOWHERE * rows;
}

DpemTargetMean
dpem_target_find_mean(const DpemMargins *margins, double sum_sd, double public_rows, DpemWorkspace work)
{
	DpemTargetMean mean = {
		.rows = margins->rows,.rows_sd = margins->rows == public_rows ? 0 : margins->counted_sd,.counted = margins->counted,.counted_sd = margins->counted_sd
	};
	double		center;
	double		low = -1;
	double		high = 1;

	dpem_column_spread(margins, true, &center, &mean.deviation, work);
	if (!dpem_target_is_nowhere(&margins->grid, margins->released->sum_sd, mean.rows))
		dpem_column_clamp(margins, 0, &low, &high, work);
	if (high - low < 2)
	{
		double		reach = mean.deviation * fmax(dpem_target_reach, HIDDEN_TAIL * mean.rows / sum_sd);

		/* where noise has the center elsewhere, the clamp is all that is known */
		if (fmin(high, center + reach) > fmax(low, center - reach))
		{
			low = fmax(low, center - reach);
			high = fmin(high, center + reach);
		}
	}
	mean.middle = low / 2 + high / 2;
	mean.reach = high / 2 - low / 2;
	mean.deviation = fmin(mean.deviation, mean.reach);
	return mean;
}

void
dpem_target_add_sum(DpemTargetSums *sums, double middle, double sum, double sd)
{
	double		weight = 1 / (sd * sd);
	double		along = middle - sums->middle;

	sums->weight += weight;
	sums->middle += weight / sums->weight * along;
	sums->sum += weight / sums->weight * (sum - sums->sum);
	sums->spread += weight * along * (middle - sums->middle);
	sums->together += weight * along * (sum - sums->sum);
}

/* a sum falls by the number of rows as its middle grows; sd: what is known of their number, and then is */
static double
rows_of(const DpemTargetMean *mean, const DpemTargetSums *sums, double *sd)
{
	double		before = 1 / (*sd * *sd);

	if (*sd == 0)
		return mean->rows;
	*sd = 1 / sqrt(sums->spread + before);
	return fmax((before * mean->rows - sums->together) / (sums->spread + before), *sd);
}

double
dpem_target_mean_of(const DpemTargetMean *mean, const DpemTargetSums *sums, double *noise)
{
	double		sd = mean->rows_sd;
	double		rows = rows_of(mean, sums, &sd);
	double		part = sums->sum / rows;

	*noise = hypot(1 / sqrt(sums->weight), fmin(fabs(part), mean->reach) * sd) / rows;
	return mean->middle + mean->reach * dpem_target_within((sums->middle + part - mean->middle) / mean->reach, *noise / mean->reach);
}
