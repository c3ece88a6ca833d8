/*
 * fit_margins.c - see fit_margins.h.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/columns/column_belief.h"
#include "core/columns/column_range.h"
#include "core/mixture/observed.h"
#include "core/pass/fourier.h"
#include "fit/fit_margins.h"
#include "registry/source_relations.h"
#include "server/fit_memory.h"

DpemFitStage
dpem_fit_margins_stage(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share)
{
	return (DpemFitStage) {
		.statistic = "margins",.share = share,.releases = 1,
			.spec = {
				.sum_weight = 1,.replace_one = plan->dataset->replace_one,.rows_per_unit = plan->dataset->max_rows_per_unit,
				.contribution = DPEM_DOCUMENT
			},
			.layout = {plan->groups * dpem_margin_bins(grid), plan->d, DPEM_SECOND_NONE}
	};
}

double
dpem_fit_margins_noise(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share, double rows)
{
	DpemFitStage stage = dpem_fit_margins_stage(plan, grid, share);
	double		sd[3];

	dpem_release_noise(&stage.spec, stage.layout.k, plan->d, dpem_fit_exact_multiplier(plan, share), &sd[0], &sd[1], &sd[2]);
	return sd[1] / dpem_margin_mark(grid, 0) / rows;
}

static const DpemKernel *
margins_kernel(const DpemFitPlan *plan, bool observed)
{
	if (observed)
		return plan->binding->label ? &dpem_kernel_class_margins_observed : &dpem_kernel_margins_observed;
	return plan->binding->label ? &dpem_kernel_class_margins : &dpem_kernel_margins;
}

/* observed: rows leave marks in the columns that are known; else those that count, in all */
static DpemMargins *
release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid, bool observed)
{
	int			groups = run->plan->groups;
	DpemMomentLayout layout = {dpem_margin_bins(grid), stage->layout.d, DPEM_SECOND_NONE};
	DpemMargins *margins = palloc(groups * sizeof(DpemMargins));
	double	   *theta = dpem_fit_allocate(dpem_margins_theta_length(&layout));
	DpemNoisyMoments *m;

	dpem_fit_report(run, "margins", 0);
	dpem_margins_write(grid, &layout, theta);
	for (int g = 0; g < groups; g++)
		run->part[g].theta = theta;
	m = dpem_fit_release_groups(run, stage->line, &stage->spec, margins_kernel(run->plan, observed), &layout);
	for (int g = 0; g < groups; g++)
	{
		run->part[g].theta = NULL;
		margins[g] = dpem_margins_take(grid, &m[g], run->plan->public_rows);
		margins[g].apart = observed || grid->known > 0;
		/* of rows of which some columns are unknown, each column has its own */
		if (!observed && !run->plan->request->bind.missing)
			dpem_fit_note_rows(run, g, margins[g].counted, margins[g].counted_sd);
	}
	return margins;
}

DpemMargins *
dpem_fit_release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid)
{
	int			imputed = run->pass.map.imputed;
	DpemMargins *margins;

	run->pass.map.imputed = 0;
	margins = release_margins(run, stage, grid, run->pass.unknown > 0);
	run->pass.map.imputed = imputed;
	return margins;
}

DpemMargins *
dpem_fit_release_margins_of_rows(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid)
{
	return release_margins(run, stage, grid, false);
}

DpemMarginGrid
dpem_fit_number_grid(const DpemFitPlan *plan)
{
	return dpem_margin_grid(1, plan->groups, 1);
}

DpemFitStage
dpem_fit_number_stage(const DpemFitPlan *plan, double share)
{
	DpemMarginGrid grid = dpem_fit_number_grid(plan);
	DpemFitStage stage = dpem_fit_margins_stage(plan, &grid, share);

	stage.statistic = "target";
	stage.layout.d = grid.columns;
	return stage;
}

void
dpem_fit_see_number(DpemFitRun *run, int group, int place, int j, double center, double deviation, double radius)
{
	size_t		d = (size_t) run->plan->d;
	double	   *centers = dpem_fit_allocate(d);
	double	   *matrix = dpem_fit_allocate(d * d);

	centers[j] = center;
	matrix[(size_t) place * d + j] = 1 / deviation;
	run->part[group].center = centers;
	run->part[group].whitening = matrix;
	run->part[group].radius = radius;
}

