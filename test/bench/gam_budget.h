/*
 * gam_budget.h - passes and noise of an additive model by default, as src/families/gam/gam_plan.c plans them.
 */
#ifndef DPEM_GAM_BUDGET_H
#define DPEM_GAM_BUDGET_H

#include <math.h>
#include <stdbool.h>

#include "core/accounting/fit_cost.h"
#include "core/accounting/sensitivity.h"
#include "core/gam/gam_rules.h"
#include "core/kernels/margins.h"

#define DELTA			1e-6

/* of the budget, for what locates a number; public_rows: 0 if not known */
static double
location_share(double public_rows, bool replace, double epsilon)
{
	DpemMarginGrid grid = dpem_margin_grid(1, 1, 1);
	DpemCostLine line = dpem_cost_line(DPEM_COST_GAUSSIAN, 1, 1);
	double		rows = dpem_supposed_rows(public_rows);

	if (dpem_cost_calibrate(&line, 1, 0, DPEM_COMPOSE_EXACT, epsilon, DELTA, 0) != DPEM_OK)
		return 0;
	return dpem_gam_location_share(line.noise_multiplier * sqrt(dpem_document_sensitivity2(replace)) / dpem_margin_mark(&grid, 0) / rows, public_rows <= 0);
}

/* sd: of counts, of gradients and of what locates a number; targets: categories, 1 of a number */
static bool
plan_budget(int targets, double public_rows, bool replace, double epsilon, int *passes, double sd[3])
{
	int			later = targets == 2 ? dpem_gam_rules.two_passes : targets == 1 ? dpem_gam_rules.passes : dpem_gam_rules.several_passes;
	double		location = targets == 1 && !isinf(epsilon) ? location_share(public_rows, replace, epsilon) : 0;
	double		rest = 1 - location;
	DpemCostLine lines[3] = {
		dpem_cost_line(DPEM_COST_GAUSSIAN, sqrt(1 / (rest * dpem_gam_rules.first)), 1), dpem_cost_line(DPEM_COST_GAUSSIAN, sqrt(later / (rest * dpem_gam_rules.gradients)), later),
		dpem_cost_line(DPEM_COST_GAUSSIAN, sqrt(1 / location), 1)
	};

	*passes = isinf(epsilon) ? dpem_gam_most_passes() : 1 + later;
	sd[0] = sd[1] = sd[2] = 0;
	if (isinf(epsilon))
		return true;
	if (dpem_cost_calibrate(lines, location > 0 ? 3 : 2, 0, DPEM_COMPOSE_EXACT, epsilon, DELTA, 0) != DPEM_OK)
		return false;
	sd[0] = lines[0].noise_multiplier * sqrt(dpem_document_sensitivity2(replace));
	sd[1] = lines[1].noise_multiplier * sqrt(dpem_residual_sensitivity2(replace));
	sd[2] = location > 0 ? lines[2].noise_multiplier * sqrt(dpem_document_sensitivity2(replace)) : 0;
	return true;
}

#endif							/* DPEM_GAM_BUDGET_H */
