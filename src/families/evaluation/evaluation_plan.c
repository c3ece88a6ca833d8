/*
 * evaluation_plan.c - what an evaluation will read, release and cost, from the model and public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "utils/snapmgr.h"

#include "core/evaluation/evaluate_rules.h"
#include "core/synth/tables.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

/* ---- arguments ---- */

static DpemEvaluationKind
kind_of(const DpemEvaluationRequest *r)
{
	const DpemModelUse *use = &r->family->use;

	if (use->topics != NULL)
		return DPEM_EVALUATE_TOPICS;
	if (use->value != NULL && (use->is_number == NULL || use->is_number(r->ready)))
		return DPEM_EVALUATE_REGRESSION;
	/* a set of marginals predicts a label, too, but is a density of all its columns */
	if (use->posterior != NULL && use->target != NULL)
		return DPEM_EVALUATE_CLASSES;
	if (use->transform != NULL && use->target != NULL)
		return DPEM_EVALUATE_MARGINS;
	if (use->log_density != NULL)
		return DPEM_EVALUATE_DENSITY;
	if (use->squared_distance != NULL)
		return DPEM_EVALUATE_DISTANCE;
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("model \"%s\" is %s, which dp_evaluate cannot evaluate", r->name, r->family->title),
			 errhint("It evaluates classifiers, regressions, densities, cluster centers and topics.")));
}

/* also one that the same statement has made, which a snapshot of its beginning does not show */
static void
load_model(DpemEvaluationRequest *r)
{
	CommandCounterIncrement();
	PushCopiedSnapshot(GetActiveSnapshot());
	UpdateActiveSnapshotCommandId();
	r->id = dpem_evaluation_model_id(r->name);
	r->family = dpem_model_family(r->name);
	r->model = dpem_model_load(r->name, r->family);
	r->ready = r->family->use.load ? r->family->use.load(r->model) : NULL;
	r->kind = kind_of(r);
	PopActiveSnapshot();
}

/* registered columns of the model's coordinates, each once */
static List *
columns_of(const DpemModel *model)
{
	List	   *columns = NIL;

	for (int j = 0; j < model->d; j += dpem_model_column_length(model, j))
		columns = lappend(columns, pstrdup(dpem_model_column(model, j)));
	return columns;
}

static char *
target_argument(const DpemArguments *a, const DpemEvaluationRequest *r)
{
	char	   *given = dpem_optional_named_text(a, "target", true);

	if (given != NULL)
		return given;
	if (r->family->use.target == NULL)
		dpem_refuse_argument("target must be given for this model", "Name the column that the model predicts.");
	return pstrdup(r->family->use.target(r->ready));
}

/* how many classes the model tells apart */
static int
count_classes(const DpemEvaluationRequest *r)
{
	double	   *x = palloc0(Max(r->model->d, 1) * sizeof(double));
	int			n;

	if (!dpem_evaluation_has_classes(r->kind))
		return 0;
	(void) (r->kind == DPEM_EVALUATE_CLASSES ? r->family->use.posterior : r->family->use.transform) (r->ready, x, &n);
	if (n > DPEM_EVALUATE_MOST_CLASSES)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("model \"%s\" has %d classes: dp_evaluate evaluates classifiers of at most %d", r->name, n, DPEM_EVALUATE_MOST_CLASSES)));
	return n;
}

static void
bind_target(const DpemArguments *a, DpemEvaluationRequest *r)
{
	DpemBindingRequest *bind = &r->fit.bind;

	if (r->kind == DPEM_EVALUATE_REGRESSION)
		bind->target = target_argument(a, r);
	else if (dpem_evaluation_has_classes(r->kind))
	{
		bind->label = target_argument(a, r);
		bind->constant = true;
		bind->classes = r->classes > 2;
		if (r->classes == 2 && r->family->use.category != NULL)
			bind->positive = pstrdup(r->family->use.category(r->ready, 2));
	}
	else if (dpem_is_given(a, "target"))
		dpem_refuse_argument("target must be null for a model that predicts none", "Leave it out.");
}