/* margins are those of leading coordinates: the first is the number for this pass, which has no other */
DpemMargins *
dpem_fit_release_number(DpemFitRun *run, const DpemFitStage *stage, int j)
{
	const DpemFitPlan *plan = run->plan;
	DpemMarginGrid grid = dpem_fit_number_grid(plan);
	DpemMargins *margins;

	for (int g = 0; g < plan->groups; g++)
		dpem_fit_see_number(run, g, 0, j, 0, 1, grid.radius);
	run->pass.map.outputs = grid.columns;
	margins = dpem_fit_release_margins_of_rows(run, stage, &grid);
	run->pass.map.outputs = 0;
	for (int g = 0; g < plan->groups; g++)
	{
		run->part[g].center = run->part[g].whitening = NULL;
		run->part[g].radius = plan->clip_norm;
	}
	return margins;
}

/*
 * Is a column known in fewer rows than another?  Only of what has no noise.  Where there is a target, or waves, it does
 * not matter where rows are seen from, and all columns may be unknown equally often.
 */
static bool
may_have_unknown(const DpemFitPlan *plan, const DpemMargins *margins)
{
	bool		some = plan->binding->target != NULL || plan->features > 0;

	for (int j = 1; j < margins->grid.columns && !some; j++)
		some = fabs(dpem_margins_column(margins, j) - dpem_margins_column(margins, 0)) > 0.5;
	return some;
}

void
dpem_fit_center_unknown(DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;
	DpemMarginGrid grid = dpem_margin_grid(plan->d, plan->groups, plan->clip_norm);
	DpemFitStage stage = dpem_fit_margins_stage(plan, &grid, 1);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&grid));
	double	   *deviation = dpem_fit_allocate(plan->d);
	DpemMargins *margins;
	bool		some = false;

	if (plan->noisy || run->pass.map.imputed == 0)
		return;
	stage.line = -1;
	margins = dpem_fit_release_margins(run, &stage, &grid);
	for (int g = 0; g < plan->groups; g++)
		some |= may_have_unknown(plan, &margins[g]);
	/* a pass has a center for every group or for none */
	for (int g = 0; some && g < plan->groups; g++)
	{
		double	   *center = dpem_fit_allocate(plan->d);

		run->part[g].center = center;
		if (!may_have_unknown(plan, &margins[g]))
			continue;
		dpem_column_spread(&margins[g], true, center, deviation, work);
		for (int j = run->pass.map.imputed; j < plan->d; j++)
			center[j] = 0;
		/* of the box about any center in it */
		run->part[g].radius = 2 * sqrt(plan->d);
	}
}

double
dpem_fit_middle(const DpemFeatureMap *map, int j)
{
	double		half = map->upper[j] / 2 - map->lower[j] / 2;

	return map->upper[j] / 2 + map->lower[j] / 2 + half * (map->center ? map->center[j] : 0);
}

double
dpem_fit_unit(const DpemFeatureMap *map, int d, int j)
{
	return map->radius / (map->whitening ? map->whitening[(size_t) j * d + j] : 1);
}

static DpemColumnValues
values_of(const DpemColumn *column)
{
	if (column->kind == DPEM_COLUMN_LABEL)
		return DPEM_VALUES_CATEGORY;
	if (column->scale != DPEM_SCALE_LINEAR || column->lower != 0 || column->upper != 1)
		return DPEM_VALUES_ANY;
	return dpem_type_is_whole(column->type) ? DPEM_VALUES_TWO : DPEM_VALUES_ONES;
}

DpemColumnValues *
dpem_fit_column_values(const DpemFitPlan *plan, int columns)
{
	DpemColumnValues *values = palloc0(Max(columns, 1) * sizeof(DpemColumnValues));
	int			at = 0;
	ListCell   *cell;

	foreach(cell, plan->binding->columns)
	{
		const DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length && at < columns; i++)
			values[at++] = values_of(column);
	}
	return values;
}

DpemColumnValues *
dpem_fit_density_values(int columns)
{
	DpemColumnValues *values = palloc(columns * sizeof(DpemColumnValues));

	for (int j = 0; j < columns; j++)
		values[j] = DPEM_VALUES_DENSITY;
	return values;
}

