/*
 * lda.c - dp_lda_fit: check arguments, plan, fit, store, emit rows; dp_lda_plan.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "families/lda/lda_arguments.h"
#include "families/lda/lda_store.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

#define SHOWN_TERMS	10			/* of each topic in the result */

PG_FUNCTION_INFO_V1(dp_lda_fit);
PG_FUNCTION_INFO_V1(dp_lda_plan);

static char *
store(const DpemLdaPlan *plan, const DpemLdaFit *fit)
{
	DpemModelRecord record = {
		.family = "lda",.charge = fit->charge,.maker = fit->maker,.k = fit->k,.mechanism = "joint",
		.estimator = plan->shrink ? "shrinkage" : "truncation"
	};
	DpemLdaRow row = {
		.k = fit->k,.terms = fit->terms,.alpha = plan->alpha,.lambda = fit->lambda,.part = fit->part
	};

	dpem_fit_record(&plan->fit, 0, &record);
	return dpem_model_save_lda(&record, &row);
}

/* the most probable terms, most probable first */
static Datum
top_terms(const double *lambda, char **vocabulary, int terms)
{
	int			shown = Min(terms, SHOWN_TERMS);
	int			top[SHOWN_TERMS];
	Datum		words[SHOWN_TERMS];
	int			n = 0;

	for (int v = 0; v < terms; v++)
	{
		int			at = n < shown ? n++ : shown - 1;

		if (at == shown - 1 && n == shown && v >= shown && !(lambda[v] > lambda[top[at]]))
			continue;
		for (; at > 0 && lambda[v] > lambda[top[at - 1]]; at--)
			top[at] = top[at - 1];
		top[at] = v;
	}
	for (int i = 0; i < n; i++)
		words[i] = CStringGetTextDatum(vocabulary[top[i]]);
	return PointerGetDatum(construct_array(words, n, TEXTOID, -1, false, TYPALIGN_INT));
}

static void
emit(FunctionCallInfo fcinfo, const DpemLdaPlan *plan, const DpemLdaFit *fit, const char *model)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	char	  **vocabulary = dpem_dataset_coordinates(plan->fit.dataset);
	bool		stored = model != NULL;

	InitMaterializedSRF(fcinfo, 0);
	for (int k = 0; k < fit->k; k++)
	{
		const double *lambda = fit->lambda + (size_t) k * fit->terms;
		Datum		values[6];
		bool		nulls[6] = {!stored, false, false, false, stored, fit->bound == NULL};

		values[0] = stored ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(k + 1);
		values[2] = Float8GetDatum(fit->part[k]);
		values[3] = top_terms(lambda, vocabulary, fit->terms);
		values[4] = stored ? (Datum) 0 : dpem_float8_array(lambda, fit->terms);
		values[5] = fit->bound ? dpem_float8_array(fit->bound, fit->iterations) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_lda_fit(dataset text, topics int, epsilon float8, ...) returns a row per
 * topic: its part of all words and its most probable terms; without noise,
 * where no model is stored, its parameters and the bound before each pass too.
 */
Datum
dp_lda_fit(PG_FUNCTION_ARGS)
{
	DpemLdaRequest *request = dpem_lda_arguments(fcinfo, "dp_lda_fit");
	DpemLdaPlan *plan;
	DpemLdaFit *fit;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_lda_plan(request);
	dpem_fit_claim_name(&plan->fit);
	fit = dpem_lda_fit(plan);
	dpem_fit_name_models(&plan->fit, "lda", fit->charge);
	emit(fcinfo, plan, fit, plan->fit.noisy ? store(plan, fit) : NULL);
	return (Datum) 0;
}

/*
 * dp_lda_plan(the arguments of dp_lda_fit): a row per statistic, in words, then
 * one for the whole fit.  Reads no row of the source, spends nothing.
 */
Datum
dp_lda_plan(PG_FUNCTION_ARGS)
{
	DpemLdaRequest *request = dpem_lda_arguments(fcinfo, "dp_lda_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_lda_forecast(dpem_lda_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
