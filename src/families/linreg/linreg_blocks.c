/*
 * linreg_blocks.c - linear regression by sample and aggregate (Smith 2011, STOC:
 * "Privacy-preserving statistical estimation with optimal convergence rates"): least squares
 * within random blocks of rows, and the winsorised mean of their coefficients.
 *
 * Margins say where the columns are and in what units; in these the mean is released twice:
 * winsorised far about 0, which is the center, and nearer about this (docs/proofs.md, section 11).  The first also has the mean standard deviations
 * of the target about its predictions and its mean.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/block_means.h"
#include "core/linreg/linreg_rules.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"

static DpemMomentLayout
points_layout(const DpemFitPlan *plan, int points)
{
	return (DpemMomentLayout) {points, plan->d, DPEM_SECOND_NONE};
}

DpemFitStage
dpem_linreg_blocks_stage(const DpemFitPlan *plan, const char *statistic, int points, double share)
{
	DpemFitStage stage = {.statistic = statistic,.share = share,.releases = 1,.layout = points_layout(plan, points)};

	stage.spec = dpem_fit_spec(plan, 0, 1, 0);
	stage.spec.contribution = DPEM_BLOCK_OUTPUT;
	return stage;
}

void
dpem_linreg_check_blocks(const DpemFitPlan *plan)
{
	const DpemFitRequest *r = plan->request;
	const char *allowed = psprintf("null with algorithm %s", ((const DpemLinregRequest *) r)->algorithm->name);

	if (r->bind.by != NULL)
		dpem_fit_bad_argument("by", psprintf("\"%s\"", r->bind.by), allowed);
	if (dpem_fit_is_sampled(plan))
		dpem_fit_bad_argument("sampling_rate", psprintf("%g", r->sampling_rate), allowed);
	if (r->clip_norm > 0)
		dpem_fit_bad_argument("clip_norm", psprintf("%g", r->clip_norm), allowed);
}

void
dpem_linreg_plan_blocks(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	double		margins = dpem_linreg_block_margins_share;
	double		center = dpem_linreg_block_center_share;

	dpem_linreg_check_blocks(plan);
	plan->stage[DPEM_LINREG_BLOCK_MARGINS] = dpem_fit_margins_stage(plan, &grid, margins);
	plan->stage[DPEM_LINREG_BLOCK_CENTER] = dpem_linreg_blocks_stage(plan, "center", 2, center);
	plan->stage[DPEM_LINREG_BLOCK_MEAN] = dpem_linreg_blocks_stage(plan, "blocks", 1, 1 - margins - center);
	dpem_fit_plan_stages(plan, DPEM_LINREG_STAGES);
}

/* where columns may be unknown those of the target, which all that count have */
static double
count_rows(DpemFitRun *run, const DpemMargins *margins)
{
	double		sd;
	double		known = dpem_margins_known(margins, run->plan->d - 1, &sd);

	if (!margins->apart)
		return fmax(margins->rows, 1);
	dpem_fit_note_rows(run, 0, dpem_margins_column(margins, run->plan->d - 1), sd);
	return known;
}

/* rows are about the margins' centers, in units of their deviations, from here on; returns the number of rows */
double
dpem_linreg_frame_blocks(DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	double	   *center = dpem_fit_allocate(plan->d);
	double	   *deviation = dpem_fit_allocate(plan->d);
	DpemMargins *margins = dpem_fit_release_margins(run, &plan->stage[DPEM_LINREG_BLOCK_MARGINS], &grid);

	margins->values = dpem_fit_column_values(plan, plan->d);
	dpem_column_spread(margins, true, center, deviation, dpem_fit_workspace(dpem_column_spread_work(&grid)));
	dpem_linreg_set_frame(run, 0, center, deviation, dpem_linreg_block_radius * sqrt(plan->d));
	return count_rows(run, margins);
}

