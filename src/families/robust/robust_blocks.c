/*
 * robust_blocks.c - Smith's estimator (2011, STOC: "Privacy-preserving statistical estimation with optimal convergence
 * rates", section 3) of a median or an interquartile range: that of each of many random blocks of rows, of these the mean,
 * winsorised to a range about two private quartiles of them (docs/proofs.md, section 29).
 */
#include "postgres.h"

#include <math.h>

#include "core/robust/robust_rules.h"
#include "core/statistics/statistic.h"
#include "families/robust/robust.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"
#include "wall/release.h"

static DpemMomentLayout
rows_layout(void)
{
	return (DpemMomentLayout) {1, 1, DPEM_SECOND_NONE};
}

static DpemReleaseSpec
rows_spec(const DpemRobustPlan *plan)
{
	return (DpemReleaseSpec) {
		.noise = plan->spec.noise,.count_weight = 1,.replace_one = plan->spec.replace_one,.rows_per_unit = plan->spec.rows_per_unit
	};
}

/* ---- plan ---- */

static int
add_line(DpemRobustPlan *plan, const char *statistic, const DpemCostLine *cost)
{
	DpemMechanism mechanism = cost->kind == DPEM_COST_CHOICE ? DPEM_MECHANISM_EXPONENTIAL
		: dpem_noise_mechanism(plan->spec.noise, DPEM_COUNTS_ALONE);

	return dpem_fit_add_line(&plan->fit, statistic, mechanism, cost);
}

/* multipliers in fixed ratios, all multiplied until the whole costs the budget */
void
dpem_robust_plan_blocks(DpemRobustPlan *plan)
{
	bool		counts = !(plan->fit.public_rows > 0);
	bool		laplace = dpem_composition_is_classical(plan->fit.composition);
	DpemCostKind kind = laplace ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN;
	DpemCostLine lines[] = {
		dpem_cost_line(DPEM_COST_CHOICE, DPEM_ROBUST_ENDS, 2), dpem_cost_line(kind, 1, 1), dpem_cost_line(kind, DPEM_ROBUST_ROWS, 1)
	};
	DpemReleaseSpec spec;
	DpemMomentLayout layout = rows_layout();

	plan->spec.noise = laplace ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
	plan->spec.blocks = dpem_robust_blocks(plan->fit.public_rows);
	spec = rows_spec(plan);
	dpem_fit_scale_lines(&plan->fit, lines, counts ? 3 : 2);
	dpem_release_winsorised_check(&plan->spec, lines[0].noise_multiplier, lines[1].noise_multiplier);
	if (counts)
		dpem_release_check(&spec, &layout, lines[2].noise_multiplier);
	plan->noise_multiplier = lines[1].noise_multiplier;
	plan->rows_line = counts ? add_line(plan, "rows", &lines[2]) : -1;
	plan->ends_line = add_line(plan, "quartiles of blocks", &lines[0]);
	plan->line = add_line(plan, dpem_robust_statistic_name(plan->spec.statistic), &lines[1]);
}

/* the noise of the value is in proportion to how far the quartiles will be apart */
void
dpem_robust_forecast_blocks(const DpemRobustPlan *plan, DpemForecast *f)
{
	DpemReleaseSpec spec = rows_spec(plan);

	if (plan->rows_line >= 0)
		dpem_forecast_joint(f, plan->rows_line, &spec, 1, NULL, NULL);
	dpem_forecast_release(f, plan->ends_line, NAN, NAN);
	dpem_forecast_release(f, plan->line, NAN, NAN);
	if (plan->rows_line < 0)
		dpem_forecast_remark(f, "blocks", plan->spec.blocks);
}

/* ---- run ---- */

/* the number of rows that count, as far as it may be known */
static double
find_rows(const DpemRobustPlan *plan, DpemFitRun *run)
{
	DpemReleaseSpec spec = rows_spec(plan);
	DpemMomentLayout layout = rows_layout();

	if (plan->rows_line < 0)
		return plan->fit.public_rows;
	dpem_fit_report(run, "rows", 0);
	return fmax(dpem_fit_release(run, plan->rows_line, &spec, &dpem_kernel_sums, &layout, NULL)->value[0], 1);
}

static DpemRawMoments *
count_blocks(const DpemRobustPlan *plan, const DpemRobustSpec *spec, double rows, DpemFitRun *run)
{
	static const double start = 0;
	DpemBlockCells blocks = {
		.analysis = spec->statistic == DPEM_ROBUST_IQR ? DPEM_BLOCK_IQR : DPEM_BLOCK_MEDIAN,.cells = spec->cells,.points = 1,
			.task = {.blocks = spec->blocks,.steps = 1,.capacity = dpem_fit_block_capacity(&plan->fit, rows),.start = &start}
	};

	return dpem_fit_count_outputs(run, &blocks, "blocks", 0);
}

DpemRobustValue
dpem_robust_run_blocks(const DpemRobustPlan *plan, DpemFitRun *run)
{
	DpemRobustSpec spec = plan->spec;
	double		rows = find_rows(plan, run);
	DpemWinsorised mean;
	double		half;
	double		at;

	spec.blocks = dpem_robust_blocks(rows);
	mean = dpem_release_winsorised(run->charge, plan->ends_line, plan->line, count_blocks(plan, &spec, rows, run), &spec);
	half = dpem_noise_half_width(spec.noise, mean.sd, 0);
	/* a range of blocks is in the middle of its cell, as their medians are, too */
	at = mean.value + (spec.statistic == DPEM_ROBUST_IQR ? 0.5 : 0);
	return (DpemRobustValue) {
		dpem_robust_in_units(plan, at), dpem_robust_in_units(plan, at + mean.sd) - dpem_robust_in_units(plan, at),
			dpem_robust_in_units(plan, at - half), dpem_robust_in_units(plan, at + half)
	};
}
