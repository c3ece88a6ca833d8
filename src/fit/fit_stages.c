/*
 * fit_stages.c - see fit_stages.h.
 */
#include "postgres.h"

#include <math.h>

#include "fit/fit_stages.h"

/* the stages' parts of the budget, and the sum of the square roots of these */
static double
split_budget(const DpemFitStage *stages, int n, double *share)
{
	double		total = 0;
	double		root_sum = 0;

	for (int i = 0; i < n; i++)
		total += stages[i].share;
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
	if (laplace)
		laplace_costs(plan, stages, n, share, lines);
	for (int i = 0; i < n; i++)
	{
		if (!laplace)
			lines[i] = dpem_fit_gaussian_cost(plan, stages[i].sampled, share[i], root_sum, stages[i].releases);
		dpem_release_check(&stages[i].spec, &stages[i].layout, lines[i].noise_multiplier);
		stages[i].line = dpem_fit_add_line(plan, stages[i].statistic, laplace ? "laplace" : "gaussian", &lines[i]);
	}
}