/* the caller's range, or one from the model; of residuals, once the target's domain is known */
static void
range_argument(const DpemArguments *a, DpemEvaluationRequest *r)
{
	int			n;
	double	   *range = dpem_named_float8_array(a, "range", &n);

	if (range == NULL && r->kind != DPEM_EVALUATE_REGRESSION)
		dpem_evaluation_range(r);
	if (range == NULL)
		return;
	if (dpem_evaluation_has_classes(r->kind))
		dpem_refuse_argument("range must be null for a classifier", "Its scores are probabilities or margins.");
	if (n != 2 || !(range[0] < range[1]) || !(range[1] - range[0] <= DPEM_MOST_NUMBER))
		dpem_refuse_argument("range must be two ascending numbers", "Values beyond them count as the nearer one.");
	if (r->kind == DPEM_EVALUATE_REGRESSION && range[0] != -range[1])
		dpem_refuse_argument("range must be symmetric for a regression", "For residuals of at most 10, it is {-10,10}.");
	if (r->kind == DPEM_EVALUATE_DISTANCE && range[0] != 0)
		dpem_refuse_argument("range must begin at 0 for squared distances", "Leave it out, or give {0,upper}.");
	r->low = range[0];
	r->high = range[1];
}

/* summed for each row; 0: none */
static int
count_values(const DpemEvaluationRequest *r)
{
	if (dpem_evaluation_has_classes(r->kind))
		return r->kind == DPEM_EVALUATE_CLASSES && r->classes > 2 ? DPEM_EVALUATE_CLASSES_VALUES : 0;
	return r->kind == DPEM_EVALUATE_REGRESSION ? DPEM_EVALUATE_REGRESSION_VALUES : 1;
}

static int
bins_argument(const DpemArguments *a, const DpemEvaluationRequest *r)
{
	if (count_values(r) == 1 && dpem_is_given(a, "bins"))
		dpem_refuse_argument("bins must be null for a model that is judged by a mean", "There is no histogram of scores or residuals. Leave it out.");
	if (r->classes > 2 && dpem_is_given(a, "bins"))
		dpem_refuse_argument("bins must be null for a classifier of more than two classes", "It counts rows by class and predicted class.");
	if (r->classes > 2)
		return r->classes;
	if (dpem_is_given(a, "bins"))
		return dpem_named_int_between(a, "bins", 2, DPEM_EVALUATE_MOST_BINS);
	return dpem_evaluation_has_classes(r->kind) ? DPEM_EVALUATE_SCORE_BINS : DPEM_EVALUATE_RESIDUAL_BINS;
}

/* a set of marginals knows how often a number is unknown, unless it never is */
static void
tables_argument(DpemEvaluationRequest *r)
{
	if (r->family->use.tables == NULL)
		return;
	r->tables = r->family->use.tables(r->ready);
	for (int c = 0; c < r->tables->columns; c++)
		r->fit.bind.missing |= r->tables->column[c].known > 0;
}

/* does the model predict rows in which numbers are unknown? */
static bool
predicts_unknown(const DpemEvaluationRequest *r)
{
	bool		imputes = true;

	for (int j = 0; j < r->model->d; j++)
	{
		if (r->model->column_of[j] && r->model->category_of[j] == NULL)
			return false;
		imputes &= r->model->category_of[j] != NULL || !isnan(r->model->imputed[j]);
	}
	return imputes || (r->family->use.missing && (dpem_evaluation_has_classes(r->kind) || r->kind == DPEM_EVALUATE_REGRESSION));
}

