/*
 * fit_stages.c - see fit_stages.h.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/kernels/cells.h"
#include "core/kernels/kernel.h"
#include "core/mixture/observed.h"
#include "core/online/online_learner.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"

/* the stages' parts of the budget, and the sum of the square roots of these */
static double
split_budget(const DpemFitStage *stages, int n, double *share)
{
	double		total = 0;
	double		root_sum = 0;

	for (int i = 0; i < n; i++)
		total += stages[i].share;
	/* parts of one that were given in decimals */
	if (fabs(total - 1) < 1e-12)
		total = 1;
	for (int i = 0; i < n; i++)
	{
		share[i] = stages[i].share / total;
		root_sum += sqrt(share[i]);
	}
	return root_sum;
}

/* Laplace stages have scales in the ratios of Gaussian ones, all multiplied until the whole costs the budget */
static void
laplace_costs(const DpemFitPlan *plan, const DpemFitStage *stages, int n, const double *share, DpemCostLine *lines)
{
	for (int i = 0; i < n; i++)
		lines[i] = dpem_cost_line(DPEM_COST_LAPLACE, sqrt(stages[i].releases / share[i]), stages[i].releases);
	dpem_fit_scale_lines(plan, lines, n);
}

void
dpem_fit_add_stages(DpemFitPlan *plan, DpemFitStage *stages, int n)
{
	DpemCostLine lines[DPEM_FIT_MAX_STAGES];
	double		share[DPEM_FIT_MAX_STAGES];
	double		root_sum;
	bool		laplace;

	if (n < 1 || n > DPEM_FIT_MAX_STAGES)
		elog(ERROR, "dpem: a fit of too many stages");
	root_sum = split_budget(stages, n, share);
	laplace = stages[0].spec.noise == DPEM_NOISE_LAPLACE;
	if (laplace && plan->noisy)
		laplace_costs(plan, stages, n, share, lines);
	for (int i = 0; i < n; i++)
	{
		stages[i].line = -1;
		if (!plan->noisy || share[i] == 0)
			continue;
		if (!laplace)
			lines[i] = dpem_fit_gaussian_cost(plan, stages[i].sampled, share[i], root_sum, stages[i].releases);
		dpem_release_check(&stages[i].spec, &stages[i].layout, lines[i].noise_multiplier);
		stages[i].line = dpem_fit_add_line(plan, stages[i].statistic, laplace ? DPEM_MECHANISM_LAPLACE : DPEM_MECHANISM_GAUSSIAN, &lines[i]);
	}
}

void
dpem_fit_plan_stages(DpemFitPlan *plan, int n)
{
	plan->stages = n;
	dpem_fit_add_stages(plan, plan->stage, n);
}

DpemMarginGrid
dpem_fit_margin_grid(const DpemFitPlan *plan, int columns)
{
	double	   *kind = dpem_fit_allocate(columns);
	ListCell   *cell;
	int			at = 0;

	foreach(cell, plan->binding->columns)
	{
		const DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length && at < columns; i++, at++)
			if (column->kind == DPEM_COLUMN_LABEL)
				kind[at] = i == 0 ? DPEM_MARGINS_LABEL : DPEM_MARGINS_NEXT;
	}
	return dpem_margin_grid_of(dpem_margin_grid(columns, plan->groups, plan->clip_norm), kind);
}

DpemReleaseSpec
dpem_fit_spec(const DpemFitPlan *plan, double count, double sum, double second)
{
	return (DpemReleaseSpec) {
		.count_weight = count,.sum_weight = sum,.second_weight = second,.replace_one = plan->dataset->replace_one,
			.rows_per_unit = plan->dataset->max_rows_per_unit
	};
}

void
dpem_fit_check_second_moments(const DpemFitPlan *plan, const char *hint)
{
	DpemMomentLayout layout = {1, plan->d, DPEM_SECOND_FULL};
	double		groups = plan->groups;
	double		moments = groups * dpem_moments_length(&layout) * sizeof(DpemInt128);
	double		matrix = groups * plan->d * plan->d * sizeof(double);
	int			most = (int) sqrt((double) MaxAllocSize / sizeof(DpemInt128) / groups) - 1;

	if (moments > (double) MaxAllocSize / 2 || matrix > (double) MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("second moments in %d coordinates do not fit into memory%s", plan->d,
						plan->groups > 1 ? psprintf(" for %d groups", plan->groups) : ""),
				 errdetail("At most %d coordinates do.", most),
				 errhint("%s", hint)));
}

void
dpem_fit_check_marginal(const DpemFitPlan *plan)
{
	if (plan->request->bind.marginal && plan->d > DPEM_OBSERVED_MAX_D)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("missing must be complete for %d coordinates: rows of which some are NULL have at most %d", plan->d,
						DPEM_OBSERVED_MAX_D),
				 errhint("Name fewer columns.")));
}

