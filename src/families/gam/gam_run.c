/*
 * gam_run.c - see gam_run.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gam/gam_join.h"
#include "core/kernels/kernel.h"
#include "families/gam/gam_run.h"
#include "fit/fit_margins.h"
#include "server/fit_memory.h"

void
dpem_gam_create_run(DpemGamRun *run, const DpemGamPlan *plan, const DpemGamShape *shape)
{
	int		   *offset = dpem_gam_offsets(shape);
	int			terms = dpem_gam_terms(shape);
	size_t		n = (size_t) offset[terms];
	double		given = ((const DpemGamRequest *) plan->fit.request)->prior_variance;

	run->rows = (DpemGamRows) {
		.shape = *shape,.n = (int) n,.offset = offset,.count = dpem_fit_allocate(n),.noise = dpem_fit_allocate(n),.second = dpem_fit_allocate(n * n)
	};
	run->score = palloc0(plan->scores * sizeof(DpemGamScore));
	for (int s = 0; s < plan->scores; s++)
	{
		DpemGamScore *score = &run->score[s];

		score->linear = dpem_fit_allocate(n);
		score->mean = dpem_fit_allocate(n);
		dpem_gam_begin_path((int) n, dpem_fit_allocate(DPEM_GAM_PATH * n), score);
		score->step = dpem_fit_allocate(terms);
		for (int c = 0; c < terms; c++)
			score->step[c] = given > 0 ? given : 2 * dpem_gam_expected_step(shape, c);
	}
	run->coefficient = dpem_fit_allocate(plan->scores * n);
}

void
dpem_gam_create_curvatures(DpemGamRun *run, const DpemGamPlan *plan)
{
	size_t		n = (size_t) run->rows.n;

	for (int s = 0; s < plan->scores; s++)
	{
		run->score[s].curvature = dpem_fit_allocate(n * n);
		run->score[s].here = dpem_fit_allocate(n * n);
	}
}

void
dpem_gam_free_run(DpemGamRun *run, const DpemGamPlan *plan)
{
	for (int s = 0; s < plan->scores; s++)
	{
		pfree(run->score[s].linear);
		if (run->score[s].curvature != NULL)
		{
			pfree(run->score[s].curvature);
			pfree(run->score[s].here);
		}
		pfree(run->score[s].mean);
		pfree(run->score[s].path);
		pfree(run->score[s].step);
	}
	pfree(run->score);
	pfree(run->coefficient);
	pfree(run->rows.count);
	pfree(run->rows.noise);
	pfree(run->rows.second);
}

/* ---- releases ---- */

/* as passes see it: its own cells, or those that are joined to them */
static DpemGamShape
passed_shape(const DpemGamRun *run)
{
	const DpemGamShape *joined = &run->joined;

	if (joined->columns == 0)
		return run->rows.shape;
	return dpem_gam_passed_shape(joined, &run->rows.shape, palloc(joined->columns * sizeof(DpemGamColumn)),
								 dpem_fit_allocate(dpem_gam_main_cells(joined)));
}

/* what a stage releases of such a shape; length: components */
static const DpemKernel *
kernel_of(int stage, const DpemGamShape *shape, int *length)
{
	switch (stage)
	{
		case DPEM_GAM_LOCATION:
			*length = dpem_gam_target_length(shape);
			return &dpem_kernel_gam_target;
		case DPEM_GAM_COUNTS:
			*length = dpem_gam_moments_length(shape);
			return &dpem_kernel_gam_moments;
		default:
			*length = dpem_gam_gradient_length(shape);
			return &dpem_kernel_gam_gradient;
	}
}

DpemNoisyMoments *
dpem_gam_release_as(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, int what, bool zeros)
{
	const DpemKernel *kernel = NULL;
	DpemMomentLayout layout = {.d = plan->fit.d,.second = DPEM_COUNTS_ALONE};

	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemGamShape shape = passed_shape(&run[g]);
		double	   *theta = dpem_fit_allocate(dpem_gam_theta_length(&shape));

		dpem_gam_write(&shape, zeros ? NULL : run[g].coefficient, theta);
		fit->part[g].theta = theta;
		kernel = kernel_of(what, &shape, &layout.k);
	}
	return dpem_fit_release_groups(fit, plan->fit.stage[stage].line, &plan->fit.stage[what].spec, kernel, &layout);
}

DpemNoisyMoments *
dpem_gam_release(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, bool zeros)
{
	return dpem_gam_release_as(fit, plan, run, stage, stage, zeros);
}

/* ---- where a number is ---- */

