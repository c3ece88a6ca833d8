/*
 * gam_plan.c - what an additive model will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gam/gam_bins.h"
#include "core/gam/gam_rules.h"
#include "core/kernels/kernel.h"
#include "core/numeric/linalg.h"
#include "families/gam/gam.h"
#include "server/fit_memory.h"

/* coordinate that tells whether the number of that name is known; -1: it always is */
static int
find_known(const DpemBinding *bound, const char *name)
{
	int			at = 0;
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind == DPEM_COLUMN_OBSERVED && strcmp(column->name, name) == 0)
			return at;
		at += column->length;
	}
	return -1;
}

/* edge: room for those of a number's bins, of which its column has so many at most */
static void
set_column(DpemGamPlan *plan, DpemGamColumn *out, const DpemColumn *column, int first, int bins, bool equal, double *edge)
{
	*out = (DpemGamColumn) {
		.first = first,.known = -1
	};
	if (column->kind == DPEM_COLUMN_LABEL)
	{
		out->length = out->bins = column->length;
		return;
	}
	out->known = find_known(plan->fit.binding, column->name);
	out->bins = dpem_fit_cut_number(&plan->fit, column, bins, equal, edge);
}

static void
describe_cells(DpemGamPlan *plan, int bins, bool equal)
{
	const DpemBinding *bound = plan->fit.binding;
	DpemGamColumn *columns = palloc(list_length(bound->columns) * sizeof(DpemGamColumn));
	double	   *edge = dpem_fit_allocate((size_t) list_length(bound->columns) * bins);
	int			at = 0;
	ListCell   *cell;

	plan->shape = (DpemGamShape) {
		.radius = plan->fit.clip_norm,.column = columns,.edge = edge,.targets = bound->target->length,
			.classes = bound->target->kind == DPEM_COLUMN_LABEL ? bound->target->length : DPEM_GAM_TARGET_BINS,
			.pair_share = dpem_gam_rules.pair_share,.margins = dpem_margin_grid(1, plan->fit.groups, 1),.reach = 2
	};
	plan->column = palloc(list_length(bound->columns) * sizeof(DpemColumn *));
	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);
		int			c = plan->shape.columns;

		if (column != bound->target && column->kind != DPEM_COLUMN_OBSERVED)
		{
			set_column(plan, &columns[c], column, at, bins, equal, edge + dpem_gam_edges(&plan->shape));
			plan->column[c] = column;
			plan->shape.columns++;
		}
		at += column->length;
	}
	plan->offset = dpem_gam_offsets(&plan->shape);
	plan->most = plan->n = plan->offset[plan->shape.columns];
	plan->scores = dpem_gam_scores(&plan->shape);
}

static bool
is_in_memory(const DpemGamPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	double		n = plan->most;
	double		all = fit->groups * fmax(plan->shape.classes * n + n * (n - 1) / 2, (double) plan->scores * dpem_gam_cells(&plan->choice));
	double		matrices = fit->groups * (1 + 2 * plan->scores) + 8;

	return all <= DPEM_PASS_MAX_COMPONENTS && all * sizeof(DpemInt128) <= MaxAllocSize / 2 && matrices * n * n * sizeof(double) <= MaxAllocSize;
}

static void
check_size(const DpemGamPlan *plan)
{
	if (plan->shape.targets > DPEM_GAM_MAX_CLASSES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an additive model is for at most %d categories of the target, not %d", DPEM_GAM_MAX_CLASSES, plan->shape.targets)));
	if (plan->most > DPEM_GAM_MAX_CELLS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an additive model is for at most %d cells, not %d", DPEM_GAM_MAX_CELLS, plan->most),
				 errdetail("Each bin of a number is a cell, and each category of a label%s.", plan->pairs > 0 ? "; a pair has up to 49" : ""),
				 errhint("Name fewer columns, or ask for fewer bins%s.", plan->pairs > 0 ? " or pairs" : "")));
	if (!is_in_memory(plan))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("additive models of %d cells do not fit into memory for %d groups and %d classes", plan->most, plan->fit.groups, plan->scores),
				 errhint("Name fewer columns, or ask for fewer bins.")));
}

/* of one release with the whole budget, in parts of a group's rows, by public facts */
static double
plan_noise(const DpemFitPlan *plan)
{
	return dpem_fit_exact_multiplier(plan, 1) * plan->dataset->max_rows_per_unit * plan->groups / dpem_supposed_rows(plan->public_rows);
}

