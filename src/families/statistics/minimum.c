/*
 * minimum.c - see minimum.h.
 */
#include "postgres.h"

#include "families/statistics/minimum.h"

int
dpem_minimum_of(const DpemFitPlan *plan)
{
	return plan->noisy ? Max(plan->request->minimum, plan->dataset->minimum) : 0;
}

double
dpem_minimum_rows(const DpemFitPlan *plan)
{
	return (double) dpem_minimum_of(plan) * plan->dataset->max_rows_per_unit;
}

const char *
dpem_minimum_text(int minimum)
{
	return minimum > 0 ? psprintf(", minimum %d", minimum) : "";
}

void
dpem_minimum_tell(const DpemFitPlan *plan, int hidden, int cells)
{
	if (hidden > 0)
		ereport(NOTICE,
				(errmsg("%s: %d of %d cells are not shown", plan->request->function, hidden, cells),
				 errdetail("Noisy numbers say that they stand for fewer than %d persons, the minimum of the %s.", dpem_minimum_of(plan),
						   plan->request->minimum > plan->dataset->minimum ? "call" : "dataset")));
}

void
dpem_minimum_require_counted(const DpemFitPlan *plan)
{
	if (dpem_minimum_of(plan) > 0 && plan->binding->filter != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("filter must be null for a quantile by itself under a minimum of %d persons", dpem_minimum_of(plan)),
				 errdetail("Its release does not say how many rows the filter leaves."),
				 errhint("dp_quantiles releases their number, too.")));
}
