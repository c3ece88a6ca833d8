/*
 * linreg_target.c - see linreg_target.h.
 */
#include <math.h>

#include "core/columns/column_clamp.h"
#include "core/columns/column_spread.h"
#include "core/linreg/linreg_rules.h"
#include "core/linreg/linreg_target.h"

void
dpem_linreg_anywhere(double *center, double *deviation)
{
	*center = 0;
	*deviation = 1 / dpem_linreg_mean_radius;
}

/*
 * Where noise is large the law may be that of a bin which is noise.  A clamp holds nearly all rows as far as they can be told from
 * noise, and where they cannot it is the domain: of a mean alone, whose noise is all that a wide target costs, so is the target then.
 */
void
dpem_linreg_locate(const DpemMargins *margins, bool alone, double *center, double *deviation, DpemWorkspace work)
{
	double		reach;
	double		low;
	double		high;

	dpem_column_spread(margins, true, center, deviation, work);
	dpem_column_clamp(margins, 0, &low, &high, work);
	reach = dpem_linreg_mean_radius * *deviation;
	if (high - low < 2)
	{
		low = fmax(low, *center - reach);
		high = fmin(high, *center + reach);
		*center = (low + high) / 2;
		*deviation = (high - low) / 2 / dpem_linreg_mean_radius;
	}
	else if (alone)
		dpem_linreg_anywhere(center, deviation);
}
