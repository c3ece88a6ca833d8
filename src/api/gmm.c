/*
 * gmm.c - dp_gmm_fit: check arguments, plan, fit, store, emit rows.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "api/gmm_arguments.h"
#include "catalog/model_store.h"
#include "engine/gmm_request.h"

PG_FUNCTION_INFO_V1(dp_gmm_fit);

static char *
store(const DpemGmmPlan *plan, const DpemGmmFit *fit)
{
	const DpemGmmRequest *r = plan->request;
	size_t		d = (size_t) plan->d;
	DpemGmmRow *rows = palloc(r->k * sizeof(DpemGmmRow));
	DpemModelRecord record = {
		.name = r->model,.family = "gmm",.dataset = plan->dataset,.charge = fit->charge,
		.maker = fit->maker,
		.k = r->k,.d = plan->d,.covariance = dpem_gmm_shape_name(r->shape),
		.estimator = r->map ? "map" : "mle",.mechanism = r->mechanism,
		.composition = dpem_composition_name(plan->composition),
		.precondition = r->whiten ? "whiten" : "none",.iterations = plan->iterations,
		.epsilon = r->epsilon,.delta = r->delta
	};

	for (int k = 0; k < r->k; k++)
		rows[k] = (DpemGmmRow) {
		fit->gmm.weight[k], fit->weight_noise[k],
			fit->gmm.mean + k * d, fit->mean_noise + k * d,
			fit->gmm.covariance + k * d * d, fit->covariance_noise + k * d * d
	};
	return dpem_model_save_gmm(&record, rows);
}

static void
emit(FunctionCallInfo fcinfo, const DpemGmm *gmm, const char *model)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int k = 0; k < gmm->k; k++)
	{
		Datum		values[5];
		bool		nulls[5] = {model == NULL};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(k + 1);
		values[2] = Float8GetDatum(gmm->weight[k]);
		values[3] = dpem_float8_array(gmm->mean + (size_t) k * gmm->d, gmm->d);
		values[4] = dpem_float8_matrix(gmm->covariance + (size_t) k * gmm->d * gmm->d, gmm->d, gmm->d);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/*
 * dp_gmm_fit(dataset text, k int, epsilon float8, ...) returns one row per
 * component: weight, mean (d) and covariance (d x d) in the columns' units.
 */
Datum
dp_gmm_fit(PG_FUNCTION_ARGS)
{
	DpemGmmRequest *request = dpem_gmm_arguments(fcinfo, "dp_gmm_fit");
	DpemGmmPlan *plan;
	DpemGmmFit *fit;
	char	   *model = NULL;

	if (isfinite(request->epsilon) && !request->nominal)
		dpem_charge_require_possible(request->function);
	plan = dpem_gmm_plan(request);
	if (request->model)
		dpem_model_require_free_name(request->model);
	fit = dpem_gmm_fit(plan);
	if (plan->noisy)
		model = store(plan, fit);
	else if (request->nominal)
		ereport(NOTICE,
				(errmsg("this model is not private: its epsilon is a number only"),
				 errhint("It is not stored; keep it from whoever may not read the rows.")));
	emit(fcinfo, &fit->gmm, model);
	return (Datum) 0;
}
