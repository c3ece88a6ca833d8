/*
 * model_use.c - using released models: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "api/argument_list.h"
#include "api/arguments.h"
#include "catalog/model_store.h"
#include "core/gmm_density.h"
#include "engine/entropy.h"

PG_FUNCTION_INFO_V1(dp_predict);
PG_FUNCTION_INFO_V1(dp_posterior);
PG_FUNCTION_INFO_V1(dp_log_density);
PG_FUNCTION_INFO_V1(dp_sample);
PG_FUNCTION_INFO_V1(dp_grant_model);
PG_FUNCTION_INFO_V1(dp_revoke_model);
PG_FUNCTION_INFO_V1(dp_drop_model);

/* a model made ready for evaluation, kept for the length of a query */
typedef struct ReadyModel
{
	char	   *name;
	Oid			role;
	DpemGmm		gmm;
	DpemGmmDensity density;
	double	   *terms;
	double	   *scratch;
} ReadyModel;

static ReadyModel *
load_ready(const char *name)
{
	ReadyModel *ready = palloc0(sizeof(ReadyModel));
	DpemStoredGmm *stored = dpem_model_load_gmm(name);
	size_t		k = (size_t) stored->k;
	size_t		d = (size_t) stored->d;
	double	   *square = palloc(d * d * sizeof(double));

	ready->name = pstrdup(name);
	ready->role = GetUserId();
	ready->gmm = (DpemGmm) {
		stored->k, stored->d, DPEM_SECOND_FULL, stored->weight, stored->mean, stored->covariance
	};
	ready->density.offset = palloc(k * sizeof(double));
	ready->density.factor = palloc(k * d * (d + 1) / 2 * sizeof(double));
	ready->density.cholesky = palloc(k * d * d * sizeof(double));
	ready->terms = palloc(k * sizeof(double));
	ready->scratch = palloc(d * sizeof(double));
	if (dpem_gmm_density_prepare(&ready->gmm, &ready->density, square) != DPEM_OK)
		elog(ERROR, "dpem: stored covariance is not positive definite");
	pfree(square);
	return ready;
}

/* the same model for the same role is loaded once per query */
static ReadyModel *
ready_model(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "model");
	ReadyModel *ready = fcinfo->flinfo->fn_extra;

	if (ready == NULL || strcmp(ready->name, name) != 0 || ready->role != GetUserId())
	{
		MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		fcinfo->flinfo->fn_extra = ready = load_ready(name);
		MemoryContextSwitchTo(old);
	}
	return ready;
}

static double
evaluate(FunctionCallInfo fcinfo, ReadyModel *ready)
{
	int			n;
	double	   *x = dpem_float8_array_argument(fcinfo, 1, "x", &n);

	if (n != ready->gmm.d)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("x must have %d elements for model \"%s\", not %d", ready->gmm.d, ready->name, n),
				 errhint("One number per column, in the order of dpem.models.columns.")));
	return dpem_gmm_log_terms(&ready->gmm, &ready->density, x, ready->terms, ready->scratch);
}

/* dp_log_density(model text, x float8[]): natural logarithm, per unit of volume in the columns' units */
Datum
dp_log_density(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(evaluate(fcinfo, ready_model(fcinfo)));
}

/* dp_predict(model text, x float8[]): the component of largest posterior, from 1; first of equals */
Datum
dp_predict(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);
	int			best = 0;

	(void) evaluate(fcinfo, ready);
	for (int k = 1; k < ready->gmm.k; k++)
	{
		if (ready->terms[k] > ready->terms[best])
			best = k;
	}
	PG_RETURN_INT32(best + 1);
}

/* dp_posterior(model text, x float8[]): probability of each component */
Datum
dp_posterior(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);
	double		total = evaluate(fcinfo, ready);
	int			k = ready->gmm.k;
	double	   *posterior = palloc(k * sizeof(double));

	/* a point so far away that every density underflows belongs to the prior */
	for (int i = 0; i < k; i++)
		posterior[i] = isfinite(total) ? exp(ready->terms[i] - total) : ready->gmm.weight[i];
	PG_RETURN_DATUM(dpem_float8_array(posterior, k));
}

static double
standard_normal(DpemSampler *sampler)
{
	double		u = dpem_entropy_uniform(sampler);
	double		v = dpem_entropy_uniform(sampler);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);	/* Box and Muller 1958 */
}

static void
sample_point(const ReadyModel *ready, DpemSampler *sampler, double *z, double *x)
{
	size_t		d = (size_t) ready->gmm.d;
	double		u = dpem_entropy_uniform(sampler);
	int			k = 0;

	while (k < ready->gmm.k - 1 && u >= ready->gmm.weight[k])
		u -= ready->gmm.weight[k++];
	for (size_t i = 0; i < d; i++)
	{
		const double *row = ready->density.cholesky + (k * d + i) * d;

		z[i] = standard_normal(sampler);
		x[i] = ready->gmm.mean[k * d + i];
		for (size_t j = 0; j <= i; j++)
			x[i] += row[j] * z[j];
	}
}

/* dp_sample(model text, n int): n synthetic rows, float8[] each */
Datum
dp_sample(PG_FUNCTION_ARGS)
{
	int			n = dpem_int_argument(fcinfo, 1, "n");
	ReadyModel *ready = ready_model(fcinfo);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	double	   *x = palloc(2 * ready->gmm.d * sizeof(double));

	if (n < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("n must be at least 0, not %d", n)));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	dpem_sampler_init(sampler, &dpem_strong_entropy);
	for (int i = 0; i < n; i++)
	{
		Datum		row;
		bool		null = false;

		CHECK_FOR_INTERRUPTS();
		sample_point(ready, sampler, x + ready->gmm.d, x);
		row = dpem_float8_array(x, ready->gmm.d);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &row, &null);
		pfree(DatumGetPointer(row));
	}
	dpem_sampler_wipe(sampler);
	return (Datum) 0;
}

/* dp_grant_model(model text, role regrole) */
Datum
dp_grant_model(PG_FUNCTION_ARGS)
{
	dpem_require_argument(fcinfo, 1, "role");
	dpem_model_grant(dpem_text_argument(fcinfo, 0, "model"), PG_GETARG_OID(1));
	PG_RETURN_VOID();
}

/* dp_revoke_model(model text, role regrole) */
Datum
dp_revoke_model(PG_FUNCTION_ARGS)
{
	dpem_require_argument(fcinfo, 1, "role");
	dpem_model_revoke(dpem_text_argument(fcinfo, 0, "model"), PG_GETARG_OID(1));
	PG_RETURN_VOID();
}

/* dp_drop_model(model text) */
Datum
dp_drop_model(PG_FUNCTION_ARGS)
{
	dpem_model_drop(dpem_text_argument(fcinfo, 0, "model"));
	PG_RETURN_VOID();
}
