/*
 * linreg_tested.c - linear regression by propose-test-release (Dwork, Lei 2009, STOC: "Differential privacy and robust
 * statistics", section 5): rows go to random groups, all rows of a unit to the same one, least squares of each group
 * is a candidate, and each coefficient is the median of the candidates', if the test lets it be released.
 *
 * Margins say where the columns are and in what units.  In these the candidates' coefficients are counted in cells; one
 * test is of all medians together, whose distance to tables where one of them would move by more than was proposed
 * is the least of theirs (docs/proofs.md, section 29).  How far a unit is proposed to move them follows from the number
 * of groups, which was released.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/cells.h"
#include "core/linreg/linreg_rules.h"
#include "core/robust/robust_rules.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"
#include "wall/release_robust.h"

#define REACH dpem_linreg_block_center_reach
#define SURE 3					/* deviations of the distance's noise beyond the threshold, for tables that shall pass */

/* ---- plan ---- */

static DpemRobustSpec
spec_of(const DpemFitPlan *plan)
{
	int			cells = Min(dpem_linreg_candidate_cells, DPEM_CELLS_MAX / plan->d);

	return (DpemRobustSpec) {
		.statistic = DPEM_ROBUST_MEDIAN,.cells = cells,.values = plan->d,.blocks = 1,.proposal = cells - 1,.noise = DPEM_NOISE_GAUSSIAN,
			.replace_one = plan->dataset->replace_one,.rows_per_unit = plan->dataset->max_rows_per_unit
	};
}

static DpemTestLaw
law_of(const DpemFitPlan *plan, const DpemRobustSpec *spec)
{
	return dpem_release_tested_law(spec, dpem_fit_stage_multiplier(plan, DPEM_LINREG_BLOCK_DISTANCE),
								   dpem_fit_stage_multiplier(plan, DPEM_LINREG_BLOCK_MEDIANS), plan->failure);
}

/* of so many rows */
static DpemTestLaw
propose(const DpemFitPlan *plan, double rows, DpemRobustSpec *spec)
{
	DpemTestLaw law = law_of(plan, spec);

	spec->blocks = dpem_linreg_blocks(plan->d, rows);
	spec->proposal = dpem_linreg_proposal(plan->d, spec->blocks, law.threshold + SURE * law.distance_sd, spec->cells);
	return law_of(plan, spec);
}

void
dpem_linreg_plan_tested(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);
	double		rest = 1 - dpem_linreg_block_margins_share;
	DpemRobustSpec spec = spec_of(plan);

	dpem_linreg_check_blocks(plan);
	dpem_release_tested_require(plan->dataset, "algorithm must not be propose_test_release");
	plan->failure = DPEM_ROBUST_FAILURE * plan->request->delta;
	plan->stage[DPEM_LINREG_BLOCK_MARGINS] = dpem_fit_margins_stage(plan, &grid, dpem_linreg_block_margins_share);
	plan->stage[DPEM_LINREG_BLOCK_DISTANCE] = dpem_linreg_blocks_stage(plan, "distance", 1, rest * DPEM_ROBUST_TEST_SHARE);
	plan->stage[DPEM_LINREG_BLOCK_MEDIANS] = dpem_linreg_blocks_stage(plan, "medians", 1, rest * (1 - DPEM_ROBUST_TEST_SHARE));
	dpem_fit_plan_stages(plan, DPEM_LINREG_STAGES);
	plan->charge.lines[plan->stage[DPEM_LINREG_BLOCK_DISTANCE].line].failure = plan->failure;
	(void) law_of(plan, &spec);
}

/* medians in standard deviations of target and column, where the number of rows is public */
void
dpem_linreg_forecast_tested(const DpemFitPlan *plan, DpemForecast *f)
{
	DpemRobustSpec spec = spec_of(plan);
	bool		known = plan->public_rows > 0;
	DpemTestLaw law = known ? propose(plan, plan->public_rows, &spec) : law_of(plan, &spec);
	double		cell = 2 * REACH / spec.cells;
	const DpemFitStage *margins = &plan->stage[DPEM_LINREG_BLOCK_MARGINS];

	dpem_forecast_joint(f, margins->line, &margins->spec, margins->layout.k, NULL, NULL);
	dpem_forecast_release(f, plan->stage[DPEM_LINREG_BLOCK_DISTANCE].line, 1, law.distance_sd);
	dpem_forecast_remark(f, "distance: threshold", law.threshold);
	dpem_forecast_remark(f, "distance: failure", plan->failure);
	dpem_forecast_release(f, plan->stage[DPEM_LINREG_BLOCK_MEDIANS].line, known ? spec.proposal * cell * sqrt(plan->d) : NAN, known ? law.value_sd * cell : NAN);
}

