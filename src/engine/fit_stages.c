/*
 * fit_stages.c - see fit_stages.h.
 */
#include "postgres.h"

#include <math.h>

#include "engine/fit_stages.h"

/*
 * Gaussian stages share squared mu.  Laplace ones have scales in the same
 * ratios, all multiplied until the whole costs the budget.
 */
static void
find_multipliers(const DpemFitPlan *plan, const DpemFitStage *stages, int n, DpemCostLine *lines)
{
	bool		laplace = stages[0].spec.noise == DPEM_NOISE_LAPLACE;
	double		total = 0;
	double		root_sum = 0;

	for (int i = 0; i < n; i++)
		total += stages[i].share;
	for (int i = 0; i < n; i++)
		root_sum += sqrt(stages[i].share / total);
	for (int i = 0; i < n; i++)
	{
		double		share = stages[i].share / total;

		lines[i] = dpem_cost_line(laplace ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN,
								  laplace ? sqrt(stages[i].releases / share)
								  : dpem_fit_noise_multiplier(plan, share, root_sum, stages[i].releases),
								  stages[i].releases);
	}
	if (laplace)
		dpem_fit_scale_lines(plan, lines, n);
}

void
dpem_fit_add_stages(DpemFitPlan *plan, DpemFitStage *stages, int n)
{
	DpemCostLine lines[DPEM_FIT_MAX_STAGES];

	if (n < 1 || n > DPEM_FIT_MAX_STAGES)
		elog(ERROR, "dpem: a fit of too many stages");
	find_multipliers(plan, stages, n, lines);
	for (int i = 0; i < n; i++)
	{
		dpem_release_check(&stages[i].spec, &stages[i].layout, lines[i].noise_multiplier);
		stages[i].line = dpem_fit_add_line(plan, stages[i].statistic,
										   lines[i].kind == DPEM_COST_LAPLACE ? "laplace" : "gaussian", &lines[i]);
	}
}