/* of few numbers that tell classes by themselves more, as many cells in all as many numbers have */
static int
usual_bins(const DpemGamPlan *plan)
{
	const DpemBinding *bound = plan->fit.binding;
	int			numbers = 0;
	ListCell   *cell;

	if (bound->target->kind != DPEM_COLUMN_LABEL || plan->pairs > 0 || !(plan_noise(&plan->fit) < dpem_gam_rules.little_noise))
		return dpem_gam_rules.most_bins;
	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		numbers += column != bound->target && column->kind != DPEM_COLUMN_OBSERVED && column->kind != DPEM_COLUMN_LABEL;
	}
	return Max(Min(dpem_gam_rules.few_cells / Max(numbers, 1), dpem_gam_rules.few_bins), dpem_gam_rules.most_bins);
}

/* of as many bins as were asked for, which are equal parts, or as there is room for */
static void
plan_cells(DpemGamPlan *plan, int asked)
{
	int			bins = asked > 0 ? asked : usual_bins(plan);

	for (;; bins--)
	{
		describe_cells(plan, bins, asked > 0);
		dpem_gam_plan_pairs(plan);
		if (asked > 0 || bins == 2 || (plan->most <= DPEM_GAM_MAX_CELLS && is_in_memory(plan)))
			break;
	}
	plan->seen = plan->shape;
	check_size(plan);
}

static DpemReleaseSpec
spec_of(const DpemFitPlan *plan, DpemContribution contribution)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 1, 0, 0);

	spec.contribution = contribution;
	return spec;
}

/* of the budget, by public facts; of a label, and without noise, nothing */
static double
location_share(const DpemGamPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	DpemReleaseSpec spec = spec_of(fit, DPEM_TALLIES);
	double		delta = dpem_release_sensitivity(&spec, dpem_gam_target_length(&plan->shape), fit->d);
	double		rows = dpem_supposed_rows(fit->public_rows);

	if (plan->shape.targets > 1 || !fit->noisy)
		return 0;
	return dpem_gam_location_share(dpem_fit_exact_multiplier(fit, 1) * delta / dpem_margin_mark(&plan->shape.margins, 0) / rows, fit->public_rows <= 0);
}

bool
dpem_gam_is_mean(const DpemGamPlan *plan)
{
	return plan->n < plan->offset[plan->shape.columns];
}

double
dpem_gam_hiding_noise(const DpemGamPlan *plan)
{
	const DpemFitPlan *fit = &plan->fit;
	const DpemGamRequest *request = (const DpemGamRequest *) fit->request;
	DpemReleaseSpec spec = spec_of(fit, DPEM_TALLIES);
	double		delta = dpem_release_sensitivity(&spec, dpem_gam_moments_length(&plan->shape), fit->d);

	if (!fit->noisy || plan->shape.targets > 1 || plan->pairs > 0 || request->bins > 0 || request->prior_variance > 0)
		return 0;
	return dpem_gam_target_noise(&plan->shape, dpem_fit_exact_multiplier(fit, (1 - location_share(plan)) * dpem_gam_rules.first) * delta);
}

static void
plan_mean(DpemGamPlan *plan)
{
	static const DpemGamColumn one = {.bins = 1,.known = -1};

	if (plan->fit.public_rows <= 0 || dpem_gam_hiding_noise(plan) <= dpem_gam_rules.hidden * plan->fit.public_rows)
		return;
	plan->seen.columns = 1;
	plan->seen.column = &one;
	plan->seen.edge = NULL;
	plan->n = plan->most = 1;
}

static void
plan_stages(DpemGamPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	bool		choice = plan->choice.pairs > 0;
	int			later = fit->iterations - 1 - choice;
	double		location = location_share(plan);
	double		chosen = choice ? (1 - location) * dpem_gam_rules.choice : 0;
	double		rest = 1 - location - chosen;

	fit->stage[DPEM_GAM_LOCATION] = (DpemFitStage) {
		.statistic = "target",.share = location,.releases = 1,.spec = spec_of(fit, DPEM_TALLIES),
			.layout = {fit->groups * dpem_gam_target_length(&plan->shape), fit->d, DPEM_COUNTS_ALONE}
	};
	fit->stage[DPEM_GAM_COUNTS] = (DpemFitStage) {
		.statistic = "counts",.share = rest * dpem_gam_rules.first,.releases = 1,.spec = spec_of(fit, DPEM_TALLIES),
			.layout = {fit->groups * dpem_gam_moments_length(&plan->seen), fit->d, DPEM_COUNTS_ALONE}
	};
	fit->stage[DPEM_GAM_CHOICE] = (DpemFitStage) {
		.statistic = "choice of pairs",.share = chosen,.releases = 1,.spec = spec_of(fit, DPEM_RESIDUALS),
			.layout = {fit->groups * (choice ? dpem_gam_gradient_length(&plan->choice) : 1), fit->d, DPEM_COUNTS_ALONE}
	};
	fit->stage[DPEM_GAM_GRADIENTS] = (DpemFitStage) {
		.statistic = "gradients",.share = later > 0 ? rest * dpem_gam_rules.gradients : 0,.releases = later,.sampled = true,
			.spec = spec_of(fit, DPEM_RESIDUALS),
			.layout = {fit->groups * plan->scores * plan->most, fit->d, DPEM_COUNTS_ALONE}
	};
	dpem_fit_plan_stages(fit, DPEM_GAM_STAGES);
}

