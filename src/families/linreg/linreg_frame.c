/*
 * linreg_frame.c - where the rows of a linear regression are seen from, as margins tell.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_target.h"
#include "core/linreg/linreg_rules.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"

void
dpem_linreg_set_frame(DpemFitRun *fit, int group, const double *center, const double *deviation, double radius)
{
	double	   *scale = dpem_fit_allocate(fit->plan->d);

	for (int j = 0; j < fit->plan->d; j++)
		scale[j] = deviation[j] > 0 ? 1 / deviation[j] : 1;
	dpem_fit_set_frame(fit, group, center, scale, radius);
}

double
dpem_linreg_frame_radius(const DpemFitPlan *plan, double rows, double *noise)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	DpemLabelRule rule = dpem_fit_label_rule(plan, &grid, DPEM_LINREG_MOMENTS, rows);
	double		square = dpem_label_row_square(&grid, rule);
	double		own = square * dpem_fit_stage_noise(plan, DPEM_LINREG_MOMENTS).second / rows;
	double		radius = dpem_linreg_radius(square, rows, own * dpem_label_dilution(&grid, rule));

	if (noise)
		*noise = radius * radius / square * own;
	return radius;
}

/* rows whose target is unknown are among these, too: no column is taken for unknown more often than it is */
static void
note_known(const DpemFitRun *fit, const DpemMargins *margins, DpemLinregLocated *located)
{
	const DpemFitPlan *plan = fit->plan;
	const DpemColumn **column = dpem_binding_columns(plan->binding);

	if (fit->pass.map.imputed == 0)
		return;
	located->known = dpem_fit_allocate(plan->d);
	for (int j = 0; j < plan->d - 1; j++)
	{
		(void) dpem_margins_known(margins, j, &located->known_sd);
		located->known[j] = column[j]->kind == DPEM_COLUMN_LABEL ? INFINITY : dpem_margins_column(margins, j) * plan->sample.rate;
	}
	located->known_sd *= plan->sample.rate;
}

/* the target's margins, its own and those among all columns together; released: room for their numbers */
static DpemMargins
target_margins(const DpemFitPlan *plan, const DpemMargins *margins, const DpemMargins *own, DpemNoisyMoments *released)
{
	released->value = dpem_fit_allocate(dpem_moments_length(&own->released->layout));
	return dpem_margins_join(own, margins, plan->d - 1, plan->public_rows, released);
}

/*
 * What noise costs a regression, in parts of the square of the deviation that the target is seen in: of its mean, and of slopes, which are shrunk to
 * nothing before they cost more than the target varies.
 */
static double
frame_cost(const DpemFitPlan *plan, double rows)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	double		square = dpem_label_row_square(&grid, dpem_fit_label_rule(plan, &grid, DPEM_LINREG_MOMENTS, rows));
	double		noise;
	double		mean = dpem_linreg_frame_radius(plan, rows, &noise) * dpem_fit_stage_noise(plan, DPEM_LINREG_MOMENTS).sum / rows;

	return mean * mean + fmin(square * noise * noise / 2, 1);
}

/* where a group's target is, as these margins tell */
static void
locate_target(const DpemFitPlan *plan, const DpemMargins *margins, double *center, double *deviation)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_target_locate_work(&margins->grid));

	dpem_target_locate(margins, frame_cost(plan, margins->rows * plan->sample.rate), center, deviation, work);
	pfree(work.next);
}

/* of one group, whose margins these are; target: the target's own, or NULL */
static void
standardise(DpemFitRun *fit, int group, const DpemMargins *margins, const DpemMargins *target, DpemLinregLocated *located)
{
	const DpemFitPlan *plan = fit->plan;
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&margins->grid));
	double		rows = margins->rows * plan->sample.rate;
	double	   *center = dpem_fit_allocate(plan->d);
	double	   *deviation = dpem_fit_allocate(plan->d);
	int			last = plan->d - 1;
	DpemNoisyMoments released;
	DpemMargins own = target != NULL ? target_margins(plan, margins, target, &released) : *margins;

	dpem_column_spread(margins, true, center, deviation, work);
	if (target != NULL)
		locate_target(plan, &own, &center[last], &deviation[last]);
	if (plan->features > 0)
		deviation[last] *= dpem_linreg_target_reach;
	dpem_label_spread(&margins->grid, dpem_fit_label_rule(plan, &margins->grid, DPEM_LINREG_MOMENTS, rows), center, deviation);
	dpem_linreg_set_frame(fit, group, center, deviation, dpem_linreg_frame_radius(plan, rows, NULL));
	/* of predictors */
	fit->part[group].range = dpem_fit_find_range(plan, last, margins, center, deviation, work);
	/* of features no center was released */
	if (plan->features > 0)
		return;
	located->center_error = dpem_linreg_center_error / fit->part[group].radius;
	note_known(fit, margins, located);
	located->hidden = ((const DpemLinregRequest *) plan->request)->precondition == NULL && margins->noise > dpem_linreg_hidden;
	/* of a hidden one, which noise takes far, nothing is made up */
	if (located->hidden)
		dpem_linreg_clamp_target(plan, &own, &located->low, &located->high);
}

void
dpem_linreg_standardise(DpemFitRun *fit, DpemLinregLocated *located)
{
	const DpemFitPlan *plan = fit->plan;
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	const DpemColumnValues *values = dpem_fit_column_values(plan, plan->d);
	DpemMargins *target = plan->stage[DPEM_LINREG_LOCATION].line >= 0 ? dpem_linreg_release_target(fit) : NULL;
	DpemMargins *margins = dpem_fit_release_margins(fit, &plan->stage[DPEM_LINREG_MARGINS], &grid);
	DpemKeptLaws *kept = dpem_fit_keep_laws(&grid);

	for (int g = 0; g < plan->groups; g++)
	{
		margins[g].values = values;
		margins[g].regressed = true;
		margins[g].kept = kept;
		dpem_laws_forget(kept, grid.columns);
		standardise(fit, g, &margins[g], target ? &target[g] : NULL, &located[g]);
	}
}
