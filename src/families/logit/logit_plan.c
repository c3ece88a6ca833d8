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
#include "families/logit/logit.h"

static DpemMomentLayout
layout_of(const DpemFitPlan *plan)
{
	return (DpemMomentLayout) {plan->groups, plan->d, DPEM_SECOND_FULL};
}

/* from the noise there would be if a single pass had the whole budget */
static int
choose_iterations(const DpemFitPlan *plan)
{
	DpemReleaseSpec later = dpem_fit_spec(plan, 0, 0, 1);
	double		z = dpem_fit_exact_multiplier(plan, 1);
	double		sd[3];
	int			iterations;

	dpem_release_noise(&later, plan->groups, plan->d, z, &sd[0], &sd[1], &sd[2]);
	iterations = dpem_logit_iterations(plan->d, plan->public_rows, sd[2]);
	return dpem_fit_is_sampled(plan) ? Max(iterations, 2) : iterations;
}

static void
check_request(const DpemFitPlan *plan)
{
	DpemMomentLayout layout = layout_of(plan);

	if (plan->d > DPEM_LOGIT_MAX_COORDINATES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("logistic regression is for at most %d coordinates, not %d",
						DPEM_LOGIT_MAX_COORDINATES, plan->d),
				 errhint("Name fewer columns.")));
	if (dpem_moments_length(&layout) * sizeof(DpemInt128) > MaxAllocSize / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("logistic regressions in %d coordinates do not fit into memory for %d groups",
						plan->d, plan->groups),
				 errhint("Name fewer columns.")));
	/* the first pass reads every unit */
	if (dpem_fit_is_sampled(plan) && plan->iterations == 1)
		dpem_fit_bad_argument("iterations", "1", "at least 2 with sampling_rate");
}

static void
plan_stages(DpemFitPlan *plan)
{
	bool		alone = plan->iterations == 1;
	double		share = alone ? 1 : dpem_logit_first_share();
	double		weight[3];

	dpem_logit_weights(alone, plan->dataset->replace_one, &weight[0], &weight[1], &weight[2]);
	plan->stage[DPEM_LOGIT_FIRST] = (DpemFitStage) {
		.statistic = "first pass",.share = share,.releases = 1,.spec = dpem_fit_spec(plan, weight[0], weight[1], weight[2]),
			.layout = layout_of(plan)
	};
	plan->stage[DPEM_LOGIT_LATER] = (DpemFitStage) {
		.statistic = "later passes",.share = 1 - share,.releases = plan->iterations - 1,
			.spec = dpem_fit_spec(plan, 0, 0, 1),.layout = layout_of(plan),.sampled = true
	};
	dpem_fit_plan_stages(plan, DPEM_LOGIT_STAGES);
}

DpemFitPlan *
dpem_logit_plan(const DpemFitRequest *request)
{
	DpemFitPlan *plan = palloc0(sizeof(DpemFitPlan));

	dpem_linalg_prepare();
	dpem_fit_plan_init(plan, request);
	check_request(plan);
	/* the caller's norm is that of a row without the constant */
	if (request->bind.constant && request->clip_norm > 0)
		plan->clip_norm = hypot(request->clip_norm, 1);
	if (plan->iterations == 0)
		plan->iterations = choose_iterations(plan);
	plan_stages(plan);
	return plan;
}
