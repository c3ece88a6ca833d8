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
