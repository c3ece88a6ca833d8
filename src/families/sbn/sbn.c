/*
 * sbn.c - dp_sbn_fit: check arguments, plan, fit, store, emit rows; dp_sbn_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/sbn/sbn_arguments.h"
#include "families/sbn/sbn_store.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_sbn_fit);
PG_FUNCTION_INFO_V1(dp_sbn_plan);

static char *
store(const DpemSbnPlan *plan, const DpemSbnFit *fit)
{
	DpemModelRecord record = {
		.family = "sbn",.charge = fit->charge,.maker = fit->maker,.k = fit->hidden,.mechanism = "joint"
	};

	dpem_fit_record(&plan->fit, 0, &record);
	record.iterations = fit->iterations;
	return dpem_model_save_sbn(&record, fit->bias, fit->weight);
}

static void
emit(FunctionCallInfo fcinfo, const DpemSbnFit *fit, const char *model)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int k = 0; k <= fit->hidden; k++)
	{
		double		bias = k > 0 ? fit->bias[k - 1] : INFINITY;
		Datum		values[5];
		bool		nulls[5] = {model == NULL, false, k == 0};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(k);
		values[2] = Float8GetDatum(bias);
		values[3] = Float8GetDatum(1 / (1 + exp(-bias)));
		values[4] = dpem_float8_array(fit->weight + (size_t) k * fit->d, fit->d);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_sbn_fit(dataset text, hidden int, epsilon float8, ...) returns a row for
 * each unit, the constant one, whose weights are the visible biases, as unit 0.
 */
Datum
dp_sbn_fit(PG_FUNCTION_ARGS)
{
	DpemSbnRequest *request = dpem_sbn_arguments(fcinfo, "dp_sbn_fit");
	DpemSbnPlan *plan;
	DpemSbnFit *fit;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_sbn_plan(request);
	dpem_fit_claim_name(&plan->fit);
	fit = dpem_sbn_fit(plan);
	dpem_fit_name_models(&plan->fit, "sbn", fit->charge);
	emit(fcinfo, fit, plan->fit.noisy ? store(plan, fit) : NULL);
	return (Datum) 0;
}

/*
 * dp_sbn_plan(the arguments of dp_sbn_fit): a row per statistic, then one for
 * the whole fit.  Reads no row of the source, spends nothing.
 */
Datum
dp_sbn_plan(PG_FUNCTION_ARGS)
{
	DpemSbnRequest *request = dpem_sbn_arguments(fcinfo, "dp_sbn_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_sbn_forecast(dpem_sbn_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