DpemEvaluationRequest *
dpem_evaluation_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemEvaluationRequest *r = palloc0(sizeof(DpemEvaluationRequest));

	r->name = dpem_named_text(&a, "model");
	load_model(r);
	if (dpem_is_given(&a, "part"))
		r->fit.bind.holdout = dpem_evaluation_holdout(r->name, dpem_named_text(&a, "dataset"));
	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.iterations = 1;
	r->fit.bind.columns = r->kind == DPEM_EVALUATE_TOPICS ? NIL : columns_of(r->model);
	r->fit.bind.categories = r->kind != DPEM_EVALUATE_TOPICS;
	r->fit.bind.missing = r->fit.bind.not_finite = predicts_unknown(r);
	tables_argument(r);
	r->fit.bind.constants = r->tables != NULL;
	dpem_evaluation_topics_arguments(&a, r);
	r->classes = count_classes(r);
	r->bins = bins_argument(&a, r);
	r->threshold = dpem_named_between(&a, "threshold", 0, 1);
	if (!dpem_evaluation_has_classes(r->kind) && !isnan(r->threshold))
		dpem_refuse_argument("threshold must be null for a model that is no classifier", "It has no classes to tell apart. Leave it out.");
	if (r->kind == DPEM_EVALUATE_MARGINS && !isnan(r->threshold))
		dpem_refuse_argument("threshold must be null for a model without probabilities", "It predicts the class with the greater score.");
	if (r->classes > 2 && !isnan(r->threshold))
		dpem_refuse_argument("threshold must be null for a classifier of more than two classes", "It predicts the most probable class.");
	bind_target(&a, r);
	range_argument(&a, r);
	return r;
}

/* ---- the plan ---- */

/* every coordinate of the model must be one of the dataset's, under the same name */
static void
require_coordinates(const DpemEvaluationPlan *plan)
{
	const DpemModel *model = plan->request->model;
	char	  **name = dpem_binding_coordinates(plan->fit.binding);

	for (int j = 0; j < model->d; j++)
	{
		bool		found = false;

		for (int i = 0; i < plan->fit.d && !found; i++)
			found = strcmp(name[i], model->column[j]) == 0;
		if (!found)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("dataset \"%s\" does not have \"%s\", which model \"%s\" was fitted with",
							plan->fit.dataset->name, model->column[j], plan->request->name),
					 errhint("Columns must be registered under the same names, labels with the same categories.")));
	}
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
	while (plan->fit.d < plan->values)
	{
		dpem_binding_append_constant(plan->fit.binding);
		plan->fit.d = dpem_binding_dimension(plan->fit.binding);
	}
	plan->fit.clip_norm = sqrt(dpem_binding_square(plan->fit.binding));
}

/* of averages in [-1, 1], all alike */
static void
plan_sums(DpemEvaluationPlan *plan)
{
	const double importance[DPEM_STATISTIC_PARTS] = {1.0 / 3, 1, 0};
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_NONE};
	double		weight[DPEM_STATISTIC_PARTS];

	if (plan->values == 0)
		return;
	dpem_statistic_weights(importance, DPEM_NOISE_GAUSSIAN, 1, plan->values, plan->fit.dataset->replace_one, weight);
	plan->fit.stage[DPEM_EVALUATE_SUMS] = (DpemFitStage) {
		.statistic = plan->values == 1 ? "mean" : "errors",.share = plan->values == 1 ? 1 : DPEM_EVALUATE_SUMS_SHARE,.releases = 1,
			.spec = dpem_fit_spec(&plan->fit, weight[DPEM_PART_COUNT], weight[DPEM_PART_SUM], 0),.layout = layout
	};
}

static void
plan_cells(DpemEvaluationPlan *plan)
{
	bool		classes = dpem_evaluation_has_classes(plan->request->kind);
	DpemMomentLayout layout = {(classes ? plan->request->classes : 1) * plan->request->bins, plan->fit.d, DPEM_COUNTS_ALONE};

	if (plan->values == 1)
		return;
	plan->fit.stage[DPEM_EVALUATE_CELLS] = (DpemFitStage) {
		.statistic = !classes ? "residuals" : plan->request->classes > 2 ? "classes" : "scores",
			.share = plan->values == 0 ? 1 : 1 - DPEM_EVALUATE_SUMS_SHARE,.releases = 1,
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
	plan->values = count_values(request);
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
	if (plan->values == 0 || plan->request->classes > 2)
		return;
	dpem_forecast_remark(f, "values are clipped from", plan->request->low);
	dpem_forecast_remark(f, "values are clipped to", plan->request->high);
}