/* ---- run ---- */

static DpemRawMoments *
count_candidates(DpemFitRun *run, const DpemRobustSpec *spec, double rows)
{
	DpemBlockCells blocks = {
		.analysis = DPEM_BLOCK_COEFFICIENTS,.cells = spec->cells,.points = 1,
			.task = {
			.blocks = spec->blocks,.steps = 1,.capacity = dpem_fit_block_capacity(run->plan, rows),.reach = REACH,
				.start = dpem_fit_allocate(run->plan->d)
		}
	};

	return dpem_fit_count_outputs(run, &blocks, "medians", 1);
}

/* how much of the target's variance is explained was not released: what is left is at most that of the margins, 1 */
static DpemLinreg
create_fit(const DpemFitPlan *plan, double radius)
{
	DpemLinreg	fit = dpem_linreg_create(plan);

	fit.residual_variance = 1 / (radius * radius);
	fit.residual_sd = INFINITY;
	fit.r2 = fit.r2_sd = NAN;
	return fit;
}

/* medians in cells; the range of a constant is less than that of slopes by the root of d */
static void
fill(const DpemRobustSpec *spec, const double *median, double sd, DpemLinreg *fit)
{
	int			n = fit->p + 1;

	for (int j = 0; j < n; j++)
	{
		double		reach = j < n - 1 ? REACH : REACH / sqrt(n);
		double		noise = 2 * reach * sd / spec->cells;
		size_t		place = j * (size_t) (n + 1);

		fit->coefficient[j] = fit->middle[j] = reach * fmin(fmax(2 * (median[j] + 0.5) / spec->cells - 1, -1), 1);
		fit->noise[place] = fit->error[place] = fit->spread[place] = noise * noise;
	}
}

/* zeros about the margins' centers, of which nothing more is known */
static void
refuse(const DpemFitPlan *plan, DpemLinreg *fit)
{
	for (int j = 0; j <= fit->p; j++)
		fit->error[j * (size_t) (fit->p + 2)] = fit->spread[j * (size_t) (fit->p + 2)] = INFINITY;
	ereport(NOTICE,
			(errmsg("%s: the test refused, and the model is the middle of the target", plan->request->function),
			 errdetail("Coefficients could not be shown to move by as little as was proposed. The noisy distance says so, not the rows; it was paid for."),
			 errhint("Ask for more epsilon or fewer columns, or for another algorithm.")));
}

void
dpem_linreg_run_tested(DpemFitRun *run, DpemFitted *fitted)
{
	const DpemFitPlan *plan = run->plan;
	DpemRobustSpec spec = spec_of(plan);
	double		rows = dpem_linreg_frame_blocks(run);
	DpemTestLaw law = propose(plan, rows, &spec);
	double	   *median = dpem_fit_allocate(plan->d);
	double	   *middle = dpem_fit_allocate(plan->d);
	double	   *unit = dpem_fit_allocate(plan->d);
	DpemLinreg	fit = create_fit(plan, run->part[0].radius);
	bool		passed = dpem_release_tested(run->charge, plan->stage[DPEM_LINREG_BLOCK_DISTANCE].line,
											 plan->stage[DPEM_LINREG_BLOCK_MEDIANS].line, count_candidates(run, &spec, rows), &spec, median);

	dpem_fit_end(run);
	if (passed)
		fill(&spec, median, law.value_sd, &fit);
	dpem_linreg_units(run, 0, middle, unit);
	dpem_linreg_transform(middle, unit, NULL, &fit, dpem_fit_workspace(dpem_linreg_transform_work(fit.p)));
	if (!passed)
		refuse(plan, &fit);
	/* how much groups differ is not released, and so nothing about the population */
	for (int j = 0; j < plan->d; j++)
		fit.sampling[j * (plan->d + 1)] = INFINITY;
	dpem_linreg_store(run, 0, &fit, &fitted->model[0]);
}
