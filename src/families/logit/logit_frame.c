/*
 * logit_frame.c - the map in which a logistic regression sees rows, from margins, and back into the columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "families/logit/classes.h"
#include "server/fit_memory.h"

/* of the ball's radius, a constant that is kept where rows are clipped: a caller's clip norm may leave nothing beside it */
#define MOST_CONSTANT	0.9

/* of baselines, which release no count: rows in which a number may be unknown are at least those of the column known best */
static void
note_rows(DpemFitRun *fit, int group, const DpemMargins *margins)
{
	double		sd;
	double		rows = dpem_margins_best_known(margins, &sd);

	if (!margins->apart || !dpem_classes_is_baseline(fit->plan))
		return;
	dpem_fit_note_rows(fit, group, rows, sd);
	fit->at_least = true;
}

/* what noise hides of a number that seems to have a single value is a tail, which the range takes care of */
static DpemColumnValues *
column_values(const DpemFitPlan *plan, int columns)
{
	DpemColumnValues *values = dpem_fit_column_values(plan, columns);

	for (int j = 0; j < columns; j++)
		values[j] = values[j] == DPEM_VALUES_ANY ? DPEM_VALUES_TAIL : values[j];
	return values;
}

/* waves are of columns in their own units, whatever these are */
static double
spread_labels(const DpemFitPlan *plan, const DpemMarginGrid *grid, double rows, const double *center, double *deviation)
{
	DpemLabelRule rule = dpem_fit_label_rule(plan, grid, DPEM_LOGIT_FIRST, rows);

	if (plan->features > 0)
		return grid->columns;
	dpem_label_spread(grid, rule, center, deviation);
	return dpem_label_row_square(grid, rule);
}

void
dpem_logit_standardise(DpemFitRun *fit)
{
	const DpemFitPlan *plan = fit->plan;
	bool		constant = plan->request->bind.constant;
	DpemMarginGrid grid = dpem_logit_grid(plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&grid));
	DpemMargins *margins = dpem_fit_release_margins(fit, &plan->stage[DPEM_LOGIT_MARGINS], &grid);
	const DpemColumnValues *values = column_values(plan, grid.columns);
	double	   *deviation = dpem_fit_allocate(plan->d);
	double	   *scale = dpem_fit_allocate(plan->d);
	DpemKeptLaws *kept = dpem_fit_keep_laws(&grid);

	for (int g = 0; g < plan->groups; g++)
	{
		double	   *center = dpem_fit_allocate(plan->d);
		double		square;
		double		radius;

		margins[g].values = values;
		margins[g].regressed = true;
		margins[g].kept = kept;
		dpem_laws_forget(kept, grid.columns);
		note_rows(fit, g, &margins[g]);
		/* without a constant scores are about the middle of the domains, but waves have no middle */
		dpem_column_spread(&margins[g], constant || plan->features > 0, center, deviation, work);
		square = spread_labels(plan, &grid, margins[g].rows, center, deviation);
		dpem_logit_frame(plan->d, constant, square, deviation, scale, &radius);
		dpem_fit_set_frame(fit, g, center, scale, radius);
		fit->part[g].range = dpem_fit_find_range(plan, plan->d, &margins[g], center, deviation, work);
	}
}

void
dpem_logit_center(DpemFitRun *fit)
{
	const DpemLogitRequest *r = (const DpemLogitRequest *) fit->plan->request;

	if ((r->fit.bind.constant || r->fourier.pairs > 0) && r->fit.clip_norm == 0 && r->prior_variance == 0)
		dpem_fit_center_unknown(fit);
}

/*
 * A row's coordinate in the ball is w ((x - middle) / half-width - c) / radius, c the released
 * center and w the released scale, 0 and 1 where there are none: that of the constant column w / radius.
 */
double *
dpem_logit_columns(const DpemFeatureMap *map, int d, int n)
{
	double	   *a = dpem_fit_allocate((size_t) n * d);

	for (int j = 0; j < d; j++)
	{
		double		half = map->upper[j] / 2 - map->lower[j] / 2;
		double		middle = dpem_fit_middle(map, j);
		double		unit = half * dpem_fit_unit(map, d, j);

		if (j < n - 1)
			a[(size_t) j * d + j] = 1 / unit;
		a[(size_t) (n - 1) * d + j] = j < n - 1 ? -middle / unit : 1 / unit;
	}
	return a;
}

double
dpem_logit_constant(DpemFitRun *fit, int group)
{
	DpemFeatureMap map = dpem_fit_map(fit, group);
	int			last = fit->plan->d - 1;

	return 1 / ((map.upper[last] / 2 - map.lower[last] / 2) * dpem_fit_unit(&map, fit->plan->d, last));
}

/* from public facts alone */
static bool
keeps_constant(const DpemFitPlan *plan)
{
	return plan->noisy && plan->request->bind.constant && plan->features == 0 &&
		dpem_logit_keeps_constant(dpem_logit_noise(plan, dpem_supposed_rows(plan->public_rows)));
}

double
dpem_logit_whole(DpemFitRun *fit, int group)
{
	double		whole = keeps_constant(fit->plan) ? dpem_logit_constant(fit, group) : 0;

	return whole < MOST_CONSTANT ? whole : 0;
}
