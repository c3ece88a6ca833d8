/*
 * sbn_plan.c - what a sigmoid belief network will do and cost, from public
 * facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/numeric/linalg.h"
#include "core/sbn/sbn_estimate.h"
#include "families/sbn/sbn_request.h"

static DpemMomentLayout
layout_of(const DpemSbnPlan *plan)
{
	return (DpemMomentLayout) {1 + plan->request->hidden, plan->fit.d, DPEM_SECOND_COMPONENTS};
}

/* from the noise there would be if a single pass had the whole budget */
static int
choose_iterations(const DpemSbnPlan *plan)
{
	double		z = dpem_fit_exact_multiplier(&plan->fit, 1);
	double		sd[3];

	dpem_release_noise(&plan->spec, 1 + plan->request->hidden, plan->fit.d, z, &sd[0], &sd[1], &sd[2]);
	return dpem_sbn_iterations(plan->request->hidden, plan->fit.d, plan->fit.public_rows, sd[1]);
}

static void
check_size(const DpemSbnPlan *plan)
{
	if (plan->fit.d > DPEM_SBN_MAX_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a sigmoid belief network is for at most %d coordinates, not %d",
						DPEM_SBN_MAX_COLUMNS, plan->fit.d),
				 errhint("Name fewer columns.")));
}

static int
add_line(DpemSbnPlan *plan, const char *name, const DpemCostLine *cost)
{
	DpemMomentLayout layout = layout_of(plan);

	dpem_release_check(&plan->spec, &layout, cost->noise_multiplier);
	return dpem_fit_add_line(&plan->fit, name, "gaussian", cost);
}

static void
add_lines(DpemSbnPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	double		share = dpem_sbn_first_share();
	double		root_sum = sqrt(share) + sqrt(1 - share);
	DpemCostLine cost = dpem_fit_gaussian_cost(fit, false, share, root_sum, 1);

	plan->first_line = add_line(plan, "margins", &cost);
	cost = dpem_fit_gaussian_cost(fit, true, 1 - share, root_sum, fit->iterations);
	plan->later_line = add_line(plan, "gradients", &cost);
}

DpemSbnPlan *
dpem_sbn_plan(const DpemSbnRequest *request)
{
	DpemSbnPlan *plan = palloc0(sizeof(DpemSbnPlan));

	plan->request = request;
	plan->first_line = plan->later_line = -1;
	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, &request->fit);
	check_size(plan);
	plan->spec = (DpemReleaseSpec) {
		.sum_weight = 1,.second_weight = dpem_sbn_gram_weight(),.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit,.contribution = DPEM_GRADIENT
	};
	if (plan->fit.iterations == 0)
		plan->fit.iterations = choose_iterations(plan);
	if (plan->fit.noisy)
		add_lines(plan);
	return plan;
}

void
dpem_sbn_forecast(const DpemSbnPlan *plan, DpemForecast *f)
{
	dpem_forecast_begin(f, &plan->fit);
	dpem_forecast_joint(f, plan->first_line, &plan->spec, 1, NULL, NULL);
	dpem_forecast_joint(f, plan->later_line, &plan->spec, 1 + plan->request->hidden, NULL, NULL);
	dpem_forecast_total(f);
}
