/*
 * bayes.c - naive Bayes classifiers: dp_bayes_fit, dp_bayes_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/bayes/bayes.h"
#include "fit/fit_arguments.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	request->bind.class_column = dpem_named_text(arguments, "label");
	request->bind.categories = true;
	request->bind.missing = true;
}

/* a cell of a class */
static void
emit_row(const DpemModel *model, int class, int cell, const DpemColumn *column, const char *category, DpemFitRows *rows)
{
	dpem_fit_row(rows);
	dpem_fit_put(rows, "class", CStringGetTextDatum(((char *const *) model->value[DPEM_BAYES_CATEGORY])[class]));
	dpem_fit_put_number(rows, "weight", dpem_model_numbers(model, DPEM_BAYES_WEIGHT)[class]);
	dpem_fit_put(rows, "column_name", CStringGetTextDatum(column->name));
	if (category != NULL)
		dpem_fit_put(rows, "category", CStringGetTextDatum(category));
	dpem_fit_put_number(rows, "lower", category ? NAN : dpem_model_numbers(model, DPEM_BAYES_LOWER)[cell]);
	dpem_fit_put_number(rows, "upper", category ? NAN : dpem_model_numbers(model, DPEM_BAYES_UPPER)[cell]);
	dpem_fit_put_number(rows, "probability", dpem_model_numbers(model, DPEM_BAYES_PROBABILITY)[(size_t) class * model->cells + cell]);
	dpem_fit_put_number(rows, "noise_stddev", dpem_model_numbers(model, DPEM_BAYES_NOISE)[class]);
	dpem_fit_row_end(rows);
}

static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);
	char	  **category = dpem_binding_categories(plan->binding);
	const double *coordinate = dpem_model_numbers(model, DPEM_BAYES_COORDINATE);

	for (int c = 0; c < model->k; c++)
		for (int i = 0; i < model->cells; i++)
		{
			int			j = (int) coordinate[i] - 1;

			emit_row(model, c, i, column[j], category[j], rows);
		}
}

static const DpemSelftestCase selftest[] = {
	{"naive Bayes", "dp_bayes_fit('dpem_selftest', 'label', 4, 1e-6)", DPEM_SELFTEST_COUNTS_NULLS},
	{"naive Bayes by groups", "dp_bayes_fit('dpem_selftest', 'label', 4, 1e-6, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	{"feature ranking", "dp_feature_ranking('dpem_selftest', 'label', 4, 1e-6, columns => '{a,b,c}')", DPEM_SELFTEST_COUNTS_NULLS},
	{NULL}
};

const DpemFamily dpem_family_bayes = {
	.name = "bayes",.title = "a naive Bayes classifier",.request_size = sizeof(DpemFitRequest),
	.read = read_own,.plan = dpem_bayes_plan,.run = dpem_bayes_run,.emit = emit,
	.table = {
		{
			.name = "bayes_class",.number = "class",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_BAYES_CATEGORY] = {.column = "category",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_BAYES_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_BAYES_WEIGHT_NOISE] = {.column = "weight_noise",.shape = DPEM_FIELD_NUMBER},
				[DPEM_BAYES_PROBABILITY] = {.column = "probability",.shape = DPEM_FIELD_CELLS,.loaded = true},
				[DPEM_BAYES_NOISE] = {.column = "noise",.shape = DPEM_FIELD_NUMBER}
			}
		},
		{
			.name = "bayes_cell",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_BAYES_LABEL - DPEM_BAYES_TABLE2] = {.column = "label",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_BAYES_POWER - DPEM_BAYES_TABLE2] = {.column = "power",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_BAYES_COORDINATE - DPEM_BAYES_TABLE2] = {.column = "coordinate",.shape = DPEM_FIELD_CELLS,.loaded = true},
				[DPEM_BAYES_LOWER - DPEM_BAYES_TABLE2] = {.column = "lower",.shape = DPEM_FIELD_CELLS},
				[DPEM_BAYES_UPPER - DPEM_BAYES_TABLE2] = {.column = "upper",.shape = DPEM_FIELD_CELLS,.loaded = true}
			}
		}
	},
	.use = {
		.load = dpem_bayes_load,.predictor = dpem_bayes_predictor,.missing = true,.binned = true,.predict = dpem_bayes_predict,.label = dpem_bayes_label,
		.posterior = dpem_bayes_probabilities,.target = dpem_bayes_target,.category = dpem_bayes_category
	},
	.picture = {
		[DPEM_PICTURE_COEFFICIENTS] = {
			"SELECT line_name, probability, noise_stddev, probability, noise_stddev FROM ("
				" SELECT p.*, b.category || ': ' || p.column_name || CASE WHEN p.category IS NOT NULL THEN ' = ' || p.category"
				"  ELSE ' from ' || to_char(p.lower, 'FM9999999999990.0999') END AS line_name,"
				"  row_number() OVER (ORDER BY p.probability DESC, p.class, p.column_name, p.category, p.lower) AS line"
				" FROM dpem.bayes_parameters p JOIN dpem.bayes_classes b USING (model, class) WHERE p.model = $1) r"
				" WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY class, column_name, category, lower",
				"SELECT 'the largest probabilities in rows of each class of ' || label FROM dpem.bayes_classes WHERE model = $1 LIMIT 1"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(bayes)