/* what is hidden of one that seems to have a single value is doubted by dpem_gam_locate itself */
DpemColumnValues
dpem_gam_target_values(const DpemFitPlan *plan)
{
	DpemColumnValues values = dpem_fit_column_values(plan, plan->d)[plan->d - 1];

	return values == DPEM_VALUES_ANY ? DPEM_VALUES_TAIL : values;
}

void
dpem_gam_locate_runs(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run)
{
	const DpemMarginGrid *grid = &plan->shape.margins;
	MemoryContext old = CurrentMemoryContext;
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
		run[g].margins = dpem_fit_allocate(dpem_margin_bins(grid));
	MemoryContextSwitchTo(fit->per_pass);

	if (plan->fit.stage[DPEM_GAM_LOCATION].line >= 0)
	{
		dpem_fit_report(fit, "target", 0);
		m = dpem_gam_release(fit, plan, run, DPEM_GAM_LOCATION, true);
		for (int g = 0; g < plan->fit.groups; g++)
		{
			DpemGamRows *rows = &run[g].rows;

			rows->window = dpem_gam_locate(&m[g], grid, plan->fit.public_rows, dpem_gam_target_values(&plan->fit), dpem_fit_workspace(dpem_gam_locate_work(grid)));
			memcpy(run[g].margins, m[g].value, dpem_margin_bins(grid) * sizeof(double));
			run[g].margins_sd = m[g].count_sd;
			rows->shape.bins_middle = rows->window.middle;
			rows->shape.bins_half = rows->window.half;
		}
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(fit->per_pass);
}

/* ---- results ---- */

static DpemGamResult
create_result(int n)
{
	return (DpemGamResult) {.contribution = dpem_fit_allocate(n),.sd = dpem_fit_allocate(n),.noise = dpem_fit_allocate(n)};
}

DpemGamResult
dpem_gam_run_result(const DpemGamRun *run, int s)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_gam_work(run->rows.n));
	DpemGamResult seen = create_result(run->rows.n);
	DpemGamShape shape;
	DpemGamResult all;

	dpem_fit_require_ok(dpem_gam_finish(&run->rows, &run->score[s], &seen, work));
	pfree(work.next);
	if (run->joined.columns == 0)
		return seen;
	shape = passed_shape(run);
	all = create_result(dpem_gam_cells(&shape));
	dpem_gam_part_result(&run->rows, &run->score[s], &seen, &shape, &all);
	return all;
}

DpemGamRows
dpem_gam_all_rows(const DpemGamRun *run)
{
	DpemGamRows all = run->rows;

	all.shape = passed_shape(run);
	all.shape.joined = NULL;
	all.offset = dpem_gam_offsets(&all.shape);
	all.n = all.offset[dpem_gam_terms(&all.shape)];
	return all;
}

/* ---- joining ---- */

/* standard deviation in the mean of all gradients' cells that are to come, in residuals of 1 as the kernel scales them */
static double
gradient_noise(const DpemGamPlan *plan)
{
	const DpemFitStage *stage = &plan->fit.stage[DPEM_GAM_GRADIENTS];
	double		delta = dpem_release_sensitivity(&stage->spec, stage->layout.k, stage->layout.d);
	double		rate = dpem_fit_is_sampled(&plan->fit) ? plan->fit.sample.rate : 1;

	return dpem_fit_stage_multiplier(&plan->fit, DPEM_GAM_GRADIENTS) * delta / rate / dpem_gam_gradient_mark(&plan->shape) / sqrt(stage->releases);
}

/* where nothing was asked for that shares do not have */
bool
dpem_gam_are_classes_hidden(const DpemGamPlan *plan, const DpemGamRun *run)
{
	const DpemGamRequest *request = (const DpemGamRequest *) plan->fit.request;

	if (!plan->fit.noisy || plan->pairs > 0 || request->bins > 0 || request->prior_variance > 0 || plan->fit.stage[DPEM_GAM_GRADIENTS].releases == 0)
		return false;
	for (int g = 0; g < plan->fit.groups; g++)
		if (!dpem_gam_hides_classes(&run[g].rows, gradient_noise(plan)))
			return false;
	return true;
}

/* to sum: n x n, in place of what is there */
static double *
sum_pairs(int groups, int n, double *const *pairs)
{
	double	   *sum = dpem_fit_allocate((size_t) n * n);

	if (groups == 1)
		return pairs[0];
	for (int g = 0; g < groups; g++)
		for (size_t i = 0; i < (size_t) n * n; i++)
			sum[i] += pairs[g][i];
	return sum;
}