/* counts, what pairs are chosen by, and a gradient of the pairs */
static int
least_passes(const DpemGamPlan *plan)
{
	return 1 + (plan->choice.pairs > 0) + (plan->pairs > 0);
}

static int
default_passes(const DpemGamPlan *plan)
{
	int			passes = plan->scores > 1 ? dpem_gam_rules.several_passes : dpem_gam_rules.passes;

	if (plan->pairs == 0)
		return 1 + (plan->shape.targets == 2 ? dpem_gam_rules.two_passes : passes);
	return least_passes(plan) - 1 + (plan->choice.pairs > 0 ? dpem_gam_rules.before : 0) + Max(passes, dpem_gam_rules.pair_passes);
}

/* the norm of a row's coordinates only decides how finely bins are told apart, so that nothing has to be clipped */
DpemFitPlan *
dpem_gam_plan(const DpemFitRequest *request)
{
	DpemGamPlan *plan = palloc0(sizeof(DpemGamPlan));

	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, request);
	plan_cells(plan, ((const DpemGamRequest *) request)->bins);
	plan_mean(plan);
	plan->fit.codes = dpem_gam_shape_codes(&plan->seen);
	if (plan->fit.iterations > 0 && plan->fit.iterations < least_passes(plan))
		dpem_fit_bad_argument("iterations", psprintf("%d", plan->fit.iterations),
							  psprintf("at least %d with pairs%s", least_passes(plan), plan->choice.pairs > 0 ? " that are chosen" : ""));
	if (dpem_fit_is_sampled(&plan->fit) && plan->fit.iterations == 1)
		dpem_fit_bad_argument("iterations", "1", "at least 2 with sampling_rate");
	if (plan->fit.iterations == 0)
		plan->fit.iterations = !plan->fit.noisy ? dpem_gam_most_passes()
			: default_passes(plan);
	plan_stages(plan);
	return &plan->fit;
}

/* one row for a statistic of which a row adds that much to an entry */
static void
forecast_row(DpemForecast *forecast, const DpemFitStage *stage, const char *statistic, double mark)
{
	double		delta = dpem_release_sensitivity(&stage->spec, stage->layout.k, stage->layout.d);
	double		z = forecast->plan->charge.lines[stage->line].noise_multiplier;

	if (mark > 0)
		dpem_forecast_row(forecast, statistic, delta / mark, z * delta / mark);
}

void
dpem_gam_forecast(const DpemFitPlan *fit, DpemForecast *forecast)
{
	const DpemGamPlan *plan = (const DpemGamPlan *) fit;

	for (int i = 0; i < fit->stages; i++)
	{
		const DpemFitStage *stage = &fit->stage[i];

		if (stage->line < 0)
			continue;
		(void) dpem_forecast_charged(forecast, stage->line);
		if (i == DPEM_GAM_LOCATION)
			forecast_row(forecast, stage, "target: parts of its domain", dpem_margin_mark(&plan->shape.margins, 0));
		else if (i == DPEM_GAM_COUNTS && dpem_gam_is_mean(plan) && fit->stage[DPEM_GAM_GRADIENTS].releases == 0)
		{
			DpemFitStage sum = fit->stage[DPEM_GAM_GRADIENTS];

			sum.line = stage->line;
			forecast_row(forecast, &sum, "target: its sum", 1);
		}
		else if (i == DPEM_GAM_COUNTS && dpem_gam_is_mean(plan))
			forecast_row(forecast, stage, "target: parts of its domain again", dpem_margin_mark(&plan->shape.margins, 0));
		else if (i == DPEM_GAM_COUNTS)
		{
			forecast_row(forecast, stage, "counts: cells by class", dpem_gam_single_mark(&plan->seen));
			forecast_row(forecast, stage, "counts: pairs of cells", dpem_gam_pair_mark(&plan->seen));
		}
		else
			forecast_row(forecast, stage, i == DPEM_GAM_CHOICE ? "choice of pairs: cells" : "gradients: cells",
						 1 / sqrt(plan->seen.columns + (i == DPEM_GAM_CHOICE ? plan->choice.pairs : plan->pairs)));
	}
	if (dpem_gam_is_mean(plan))
		dpem_forecast_remark(forecast, "the model is the mean of the target", NAN);
}
