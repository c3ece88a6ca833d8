/*
 * minimum.c - see minimum.h.
 */
#include "postgres.h"

#include "families/statistics/minimum.h"

const char *
dpem_minimum_text(int minimum)
{
	return minimum > 0 ? psprintf(", minimum %d", minimum) : "";
}

void
dpem_minimum_require_counted(const DpemFitPlan *plan)
{
	if (dpem_fit_minimum(plan) > 0 && plan->binding->filter != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("filter must be null for a quantile by itself under a minimum of %d persons", dpem_fit_minimum(plan)),
				 errdetail("Its release does not say how many rows the filter leaves."),
				 errhint("dp_quantiles releases their number, too.")));
}
