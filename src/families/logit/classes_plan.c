/*
 * classes_plan.c - what a linear classifier will do and cost, from public facts
 * alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/logit/class_estimate.h"
#include "core/logit/softmax_search.h"
#include "core/numeric/linalg.h"
#include "families/logit/classes.h"

int
dpem_classes_problems(const DpemFitPlan *plan)
{
	int			classes = plan->binding->label->classes;

	return classes == 2 ? 1 : classes;
}

DpemMarginLoss
dpem_classes_loss(const DpemFitPlan *plan)
{
	DpemMarginLoss loss = ((const DpemLogitRequest *) plan->request)->loss;

	if (loss.kind == DPEM_LOSS_LOGISTIC && dpem_classes_problems(plan) > 1)
		loss.kind = DPEM_LOSS_MULTINOMIAL;
	return loss;
}

int
dpem_classes_dimension(const DpemFitPlan *plan)
{
	return plan->features > 0 ? plan->features : plan->d;
}

double
dpem_classes_width(const DpemFitPlan *plan)
{
	const DpemLogitRequest *r = (const DpemLogitRequest *) plan->request;

	return r->fourier.width > 0 ? r->fourier.width : dpem_class_width(plan->d, dpem_logit_standardises(plan));
}

static DpemMomentLayout
second_layout(const DpemFitPlan *plan)
{
	return (DpemMomentLayout) {plan->groups, dpem_classes_dimension(plan), DPEM_SECOND_FULL};
}

static DpemMomentLayout
gradient_layout(const DpemFitPlan *plan)
{
	return (DpemMomentLayout) {plan->groups * dpem_classes_problems(plan), dpem_classes_dimension(plan), DPEM_SECOND_NONE};
}

static void
refuse_size(const DpemFitPlan *plan)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("classifiers of %d classes in %d coordinates do not fit into memory for %d groups",
					plan->binding->label->classes, dpem_classes_dimension(plan), plan->groups),
			 errhint("Name fewer columns, or ask for fewer features.")));
}

/* its minimum is, without noise: of all classes and groups at a time */
static bool
is_searched(const DpemFitPlan *plan)
{
	return !plan->noisy && dpem_classes_loss(plan).kind == DPEM_LOSS_MULTINOMIAL;
}

static void
check_request(const DpemFitPlan *plan)
{
	DpemMomentLayout gradient = gradient_layout(plan);
	DpemFitPlan mapped = *plan;

	mapped.d = dpem_classes_dimension(plan);
	if (plan->d > DPEM_CLASS_MAX_COORDINATES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a linear classifier is for at most %d coordinates, not %d", DPEM_CLASS_MAX_COORDINATES, plan->d),
				 errhint("Name fewer columns.")));
	dpem_fit_check_second_moments(&mapped, plan->features > 0 ? "Ask for fewer features." : "Name fewer columns.");
	if ((double) gradient.k * DPEM_BLOCK_STRIDE * sizeof(double) > MaxAllocSize / 2 || gradient.k > DPEM_PASS_MAX_COMPONENTS ||
		(double) dpem_moments_length(&gradient) * sizeof(DpemInt128) > MaxAllocSize / 2)
		refuse_size(plan);
	if (is_searched(plan) && plan->groups * (double) dpem_softmax_search_work(dpem_classes_problems(plan), dpem_classes_dimension(plan)) * sizeof(double) > MaxAllocSize)
		refuse_size(plan);
	/* the first pass reads every unit */
	if (plan->noisy && plan->iterations == 1 && !dpem_classes_is_baseline(plan))
		dpem_fit_bad_argument("iterations", psprintf("%d", plan->iterations), "at least 2");
}

static void
plan_stages(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_logit_grid(plan);
	DpemReleaseSpec gradient = dpem_fit_spec(plan, 0, 1, 0);
	DpemMarginLoss loss = dpem_classes_loss(plan);
	DpemLogitShares share = dpem_logit_plan_shares(plan, dpem_class_shares(&loss));
	double		weight[3];

	dpem_class_weights(plan->dataset->replace_one, &weight[0], &weight[1], &weight[2]);
	gradient.contribution = DPEM_PRODUCT;
	plan->stage[DPEM_CLASS_MARGINS] = dpem_fit_margins_stage(plan, &grid, share.margins);
	plan->stage[DPEM_CLASS_SECOND] = (DpemFitStage) {
		.statistic = "second moments",.share = share.first,.releases = 1,
			.spec = dpem_fit_spec(plan, weight[0], weight[1], weight[2]),.layout = second_layout(plan)
	};
	plan->stage[DPEM_CLASS_GRADIENTS] = (DpemFitStage) {
		.statistic = "gradients",.share = share.gradients,.releases = plan->iterations - 1,
			.spec = gradient,.layout = gradient_layout(plan),.sampled = true
	};
	dpem_fit_plan_stages(plan, DPEM_CLASS_STAGES);
}

void
dpem_classes_complete_plan(DpemFitPlan *plan)
{
	const DpemFitRequest *request = plan->request;
	DpemMarginLoss loss = dpem_classes_loss(plan);

	if (dpem_classes_is_baseline(plan) && request->bind.order_column)
		dpem_fit_plan_batches(plan);
	plan->features = 2 * ((const DpemLogitRequest *) request)->fourier.pairs;
	check_request(plan);
	/* the caller's norm is that of a row without the constant */
	if (request->bind.constant && request->clip_norm > 0)
		plan->clip_norm = hypot(request->clip_norm, 1);
	if (plan->iterations == 0)
		plan->iterations = Max(dpem_class_iterations(&loss, dpem_classes_problems(plan), dpem_logit_plan_noise(plan)), 2);
	if (dpem_classes_is_baseline(plan))
		dpem_classes_plan_baseline(plan);
	else
		plan_stages(plan);
}

DpemFitPlan *
dpem_classes_plan(const DpemFitRequest *request)
{
	DpemFitPlan *plan = palloc0(sizeof(DpemFitPlan));

	dpem_linalg_prepare();
	dpem_fit_plan_init(plan, request);
	dpem_classes_complete_plan(plan);
	return plan;
}
