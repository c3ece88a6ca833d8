/*
 * gam_mean.c - the mean of a number alone, or the shares of two classes, where noise would hide a model.
 *
 * Of a number what counts would have of the budget is for its margins once more, unless these tell nothing, and what gradients
 * would have for the sum of all rows.  Of classes counts have told that noise would hide them, and gradients are of one cell.
 * The second class is a number, too: 1 or -1.
 */
#include "postgres.h"

#include <math.h>

#include "core/gam/gam_bins.h"
#include "core/gam/gam_join.h"
#include "families/gam/gam_run.h"
#include "server/fit_memory.h"

#define NEVER	0x1p-30			/* twice the share of a class that all rows' residuals are from, where it is 0 or 1 */

/* of a group, what releases told */
typedef struct Level
{
	DpemTargetMean place;
	DpemTargetSums sums;
	double		middle;			/* that the next sum is from */
} Level;

bool
dpem_gam_are_hidden(const DpemGamPlan *plan, const DpemGamRun *run)
{
	double		noise = dpem_gam_hiding_noise(plan);

	for (int g = 0; g < plan->fit.groups; g++)
		if (!(noise > 0 && dpem_gam_hides(noise, &run[g].rows.window)))
			return false;
	return true;
}

void
dpem_gam_join_all(const DpemGamPlan *plan, DpemGamRun *run)
{
	DpemGamColumn *column = palloc(plan->shape.columns * sizeof(DpemGamColumn));
	DpemGamRun	before = *run;
	DpemGamShape seen;

	memcpy(column, plan->shape.column, plan->shape.columns * sizeof(DpemGamColumn));
	for (int c = 0; c < plan->shape.columns; c++)
		column[c].joined = c == 0;
	run->joined = plan->shape;
	run->joined.column = column;
	run->joined.joined = dpem_fit_allocate(dpem_gam_main_cells(&plan->shape));
	seen = dpem_gam_seen_shape(&run->joined, palloc(plan->shape.columns * sizeof(DpemGamColumn)));
	dpem_gam_create_run(run, plan, &seen);
	run->rows.window = before.rows.window;
	dpem_gam_free_run(&before, plan);
}

/* ---- where sums are from ---- */

static void
set_middle(DpemGamRun *run, const Level *level)
{
	if (run->rows.shape.targets > 1)
	{
		run->coefficient[0] = log((1 + level->middle) / (1 - level->middle));
		return;
	}
	/* values are seen as far as before, whatever they are from */
	run->rows.shape.middle = level->middle;
	run->rows.shape.reach = fmin(level->place.reach + fabs(level->middle - level->place.middle), 2);
}

/* as counts tell */
static void
start_shares(const DpemGamPlan *plan, DpemGamRun *run, Level *level)
{
	const DpemGamRows rows = run->rows;

	dpem_gam_join_all(plan, run);
	level->place = (DpemTargetMean) {
		.reach = 1,.rows = rows.public ? rows.rows : fmax(rows.counted, rows.counted_sd),.rows_sd = rows.public ? 0 : rows.counted_sd,
			.counted = rows.counted,.counted_sd = rows.counted_sd
	};
	level->middle = 2 * rows.share[1] - 1;
}

/*
 * Where the number of rows is not public, where the next sum is from: of a number, what was told so far; of classes in turn the one that all rows
 * might be in, so that rows of each are counted.
 */
static void
move_middle(const DpemGamRun *run, int pass, Level *level)
{
	double		noise;

	if (level->place.rows_sd == 0)
		return;
	if (run->rows.shape.targets > 1)
		level->middle = pass % 2 > 0 ? 1 - NEVER : NEVER - 1;
	else if (level->sums.weight > 0)
		level->middle = dpem_target_mean_of(&level->place, &level->sums, &noise);
}

/* ---- releases ---- */

static void
add_margins(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run)
{
	int			bins = dpem_margin_bins(&plan->shape.margins);
	DpemNoisyMoments *m;

	dpem_fit_report(fit, "target", 1);
	m = dpem_gam_release_as(fit, plan, run, DPEM_GAM_COUNTS, DPEM_GAM_LOCATION, true);
	for (int g = 0; g < plan->fit.groups; g++)
		dpem_target_add_release(bins, m[g].value, m[g].count_sd, run[g].margins, &run[g].margins_sd);
}

/* of a stage, in the mean of its releases */
static double
noise_of(const DpemGamPlan *plan, int stage, int what)
{
	const DpemFitStage *of = &plan->fit.stage[what];

	return dpem_fit_stage_multiplier(&plan->fit, stage) * dpem_release_sensitivity(&of->spec, of->layout.k, of->layout.d) / sqrt(Max(plan->fit.stage[stage].releases, 1));
}

/* would the margins still tell nothing with so much noise? */
static bool
tell_nothing(const DpemGamPlan *plan, const DpemGamRun *run)
{
	double		more = noise_of(plan, DPEM_GAM_COUNTS, DPEM_GAM_LOCATION);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		double		sd = run[g].margins_sd;

		if (!dpem_target_is_nowhere(&plan->shape.margins, sd * more / hypot(sd, more), run[g].rows.window.rows))
			return false;
	}
	return true;
}

static void
add_sums(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, int pass, Level *level)
{
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		move_middle(&run[g], pass, &level[g]);
		set_middle(&run[g], &level[g]);
	}
	m = dpem_gam_release_as(fit, plan, run, stage, DPEM_GAM_GRADIENTS, false);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		/* of a residual of 1: classes are 2 apart */
		double		unit = (plan->shape.targets > 1 ? 2 : run[g].rows.shape.reach) * (fit->sampled ? 1 / plan->fit.sample.rate : 1);

		dpem_target_add_sum(&level[g].sums, level[g].middle, unit * m[g].value[0], unit * m[g].count_sd);
	}
}

