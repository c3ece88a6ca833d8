/*
 * evaluation_plan.c - what an evaluation will read, release and cost, from the model and public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/evaluation/evaluate_rules.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit_margins.h"

/* every coordinate of the model must be one of the dataset's, of the same column under the same name, and another one */
static void
require_coordinates(const DpemEvaluationPlan *plan)
{
	const DpemModel *model = plan->request->model;
	int			j = dpem_evaluation_unplaced(model, dpem_evaluation_places(plan), plan->fit.d);

	if (j >= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("dataset \"%s\" does not have \"%s\", which model \"%s\" was fitted with",
						plan->fit.dataset->name, model->column[j], plan->request->name),
				 errhint("Columns must be registered under the same names, labels with the same categories.")));
}

/* more than two classes must be the same, in the same order: the passes know them by their numbers */
static void
require_categories(const DpemEvaluationPlan *plan)
{
	const DpemEvaluationRequest *r = plan->request;
	const DpemLabel *label = plan->fit.binding->label;
	bool		same = r->classes <= 2 || label->classes == r->classes;

	for (int i = 0; r->classes > 2 && same && i < r->classes; i++)
		same = strcmp(label->category[i], r->family->use.category(r->ready, i + 1)) == 0;
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("the classes of column \"%s\" of dataset \"%s\" are not those of model \"%s\"",
						label->column.name, plan->fit.dataset->name, r->name),
				 errhint("Register the label with the same categories in the same order.")));
}

/* the deviation of a new row where a regression has one; else the width of the domain */
static void
set_reach(const DpemEvaluationPlan *plan, DpemEvaluationRequest *r)
{
	const DpemColumn *target = plan->fit.binding->target;
	double		bounds[2];

	r->high = target->upper - target->lower;
	if (r->family->use.interval != NULL)
	{
		r->family->use.interval(r->ready, dpem_model_usual(r->model), DPEM_EVALUATE_RESIDUAL_REACH, bounds);
		if (bounds[1] - bounds[0] > 0)
			r->high = fmin(r->high, (bounds[1] - bounds[0]) / 2);
	}
	r->low = -r->high;
}

/* a row is replaced by its values, for which there must be room */
static void
make_room(DpemEvaluationPlan *plan)
{
	while (plan->fit.d < plan->request->values)
	{
		dpem_binding_append_constant(plan->fit.binding);
		plan->fit.d = dpem_binding_dimension(plan->fit.binding);
	}
	plan->fit.clip_norm = sqrt(dpem_binding_square(plan->fit.binding));
}

/* of a target whose domain is too wide for sums over it, and not so wide that features, of so many bits, are coarser than residuals */
static void
plan_location(DpemEvaluationPlan *plan)
{
	const DpemColumn *target = plan->fit.binding->target;
	double		high = plan->request->high;
	double		half;

	if (plan->request->kind != DPEM_EVALUATE_REGRESSION || plan->fit.d > DPEM_EVALUATE_TARGET_MOST)
		return;
	while (dpem_binding_columns(plan->fit.binding)[plan->target] != target)
		plan->target++;
	half = target->upper / 2 - target->lower / 2;
	if (half > DPEM_EVALUATE_TARGET_WIDE * high && ldexp(half * plan->fit.clip_norm, -DPEM_FINE_BITS) <= DPEM_EVALUATE_TARGET_FINE * high)
		plan->fit.stage[DPEM_EVALUATE_LOCATION] = dpem_fit_number_stage(&plan->fit, DPEM_EVALUATE_TARGET_SHARE);
}

static double
share_left(const DpemEvaluationPlan *plan)
{
	return 1 - plan->fit.stage[DPEM_EVALUATE_LOCATION].share;
}

