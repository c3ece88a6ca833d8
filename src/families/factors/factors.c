/*
 * factors.c - dp_fa_fit, dp_pca_fit and their plans: check arguments, plan,
 * fit, store, emit rows.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/factors/factors_arguments.h"
#include "families/factors/factors_store.h"
#include "families/factors/pca_algorithm.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_fa_fit);
PG_FUNCTION_INFO_V1(dp_fa_plan);
PG_FUNCTION_INFO_V1(dp_pca_fit);
PG_FUNCTION_INFO_V1(dp_pca_plan);

static DpemFactorsPlan *
make_plan(const DpemFactorsRequest *request)
{
	DpemFactorsPlan *plan;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_factors_plan(request);
	dpem_fit_claim_name(&plan->fit);
	return plan;
}

static DpemModelRecord
make_record(const DpemFactorsPlan *plan, const DpemFactorsFrame *frame, int group)
{
	const DpemFactorsRequest *r = plan->request;
	DpemModelRecord record = {
		.family = r->algorithm ? "pca" : "fa",.charge = frame->charge,.maker = frame->maker,.k = frame->k,
		.precondition = plan->narrow ? "radius" : "none",
		.mechanism = r->algorithm ? r->algorithm->name : dpem_pca_analyze_gauss.name
	};

	dpem_fit_record(&plan->fit, group, &record);
	return record;
}

static Datum
forecast(FunctionCallInfo fcinfo, const DpemFactorsRequest *request)
{
	DpemForecast rows;

	dpem_require_plannable(&request->fit);
	dpem_factors_forecast(dpem_factors_plan(request), &rows);
	dpem_emit_forecast(fcinfo, &rows);
	return (Datum) 0;
}

/* ---- factor analysis ------------------------------------------------------- */

static char *
store_fa(const DpemFactorsPlan *plan, const DpemFaFit *fit, int group)
{
	DpemModelRecord record = make_record(plan, &fit->frame, group);
	DpemFaRow	row = {
		.mean = fit->frame.mean,.mean_noise = fit->frame.mean_noise,
		.noise = fit->factors.noise,.noise_noise = fit->noise_noise,
		.loading = fit->factors.loading,.loading_noise = fit->loading_noise,
		.log_likelihood = fit->result.log_likelihood
	};

	record.iterations = fit->result.iterations;
	return dpem_model_save_fa(&record, &row);
}

static void
emit_fa(FunctionCallInfo fcinfo, const DpemFactorsPlan *plan, const DpemFaFit *fit, const char *model, const char *key)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	char	  **names = dpem_dataset_coordinates(plan->fit.dataset);
	double	   *loadings = palloc(fit->frame.k * sizeof(double));

	for (int j = 0; j < fit->frame.d; j++)
	{
		Datum		values[7];
		bool		nulls[7] = {model == NULL, false, false, false, false, false, key == NULL};

		for (int f = 0; f < fit->frame.k; f++)
			loadings[f] = fit->factors.loading[(size_t) f * fit->frame.d + j];
		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = CStringGetTextDatum(names[j]);
		values[2] = Float8GetDatum(fit->frame.mean[j]);
		values[3] = dpem_float8_array(loadings, fit->frame.k);
		values[4] = Float8GetDatum(fit->factors.noise[j]);
		values[5] = Float8GetDatum(fit->result.log_likelihood);
		values[6] = key ? CStringGetTextDatum(key) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/* dp_fa_fit(dataset text, factors int, epsilon float8, ...): a row per coordinate, in the columns' own units */
Datum
dp_fa_fit(PG_FUNCTION_ARGS)
{
	DpemFactorsPlan *plan = make_plan(dpem_fa_arguments(fcinfo, "dp_fa_fit"));
	DpemFaFit  *fit = dpem_fa_fit(plan);

	dpem_fit_name_models(&plan->fit, "fa", fit->frame.charge);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit_fa(fcinfo, plan, &fit[g], plan->fit.noisy ? store_fa(plan, &fit[g], g) : NULL,
				dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/* dp_fa_plan(the arguments of dp_fa_fit): reads no row of the source, spends nothing */
Datum
dp_fa_plan(PG_FUNCTION_ARGS)
{
	return forecast(fcinfo, dpem_fa_arguments(fcinfo, "dp_fa_plan"));
}

/* ---- principal components ---------------------------------------------------- */

static char *
store_pca(const DpemFactorsPlan *plan, const DpemPcaFit *fit, int group)
{
	DpemModelRecord record = make_record(plan, &fit->frame, group);
	DpemPcaRow	row = {
		.mean = fit->frame.mean,.mean_noise = fit->frame.mean_noise,.unit = fit->frame.unit,
		.total = fit->total,.total_noise = fit->total_noise,
		.variance = fit->pca.variance,.variance_noise = fit->pca.variance_sd,
		.share = fit->share,.alignment = fit->pca.alignment,.direction = fit->pca.direction
	};

	return dpem_model_save_pca(&record, &row);
}

static void
emit_pca(FunctionCallInfo fcinfo, const DpemPcaFit *fit, const char *model, const char *key)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	for (int i = 0; i < fit->frame.k; i++)
	{
		Datum		values[6];
		bool		nulls[6] = {model == NULL, false, false, false, false, key == NULL};

		values[0] = model ? CStringGetTextDatum(model) : (Datum) 0;
		values[1] = Int32GetDatum(i + 1);
		values[2] = Float8GetDatum(fit->pca.variance[i]);
		values[3] = Float8GetDatum(fit->share[i]);
		values[4] = dpem_float8_array(fit->pca.direction + (size_t) i * fit->frame.d, fit->frame.d);
		values[5] = key ? CStringGetTextDatum(key) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
}

/* dp_pca_fit(dataset text, components int, epsilon float8, ...): a row per component, rows scaled to the box */
Datum
dp_pca_fit(PG_FUNCTION_ARGS)
{
	DpemFactorsPlan *plan = make_plan(dpem_pca_arguments(fcinfo, "dp_pca_fit"));
	DpemPcaFit *fit = dpem_pca_fit(plan);

	dpem_fit_name_models(&plan->fit, "pca", fit->frame.charge);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit_pca(fcinfo, &fit[g], plan->fit.noisy ? store_pca(plan, &fit[g], g) : NULL,
				 dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/* dp_pca_plan(the arguments of dp_pca_fit): reads no row of the source, spends nothing */
Datum
dp_pca_plan(PG_FUNCTION_ARGS)
{
	return forecast(fcinfo, dpem_pca_arguments(fcinfo, "dp_pca_plan"));
}
