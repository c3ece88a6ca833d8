/*
 * logit.c - dp_logit_fit: check arguments, plan, fit, store, emit rows; dp_logit_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/logit/logit_arguments.h"
#include "families/logit/logit_store.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_logit_fit);
PG_FUNCTION_INFO_V1(dp_logit_plan);

/* the model's coordinates are those of rows: the constant is none */
static DpemDataset
without_constant(const DpemLogitPlan *plan)
{
	DpemDataset rows = *plan->fit.dataset;

	if (plan->request->fit.constant)
		rows.columns = list_truncate(list_copy(rows.columns), list_length(rows.columns) - 1);
	return rows;
}

static char *
store(const DpemLogitPlan *plan, const DpemLogitFit *fit, int group)
{
	DpemDataset rows = without_constant(plan);
	DpemModelRecord record = {
		.family = "logit",.charge = fit->charge,.maker = fit->maker,.k = 2,.mechanism = "joint"
	};
	DpemLogitRow row = {
		.label = rows.label,.n = fit->n,.mean = fit->mean,.covariance = fit->covariance,.noise = fit->noise
	};

	dpem_fit_record(&plan->fit, group, &record);
	record.dataset = &rows;
	record.d = fit->n - 1;
	return dpem_model_save_logit(&record, &row);
}

static void
emit(FunctionCallInfo fcinfo, const DpemLogitPlan *plan, const DpemLogitFit *fit, const char *model, const char *key)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemDataset rows = without_constant(plan);
	char	  **names = dpem_dataset_coordinates(&rows);

	for (int j = 0; j < fit->n; j++)
	{
		const double *covariance = fit->covariance + (size_t) j * fit->n;
		Datum		values[7];
		bool		nulls[7] = {model == NULL, false, false, false, false, false, key == NULL};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = CStringGetTextDatum(j < fit->n - 1 ? names[j] : "(intercept)");
		values[2] = Float8GetDatum(fit->mean[j]);
		values[3] = Float8GetDatum(sqrt(fmax(covariance[j], 0)));
		values[4] = Float8GetDatum(fit->noise[j]);
		values[5] = dpem_float8_array(covariance, fit->n);
		values[6] = key ? CStringGetTextDatum(key) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_logit_fit(dataset text, label text, epsilon float8, ...) returns the
 * posterior of each coefficient, and of the intercept in the last row, in the
 * columns' own units, and the category whose rows it is of.
 */
Datum
dp_logit_fit(PG_FUNCTION_ARGS)
{
	DpemLogitRequest *request = dpem_logit_arguments(fcinfo, "dp_logit_fit");
	DpemLogitPlan *plan;
	DpemLogitFit *fit;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_logit_plan(request);
	dpem_fit_claim_name(&plan->fit);
	fit = dpem_logit_fit(plan);
	dpem_fit_name_models(&plan->fit, "logit", fit->charge);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit(fcinfo, plan, &fit[g], plan->fit.noisy ? store(plan, &fit[g], g) : NULL, dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/*
 * dp_logit_plan(the arguments of dp_logit_fit): a row per statistic, then one
 * for the whole fit.  Reads no row of the source, spends nothing.
 */
Datum
dp_logit_plan(PG_FUNCTION_ARGS)
{
	DpemLogitRequest *request = dpem_logit_arguments(fcinfo, "dp_logit_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_logit_forecast(dpem_logit_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