double
dpem_fit_stage_multiplier(const DpemFitPlan *plan, int stage)
{
	int			line = plan->stage[stage].line;

	return line < 0 ? 0 : plan->charge.lines[line].noise_multiplier;
}

DpemStageNoise
dpem_fit_stage_noise(const DpemFitPlan *plan, int stage)
{
	const DpemFitStage *s = &plan->stage[stage];
	DpemStageNoise noise = {0};

	if (s->line >= 0)
		dpem_release_noise(&s->spec, s->layout.k, s->layout.d, dpem_fit_stage_multiplier(plan, stage), &noise.count, &noise.sum, &noise.second);
	return noise;
}

DpemLabelRule
dpem_fit_label_rule(const DpemFitPlan *plan, const DpemMarginGrid *grid, int stage, double rows)
{
	DpemLabelRule rule = dpem_label_rule(grid);

	if (rows > 0 && plan->stage[stage].layout.second != DPEM_SECOND_NONE)
		rule.noise = dpem_label_row_square(grid, rule) * dpem_fit_stage_noise(plan, stage).second / rows;
	return rule;
}

void
dpem_fit_forecast_stages(const DpemFitPlan *plan, DpemForecast *forecast)
{
	for (int i = 0; i < plan->stages; i++)
	{
		const DpemFitStage *stage = &plan->stage[i];

		if (stage->line >= 0)
			dpem_forecast_joint(forecast, stage->line, &stage->spec, stage->layout.k, NULL, NULL);
	}
}

DpemNoisyMoments *
dpem_fit_release_stage(DpemFitRun *run, int stage, const DpemKernel *kernel, const DpemMomentLayout *layout,
					   const double *theta)
{
	const DpemFitStage *s = &run->plan->stage[stage];

	return dpem_fit_release(run, s->line, &s->spec, kernel, layout, theta);
}

DpemNoisyMoments *
dpem_fit_release_stage_groups(DpemFitRun *run, int stage, const DpemKernel *kernel, const DpemMomentLayout *layout)
{
	const DpemFitStage *s = &run->plan->stage[stage];

	return dpem_fit_release_groups(run, s->line, &s->spec, kernel, layout);
}

/* what the wall reads rows by where it makes the passes itself */
static DpemPass
pass_of_parts(const DpemFitRun *run)
{
	DpemPass	pass = run->pass;

	pass.part = run->part;
	return pass;
}

DpemNoisyMoments *
dpem_fit_release_steps(DpemFitRun *run, const DpemMarginLoss *loss, const DpemFitStage *stage)
{
	DpemPass	pass = pass_of_parts(run);
	DpemNoisyMoments *m = dpem_release_steps(run->charge, stage->line, run->source, &pass, loss, &stage->spec);

	dpem_fit_note_signal(run, 0, stage->line, &stage->spec, m);
	return m;
}

DpemNoisyMoments *
dpem_fit_release_minimum(DpemFitRun *run, const DpemMarginLoss *loss, const DpemFitStage *noise, const DpemFitStage *end)
{
	const int	line[2] = {noise->line, end->line};
	DpemPass	pass = pass_of_parts(run);
	DpemNoisyMoments *m = dpem_release_minimum(run->charge, line, run->source, &pass, loss, &noise->spec, &end->spec);

	dpem_fit_note_signal(run, 0, end->line, &end->spec, m);
	return m;
}

/* ---- counts alone, before their release ---- */

/* one theta for all groups */
static DpemRawMoments *
scan_groups(DpemFitRun *run, const DpemKernel *kernel, const DpemMomentLayout *layout, const double *theta)
{
	DpemRawMoments *raw;

	for (int g = 0; g < run->plan->groups; g++)
		run->part[g].theta = theta;
	run->pass.part = run->part;
	raw = dpem_fit_scan(run, kernel, layout, theta);
	run->pass.part = NULL;
	return raw;
}

/* The middle of the domain is 0 of a pass's features, and its ends are at most 1 from it.  Of 13 bits they would be coarser than bins. */
DpemRawMoments *
dpem_fit_count_bins(DpemFitRun *run, int bins, double mixed, const char *stage)
{
	int			d = run->plan->d;
	double		half = fmin(1 / run->pass.map.radius, 1);
	double		part[2] = {1 - mixed, mixed};
	DpemCellGrid grid = {.axes = 1,.d = d,.axis = {{-half, half, bins}},.projection = d == 2 ? part : NULL};
	DpemMomentLayout layout = {bins, d, DPEM_COUNTS_ALONE};
	double	   *theta = dpem_fit_allocate(dpem_cells_theta_length(&grid));
	int			bits = run->pass.map.bits;
	DpemRawMoments *raw;

	dpem_fit_report(run, stage, 0);
	dpem_cells_write(&grid, theta);
	run->pass.map.bits = run->plan->noisy ? DPEM_FINE_BITS : bits;
	raw = scan_groups(run, &dpem_kernel_cells, &layout, theta);
	run->pass.map.bits = bits;
	return raw;
}

