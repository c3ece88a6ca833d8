/*
 * linreg.c - linear regression: dp_linreg_fit, dp_linreg_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"

#include "core/linreg/linreg_rules.h"
#include "core/online/online_rules.h"
#include "families/linreg/linreg.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"

#define NORMAL_95 1.959963984540054	/* 97.5 % quantile */

/* margins are released, or would be if there were noise */
static bool
has_centers(const DpemLinregRequest *r)
{
	return r->fit.clip_norm == 0 && (!r->algorithm->baseline || r->algorithm->blocks) && dpem_linreg_asks_to_standardise(r);
}

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemLinregRequest *r = (DpemLinregRequest *) request;

	request->bind.categories = true;
	request->bind.target = dpem_named_text(arguments, "target");
	r->algorithm = dpem_linreg_algorithm(dpem_named_text(arguments, "algorithm"));
	r->precondition = dpem_optional_named_text(arguments, "precondition", true);
	dpem_fit_fourier_arguments(arguments, request, dpem_linreg_most_features, &r->fourier);
	dpem_fit_online_arguments(arguments, r->algorithm->online, dpem_online_batches, request);
	/* gradients have no means */
	request->bind.constant = r->algorithm->online && request->bind.by != NULL;
	request->bind.together = r->algorithm->tested;
	request->bind.imputed = dpem_named_imputed(arguments, has_centers(r));
	if (r->algorithm->tested)
		dpem_fit_added_delta(arguments, request);
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->mechanism = ((const DpemLinregRequest *) plan->request)->algorithm->name;
	record->precondition = dpem_linreg_is_blocks(plan) || plan->stage[DPEM_LINREG_MARGINS].line >= 0 ? "standardise" : "none";
}

/* of the j-th coefficient; a category's coordinate is called column=category */
static char *
coefficient_name(const DpemFitPlan *plan, const DpemModel *model, char **names, int j)
{
	int			pairs = plan->features / 2;

	if (j == model->features - 1)
		return "(intercept)";
	return plan->features == 0 ? names[j] : psprintf(j < pairs ? "cos %d" : "sin %d", 1 + j % pairs);
}

static void
put_name(const char *name, const char *category, DpemFitRows *rows)
{
	size_t		length = strlen(name) - (category ? 1 + strlen(category) : 0);

	dpem_fit_put(rows, "column_name", PointerGetDatum(cstring_to_text_with_len(name, (int) length)));
	if (category)
		dpem_fit_put(rows, "category", CStringGetTextDatum(category));
}

/* a row for each coefficient, the intercept last */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **names = dpem_binding_coordinates(plan->binding);
	char	  **categories = dpem_binding_categories(plan->binding);
	const double *coefficient = model->value[DPEM_LINREG_COEFFICIENT];
	const double *noise = model->value[DPEM_LINREG_NOISE];
	const double *middle = model->value[DPEM_LINREG_MIDDLE];
	const double *error = model->value[DPEM_LINREG_ERROR];
	const double *covariance = model->value[DPEM_LINREG_COVARIANCE];
	int			n = model->features;

	for (int j = 0; j < n; j++)
	{
		double		reach = NORMAL_95 * error[j];

		dpem_fit_row(rows);
		put_name(coefficient_name(plan, model, names, j), plan->features == 0 && j < n - 1 ? categories[j] : NULL, rows);
		dpem_fit_put(rows, "coefficient", Float8GetDatum(coefficient[j]));
		dpem_fit_put(rows, "stddev", Float8GetDatum(sqrt(fmax(covariance[(size_t) j * n + j], 0))));
		dpem_fit_put(rows, "noise_stddev", Float8GetDatum(noise[j]));
		dpem_fit_put(rows, "ci_lower", Float8GetDatum(middle[j] - reach));
		dpem_fit_put(rows, "ci_upper", Float8GetDatum(middle[j] + reach));
		dpem_fit_row_end(rows);
	}
}

/* of propose_test_release: with that epsilon a slope of 1/2 is farther from 0 than is proposed, and the test passes by many deviations */
static const DpemSelftestCase selftest[] = {
	{"linear regression", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, clip_norm => 1)", DPEM_SELFTEST_COUNTS_NULLS},
	{"linear regression, standardised", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6)", DPEM_SELFTEST_COUNTS_NULLS},
	{
		"linear regression by groups, standardised", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS
	},
	{
		"linear regression by groups, imputed, samples",
		"dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, clip_norm => 1, missing => 'impute', by => 'label', composition => 'rdp', sampling_rate => 0.5, " DPEM_SELFTEST_COMPLETE ")", DPEM_SELFTEST_DRAWS
	},
	{"linear regression, fourier", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, features => 'fourier', dimension => 8)", DPEM_SELFTEST_COUNTS_NULLS},
	{"linear regression, adassp", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, algorithm => 'adassp')", DPEM_SELFTEST_COUNTS_NULLS},
	{"linear regression, functional", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, algorithm => 'functional')", DPEM_SELFTEST_COUNTS_NULLS},
	{"linear regression, online", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, algorithm => 'online', order_column => 'a', batches => 8)", DPEM_SELFTEST_COUNTS_NULLS},
	{"linear regression, blocks", "dp_linreg_fit('dpem_selftest', 'c', 4, 1e-6, algorithm => 'blocks')", DPEM_SELFTEST_DRAWS | DPEM_SELFTEST_COUNTS_NULLS},
	{
		"linear regression, tested", "dp_linreg_fit('dpem_selftest', 'c', 8, 1e-6, algorithm => 'propose_test_release')", DPEM_SELFTEST_DRAWS | DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_ALIKE
	},
	{NULL}
};