/* the mean of the blocks' outputs about center, which it replaces; returns its noise.  deviation: 2, or NULL */
static double
release_mean(DpemFitRun *run, int stage, double rows, double reach, double *center, double *deviation)
{
	int			d = run->plan->d;
	int			points = deviation ? 2 : 1;
	double	   *start = dpem_fit_allocate((size_t) points * d);
	double	   *theta = dpem_fit_allocate(DPEM_BLOCK_TASK_HEAD + (size_t) points * d);
	DpemBlockTask task = {.blocks = dpem_linreg_blocks(d, rows),.steps = 1,.capacity = dpem_fit_block_capacity(run->plan, rows),.reach = reach,.start = start};
	DpemMomentLayout layout = points_layout(run->plan, points);
	DpemNoisyMoments *sums;

	memcpy(start, center, d * sizeof(double));
	dpem_block_task_write(&task, (size_t) points * d, theta);
	dpem_fit_report(run, run->plan->stage[stage].statistic, 1);
	run->part[0].theta = theta;
	sums = dpem_fit_release_stage_groups(run, stage, &dpem_kernel_blocks, &layout);
	run->part[0].theta = NULL;
	for (int j = 0; j < d; j++)
		center[j] += reach * (j < d - 1 ? sqrt(d) : 1) * sums->value[1 + j] / task.blocks;
	for (int i = 0; i < 2 && deviation; i++)
		deviation[i] = fmax(M_SQRT2 * sums->value[2 + d + i], M_SQRT2 * sums->sum_sd) / task.blocks / sqrt(d);
	return sums->sum_sd / task.blocks;
}

/* noise: standard deviation of a slope's; that of the constant is less by the root of n */
static void
fill(DpemLinreg *fit, const double *coefficient, double noise, const double *deviation, double deviation_sd)
{
	int			n = fit->p + 1;

	memcpy(fit->coefficient, coefficient, n * sizeof(double));
	memcpy(fit->middle, coefficient, n * sizeof(double));
	for (int j = 0; j < n; j++)
		fit->noise[j * (n + 1)] = fit->error[j * (n + 1)] = fit->spread[j * (n + 1)] = noise * noise / (j < n - 1 ? 1 : n);
	fit->residual_variance = pow(fmin(deviation[0], deviation[1]), 2);
	fit->residual_sd = 2 * deviation[0] * deviation_sd;
	fit->r2 = 1 - fit->residual_variance / pow(deviation[1], 2);
	fit->r2_sd = fmin(2 * (1 - fit->r2) * deviation_sd * sqrt(pow(deviation[0], -2) + pow(deviation[1], -2)), 1);
}

void
dpem_linreg_run_blocks(DpemFitRun *run, DpemFitted *fitted)
{
	const DpemFitPlan *plan = run->plan;
	int			d = plan->d;
	double		rows = dpem_linreg_frame_blocks(run);
	double	   *coefficient = dpem_fit_allocate(d);
	double	   *middle = dpem_fit_allocate(d);
	double	   *unit = dpem_fit_allocate(d);
	double		deviation[2];
	double		wide = dpem_linreg_block_center_reach;
	double		center = release_mean(run, DPEM_LINREG_BLOCK_CENTER, rows, wide, coefficient, deviation);
	double		reach = dpem_linreg_block_reach(wide * sqrt(d) * center);
	double		noise = reach * sqrt(d) * release_mean(run, DPEM_LINREG_BLOCK_MEAN, rows, reach, coefficient, NULL);
	DpemLinreg	fit = dpem_linreg_create(plan);

	dpem_fit_end(run);
	fill(&fit, coefficient, noise, deviation, M_SQRT2 * center / sqrt(d));
	dpem_linreg_units(run, 0, middle, unit);
	dpem_linreg_transform(middle, unit, NULL, &fit, dpem_fit_workspace(dpem_linreg_transform_work(fit.p)));
	/* how much blocks differ is not released, and so nothing about the population */
	for (int j = 0; j < d; j++)
		fit.sampling[j * (d + 1)] = INFINITY;
	dpem_linreg_store(run, 0, &fit, &fitted->model[0]);
}