/* of all groups, which have the same cells */
static DpemGamSeen
see_runs(const DpemGamPlan *plan, const DpemGamRun *run)
{
	int			n = run->rows.n;
	int			scores = plan->fit.groups * plan->scores;
	double	   *count = dpem_fit_allocate(n);
	DpemGamSeen seen = {.n = n,.count = count,.noise = gradient_noise(plan),.excess = palloc(scores * sizeof(double *)),.excess_sd = dpem_fit_allocate(scores)};

	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_gam_see_rows(&run[g].rows, plan->fit.groups, &seen);
		for (int i = 0; i < n; i++)
			count[i] += run[g].rows.count[i];
		for (int s = 0; s < plan->scores; s++, seen.scores++)
		{
			seen.excess[seen.scores] = dpem_fit_allocate(n);
			seen.excess_sd[seen.scores] = dpem_gam_excess(&run[g].rows, &run[g].score[s], seen.excess[seen.scores]);
		}
	}
	seen.bins = dpem_gam_bins_wanted(&run->rows, seen.told, seen.noise);
	return seen;
}

/* of each group the pairs of cells that are joined, of all columns, cleaned if they are not yet */
static double **
join_pairs(const DpemGamPlan *plan, const DpemGamRun *run, const DpemGamShape *shape, DpemWorkspace work)
{
	int			n = dpem_gam_seen_cells(shape);
	double	  **pairs = palloc(plan->fit.groups * sizeof(double *));

	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemGamRows joined = {.n = n,.second = pairs[g] = dpem_fit_allocate((size_t) n * n)};

		dpem_gam_join_pairs(&run[g].rows, shape, n, pairs[g]);
		if (!run[g].cleaned)
			dpem_fit_require_ok(dpem_gam_clean_pairs(&joined, work));
	}
	return pairs;
}

/* of a number a mean was found, by which bins are joined: that of its cells */
static void
join_mean(const DpemGamRun *before, int s, DpemGamRun *run)
{
	size_t		n = (size_t) run->rows.n;
	DpemGamScore *score = &run->score[s];

	score->scale = before->score[s].scale;
	dpem_gam_join_mean(&before->rows, &run->joined, before->score[s].mean, &run->rows, score->mean);
	memcpy(run->coefficient + s * n, score->mean, n * sizeof(double));
	/* of a number the curvature is that of all rows throughout */
	memcpy(score->here, run->rows.second, n * n * sizeof(double));
}

static void
join_run(const DpemGamPlan *plan, const DpemGamShape *joined, DpemGamRun *run)
{
	DpemGamRun	before = *run;
	DpemGamColumn *column = palloc(joined->columns * sizeof(DpemGamColumn));
	DpemGamShape seen;

	run->joined = *joined;
	seen = dpem_gam_seen_shape(joined, column);
	dpem_gam_create_run(run, plan, &seen);
	if (before.score->curvature != NULL)
		dpem_gam_create_curvatures(run, plan);
	dpem_gam_join_rows(&before.rows, joined, &run->rows);
	for (int s = 0; s < plan->scores; s++)
	{
		if (run->rows.shape.targets == 1)
			join_mean(&before, s, run);
		else
			dpem_gam_join_start(&before.rows, joined, &before.score[s], &run->rows, &run->score[s], dpem_fit_allocate(run->rows.n));
	}
	dpem_gam_free_run(&before, plan);
}

void
dpem_gam_join_runs(const DpemGamPlan *plan, DpemGamRun *run, DpemWorkspace work)
{
	const DpemGamRequest *request = (const DpemGamRequest *) plan->fit.request;
	DpemGamShape shape = plan->shape;
	DpemGamColumn *column;
	DpemGamSeen seen;
	double	   *joined;
	double	  **pairs;
	int			n;

	if (!plan->fit.noisy || request->bins > 0 || request->prior_variance > 0 || dpem_gam_is_mean(plan) || plan->fit.stage[DPEM_GAM_GRADIENTS].releases == 0)
		return;
	shape.column = column = memcpy(palloc(shape.columns * sizeof(DpemGamColumn)), shape.column, shape.columns * sizeof(DpemGamColumn));
	shape.joined = joined = dpem_fit_allocate(run->rows.n);
	seen = see_runs(plan, run);
	dpem_gam_join_cells(shape.columns, column, &seen, joined);
	n = dpem_gam_seen_cells(&shape);
	pairs = join_pairs(plan, run, &shape, work);
	seen.pairs = sum_pairs(plan->fit.groups, n, pairs);
	if (plan->pairs == 0)
		dpem_gam_leave_out(shape.columns, column, &seen, joined);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (dpem_gam_are_joined(shape.columns, column))
			join_run(plan, &shape, &run[g]);
		dpem_gam_keep_pairs(&shape, n, pairs[g], &run[g].rows);
		run[g].cleaned = true;
	}
}