void
dpem_fit_density_spread(DpemFitRun *run, int group, const DpemMargins *margins, bool clamped, double *center, double *deviation)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&margins->grid));
	double	   *range = clamped ? dpem_fit_allocate(2 * (size_t) run->plan->d) : NULL;

	CHECK_FOR_INTERRUPTS();
	dpem_column_spread(margins, true, center, deviation, work);
	dpem_column_beliefs(margins, center, deviation);
	if (clamped)
		(void) dpem_column_spikes(margins, run->plan->d, center, deviation, range, work);
	run->part[group].range = range;
	pfree(work.next);
}

DpemKeptLaws *
dpem_fit_keep_laws(const DpemMarginGrid *grid)
{
	size_t		bins = dpem_margin_level_bins(grid, grid->levels - 1);
	DpemKeptLaws *kept = palloc(sizeof(DpemKeptLaws));

	kept->found = palloc0(grid->columns * sizeof(bool));
	kept->normal = palloc0(grid->columns * sizeof(bool));
	kept->p = dpem_fit_workspace_unset(grid->columns * bins).next;
	return kept;
}

double *
dpem_fit_find_range(const DpemFitPlan *plan, int columns, const DpemMargins *margins, const double *center, const double *deviation,
					DpemWorkspace work)
{
	double	   *range = dpem_fit_allocate(2 * (size_t) plan->d);

	/* laws of many groups' columns take longer than a pass */
	CHECK_FOR_INTERRUPTS();
	if (!dpem_column_range(margins, plan->d, center, deviation, dpem_model_reach, range, work))
		return NULL;
	for (int j = columns; j < plan->d; j++)
	{
		range[j] = -DPEM_RANGE_NONE;
		range[plan->d + j] = DPEM_RANGE_NONE;
	}
	return range;
}

void
dpem_fit_set_frame(DpemFitRun *run, int group, const double *center, const double *scale, double radius)
{
	size_t		d = (size_t) run->plan->d;
	double	   *whitening = dpem_fit_allocate(d * d);

	for (size_t j = 0; j < d; j++)
		whitening[j * d + j] = scale[j];
	run->part[group].center = center;
	run->part[group].whitening = whitening;
	run->part[group].radius = radius;
}

/* of a diagonal whitening matrix; NULL for none */
static double *
invert_diagonal(const double *whitening, size_t d)
{
	double	   *inverse = whitening ? dpem_fit_allocate(d * d) : NULL;

	for (size_t j = 0; whitening != NULL && j < d; j++)
		inverse[j * d + j] = 1 / whitening[j * d + j];
	return inverse;
}

/* parameters of the group's rows, as the kernel of incomplete rows reads them */
static void
expect_total(DpemFitRun *run, int group, const DpemMomentLayout *layout, double spread, const double *inverse)
{
	DpemFeatureMap map = dpem_fit_map(run, group);
	double	   *theta = dpem_fit_allocate(dpem_observed_theta_length(layout));
	DpemWorkspace work = dpem_fit_workspace(dpem_observed_start_work(layout->d));

	if (inverse == NULL)
		inverse = invert_diagonal(map.whitening, layout->d);
	dpem_fit_require_ok(dpem_observed_start(spread, layout->second, &map, inverse, theta, work));
	run->part[group].theta = theta;
}

DpemNoisyMoments *
dpem_fit_release_total(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second, double spread,
					   double *const *inverse)
{
	DpemMomentLayout layout = {1, run->plan->d, second};
	bool		marginal = run->plan->request->bind.marginal;
	DpemNoisyMoments *m;

	for (int g = 0; marginal && g < run->plan->groups; g++)
		expect_total(run, g, &layout, spread, inverse ? inverse[g] : NULL);
	m = dpem_fit_release_groups(run, line, spec, marginal ? &dpem_kernel_gmm_observed : &dpem_kernel_sums, &layout);
	for (int g = 0; marginal && g < run->plan->groups; g++)
		run->part[g].theta = NULL;
	return m;
}

void
dpem_fit_use_fourier(DpemFitRun *run, const DpemFitFourier *fourier, int waves, double width, const double *radius)
{
	double	   *frequency = dpem_fit_allocate((size_t) fourier->pairs * waves);

	dpem_fourier_frequencies((uint64) fourier->seed, fourier->pairs, waves, width, frequency);
	run->pass.map.pairs = fourier->pairs;
	run->pass.map.waves = waves;
	run->pass.map.frequency = frequency;
	for (int g = 0; g < run->plan->groups; g++)
		run->part[g].radius = radius ? radius[g] : 1;
}
