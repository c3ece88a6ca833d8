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
#include "families/logit/classes.h"

static DpemMomentLayout
layout_of(const DpemFitPlan *plan, DpemSecondMoment second)
{
	return (DpemMomentLayout) {plan->groups, plan->d, second};
}

static void
check_request(const DpemFitPlan *plan)
{
	DpemMomentLayout layout = layout_of(plan, DPEM_SECOND_FULL);

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

/* the caller's clip norm and prior are those of rows as the domains scale them */
static bool
has_own_scale(const DpemLogitRequest *r)
{
	return r->fit.clip_norm > 0 || r->prior_variance > 0;
}

bool
dpem_logit_asks_to_standardise(const DpemLogitRequest *r)
{
	return r->standardise_given ? r->standardise : !has_own_scale(r);
}

bool
dpem_logit_standardises(const DpemFitPlan *plan)
{
	const DpemLogitRequest *r = (const DpemLogitRequest *) plan->request;

	if (r->standardise_given && r->standardise && has_own_scale(r))
		dpem_fit_bad_argument("precondition", "standardise", "none with clip_norm or prior_variance");
	return plan->noisy && dpem_logit_asks_to_standardise(r);
}

DpemMarginGrid
dpem_logit_grid(const DpemFitPlan *plan)
{
	return dpem_fit_margin_grid(plan, plan->d - (plan->request->bind.constant ? 1 : 0));
}

/* of a label's coordinates, and numbers of domain [0, 1], more is public than where their values are */
static bool
has_numbers(const DpemFitPlan *plan, int columns)
{
	const DpemColumnValues *values = dpem_fit_column_values(plan, columns);

	for (int j = 0; j < columns; j++)
		if (values[j] == DPEM_VALUES_ANY)
			return true;
	return false;
}

DpemLogitShares
dpem_logit_plan_shares(const DpemFitPlan *plan, DpemLogitShares usual)
{
	DpemMarginGrid grid = dpem_logit_grid(plan);

	if (!dpem_logit_standardises(plan))
		usual.margins = 0;
	else if (has_numbers(plan, grid.columns))
		return dpem_logit_shares_with(usual, dpem_fit_margins_noise(plan, &grid, usual.margins, dpem_supposed_rows(plan->public_rows)));
	return usual;
}

/* as of one row of a unit: where units may have several, each of these has its noise, too */
double
dpem_logit_noise(const DpemFitPlan *plan, double rows)
{
	return dpem_fit_exact_multiplier(plan, 1) * plan->dataset->max_rows_per_unit / rows;
}

double
dpem_logit_seen_noise(const DpemFitPlan *plan, const DpemNoisyMoments *released)
{
	double		rows = 1;

	for (int g = 0; g < plan->groups; g++)
		rows = fmax(rows, dpem_known_rows(released[g].value[0], released[g].count_sd, plan->public_rows));
	return dpem_logit_noise(plan, rows);
}

double
dpem_logit_plan_noise(const DpemFitPlan *plan)
{
	bool		free = plan->composition != DPEM_COMPOSE_ADVANCED && plan->composition != DPEM_COMPOSE_LINEAR;

	if (!plan->noisy)
		return 0;
	if (!free || dpem_fit_is_sampled(plan) || ((const DpemLogitRequest *) plan->request)->fourier.pairs > 0)
		return HUGE_VAL;
	return dpem_logit_noise(plan, dpem_supposed_rows(plan->public_rows));
}

static void
plan_stages(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_logit_grid(plan);
	DpemLogitShares share = dpem_logit_plan_shares(plan, dpem_logit_shares);
	int			later = plan->iterations - 1;
	double		weight[3];

	dpem_logit_weights(plan->dataset->replace_one, &weight[0], &weight[1], &weight[2]);
	plan->stage[DPEM_LOGIT_MARGINS] =
		dpem_fit_margins_stage(plan, &grid, share.margins);
	plan->stage[DPEM_LOGIT_FIRST] = (DpemFitStage) {
		.statistic = "first pass",.share = share.first,.releases = 1,
			.spec = dpem_fit_spec(plan, weight[0], weight[1], weight[2]),.layout = layout_of(plan, DPEM_SECOND_FULL)
	};
	plan->stage[DPEM_LOGIT_LATER] = (DpemFitStage) {
		.statistic = "gradients",.share = later > 0 ? share.gradients : 0,.releases = later,
			.spec = dpem_fit_spec(plan, 0, 1, 0),.layout = layout_of(plan, DPEM_SECOND_NONE),.sampled = true
	};
	dpem_fit_plan_stages(plan, DPEM_LOGIT_STAGES);
}

DpemFitPlan *
dpem_logit_plan(const DpemFitRequest *request)
{
	DpemFitPlan *plan = palloc0(sizeof(DpemFitPlan));

	dpem_linalg_prepare();
	dpem_fit_plan_init(plan, request);
	if (plan->binding->label->classes > 2 || ((const DpemLogitRequest *) request)->fourier.pairs > 0 || dpem_classes_is_baseline(plan))
	{
		plan->family = &dpem_family_logit_classes;
		dpem_classes_complete_plan(plan);
		return plan;
	}
	check_request(plan);
	/* the caller's norm is that of a row without the constant */
	if (request->bind.constant && request->clip_norm > 0)
		plan->clip_norm = hypot(request->clip_norm, 1);
	if (plan->iterations == 0)
		plan->iterations = dpem_logit_iterations(dpem_logit_plan_noise(plan));
	plan_stages(plan);
	return plan;
}