static void
place_numbers(const DpemGamPlan *plan, DpemGamRun *run, Level *level)
{
	const DpemMarginGrid *grid = &plan->shape.margins;
	int			stage = plan->fit.stage[DPEM_GAM_GRADIENTS].releases > 0 ? DPEM_GAM_GRADIENTS : DPEM_GAM_COUNTS;
	double		sd = noise_of(plan, stage, DPEM_GAM_GRADIENTS) / (dpem_fit_is_sampled(&plan->fit) ? plan->fit.sample.rate : 1);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		level[g].place = dpem_gam_find_mean(run[g].margins, run[g].margins_sd, sd, grid, plan->fit.public_rows, dpem_gam_target_values(&plan->fit),
											dpem_fit_workspace(dpem_gam_locate_work(grid)));
		level[g].middle = level[g].place.middle;
	}
}

/* where margins tell nothing, or nothing else is left for the sum, that has all of the budget */
static void
start_numbers(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, Level *level)
{
	bool		again = plan->fit.stage[DPEM_GAM_GRADIENTS].releases > 0 && !tell_nothing(plan, run);

	for (int g = 0; g < plan->fit.groups && !dpem_gam_is_mean(plan); g++)
		dpem_gam_join_all(plan, &run[g]);
	if (again)
		add_margins(fit, plan, run);
	place_numbers(plan, run, level);
	if (!again)
		add_sums(fit, plan, run, DPEM_GAM_COUNTS, 0, level);
}

/* ---- the model ---- */

/* of classes as log-odds */
static void
put_level(const DpemGamPlan *plan, const Level *level, DpemGamResult *result)
{
	double		noise;
	double		mean = dpem_target_mean_of(&level->place, &level->sums, &noise);

	if (plan->shape.targets > 1)
	{
		result->intercept = log((1 + mean) / (1 - mean));
		result->intercept_sd = result->intercept_noise = 2 * noise / (1 - mean * mean);
		return;
	}
	result->intercept = mean;
	result->intercept_noise = noise;
	result->intercept_sd = hypot(noise, level->place.deviation / sqrt(level->place.rows));
}

DpemGamRun
dpem_gam_prior_run(const DpemGamPlan *plan, double rows, double dispersion)
{
	DpemGamRun	all = {0};
	size_t		n;

	dpem_gam_create_run(&all, plan, &plan->shape);
	n = (size_t) all.rows.n;
	all.score->curvature = dpem_fit_allocate(n * n);
	all.score->here = dpem_fit_allocate(n * n);
	all.rows.rows = rows;
	all.rows.dispersion = dispersion;
	all.rows.middle_off = INFINITY;
	all.score->weight = all.score->scale = 1;
	for (int c = 0; c < plan->shape.columns; c++)
		for (int i = all.rows.offset[c]; i < all.rows.offset[c + 1]; i++)
			all.rows.count[i] = rows / dpem_gam_cells_of(&all.rows, c);
	return all;
}

static void
finish_level(const DpemGamPlan *plan, const Level *level, DpemModel *model)
{
	DpemGamRun	all = dpem_gam_prior_run(plan, level->place.rows, plan->shape.targets == 1 ? level->place.deviation * level->place.deviation : 1);
	DpemGamResult result = dpem_gam_run_result(&all, 0);

	put_level(plan, level, &result);
	dpem_gam_store(plan, &all.rows, &result, model);
}

void
dpem_gam_tell_of_mean(const DpemGamPlan *plan)
{
	if (plan->shape.targets > 1)
		ereport(NOTICE,
				(errmsg("%s: the model is the shares of the classes", plan->fit.request->function),
				 errdetail("At this epsilon noise would hide what so many columns tell of them, and counts say so."),
				 errhint("Ask for more epsilon, fewer columns, or for bins.")));
	else
		ereport(NOTICE,
				(errmsg("%s: the model is the mean of the target", plan->fit.request->function),
				 errdetail("At this epsilon noise would hide the target in the cells of so many columns, and %s says so.",
						   dpem_gam_is_mean(plan) ? "the number of rows" : "what margins tell of the number of rows"),
				 errhint("Ask for more epsilon, fewer columns, or for bins.")));
}

void
dpem_gam_run_mean(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemFitted *fitted)
{
	int			gradients = plan->fit.stage[DPEM_GAM_GRADIENTS].releases;
	Level	   *level = palloc0(plan->fit.groups * sizeof(Level));

	if (plan->shape.targets > 2)
	{
		dpem_gam_run_shares(fit, plan, run, fitted);
		return;
	}
	if (plan->shape.targets == 1)
		start_numbers(fit, plan, run, level);
	for (int g = 0; g < plan->fit.groups && plan->shape.targets > 1; g++)
		start_shares(plan, &run[g], &level[g]);
	/* of classes counts have noted it; of samples nothing can be */
	for (int g = 0; g < plan->fit.groups && plan->shape.targets == 1; g++)
		dpem_fit_note_rows(fit, g, level[g].place.counted, level[g].place.counted_sd);
	fit->sampled = dpem_fit_is_sampled(&plan->fit);
	for (int i = 0; i < gradients; i++)
	{
		dpem_fit_report(fit, plan->shape.targets == 1 ? "mean" : "shares", i + 1);
		add_sums(fit, plan, run, DPEM_GAM_GRADIENTS, i, level);
	}
	/* what follows needs no rows */
	dpem_fit_end(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		fitted->model[g].iterations = 1 + gradients;
		finish_level(plan, &level[g], &fitted->model[g]);
	}
	dpem_gam_tell_of_mean(plan);
}
