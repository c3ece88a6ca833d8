/*
 * evaluation_arguments.c - what is asked of an evaluation, and of which model.
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
	if (range[1] - range[0] < DPEM_EVALUATE_LEAST_RANGE)
		dpem_refuse_argument(psprintf("the ends of range must differ by at least %g", DPEM_EVALUATE_LEAST_RANGE), "Measure the target in other units, in a view.");
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
	if (r->values == 1 && dpem_is_given(a, "bins"))
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
	r->values = count_values(r);
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
