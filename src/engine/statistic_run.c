/*
 * statistic_run.c - the one pass of a statistic and its release.
 */
#include "postgres.h"

#include "engine/statistic_request.h"

DpemStatisticValue *
dpem_statistic_run(const DpemStatisticPlan *plan)
{
	const DpemStatistic *statistic = plan->request->statistic;
	DpemFitRun	run = {0};
	DpemMomentLayout layout = {1, plan->fit.d, statistic->second};
	DpemStatisticValue *values = palloc0(plan->fit.groups * sizeof(DpemStatisticValue));
	DpemNoisyMoments *released;

	dpem_fit_begin(&run, &plan->fit);
	dpem_fit_report(&run, statistic->name, 0);
	released = dpem_fit_release(&run, plan->line, &plan->spec, &dpem_family_sums, &layout, NULL);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemStatisticMoments moments;

		dpem_statistic_moments(released, g, plan->spec.noise, &moments);
		statistic->estimate(&moments, &plan->scale, &values[g]);
	}
	return values;
}
