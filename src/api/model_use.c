/*
 * model_use.c - using released models: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "fit/family.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/entropy.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_predict);
PG_FUNCTION_INFO_V1(dp_posterior);
PG_FUNCTION_INFO_V1(dp_log_density);
PG_FUNCTION_INFO_V1(dp_squared_distance);
PG_FUNCTION_INFO_V1(dp_transform);
PG_FUNCTION_INFO_V1(dp_sample);
PG_FUNCTION_INFO_V1(dp_grant_model);
PG_FUNCTION_INFO_V1(dp_revoke_model);
PG_FUNCTION_INFO_V1(dp_drop_model);

/* a model made ready for evaluation, kept for the length of a query */
typedef struct ReadyModel
{
	char	   *name;
	Oid			role;
	const DpemFamily *family;
	int			d;				/* of a point */
	void	   *model;
} ReadyModel;

/* the same model for the same role is loaded once per query */
static ReadyModel *
ready_model(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "model");
	ReadyModel *ready = fcinfo->flinfo->fn_extra;

	if (ready == NULL || strcmp(ready->name, name) != 0 || ready->role != GetUserId())
	{
		MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		DpemModel  *model;

		ready = palloc0(sizeof(ReadyModel));
		ready->name = pstrdup(name);
		ready->role = GetUserId();
		ready->family = dpem_model_family(name);
		model = dpem_model_load(name, ready->family);
		ready->d = model->d;
		ready->model = ready->family->use.load(model);
		fcinfo->flinfo->fn_extra = ready;
		MemoryContextSwitchTo(old);
	}
	return ready;
}

static void
require_use(const ReadyModel *ready, bool has, const char *function)
{
	if (!has)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("model \"%s\" is %s, which has no %s", ready->name, ready->family->title, function)));
}

static double *
point_argument(FunctionCallInfo fcinfo, const ReadyModel *ready)
{
	int			n;
	double	   *x = dpem_float8_array_argument(fcinfo, 1, "x", &n);
	int			d = ready->d;

	if (n != d)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("x must have %d elements for model \"%s\", not %d", d, ready->name, n),
				 errhint("One number per column, in the order of dpem.models.columns.")));
	return x;
}

/*
 * dp_log_density(model text, x float8[]): natural logarithm, per unit of volume in the columns' units; of a sigmoid
 * belief network a lower bound of that of the probability
 */
Datum
dp_log_density(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);

	require_use(ready, ready->family->use.log_density != NULL, "dp_log_density");
	PG_RETURN_FLOAT8(ready->family->use.log_density(ready->model, point_argument(fcinfo, ready)));
}

/* dp_squared_distance(model text, x float8[]): to the nearest center, every column scaled to [-1, 1] */
Datum
dp_squared_distance(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);

	require_use(ready, ready->family->use.squared_distance != NULL, "dp_squared_distance");
	PG_RETURN_FLOAT8(ready->family->use.squared_distance(ready->model, point_argument(fcinfo, ready)));
}

/* dp_predict(model text, x float8[]): the component a point most probably belongs to, from 1 */
Datum
dp_predict(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);

	require_use(ready, ready->family->use.predict != NULL, "dp_predict");
	PG_RETURN_INT32(ready->family->use.predict(ready->model, point_argument(fcinfo, ready)));
}

typedef const double *(*ArrayUse) (void *ready, const double *x, int *n);

static Datum
array_answer(FunctionCallInfo fcinfo, const ReadyModel *ready, ArrayUse use, const char *function)
{
	const double *answer;
	int			n;

	require_use(ready, use != NULL, function);
	answer = use(ready->model, point_argument(fcinfo, ready), &n);
	return dpem_float8_array(answer, n);
}

/* dp_posterior(model text, x float8[]): probability of each component, class or hidden unit */
Datum
dp_posterior(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);

	return array_answer(fcinfo, ready, ready->family->use.posterior, "dp_posterior");
}

/* dp_transform(model text, x float8[]): factor scores, or coordinates along principal directions */
Datum
dp_transform(PG_FUNCTION_ARGS)
{
	ReadyModel *ready = ready_model(fcinfo);

	return array_answer(fcinfo, ready, ready->family->use.transform, "dp_transform");
}

static void
emit_samples(ReturnSetInfo *rsinfo, const ReadyModel *ready, int n)
{
	int			d = ready->d;
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	double	   *x = palloc(d * sizeof(double));

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	for (int i = 0; i < n; i++)
	{
		Datum		row;
		bool		null = false;

		CHECK_FOR_INTERRUPTS();
		ready->family->use.sample(ready->model, sampler, x);
		row = dpem_float8_array(x, d);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &row, &null);
		pfree(DatumGetPointer(row));
	}
	dpem_sampler_wipe(sampler);
}

/* dp_sample(model text, n int): n synthetic rows, float8[] each */
Datum
dp_sample(PG_FUNCTION_ARGS)
{
	int			n = dpem_int_argument(fcinfo, 1, "n");
	ReadyModel *ready = ready_model(fcinfo);

	require_use(ready, ready->family->use.sample != NULL, "dp_sample");
	if (n < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("n must be at least 0, not %d", n)));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	emit_samples((ReturnSetInfo *) fcinfo->resultinfo, ready, n);
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
