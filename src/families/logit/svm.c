/*
 * svm.c - support vector machines: dp_svm_fit, dp_svm_plan.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/logit/classes_run.h"
#include "fit/fit_arguments.h"

const char *const dpem_classes_hinge = "hinge";
const char *const dpem_classes_logistic = "logistic";

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemLogitRequest *r = (DpemLogitRequest *) request;

	request->bind.label = dpem_named_text(arguments, "label");
	request->bind.positive = dpem_optional_named_text(arguments, "positive", false);
	request->bind.constant = dpem_named_bool(arguments, "intercept");
	request->bind.categories = true;
	request->bind.classes = true;
	r->loss = (DpemMarginLoss) {DPEM_LOSS_HINGE, dpem_named_magnitude(arguments, "smoothing", 1e-3, 0)};
	r->prior_variance = dpem_named_magnitude(arguments, "prior_variance", DPEM_LEAST_NUMBER, 0);
	r->standardise_given = dpem_is_given(arguments, "precondition");
	r->standardise = r->standardise_given && dpem_named_choice(arguments, "precondition", "standardise", "none");
}

/* rows of each class, of two of the positive one: a row for each coefficient, the intercept last */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **names = dpem_binding_coordinates(plan->binding);
	char	   *const *category = model->value[DPEM_CLASS_CATEGORY];
	int			n = model->features;

	for (int k = model->k == 2 ? 1 : 0; k < model->k; k++)
		for (int j = 0; j < n; j++)
		{
			dpem_fit_row(rows);
			dpem_fit_put(rows, "class", CStringGetTextDatum(category[k]));
			dpem_fit_put(rows, "column_name", CStringGetTextDatum(j < n - 1 ? names[j] : "(intercept)"));
			dpem_fit_put(rows, "coefficient", Float8GetDatum(((const double *) model->value[DPEM_CLASS_COEFFICIENT])[k * n + j]));
			dpem_fit_put(rows, "noise_stddev", Float8GetDatum(((const double *) model->value[DPEM_CLASS_NOISE])[k * n + j]));
			dpem_fit_row_end(rows);
		}
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->precondition = plan->stage[DPEM_CLASS_MARGINS].line >= 0 ? "standardise" : "none";
}

#define SVM(more) "dp_svm_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, " more ")"

static const DpemSelftestCase selftest[] = {
	{"svm", SVM("iterations => 3"), 0},
	{"svm, two passes", SVM("iterations => 2, intercept => false, prior_variance => 10"), 0},
	{"svm, standardised", "dp_svm_fit('dpem_selftest', 'label', 4, 1e-6, iterations => 3)", 0},
	{"svm by groups", SVM("iterations => 3, by => 'label'"), 0},
	{NULL}
};

const DpemFamily dpem_family_svm = {
	.name = "svm",.title = "a support vector machine",.request_size = sizeof(DpemLogitRequest),
	.read = read_own,.plan = dpem_classes_plan,.run = dpem_classes_run,.describe = describe,.emit = emit,
	.table = {
		{
			.name = "class_parameter",.number = "class",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_CLASS_CATEGORY] = {.column = "category",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_CLASS_COEFFICIENT] = {.column = "coefficient",.shape = DPEM_FIELD_FEATURES,.loaded = true},
				[DPEM_CLASS_NOISE] = {.column = "noise",.shape = DPEM_FIELD_FEATURES}
			}
		},
		{
			.name = "class_model",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_CLASS_LABEL - DPEM_CLASS_TABLE2] = {.column = "label",.shape = DPEM_FIELD_TEXT},
				[DPEM_CLASS_LOSS - DPEM_CLASS_TABLE2] = {.column = "loss",.shape = DPEM_FIELD_TEXT},
				[DPEM_CLASS_SMOOTHING - DPEM_CLASS_TABLE2] = {.column = "smoothing",.shape = DPEM_FIELD_NUMBER}
			}
		}
	},
	.use = {.load = dpem_classes_load,.predict = dpem_classes_predict,.label = dpem_classes_label,.transform = dpem_classes_scores},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(svm)
