/*
 * synth.c - marginals and synthetic rows: dp_synth_fit, dp_synth_plan.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "families/synth/synth.h"
#include "fit/fit_arguments.h"

#define MOST_ROUNDS 1000

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemSynthRequest *r = (DpemSynthRequest *) request;

	r->workload = dpem_named_text_list(arguments, "workload");
	r->label = dpem_optional_named_text(arguments, "label", true);
	r->bins = dpem_is_given(arguments, "bins") ? dpem_named_int_between(arguments, "bins", 2, DPEM_SYNTH_SIZE - 1) : 0;
	r->rounds = dpem_is_given(arguments, "rounds") ? dpem_named_int_between(arguments, "rounds", 1, MOST_ROUNDS) : 0;
	request->bind.categories = true;
	request->bind.missing = true;
	request->bind.constants = true;
}

static Datum
names_of(const DpemSynthPlan *plan, const DpemFieldArray *members)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	Datum	   *name = palloc(members->n * sizeof(Datum));

	for (int i = 0; i < members->n; i++)
		name[i] = CStringGetTextDatum(bound[plan->column[(int) members->number[i] - 1].first]->name);
	return PointerGetDatum(construct_array(name, members->n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* a row for each released table */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	const DpemFieldArray *members = model->value[DPEM_SYNTH_MEMBERS];
	const DpemFieldArray *value = model->value[DPEM_SYNTH_VALUE];

	for (int t = 0; t < model->k; t++)
	{
		dpem_fit_row(rows);
		dpem_fit_put(rows, "marginal", Int32GetDatum(t + 1));
		dpem_fit_put(rows, "columns", names_of((const DpemSynthPlan *) plan, &members[t]));
		dpem_fit_put(rows, "cells", Int32GetDatum(value[t].n));
		dpem_fit_put_number(rows, "noise_stddev", plan->noisy ? dpem_model_numbers(model, DPEM_SYNTH_NOISE)[t] : 0);
		dpem_fit_row_end(rows);
	}
}

#define CALL(more) "dp_synth_fit('dpem_selftest', 4, 1e-6, bins => 4, rounds => 2" more ")"

static const DpemSelftestCase selftest[] = {
	{"marginals", CALL(""), DPEM_SELFTEST_COUNTS_NULLS},
	{"marginals with a label", CALL(", label => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"marginals by groups", CALL(", by => 'label'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"marginals at once", "dp_synth_fit('dpem_selftest', 8, 1e-6, bins => 4)", DPEM_SELFTEST_COUNTS_NULLS},
	{"marginals in placed bins", "dp_synth_fit('dpem_selftest', 4, 1e-6, rounds => 2)", DPEM_SELFTEST_COUNTS_NULLS},
	{"marginals in placed bins by groups", "dp_synth_fit('dpem_selftest', 4, 1e-6, rounds => 2, by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	{NULL}
};

const DpemFamily dpem_family_synth = {
	.name = "synth",.title = "a set of marginals",.request_size = sizeof(DpemSynthRequest),
	.read = read_own,.plan = dpem_synth_plan,.forecast = dpem_synth_forecast,.run = dpem_synth_run,.emit = emit,
	.table = {
		{
			.name = "synth_model",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_SYNTH_LABEL] = {.column = "label",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_SYNTH_TOTAL] = {.column = "total",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_SYNTH_COLUMN] = {.column = "shape",.shape = DPEM_FIELD_ARRAY,.loaded = true},
				[DPEM_SYNTH_GROUP] = {.column = "groups",.shape = DPEM_FIELD_ARRAY,.loaded = true},
				[DPEM_SYNTH_ASSOCIATION] = {.column = "association",.shape = DPEM_FIELD_ARRAY,.loaded = true},
				[DPEM_SYNTH_EDGE] = {.column = "edges",.shape = DPEM_FIELD_ARRAY,.loaded = true}
			}
		},
		{
			.name = "synth_marginal",.number = "marginal",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_SYNTH_MEMBERS - DPEM_SYNTH_TABLE2] = {.column = "members",.shape = DPEM_FIELD_ARRAY,.loaded = true},
				[DPEM_SYNTH_LEVEL - DPEM_SYNTH_TABLE2] = {.column = "level",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_SYNTH_NOISE - DPEM_SYNTH_TABLE2] = {.column = "noise",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_SYNTH_VALUE - DPEM_SYNTH_TABLE2] = {.column = "value",.shape = DPEM_FIELD_ARRAY,.loaded = true},
				[DPEM_SYNTH_THETA - DPEM_SYNTH_TABLE2] = {.column = "theta",.shape = DPEM_FIELD_ARRAY,.loaded = true}
			}
		}
	},
	.use = {
		.load = dpem_synth_load,.missing = true,.predict = dpem_synth_predict,.label = dpem_synth_predict_label,
		.posterior = dpem_synth_label_posterior,.log_density = dpem_synth_row_density,.discrete = true,.binned = true,
		.sample = dpem_synth_draw,.tables = dpem_synth_expected
	},
	.picture = {
		[DPEM_PICTURE_LOADINGS] = {
			"SELECT column_a, association FROM (SELECT a.column_a, a.position_a, a.position_b, a.association,"
				" max(a.position_a) OVER () AS n FROM dpem.synth_associations a WHERE a.model = $1) s"
				" WHERE position_a <= " CppAsString2(DPEM_SVG_LINES) " AND position_b <= " DPEM_PICTURE_HEADS
				" ORDER BY position_a, position_b",
				"Mutual information over the lesser entropy: 0 independent, 1 one follows from the other",
				"column"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(synth)