double
dpem_fit_block_capacity(const DpemFitPlan *plan, double rows)
{
	return dpem_block_capacity(plan->d, rows, maintenance_work_mem * 1024.0);
}

DpemRawMoments *
dpem_fit_count_outputs(DpemFitRun *run, const DpemBlockCells *blocks, const char *stage, int number)
{
	int			d = run->plan->d;
	DpemMomentLayout layout = {blocks->points * d * blocks->cells, d, DPEM_COUNTS_ALONE};
	double	   *theta = dpem_fit_allocate(dpem_block_cells_length(blocks, d));

	dpem_fit_report(run, stage, number);
	dpem_block_cells_write(blocks, d, theta);
	return scan_groups(run, &dpem_kernel_block_cells, &layout, theta);
}

/* ---- batches ---- */

void
dpem_fit_plan_batches(DpemFitPlan *plan)
{
	plan->iterations = plan->groups;
	plan->groups = 1;
}

DpemFitStage
dpem_fit_tree_stage(const DpemFitPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, 0);

	spec.contribution = DPEM_PRODUCT;
	return (DpemFitStage) {
		.statistic = "tree of gradients",.share = 1,.releases = dpem_tree_levels(plan->iterations),.spec = spec,
			.layout = {1, plan->d, DPEM_SECOND_NONE},.batches = plan->iterations
	};
}

static DpemTree *
begin_tree(DpemFitRun *run, const DpemFitStage *stage, const DpemKernel *kernel)
{
	DpemPass	pass = pass_of_parts(run);

	pass.kernel = kernel;
	pass.layout = stage->layout;
	return dpem_tree_begin(run->charge, stage->line, run->source, &pass, &stage->spec);
}

/* a batch, and what follows from it */
static void
learn_batch(DpemFitRun *run, const DpemFitStage *stage, DpemTree *tree, const double *theta, DpemOnlineLearner *learner)
{
	DpemNoisyMoments *released[DPEM_TREE_MOST_LEVELS];
	const double *node[DPEM_TREE_MOST_LEVELS];
	int			ended = dpem_tree_next(tree, theta, released);

	for (int level = 0; level < ended; level++)
	{
		dpem_fit_note_signal(run, 0, stage->line, &stage->spec, released[level]);
		node[level] = released[level]->value + 1;
	}
	dpem_online_take(learner, node, released[0]->sum_sd);
}

DpemFitTrajectory
dpem_fit_learn(DpemFitRun *run, int stage, const DpemKernel *kernel, double reach, const double *theta, double *at, int fixed)
{
	const DpemFitStage *s = &run->plan->stage[stage];
	size_t		d = (size_t) s->layout.d;
	DpemWorkspace work = dpem_fit_workspace(dpem_online_work(s->layout.d));
	DpemOnlineLearner learner = dpem_online_create(s->layout.d, reach, s->batches, &work);
	DpemFitTrajectory met = {.batches = s->batches,.d = s->layout.d};
	DpemTree   *tree = begin_tree(run, s, kernel);
	double		kept = fixed < 0 ? 0 : at[fixed];

	met.at = dpem_fit_allocate((s->batches + 1) * d);
	met.noise = dpem_fit_allocate((s->batches + 1) * d);
	for (int batch = 0; batch <= s->batches; batch++)
	{
		memcpy(at, learner.at, d * sizeof(double));
		if (fixed >= 0)
			at[fixed] = kept;
		memcpy(met.at + batch * d, at, d * sizeof(double));
		memcpy(met.noise + batch * d, learner.noise, d * sizeof(double));
		if (batch == s->batches)
			break;
		dpem_fit_report(run, "batches", batch + 1);
		learn_batch(run, s, tree, theta, &learner);
	}
	met.mean = learner.mean;
	met.mean_noise = learner.mean_noise;
	return met;
}

DpemFieldArray *
dpem_fit_field(int n)
{
	DpemFieldArray *field = palloc0(sizeof(DpemFieldArray));

	*field = (DpemFieldArray) {n, dpem_fit_allocate(n)};
	return field;
}

void
dpem_fit_put_trajectory(const DpemGrouping *batches, const DpemFieldArray *met, const DpemFieldArray *noise, DpemModel *model, int first)
{
	static const char *const no_column = "";
	DpemFieldArray *edge = dpem_fit_field(batches ? batches->n + 1 : 0);

	if (batches)
		memcpy(edge->number, batches->edge, edge->n * sizeof(double));
	model->value[first] = batches ? (const void *) &batches->column.name : &no_column;
	model->value[first + 1] = edge;
	model->value[first + 2] = met;
	model->value[first + 3] = noise;
}
