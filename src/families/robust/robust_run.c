/*
 * robust_run.c - the one pass of dp_robust, and its release.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/paper_mechanism.h"
#include "core/statistics/statistic.h"
#include "families/robust/robust.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"
#include "wall/release.h"

static DpemRawMoments *
count_rows(const DpemRobustPlan *plan, DpemFitRun *run)
{
	return dpem_fit_count_bins(run, plan->spec.cells, 0, dpem_robust_statistic_name(plan->spec.statistic));
}

/* without noise, of counts that the caller may see: in cells */
static int
exact_value(const DpemRobustPlan *plan, DpemFitRun *run)
{
	const DpemNoisyMoments *counts = dpem_release_to_reader(run->reader, count_rows(plan, run));
	DpemInt128 *room = palloc(DPEM_ROBUST_ROOM * (Size) plan->spec.cells * sizeof(DpemInt128));

	return dpem_robust_value_of(plan->spec.statistic, counts->value, dpem_moments_record(&counts->layout), plan->spec.cells, room);
}

double
dpem_robust_in_units(const DpemRobustPlan *plan, double cells)
{
	double		part = (plan->spec.statistic == DPEM_ROBUST_MEDIAN ? cells + 0.5 : cells) / plan->spec.cells;

	if (plan->spec.statistic == DPEM_ROBUST_IQR)
		return plan->column->upper * part - plan->column->lower * part;
	return plan->column->lower * (1 - part) + plan->column->upper * part;
}

/* in cells */
static int
smooth_value(const DpemRobustPlan *plan, DpemFitRun *run)
{
	int			chosen;

	dpem_release_smooth(run->charge, plan->line, count_rows(plan, run), &plan->spec, &chosen);
	return chosen;
}

static DpemRobustValue
tested_value(const DpemRobustPlan *plan, DpemFitRun *run)
{
	double		half = dpem_noise_half_width(plan->spec.noise, plan->law.value_sd, 0);
	double		cells;

	if (!dpem_release_tested(run->charge, plan->distance_line, plan->line, count_rows(plan, run), &plan->spec, &cells))
		return (DpemRobustValue) {NAN, NAN, NAN, NAN};
	return (DpemRobustValue) {
		dpem_robust_in_units(plan, cells), dpem_robust_in_units(plan, cells + plan->law.value_sd) - dpem_robust_in_units(plan, cells), dpem_robust_in_units(plan, cells - half), dpem_robust_in_units(plan, cells + half)
	};
}

DpemRobustValue
dpem_robust_run(const DpemRobustPlan *plan)
{
	DpemFitRun	run = {0};
	DpemRobustValue value = {NAN, NAN, NAN, NAN};

	dpem_fit_begin(&run, &plan->fit);
	if (!plan->fit.noisy)
		value.value = dpem_robust_in_units(plan, exact_value(plan, &run));
	else if (plan->request->mechanism == DPEM_ROBUST_BLOCKS)
		value = dpem_robust_run_blocks(plan, &run);
	else if (plan->request->mechanism == DPEM_ROBUST_TESTED)
		value = tested_value(plan, &run);
	else
		value.value = dpem_robust_in_units(plan, smooth_value(plan, &run));
	dpem_source_close(run.source);
	return value;
}
