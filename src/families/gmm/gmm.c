/*
 * gmm.c - dp_gmm_fit: check arguments, plan, fit, store, emit rows; dp_gmm_plan.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/gmm/gmm_arguments.h"
#include "families/gmm/gmm_forecast.h"
#include "families/gmm/gmm_store.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_gmm_fit);
PG_FUNCTION_INFO_V1(dp_gmm_plan);

static char *
store(const DpemGmmPlan *plan, const DpemGmmFit *fit, int group)
{
	const DpemGmmRequest *r = plan->request;
	size_t		d = (size_t) plan->fit.d;
	DpemGmmRow *rows = palloc(r->k * sizeof(DpemGmmRow));
	DpemModelRecord record = {
		.family = "gmm",.charge = fit->charge,.maker = fit->maker,
		.k = r->k,.covariance = dpem_gmm_shape_name(r->shape),
		.estimator = r->map ? "map" : "mle",.mechanism = r->mechanism,
		.precondition = r->whiten ? "whiten" : "none"
	};

	dpem_fit_record(&plan->fit, group, &record);
	for (int k = 0; k < r->k; k++)
		rows[k] = (DpemGmmRow) {
		fit->gmm.weight[k], fit->weight_noise[k],
			fit->gmm.mean + k * d, fit->mean_noise + k * d,
			fit->gmm.covariance + k * d * d, fit->covariance_noise + k * d * d
	};
	return dpem_model_save_gmm(&record, rows);
}

static void
emit(FunctionCallInfo fcinfo, const DpemGmm *gmm, const char *model, const char *key)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int k = 0; k < gmm->k; k++)
	{
		Datum		values[6];
		bool		nulls[6] = {model == NULL, false, false, false, false, key == NULL};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(k + 1);
		values[2] = Float8GetDatum(gmm->weight[k]);
		values[3] = dpem_float8_array(gmm->mean + (size_t) k * gmm->d, gmm->d);
		values[4] = dpem_float8_matrix(gmm->covariance + (size_t) k * gmm->d * gmm->d, gmm->d, gmm->d);
		values[5] = key ? CStringGetTextDatum(key) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_gmm_fit(dataset text, k int, epsilon float8, ...) returns one row per
 * component: weight, mean (d) and covariance (d x d) in the columns' units,
 * and the category whose mixture it is of.
 */
Datum
dp_gmm_fit(PG_FUNCTION_ARGS)
{
	DpemGmmRequest *request = dpem_gmm_arguments(fcinfo, "dp_gmm_fit");
	DpemGmmPlan *plan;
	DpemGmmFit *fit;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_gmm_plan(request);
	dpem_fit_claim_name(&plan->fit);
	fit = dpem_gmm_fit(plan);
	dpem_fit_name_models(&plan->fit, "gmm", fit->charge);
	if (request->fit.nominal)
		ereport(NOTICE,
				(errmsg("this model is not private: its epsilon is a number only"),
				 errhint("It is not stored; keep it from whoever may not read the rows.")));
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit(fcinfo, &fit[g].gmm, plan->fit.noisy ? store(plan, &fit[g], g) : NULL, dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/*
 * dp_gmm_plan(the arguments of dp_gmm_fit): a row per statistic, then one for
 * the whole fit.  Reads no row of the source, spends nothing.
 */
Datum
dp_gmm_plan(PG_FUNCTION_ARGS)
{
	DpemGmmRequest *request = dpem_gmm_arguments(fcinfo, "dp_gmm_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_gmm_forecast(dpem_gmm_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
