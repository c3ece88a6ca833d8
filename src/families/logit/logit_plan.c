/*
 * logit_plan.c - what a logistic regression will do and cost, from public
 * facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/logit_kernel.h"
#include "core/logit/logit_estimate.h"
#include "core/numeric/linalg.h"
#include "families/logit/logit_request.h"

static DpemMomentLayout
layout_of(const DpemLogitPlan *plan)
{
	return (DpemMomentLayout) {plan->fit.groups, plan->fit.d, DPEM_SECOND_FULL};
}

static DpemReleaseSpec
spec_of(const DpemLogitPlan *plan, double count, double sum, double second)
{
	return (DpemReleaseSpec) {
		.count_weight = count,.sum_weight = sum,.second_weight = second,.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
}

/* from the noise there would be if a single pass had the whole budget */
static int
choose_iterations(const DpemLogitPlan *plan)
{
	double		z = dpem_fit_exact_multiplier(&plan->fit, 1);
	double		sd[3];
	int			iterations;

	dpem_release_noise(&plan->later, plan->fit.groups, plan->fit.d, z, &sd[0], &sd[1], &sd[2]);
	iterations = dpem_logit_iterations(plan->fit.d, plan->fit.public_rows, sd[2]);
	return dpem_fit_is_sampled(&plan->fit) ? Max(iterations, 2) : iterations;
}

static void
check_request(const DpemLogitPlan *plan)
{
	const DpemFitRequest *r = &plan->request->fit;
	DpemMomentLayout layout = layout_of(plan);

	if (plan->fit.d > DPEM_LOGIT_MAX_COORDINATES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("logistic regression is for at most %d coordinates, not %d",
						DPEM_LOGIT_MAX_COORDINATES, plan->fit.d),
				 errhint("Name fewer columns.")));
	if (dpem_moments_length(&layout) * sizeof(DpemInt128) > MaxAllocSize / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("logistic regressions in %d coordinates do not fit into memory for %d groups",
						plan->fit.d, plan->fit.groups),
				 errhint("Name fewer columns.")));
	/* the first pass reads every unit */
	if (dpem_fit_is_sampled(&plan->fit) && r->iterations == 1)
		dpem_fit_bad_argument("iterations", "1", "at least 2 with sampling_rate");
}

static int
add_line(DpemLogitPlan *plan, const char *name, const DpemReleaseSpec *spec, const DpemCostLine *cost)
{
	DpemMomentLayout layout = layout_of(plan);

	dpem_release_check(spec, &layout, cost->noise_multiplier);
	return dpem_fit_add_line(&plan->fit, name, "gaussian", cost);
}

static void
add_lines(DpemLogitPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	int			releases = fit->iterations - 1;
	double		share = releases > 0 ? dpem_logit_first_share() : 1;
	double		root_sum = sqrt(share) + sqrt(1 - share);
	DpemCostLine cost = dpem_fit_gaussian_cost(fit, false, share, root_sum, 1);

	plan->first_line = add_line(plan, "first pass", &plan->first, &cost);
	if (releases == 0)
		return;
	cost = dpem_fit_gaussian_cost(fit, true, 1 - share, root_sum, releases);
	plan->later_line = add_line(plan, "later passes", &plan->later, &cost);
}

DpemLogitPlan *
dpem_logit_plan(const DpemLogitRequest *request)
{
	DpemLogitPlan *plan = palloc0(sizeof(DpemLogitPlan));
	double		weight[3];

	plan->request = request;
	plan->first_line = plan->later_line = -1;
	dpem_linalg_prepare();
	dpem_fit_plan_init(&plan->fit, &request->fit);
	check_request(plan);
	/* the caller's norm is that of a row without the constant */
	if (request->fit.constant && request->fit.clip_norm > 0)
		plan->fit.clip_norm = hypot(request->fit.clip_norm, 1);
	plan->later = spec_of(plan, 0, 0, 1);
	if (plan->fit.iterations == 0)
		plan->fit.iterations = choose_iterations(plan);
	dpem_logit_weights(plan->fit.iterations == 1, plan->fit.dataset->replace_one, &weight[0], &weight[1], &weight[2]);
	plan->first = spec_of(plan, weight[0], weight[1], weight[2]);
	if (plan->fit.noisy)
		add_lines(plan);
	return plan;
}

void
dpem_logit_forecast(const DpemLogitPlan *plan, DpemForecast *f)
{
	dpem_forecast_begin(f, &plan->fit);
	dpem_forecast_joint(f, plan->first_line, &plan->first, plan->fit.groups, NULL, NULL);
	if (plan->later_line >= 0)
		dpem_forecast_joint(f, plan->later_line, &plan->later, plan->fit.groups, NULL, NULL);
	dpem_forecast_total(f);
}
