/*
 * statistic_run.c - the one pass of a statistic and its release; before it, by a
 * private key, the selection of keys.
 */
#include "postgres.h"

#include <math.h>

#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"

/* of keys that were selected, those of fewer persons are no groups at all */
static bool
falls_short(const DpemStatisticPlan *plan, const DpemStatisticValue *value)
{
	double		least = dpem_statistic_is_selection(plan) ? 0 : dpem_fit_minimum_rows(&plan->fit);

	return least > 0 && !((plan->request->statistic->counts_alone ? value->value : value->rows) >= least);
}

/* of what is not shown nothing is said, but how many there are */
static DpemStatisticValue *
release_groups(const DpemStatisticPlan *plan, DpemFitRun *run, int groups)
{
	const DpemStatistic *statistic = plan->request->statistic;
	DpemMomentLayout layout = {1, plan->fit.d, statistic->second};
	DpemStatisticValue *values = palloc0(groups * sizeof(DpemStatisticValue));
	DpemNoisyMoments *released;
	int			shown = 0;
	int			few = 0;

	dpem_fit_report(run, statistic->name, 0);
	released = dpem_fit_release(run, plan->line, &plan->spec, &dpem_kernel_sums, &layout, NULL);
	for (int g = 0; g < groups; g++)
	{
		DpemStatisticMoments moments;

		dpem_statistic_moments(released, g, plan->spec.noise, &moments);
		statistic->estimate(&moments, &plan->scale, &values[g]);
		values[g].rows = moments.n;
		if (falls_short(plan, &values[g]))
			continue;
		shown++;
		few += statistic->per_row && moments.n <= DPEM_NORMAL_975 * moments.sd[DPEM_PART_COUNT];
	}
	dpem_fit_warn_of_rows(&plan->fit, few, shown);
	return values;
}

static DpemStatisticValue *
run(const DpemStatisticPlan *plan)
{
	const DpemGrouping *grouping = plan->fit.binding->grouping;
	DpemFitRun	run = {0};
	DpemStatisticValue *units;

	dpem_fit_begin(&run, &plan->fit);
	if (plan->clamps)
		return dpem_statistic_run_clamped(plan, &run);
	if (!dpem_binding_has_key(plan->fit.binding))
		return release_groups(plan, &run, plan->fit.groups);
	units = dpem_statistic_run_keys(plan, &run);
	if (dpem_statistic_is_selection(plan) || grouping->n == 0)
		return units;
	dpem_fit_regroup(&run);
	return release_groups(plan, &run, grouping->n);
}

/* ---- a minimum of persons ---- */

bool
dpem_statistic_is_hidden(const DpemStatisticValue *value)
{
	return isnan(value->value);
}

void
dpem_statistic_hide(DpemStatisticValue *value)
{
	*value = (DpemStatisticValue) {NAN, NAN, NAN, NAN, NAN};
}

void
dpem_statistic_tell_hidden(const DpemFitPlan *plan, const DpemStatisticValue *value, int n)
{
	int			hidden = 0;

	for (int g = 0; g < n; g++)
		hidden += dpem_statistic_is_hidden(&value[g]);
	dpem_fit_tell_hidden(plan, hidden, n, "cells");
}

static void
hide_few(const DpemStatisticPlan *plan, DpemStatisticValue *value)
{
	for (int g = 0; g < dpem_binding_groups(plan->fit.binding); g++)
	{
		if (falls_short(plan, &value[g]))
			dpem_statistic_hide(&value[g]);
	}
}

DpemStatisticValue *
dpem_statistic_run(const DpemStatisticPlan *plan)
{
	DpemStatisticValue *value = run(plan);

	hide_few(plan, value);
	return value;
}
