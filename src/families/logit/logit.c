/*
 * logit.c - logistic regression: dp_logit_fit, dp_logit_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/logit/classes.h"
#include "fit/fit_arguments.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemLogitRequest *r = (DpemLogitRequest *) request;

	dpem_classes_read(arguments, DPEM_LOGIT_FUNCTIONAL + 1, request);
	r->loss = (DpemMarginLoss) {DPEM_LOSS_LOGISTIC, 1};
}

/* a row for each coefficient, the intercept last */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **names = dpem_binding_coordinates(plan->binding);
	const double *mean = model->value[DPEM_LOGIT_MEAN];
	const double *noise = model->value[DPEM_LOGIT_NOISE];
	int			n = model->d + 1;

	for (int j = 0; j < n; j++)
	{
		const double *covariance = (const double *) model->value[DPEM_LOGIT_COVARIANCE] + (size_t) j * n;

		dpem_fit_row(rows);
		dpem_fit_put(rows, "column_name", CStringGetTextDatum(j < n - 1 ? names[j] : "(intercept)"));
		dpem_fit_put(rows, "mean", Float8GetDatum(mean[j]));
		dpem_fit_put(rows, "stddev", Float8GetDatum(sqrt(fmax(covariance[j], 0))));
		dpem_fit_put(rows, "noise_stddev", Float8GetDatum(noise[j]));
		dpem_fit_put(rows, "covariance", dpem_float8_array(covariance, n));
		dpem_fit_put(rows, "class", CStringGetTextDatum(plan->binding->label->category[1]));
		dpem_fit_row_end(rows);
	}
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->precondition = plan->stage[DPEM_LOGIT_MARGINS].line >= 0 ? "standardise" : "none";
}

#define LOGIT(more) "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, clip_norm => 1, " more ")"

static const DpemSelftestCase selftest[] = {
	{"logit", LOGIT("iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, one pass", LOGIT("iterations => 1, intercept => false, prior_variance => 10"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, standardised", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, iterations => 3)", DPEM_SELFTEST_COUNTS_NULLS},
	{"logit by groups, standardised", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, iterations => 2, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	/* noise of 0.02 of the rows: signed rows again, then gradients; of 0.1: signed rows alone */
	{"logit in much noise", "dp_logit_fit('dpem_selftest', 'label', 0.2, 1e-6, iterations => 4)", DPEM_SELFTEST_COUNTS_NULLS},
	{"logit by groups, in much noise", "dp_logit_fit('dpem_selftest', 'label', 0.05, 1e-6, iterations => 3, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	{"logit by groups", LOGIT("iterations => 3, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, output", "dp_logit_fit('dpem_selftest', 'label', 4, 1e-6, algorithm => 'output', iterations => 5)", DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, objective", LOGIT("algorithm => 'objective', iterations => 60"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, online", LOGIT("algorithm => 'online', order_column => 'a', batches => 8"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit, functional", LOGIT("algorithm => 'functional'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"logit of three classes", LOGIT("iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"logit by groups, samples", LOGIT("iterations => 4, by => 'label', composition => 'rdp', sampling_rate => 0.5, " DPEM_SELFTEST_COMPLETE ""), DPEM_SELFTEST_DRAWS},
	{NULL}
};

const DpemFamily dpem_family_logit = {
	.name = "logit",.title = "a logistic regression",.request_size = sizeof(DpemLogitRequest),
	.read = read_own,.plan = dpem_logit_plan,.run = dpem_logit_run,.describe = describe,.emit = emit,
	.table = {
		{
			.name = "logit_parameter",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_LOGIT_LABEL] = {.column = "label",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_LOGIT_NEGATIVE] = {.column = "negative",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_LOGIT_POSITIVE] = {.column = "positive",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_LOGIT_MEAN] = {.column = "mean",.shape = DPEM_FIELD_LONGER_VECTOR,.loaded = true},
				[DPEM_LOGIT_COVARIANCE] = {.column = "covariance",.shape = DPEM_FIELD_LONGER_MATRIX,.loaded = true},
				[DPEM_LOGIT_NOISE] = {.column = "mean_noise",.shape = DPEM_FIELD_LONGER_VECTOR}
			}
		}
	},
	.use = {.load = dpem_logit_load,.predictor = dpem_logit_predictor,.predict = dpem_logit_predict,.label = dpem_logit_label,.posterior = dpem_logit_posterior,
	.target = dpem_logit_target,.category = dpem_logit_category},
	.picture = {
		[DPEM_PICTURE_COEFFICIENTS] = {
			"SELECT column_name, across, across_stddev, mean, stddev FROM ("
				" SELECT l.column_name, c.position, l.mean * w AS across, l.stddev * w AS across_stddev, l.mean, l.stddev,"
				"  row_number() OVER (ORDER BY abs(l.mean) * w DESC, position) AS line"
				" FROM dpem.logit_coefficients l JOIN dpem.model_columns c USING (model, column_name),"
				" LATERAL (SELECT dpem.to_scale(scale, upper) - dpem.to_scale(scale, lower) AS w) s"
				" WHERE model = $1) r WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY position",
				"SELECT 'log-odds of ' || label || ' = ' || category || ', from lower to upper bound'"
				" FROM dpem.logit_classes WHERE model = $1 AND class = 2"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(logit)
