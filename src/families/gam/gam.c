/*
 * gam.c - additive models: dp_gam_fit, dp_gam_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/gam/gam.h"
#include "fit/fit_arguments.h"

#define NORMAL_95 1.959963984540054	/* 97.5 % quantile */

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemGamRequest *r = (DpemGamRequest *) request;

	request->bind.target = dpem_named_text(arguments, "target");
	request->bind.target_classes = true;
	request->bind.categories = true;
	request->bind.missing = true;
	if (dpem_is_given(arguments, "bins"))
		r->bins = dpem_named_int_between(arguments, "bins", 2, DPEM_GAM_MAX_BINS);
	dpem_gam_read_pairs(arguments, r);
	r->prior_variance = dpem_named_magnitude(arguments, "prior_variance", DPEM_LEAST_NUMBER, 0);
}

static const char *
class_of(const DpemModel *model, int row)
{
	const char *class = ((char *const *) model->value[DPEM_GAM_CLASS])[row];

	return class[0] != '\0' || ((char *const *) model->value[DPEM_GAM_NEGATIVE])[0][0] != '\0' ? class : NULL;
}

/* of a label the column's words, of a number none */
static void
put_cell(const DpemColumn *column, int bin, bool second, DpemFitRows *rows)
{
	dpem_fit_put(rows, second ? "second_bin" : "bin", Int32GetDatum(bin));
	if (column->words != NULL && bin > 0)
		dpem_fit_put(rows, second ? "second_category" : "category", CStringGetTextDatum(column->words[bin - 1]));
}

static void
emit_cell(const DpemFitPlan *plan, const DpemModel *model, int row, const DpemColumn **column, DpemFitRows *rows)
{
	int			place = (int) dpem_model_numbers(model, DPEM_GAM_PLACE)[row];
	double		contribution = dpem_model_numbers(model, DPEM_GAM_CONTRIBUTION)[row];
	double		error = dpem_model_numbers(model, DPEM_GAM_ERROR)[row];
	int			other = (int) dpem_model_numbers(model, DPEM_GAM_OTHER_PLACE)[row];
	const char *class = class_of(model, row);
	const char *name = place == 0 ? "(intercept)" : column[place - 1]->name;

	dpem_fit_row(rows);
	if (class != NULL)
		dpem_fit_put(rows, "class", CStringGetTextDatum(class));
	dpem_fit_put(rows, "column_name", CStringGetTextDatum(other > 0 ? psprintf("%s:%s", name, column[other - 1]->name) : name));
	if (place > 0)
		put_cell(column[place - 1], (int) dpem_model_numbers(model, DPEM_GAM_BIN)[row], false, rows);
	if (other > 0)
		put_cell(column[other - 1], (int) dpem_model_numbers(model, DPEM_GAM_OTHER_BIN)[row], true, rows);
	dpem_fit_put_number(rows, "lower", dpem_model_numbers(model, DPEM_GAM_LOWER)[row]);
	dpem_fit_put_number(rows, "upper", dpem_model_numbers(model, DPEM_GAM_UPPER)[row]);
	dpem_fit_put_number(rows, "second_lower", dpem_model_numbers(model, DPEM_GAM_OTHER_LOWER)[row]);
	dpem_fit_put_number(rows, "second_upper", dpem_model_numbers(model, DPEM_GAM_OTHER_UPPER)[row]);
	dpem_fit_put_number(rows, "contribution", contribution);
	dpem_fit_put_number(rows, "stddev", error);
	dpem_fit_put_number(rows, "noise_stddev", dpem_model_numbers(model, DPEM_GAM_NOISE)[row]);
	dpem_fit_put_number(rows, "ci_lower", contribution - NORMAL_95 * error);
	dpem_fit_put_number(rows, "ci_upper", contribution + NORMAL_95 * error);
	dpem_fit_row_end(rows);
}

static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);

	for (int row = 0; row < model->k; row++)
		emit_cell(plan, model, row, column, rows);
}

/* where bins are joined, which is not done to a number of them that is asked for */
#define GAM_JOINED(target, more) "dp_gam_fit('dpem_selftest', '" target "', 4, 1e-6" more ")"
#define GAM(target, more) GAM_JOINED(target, ", bins => 4" more)

