/*
 * svm.c - support vector machines: dp_svm_fit, dp_svm_plan.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "core/online/online_rules.h"
#include "core/pass/fourier.h"
#include "families/logit/classes_run.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

const char *const dpem_classes_hinge = "hinge";
const char *const dpem_classes_logistic = "logistic";
const char *const dpem_classes_multinomial = "multinomial";

static const char *const algorithms_by_name[] = {"newton", "output", "objective", "online", "functional"};

static DpemLogitAlgorithm
read_algorithm(const char *name, int algorithms)
{
	for (int i = 0; i < algorithms; i++)
	{
		if (strcmp(algorithms_by_name[i], name) == 0)
			return (DpemLogitAlgorithm) i;
	}
	dpem_refuse_name("algorithm", name, algorithms == lengthof(algorithms_by_name) ? "newton, output, objective, online, functional" : "newton, output, objective, online");
}

const char *
dpem_classes_algorithm(const DpemFitPlan *plan)
{
	return algorithms_by_name[((const DpemLogitRequest *) plan->request)->algorithm];
}

/* margins are released, or would be if there were noise, and scores are not about the middle of the domains */
static bool
has_centers(const DpemLogitRequest *r)
{
	return dpem_logit_asks_to_standardise(r) && r->algorithm != DPEM_LOGIT_ONLINE && r->algorithm != DPEM_LOGIT_FUNCTIONAL &&
		(r->fit.bind.constant || r->fourier.pairs > 0);
}

void
dpem_classes_read(const DpemArguments *arguments, int algorithms, DpemFitRequest *request)
{
	DpemLogitRequest *r = (DpemLogitRequest *) request;

	request->bind.label = dpem_named_text(arguments, "label");
	request->bind.positive = dpem_optional_named_text(arguments, "positive", false);
	request->bind.constant = dpem_named_bool(arguments, "intercept");
	request->bind.categories = true;
	request->bind.classes = true;
	r->prior_variance = dpem_named_magnitude(arguments, "prior_variance", DPEM_LEAST_NUMBER, 0);
	r->standardise_given = dpem_is_given(arguments, "precondition");
	r->standardise = r->standardise_given && dpem_named_choice(arguments, "precondition", "standardise", "none");
	r->algorithm = read_algorithm(dpem_named_text(arguments, "algorithm"), algorithms);
	dpem_fit_fourier_arguments(arguments, request, 2 * DPEM_FOURIER_MAX_PAIRS, &r->fourier);
	dpem_fit_online_arguments(arguments, r->algorithm == DPEM_LOGIT_ONLINE, dpem_online_batches, request);
	/* features have no need of a constant */
	if (r->fourier.pairs > 0)
		request->bind.constant = false;
	request->bind.imputed = dpem_named_imputed(arguments, has_centers(r));
}

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	dpem_classes_read(arguments, DPEM_LOGIT_ONLINE + 1, request);
	((DpemLogitRequest *) request)->loss =
		(DpemMarginLoss) {DPEM_LOSS_HINGE, dpem_named_magnitude(arguments, "smoothing", 1e-3, 0)};
}

static char *
feature_name(const DpemFitPlan *plan, char **names, int j)
{
	int			pairs = plan->features / 2;

	if (plan->features > 0)
		return psprintf(j < pairs ? "cos %d" : "sin %d", 1 + j % pairs);
	return j < plan->d - (plan->request->bind.constant ? 1 : 0) ? names[j] : "(intercept)";
}

/* rows of each class, of two of the positive one: a row for each coefficient, the intercept last */
static void
emit_as(const char *result, const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **names = dpem_binding_coordinates(plan->binding);
	char	   *const *category = model->value[DPEM_CLASS_CATEGORY];
	const double *coefficient = model->value[DPEM_CLASS_COEFFICIENT];
	const double *noise = model->value[DPEM_CLASS_NOISE];
	size_t		n = (size_t) model->features;

	for (int k = model->k == 2 ? 1 : 0; k < model->k; k++)
		for (size_t j = 0; j < n; j++)
		{
			dpem_fit_row(rows);
			dpem_fit_put(rows, "class", CStringGetTextDatum(category[k]));
			dpem_fit_put(rows, "column_name", CStringGetTextDatum(feature_name(plan, names, (int) j)));
			dpem_fit_put(rows, result, Float8GetDatum(coefficient[k * n + j]));
			dpem_fit_put(rows, "noise_stddev", Float8GetDatum(noise[k * n + j]));
			dpem_fit_row_end(rows);
		}
}

