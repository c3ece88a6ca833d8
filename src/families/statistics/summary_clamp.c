/*
 * summary_clamp.c - a description's numbers, clamped to where margins that are released first say that their rows are.
 *
 * What statistic_clamp.c does for one column is done for all at once: margins of every number, then the summary of values
 * that later passes see between these ends, as if they were the domain's.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_range.h"
#include "core/columns/clamp_rules.h"
#include "core/columns/column_clamp.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_arguments.h"
#include "fit/fit_margins.h"
#include "server/fit_memory.h"

#define MARGINS 1				/* the plan's stage */

/* a pass brings a matrix of all coordinates for each group, which every row of it goes through */
#define MOST_COORDINATES 128
#define MOST_NUMBERS (1 << 20)

static int
count_numbers(const DpemSummary *s)
{
	int			n = 0;

	while (n < s->columns && s->column[n].length == 0)
		n++;
	return n;
}

static void
check_clamps(const DpemFitPlan *fit)
{
	if (dpem_composition_is_classical(fit->composition))
		dpem_refuse_argument("clamp must be null where epsilons add up", "Leave out clamp, or ask for another composition, such as exact.");
	if (fit->d > MOST_COORDINATES || (double) fit->groups * fit->d * fit->d > MOST_NUMBERS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("clamp must be null for %d coordinates in %d groups", fit->d, fit->groups),
				 errhint("Name fewer columns, or leave out by or clamp.")));
}

double
dpem_summary_plan_clamps(DpemSummaryPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	int			numbers = count_numbers(&plan->summary);
	double		weight = DPEM_CLAMP_DESCRIBED * numbers;

	if (!plan->request->clamp || !fit->noisy || numbers == 0)
		return 0;
	check_clamps(fit);
	plan->clamped = numbers;
	plan->grid = dpem_fit_margin_grid(fit, numbers);
	plan->grid.known = Max(plan->summary.column[0].observed, 0);
	plan->fit.stage[MARGINS] = dpem_fit_margins_stage(fit, &plan->grid, weight);
	return weight;
}

static DpemSummaryEnds
ends_of(const DpemColumn *column, double low, double high)
{
	double		middle = column->lower / 2 + column->upper / 2;
	double		half = column->upper / 2 - column->lower / 2;

	return (DpemSummaryEnds) {low > -1 ? middle + half * low : column->lower, high < 1 ? middle + half * high : column->upper};
}

static DpemSummaryEnds *
domains(const DpemSummaryPlan *plan)
{
	int			columns = plan->summary.columns;
	DpemSummaryEnds *ends = palloc((Size) Max(columns * plan->fit.groups, 1) * sizeof(DpemSummaryEnds));

	for (int i = 0; i < columns * plan->fit.groups; i++)
		ends[i] = ends_of(plan->column[i % columns], -1, 1);
	return ends;
}

/* in the box of later passes a clamped number goes from -1 to 1; everything else is as it was */
static void
clamp_group(const DpemSummaryPlan *plan, DpemFitRun *run, int group, const DpemMargins *margins, DpemSummaryEnds *ends)
{
	int			d = plan->fit.d;
	double	   *range = dpem_fit_allocate(2 * (Size) d);
	double	   *center = dpem_fit_allocate(d);
	double	   *scale = dpem_fit_allocate(d);
	DpemWorkspace work = dpem_fit_workspace(dpem_margin_bins(&plan->grid));

	for (int j = 0; j < d; j++)
	{
		double		low = -1;
		double		high = 1;

		if (j < plan->clamped)
		{
			dpem_column_clamp(margins, j, &low, &high, work);
			ends[j] = ends_of(plan->column[j], low, high);
		}
		range[j] = j < plan->clamped ? low : -DPEM_RANGE_NONE;
		range[d + j] = j < plan->clamped ? high : DPEM_RANGE_NONE;
		center[j] = (low + high) / 2;
		scale[j] = 2 / (high - low);
	}
	dpem_fit_set_frame(run, group, center, scale, run->part[group].radius);
	run->part[group].range = range;
}

DpemSummaryEnds *
dpem_summary_find_ends(const DpemSummaryPlan *plan, DpemFitRun *run)
{
	DpemSummaryEnds *ends = domains(plan);
	const DpemColumnValues *values;
	DpemMargins *margins;

	if (plan->clamped == 0)
		return ends;
	margins = dpem_fit_release_margins(run, &plan->fit.stage[MARGINS], &plan->grid);
	values = dpem_fit_column_values(&plan->fit, plan->clamped);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		margins[g].values = values;
		clamp_group(plan, run, g, &margins[g], ends + (Size) g * plan->summary.columns);
	}
	return ends;
}