/* of averages in [-1, 1], all alike */
static void
plan_sums(DpemEvaluationPlan *plan)
{
	const double importance[DPEM_STATISTIC_PARTS] = {1.0 / 3, 1, 0};
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_NONE};
	double		weight[DPEM_STATISTIC_PARTS];

	if (plan->request->values == 0)
		return;
	dpem_statistic_weights(importance, DPEM_NOISE_GAUSSIAN, 1, plan->request->values, plan->fit.dataset->replace_one, weight);
	plan->fit.stage[DPEM_EVALUATE_SUMS] = (DpemFitStage) {
		.statistic = plan->request->values == 1 ? "mean" : "errors",.share = plan->request->values == 1 ? 1 : DPEM_EVALUATE_SUMS_SHARE * share_left(plan),.releases = 1,
			.spec = dpem_fit_spec(&plan->fit, weight[DPEM_PART_COUNT], weight[DPEM_PART_SUM], 0),.layout = layout
	};
}

static void
plan_cells(DpemEvaluationPlan *plan)
{
	bool		classes = dpem_evaluation_has_classes(plan->request->kind);
	DpemMomentLayout layout = {(classes ? plan->request->classes : 1) * plan->request->bins, plan->fit.d, DPEM_COUNTS_ALONE};

	if (plan->request->values == 1)
		return;
	plan->fit.stage[DPEM_EVALUATE_CELLS] = (DpemFitStage) {
		.statistic = !classes ? "residuals" : plan->request->classes > 2 ? "classes" : "scores",
			.share = plan->request->values == 0 ? 1 : (1 - DPEM_EVALUATE_SUMS_SHARE) * share_left(plan),.releases = 1,
			.spec = dpem_fit_spec(&plan->fit, 1, 0, 0),.layout = layout
	};
}

/* stages of a pass over rows */
static void
plan_rows(DpemEvaluationPlan *plan, DpemEvaluationRequest *own)
{
	require_coordinates(plan);
	require_categories(plan);
	if (own->kind == DPEM_EVALUATE_REGRESSION && own->high == 0)
		set_reach(plan, own);
	make_room(plan);
	plan_location(plan);
	plan_sums(plan);
	plan_cells(plan);
	if (own->tables != NULL)
		dpem_evaluation_plan_tables(plan);
}

DpemEvaluationPlan *
dpem_evaluation_plan(const DpemEvaluationRequest *request)
{
	DpemEvaluationPlan *plan = palloc0(sizeof(DpemEvaluationPlan));
	DpemEvaluationRequest *own = palloc(sizeof(DpemEvaluationRequest));

	*own = *request;
	plan->request = own;
	dpem_fit_plan_init(&plan->fit, &own->fit);
	plan->fit.brings_model = request->kind != DPEM_EVALUATE_TOPICS;
	if (request->kind == DPEM_EVALUATE_TOPICS)
		dpem_evaluation_plan_topics(plan);
	else
		plan_rows(plan, own);
	dpem_fit_plan_stages(&plan->fit, DPEM_EVALUATE_STAGES);
	if (plan->tables != NULL)
		dpem_evaluation_check_tables(plan);
	return plan;
}

static void
forecast_rows(const DpemEvaluationPlan *plan, DpemForecast *f)
{
	const DpemFitStage *sums = &plan->fit.stage[DPEM_EVALUATE_SUMS];

	if (plan->tables == NULL)
		dpem_fit_forecast_stages(&plan->fit, f);
	else
	{
		if (sums->line >= 0)
			dpem_forecast_joint(f, sums->line, &sums->spec, sums->layout.k, NULL, NULL);
		dpem_evaluation_forecast_tables(plan, f);
	}
}

void
dpem_evaluation_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemEvaluationPlan *plan = (const DpemEvaluationPlan *) fit;

	if (plan->request->kind == DPEM_EVALUATE_TOPICS)
		dpem_evaluation_forecast_topics(plan, f);
	else
		forecast_rows(plan, f);
	if (plan->request->values == 0 || plan->request->classes > 2)
		return;
	dpem_forecast_remark(f, "values are clipped from", plan->request->low);
	dpem_forecast_remark(f, "values are clipped to", plan->request->high);
}
