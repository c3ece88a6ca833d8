/*
 * mixture.c - mixtures of numbers and categories: dp_mixture_fit, dp_mixture_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/mixture/mixture.h"
#include "fit/fit_arguments.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemMixtureRequest *r = (DpemMixtureRequest *) request;

	r->k = dpem_named_sizes(arguments, "k", request);
	if (r->k < 1 || r->k > DPEM_MIXTURE_MAX_COMPONENTS)
		dpem_fit_bad_argument("k", psprintf("%d", r->k), psprintf("between 1 and %d", DPEM_MIXTURE_MAX_COMPONENTS));
	dpem_refuse_choice(request, request->bind.by != NULL, "by", "Choose k without by, then fit by groups with that k.");
	dpem_refuse_choice(request, request->iterations == 1, "iterations => 1", "Give at least 2: one for the choice, and one for the k chosen.");
	r->poisson = dpem_named_text_list(arguments, "poisson");
	request->bind.categories = true;
	request->bind.missing = true;
}

/* a coordinate of a component */
static void
emit_row(const DpemFitPlan *plan, const DpemModel *model, int c, int j, const DpemColumn *column, const char *category,
		 DpemFitRows *rows)
{
	size_t		at = (size_t) c * model->d + j;
	double		variance = dpem_model_numbers(model, DPEM_MIXTURE_VARIANCE)[at];

	dpem_fit_row(rows);
	dpem_fit_put(rows, "component", Int32GetDatum(c + 1));
	dpem_fit_put_number(rows, "weight", dpem_model_numbers(model, DPEM_MIXTURE_WEIGHT)[c]);
	dpem_fit_put(rows, "column_name", CStringGetTextDatum(column->name));
	if (category != NULL)
		dpem_fit_put(rows, "category", CStringGetTextDatum(category));
	dpem_fit_put_number(rows, "mean", dpem_model_numbers(model, DPEM_MIXTURE_MEAN)[at]);
	dpem_fit_put_number(rows, "stddev", category == NULL ? sqrt(variance) : NAN);
	dpem_fit_put_number(rows, "noise_stddev", plan->noisy ? dpem_model_numbers(model, DPEM_MIXTURE_MEAN_NOISE)[at] : 0);
	dpem_fit_row_end(rows);
}

static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **category = dpem_binding_categories(plan->binding);

	for (int c = 0; c < model->k; c++)
	{
		ListCell   *cell;
		int			j = 0;

		foreach(cell, plan->binding->columns)
		{
			const DpemColumn *column = lfirst(cell);

			for (int i = 0; i < column->length && j < model->d; i++, j++)
				emit_row(plan, model, c, j, column, category[j], rows);
		}
	}
}

#define CALL(k, epsilon, more) "dp_mixture_fit('dpem_selftest', " #k ", " #epsilon ", 1e-6" more ")"

static const DpemSelftestCase selftest[] = {
	{"mixture", CALL(3, 4, ", iterations => 2"), DPEM_SELFTEST_COUNTS_NULLS},
	{"mixture of counts", CALL(2, 4, ", iterations => 2, columns => '{label}'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"mixture, one component", CALL(1, 4, ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"mixture among several", "dp_mixture_fit('dpem_selftest', '{1,2,3}'::text, 4, 1e-6, iterations => 4)", DPEM_SELFTEST_COUNTS_NULLS},
	{"mixture by groups", CALL(2, 4, ", iterations => 2, by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"mixture by groups, samples", CALL(2, 4, ", iterations => 4, by => 'label', composition => 'rdp', sampling_rate => 0.5, " DPEM_SELFTEST_COMPLETE ""), DPEM_SELFTEST_DRAWS},
	{"mixture, own frames", CALL(2, 60, ", by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_OWN_FRAMES},
	{NULL}
};

const DpemFamily dpem_family_mixture = {
	.name = "mixture",.title = "a mixture of numbers and categories",.request_size = sizeof(DpemMixtureRequest),
	.read = read_own,.plan = dpem_mixture_plan,.run = dpem_mixture_run,.emit = emit,
	.table = {
		{
			.name = "mixture_parameter",.number = "component",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_MIXTURE_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_MIXTURE_WEIGHT_NOISE] = {.column = "weight_noise",.shape = DPEM_FIELD_NUMBER},
				[DPEM_MIXTURE_MEAN] = {.column = "mean",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_MIXTURE_VARIANCE] = {.column = "variance",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_MIXTURE_MEAN_NOISE] = {.column = "mean_noise",.shape = DPEM_FIELD_VECTOR},
				[DPEM_MIXTURE_LAW] = {.column = "law",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true},
				[DPEM_MIXTURE_ATOM] = {.column = "atom_share",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_MIXTURE_ATOM_LOWER] = {.column = "atom_lower",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true},
				[DPEM_MIXTURE_ATOM_UPPER] = {.column = "atom_upper",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true},
				[DPEM_MIXTURE_REST_SCALE] = {.column = "rest_scale",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true}
			}
		}
	},
	.use = {
		.load = dpem_mixture_load,.missing = true,.predict = dpem_mixture_predict,.posterior = dpem_mixture_posterior,
		.log_density = dpem_mixture_log_density,.sample = dpem_mixture_sample
	},
	.picture = {
		[DPEM_PICTURE_LOADINGS] = {
			DPEM_LARGEST_LINES(
				"SELECT c.column_name, c.position, p.component AS head, (p.mean - t.mean) / t.stddev AS v"
				" FROM dpem.mixture_parameters p JOIN dpem.model_columns c ON c.model = p.model"
				"  AND c.source_column = p.column_name AND c.category IS NOT DISTINCT FROM p.category,"
				" LATERAL (SELECT sum(o.weight * q.mean) AS mean, sqrt(greatest(sum(o.weight * (q.mean ^ 2 + coalesce(q.stddev ^ 2, q.mean * (1 - q.mean))))"
				"   - sum(o.weight * q.mean) ^ 2, 1e-300)) AS stddev FROM dpem.mixture_parameters q JOIN dpem.mixture_components o USING (model, component)"
				"   WHERE q.model = p.model AND q.column_name = p.column_name AND q.category IS NOT DISTINCT FROM p.category) t"
				" WHERE p.model = $1 AND p.component <= " DPEM_PICTURE_HEADS),
				"Means and shares of categories less those of all rows, in standard deviations of all rows",
				"component"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(mixture)
