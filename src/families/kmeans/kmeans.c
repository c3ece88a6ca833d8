/*
 * kmeans.c - dp_kmeans_fit: check arguments, plan, fit, store, emit rows; dp_kmeans_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/kmeans/kmeans_arguments.h"
#include "families/kmeans/kmeans_store.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_kmeans_fit);
PG_FUNCTION_INFO_V1(dp_kmeans_plan);

static char *
store(const DpemKmeansPlan *plan, const DpemKmeansFit *fit, int group)
{
	DpemModelRecord record = {
		.family = "kmeans",.charge = fit->charge,.maker = fit->maker,.k = fit->means.k,
		.mechanism = plan->algorithm->name
	};

	dpem_fit_record(&plan->fit, group, &record);
	return dpem_model_save_kmeans(&record, &fit->means);
}

static void
emit(FunctionCallInfo fcinfo, const DpemKmeans *means, const char *model, const char *key)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int k = 0; k < means->k; k++)
	{
		Datum		values[5];
		bool		nulls[5] = {model == NULL, false, isnan(means->weight[k]), false, key == NULL};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(k + 1);
		values[2] = Float8GetDatum(means->weight[k]);
		values[3] = dpem_float8_array(means->centre + (size_t) k * means->d, means->d);
		values[4] = key ? CStringGetTextDatum(key) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_kmeans_fit(dataset text, k int, epsilon float8, ...) returns one row per
 * cluster: the share of rows nearest to its centre, and the centre in the
 * columns' units, and the category whose clusters it is of.
 */
Datum
dp_kmeans_fit(PG_FUNCTION_ARGS)
{
	DpemKmeansRequest *request = dpem_kmeans_arguments(fcinfo, "dp_kmeans_fit");
	DpemKmeansPlan *plan;
	DpemKmeansFit *fit;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_kmeans_plan(request);
	dpem_fit_claim_name(&plan->fit);
	fit = dpem_kmeans_fit(plan);
	dpem_fit_name_models(&plan->fit, "kmeans", fit->charge);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit(fcinfo, &fit[g].means, plan->fit.noisy ? store(plan, &fit[g], g) : NULL, dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/*
 * dp_kmeans_plan(the arguments of dp_kmeans_fit): a row per statistic, then one
 * for the whole fit.  Reads no row of the source, spends nothing.
 */
Datum
dp_kmeans_plan(PG_FUNCTION_ARGS)
{
	DpemKmeansRequest *request = dpem_kmeans_arguments(fcinfo, "dp_kmeans_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_kmeans_forecast(dpem_kmeans_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