static const DpemSelftestCase selftest[] = {
	{"additive model of a label", GAM("label", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model of a number", GAM("c", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model, one pass", GAM("c", ", iterations => 1"), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model by groups", GAM("c", ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model of a label by groups", GAM("label", ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model with a chosen pair", GAM("c", ", pairs => 1, iterations => 4"), DPEM_SELFTEST_COUNTS_NULLS},
	{"joined additive model of a label", GAM_JOINED("label", ", iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS},
	{"joined additive model of a number", GAM_JOINED("c", ", iterations => 3"), DPEM_SELFTEST_COUNTS_NULLS},
	{"joined additive model by groups", GAM_JOINED("c", ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"joined additive model of a label by groups", GAM_JOINED("label", ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"joined additive model with a chosen pair", GAM_JOINED("c", ", pairs => 1, iterations => 4"), DPEM_SELFTEST_COUNTS_NULLS},
	{"additive model of three classes", GAM("label", ""), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"joined additive model of three classes by groups", GAM_JOINED("label", ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"additive model by groups, samples", GAM("c", ", iterations => 4, by => 'label', composition => 'rdp', sampling_rate => 0.5, " DPEM_SELFTEST_COMPLETE ""), DPEM_SELFTEST_DRAWS},
	{NULL}
};

const DpemFamily dpem_family_gam = {
	.name = "gam",.title = "an additive model",.request_size = sizeof(DpemGamRequest),
	.read = read_own,.plan = dpem_gam_plan,.forecast = dpem_gam_forecast,.run = dpem_gam_run,.emit = emit,
	.table = {
		{
			.name = "gam_parameter",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_GAM_TARGET] = {.column = "target",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_GAM_SCALE] = {.column = "scale",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_GAM_NEGATIVE] = {.column = "negative",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_GAM_RESIDUAL] = {.column = "residual_variance",.shape = DPEM_FIELD_NUMBER,.loaded = true,.nullable = true},
				[DPEM_GAM_TARGET_LOWER] = {.column = "target_lower",.shape = DPEM_FIELD_NUMBER,.loaded = true,.nullable = true},
				[DPEM_GAM_TARGET_UPPER] = {.column = "target_upper",.shape = DPEM_FIELD_NUMBER,.loaded = true,.nullable = true}
			}
		},
		{
			.name = "gam_cell",.number = "cell",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_GAM_CLASS - DPEM_GAM_CLASS] = {.column = "class",.shape = DPEM_FIELD_TEXT,.loaded = true},
				[DPEM_GAM_PLACE - DPEM_GAM_CLASS] = {.column = "place",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_BIN - DPEM_GAM_CLASS] = {.column = "bin",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_LOWER - DPEM_GAM_CLASS] = {.column = "lower",.shape = DPEM_FIELD_NUMBER,.nullable = true},
				[DPEM_GAM_UPPER - DPEM_GAM_CLASS] = {.column = "upper",.shape = DPEM_FIELD_NUMBER,.loaded = true,.nullable = true},
				[DPEM_GAM_CONTRIBUTION - DPEM_GAM_CLASS] = {.column = "contribution",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_ERROR - DPEM_GAM_CLASS] = {.column = "error",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_NOISE - DPEM_GAM_CLASS] = {.column = "noise",.shape = DPEM_FIELD_NUMBER},
				[DPEM_GAM_OTHER_PLACE - DPEM_GAM_CLASS] = {.column = "other_place",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_OTHER_BIN - DPEM_GAM_CLASS] = {.column = "other_bin",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_GAM_OTHER_LOWER - DPEM_GAM_CLASS] = {.column = "other_lower",.shape = DPEM_FIELD_NUMBER,.nullable = true},
				[DPEM_GAM_OTHER_UPPER - DPEM_GAM_CLASS] = {.column = "other_upper",.shape = DPEM_FIELD_NUMBER,.nullable = true}
			}
		}
	},
	.use = {
		.load = dpem_gam_load,.predictor = dpem_gam_predictor,.missing = true,.binned = true,.predict = dpem_gam_predict,.value = dpem_gam_value,
		.domain = dpem_gam_domain,.interval = dpem_gam_interval,.label = dpem_gam_label,.posterior = dpem_gam_posterior,
		.draw = dpem_gam_draw,.is_number = dpem_gam_is_number,.target = dpem_gam_target,.category = dpem_gam_category
	},
	.picture = {
		[DPEM_PICTURE_COEFFICIENTS] = {
			"SELECT line_name, contribution, stddev, contribution, stddev FROM ("
				" SELECT s.*, s.column_name || " DPEM_GAM_CELL_NAME("") " || CASE WHEN s.second_bin IS NOT NULL"
				"  THEN ' and' || " DPEM_GAM_CELL_NAME("second_") " ELSE '' END AS line_name,"
				"  row_number() OVER (ORDER BY abs(s.contribution) DESC, s.class, s.position, s.bin, s.second_bin) AS line"
				" FROM dpem.gam_shapes s WHERE s.model = $1 AND s.position > 0) r"
				" WHERE line <= " CppAsString2(DPEM_SVG_LINES) " ORDER BY class, second_position NULLS FIRST, position, bin, second_bin",
				"SELECT 'the largest contributions to ' || target || coalesce(' = ' || max(class), '') FROM dpem.gam_shapes"
				" WHERE model = $1 GROUP BY target"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(gam)