static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	emit_as("coefficient", plan, model, rows);
}

static void
emit_logit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	emit_as("mean", plan, model, rows);
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->precondition = plan->stage[DPEM_CLASS_MARGINS].line >= 0 ? "standardise" : "none";
	if (dpem_classes_is_baseline(plan))
		record->mechanism = dpem_classes_algorithm(plan);
}

#define SVM(more) "dp_svm_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, " more ")"

static const DpemSelftestCase selftest[] = {
	{"svm", SVM("iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS},
	{"svm, two passes", SVM("iterations => 2, intercept => false, prior_variance => 10"), DPEM_SELFTEST_COUNTS_NULLS},
	{"svm, standardised", "dp_svm_fit('dpem_selftest', 'label', 4, 1e-6, iterations => 3)", DPEM_SELFTEST_COUNTS_NULLS},
	/* sums by class in all passes */
	{"svm in much noise", "dp_svm_fit('dpem_selftest', 'label', 0.2, 1e-6, iterations => 4)", DPEM_SELFTEST_COUNTS_NULLS},
	{"svm by groups, in much noise", "dp_svm_fit('dpem_selftest', 'label', 0.05, 1e-6, iterations => 4, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	{"svm, fourier", "dp_svm_fit('dpem_selftest', 'label', 4, 1e-6, features => 'fourier', dimension => 16, iterations => 3)", DPEM_SELFTEST_COUNTS_NULLS},
	{"svm by groups", SVM("iterations => 3, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"svm, output", SVM("algorithm => 'output', iterations => 5"), DPEM_SELFTEST_COUNTS_NULLS},
	{"svm of three classes", SVM("iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"svm of three classes by groups", SVM("iterations => 3, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"svm, objective", SVM("algorithm => 'objective', iterations => 60"), DPEM_SELFTEST_COUNTS_NULLS},
	{"svm, online", SVM("algorithm => 'online', order_column => 'a', batches => 8, smoothing => 100"), DPEM_SELFTEST_COUNTS_NULLS},
	{NULL}
};

#define CLASS_TABLES { \
	{ \
		.name = "class_parameter",.number = "class",.rows = DPEM_ROW_OF_COMPONENT, \
		.field = { \
			[DPEM_CLASS_CATEGORY] = {.column = "category",.shape = DPEM_FIELD_TEXT,.loaded = true}, \
			[DPEM_CLASS_COEFFICIENT] = {.column = "coefficient",.shape = DPEM_FIELD_FEATURES,.loaded = true}, \
			[DPEM_CLASS_NOISE] = {.column = "noise",.shape = DPEM_FIELD_FEATURES} \
		} \
	}, \
	{ \
		.name = "class_model",.rows = DPEM_ROW_OF_MODEL, \
		.field = { \
			[DPEM_CLASS_LABEL - DPEM_CLASS_TABLE2] = {.column = "label",.shape = DPEM_FIELD_TEXT,.loaded = true}, \
			[DPEM_CLASS_LOSS - DPEM_CLASS_TABLE2] = {.column = "loss",.shape = DPEM_FIELD_TEXT,.loaded = true}, \
			[DPEM_CLASS_SMOOTHING - DPEM_CLASS_TABLE2] = {.column = "smoothing",.shape = DPEM_FIELD_NUMBER}, \
			[DPEM_CLASS_DIMENSION - DPEM_CLASS_TABLE2] = {.column = "dimension",.shape = DPEM_FIELD_NUMBER,.loaded = true}, \
			[DPEM_CLASS_WIDTH - DPEM_CLASS_TABLE2] = {.column = "width",.shape = DPEM_FIELD_NUMBER,.loaded = true}, \
			[DPEM_CLASS_SEED - DPEM_CLASS_TABLE2] = {.column = "seed",.shape = DPEM_FIELD_NUMBER,.loaded = true}, \
			[DPEM_CLASS_CENTER - DPEM_CLASS_TABLE2] = {.column = "center",.shape = DPEM_FIELD_VECTOR,.loaded = true}, \
			[DPEM_CLASS_SCALE - DPEM_CLASS_TABLE2] = {.column = "scale",.shape = DPEM_FIELD_VECTOR,.loaded = true}, \
			[DPEM_CLASS_ORDER - DPEM_CLASS_TABLE2] = {.column = "order_column",.shape = DPEM_FIELD_TEXT}, \
			[DPEM_CLASS_EDGE - DPEM_CLASS_TABLE2] = {.column = "edge",.shape = DPEM_FIELD_ARRAY}, \
			[DPEM_CLASS_MET - DPEM_CLASS_TABLE2] = {.column = "met",.shape = DPEM_FIELD_ARRAY}, \
			[DPEM_CLASS_MET_NOISE - DPEM_CLASS_TABLE2] = {.column = "met_noise",.shape = DPEM_FIELD_ARRAY} \
		} \
	} \
}

/* of two classes the second's; a Fourier feature has no domain */
#define CLASS_PICTURE { \
	[DPEM_PICTURE_COEFFICIENTS] = { \
		"SELECT line_name, across, across_stddev, coefficient, noise_stddev FROM (" \
			" SELECT l.*, CASE WHEN m.classes > 2 THEN l.category || ': ' ELSE '' END || l.column_name AS line_name, c.position," \
			"  l.coefficient * w AS across, l.noise_stddev * w AS across_stddev," \
			"  row_number() OVER (ORDER BY abs(l.coefficient) * w DESC, l.class, c.position) AS line" \
			" FROM dpem.class_coefficients l JOIN dpem.class_models m USING (model) LEFT JOIN dpem.model_columns c USING (model, column_name)," \
			" LATERAL (SELECT coalesce(dpem.to_scale(c.scale, c.upper) - dpem.to_scale(c.scale, c.lower), 1) AS w) s" \
			" WHERE model = $1 AND (m.classes > 2 OR l.class = 2) AND l.column_name <> '(intercept)') r" \
			" WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY class, position, column_name", \
		"SELECT 'score of ' || m.label || CASE WHEN m.classes > 2 THEN '' ELSE ' = ' || l.category END || ', from lower to upper bound'" \
			" FROM dpem.class_models m JOIN dpem.class_coefficients l USING (model) WHERE model = $1 AND l.class = 2 LIMIT 1" \
	}, \
	[DPEM_PICTURE_BATCHES] = { \
		DPEM_BATCH_LINES("dpem.class_trajectories", "t.column_name"), \
		"SELECT 'score of ' || m.label || ' = ' || l.category || ', from lower to upper bound, batches in the order of ' || t.order_column" \
			" FROM dpem.class_models m JOIN dpem.class_coefficients l USING (model) JOIN dpem.class_trajectories t USING (model)" \
			" WHERE model = $1 AND l.class = 2 LIMIT 1" \
	} \
}

const DpemFamily dpem_family_svm = {
	.name = "svm",.title = "a support vector machine",.request_size = sizeof(DpemLogitRequest),
	.read = read_own,.plan = dpem_classes_plan,.run = dpem_classes_run,.describe = describe,.emit = emit,.table = CLASS_TABLES,
	.use = {
		.load = dpem_classes_load,.predictor = dpem_svm_predictor,.predict = dpem_classes_predict,.label = dpem_classes_label,
		.transform = dpem_classes_scores,.target = dpem_classes_target,.category = dpem_classes_category
	},
	.picture = CLASS_PICTURE,
	.selftest = selftest
};

const DpemFamily dpem_family_logit_classes = {
	.name = "logit_classes",.title = "a logistic regression of classes",.request_size = sizeof(DpemLogitRequest),
	.plan = dpem_classes_plan,.run = dpem_classes_run,.describe = describe,.emit = emit_logit,.table = CLASS_TABLES,
	.use = {
		.load = dpem_classes_load,.predictor = dpem_classes_predictor,.predict = dpem_classes_predict,.label = dpem_classes_label,
		.posterior = dpem_classes_posterior,.transform = dpem_classes_scores,
		.target = dpem_classes_target,.category = dpem_classes_category
	},
	.picture = CLASS_PICTURE
};

DPEM_FAMILY_FUNCTIONS(svm)