const DpemFamily dpem_family_linreg = {
	.name = "linreg",.title = "a linear regression",.request_size = sizeof(DpemLinregRequest),
	.read = read_own,.plan = dpem_linreg_plan,.forecast = dpem_linreg_forecast,.run = dpem_linreg_run,.describe = describe,.emit = emit,
	.table = {
		{
			.name = "linreg_parameter",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_LINREG_TARGET] = {.column = "target",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_LINREG_SCALE] = {.column = "scale",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_LINREG_COEFFICIENT] = {.column = "coefficient",.shape = DPEM_FIELD_FEATURES,.loaded = true},
				[DPEM_LINREG_NOISE] = {.column = "noise",.shape = DPEM_FIELD_FEATURES},
				[DPEM_LINREG_MIDDLE] = {.column = "middle",.shape = DPEM_FIELD_FEATURES},
				[DPEM_LINREG_ERROR] = {.column = "error",.shape = DPEM_FIELD_FEATURES},
				[DPEM_LINREG_COVARIANCE] = {.column = "covariance",.shape = DPEM_FIELD_FEATURES_MATRIX,.loaded = true},
				[DPEM_LINREG_LOWER] = {.column = "target_lower",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_LINREG_UPPER] = {.column = "target_upper",.shape = DPEM_FIELD_NUMBER,.loaded = true}
			}
		},
		{
			.name = "linreg_quality",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_LINREG_R2 - DPEM_LINREG_TABLE2] = {.column = "r2",.shape = DPEM_FIELD_NUMBER,.nullable = true},
				[DPEM_LINREG_R2_NOISE - DPEM_LINREG_TABLE2] = {.column = "r2_noise",.shape = DPEM_FIELD_NUMBER,.nullable = true},
				[DPEM_LINREG_RESIDUAL - DPEM_LINREG_TABLE2] = {.column = "residual_variance",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_LINREG_RESIDUAL_NOISE - DPEM_LINREG_TABLE2] = {.column = "residual_noise",.shape = DPEM_FIELD_NUMBER,.loaded = true}
			}
		},
		{
			.name = "linreg_features",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_FOURIER_DIMENSION] = {.column = "dimension",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_FOURIER_WIDTH] = {.column = "width",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_FOURIER_SEED] = {.column = "seed",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_FOURIER_CENTER] = {.column = "center",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FOURIER_SCALE] = {.column = "scale",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_LINREG_ORDER - DPEM_LINREG_TABLE3] = {.column = "order_column",.shape = DPEM_FIELD_TEXT},
				[DPEM_LINREG_EDGE - DPEM_LINREG_TABLE3] = {.column = "edge",.shape = DPEM_FIELD_ARRAY},
				[DPEM_LINREG_MET - DPEM_LINREG_TABLE3] = {.column = "met",.shape = DPEM_FIELD_ARRAY},
				[DPEM_LINREG_MET_NOISE - DPEM_LINREG_TABLE3] = {.column = "met_noise",.shape = DPEM_FIELD_ARRAY}
			}
		}
	},
	.use = {.load = dpem_linreg_load,.predictor = dpem_linreg_predictor,.value = dpem_linreg_value,.domain = dpem_linreg_domain,.interval = dpem_linreg_interval,
	.target = dpem_linreg_target},
	.picture = {
		[DPEM_PICTURE_COEFFICIENTS] = {
			"SELECT column_name, across, across_stddev, coefficient, stddev FROM ("
				" SELECT coalesce(c.column_name, l.column_name) AS column_name, c.position, l.coefficient * w AS across, l.stddev * w AS across_stddev, l.coefficient, l.stddev,"
				"  row_number() OVER (ORDER BY abs(l.coefficient) * w DESC, position, l.column_name) AS line"
				" FROM dpem.linreg_coefficients l LEFT JOIN dpem.model_columns c ON c.model = l.model"
				"  AND c.column_name = l.column_name || coalesce('=' || l.category, ''),"
				" LATERAL (SELECT coalesce(dpem.to_scale(c.scale, upper) - dpem.to_scale(c.scale, lower), 1) AS w) s"
				" WHERE l.model = $1 AND l.column_name <> '(intercept)') r WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY position, column_name",
				"SELECT 'change of ' || target || ' from lower to upper bound' FROM dpem.linreg_models WHERE model = $1"
		},
		[DPEM_PICTURE_BATCHES] = {
			DPEM_BATCH_LINES("dpem.linreg_trajectories", "t.column_name || coalesce('=' || t.category, '')"),
				"SELECT 'change of ' || m.target || ' from lower to upper bound, batches in the order of ' || t.order_column"
				" FROM dpem.linreg_models m JOIN dpem.linreg_trajectories t USING (model) WHERE model = $1 LIMIT 1"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(linreg)
