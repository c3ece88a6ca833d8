/*
 * gmm.c - dp_gmm_fit: check arguments, plan, fit, store, emit rows.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "api/argument_list.h"
#include "api/arguments.h"
#include "catalog/model_store.h"
#include "engine/gmm_request.h"

PG_FUNCTION_INFO_V1(dp_gmm_fit);

#define MAX_ITERATIONS 1000

/* positions of the arguments of dp_gmm_fit */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COVARIANCE, A_ESTIMATOR,
	A_MECHANISM, A_COMPOSITION, A_PRECONDITION, A_INIT_MEANS, A_INIT_VARIANCE, A_CLIP_NORM,
	A_MODEL
};

static float8
epsilon_argument(FunctionCallInfo fcinfo)
{
	float8		epsilon = dpem_float8_argument(fcinfo, A_EPSILON, "epsilon");

	/* infinity asks for no noise, which is for readers of the rows */
	return isinf(epsilon) && epsilon > 0 ? epsilon : dpem_check_epsilon("epsilon", epsilon);
}

static int
iterations_argument(FunctionCallInfo fcinfo)
{
	int			iterations;

	if (PG_ARGISNULL(A_ITERATIONS))
		return 0;
	iterations = PG_GETARG_INT32(A_ITERATIONS);
	if (iterations < 1 || iterations > MAX_ITERATIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("iterations must be between 1 and %d, not %d", MAX_ITERATIONS, iterations)));
	return iterations;
}

static DpemSecondMoment
covariance_argument(FunctionCallInfo fcinfo)
{
	char	   *shape = dpem_text_argument(fcinfo, A_COVARIANCE, "covariance");

	if (strcmp(shape, "full") == 0)
		return DPEM_SECOND_FULL;
	if (strcmp(shape, "diagonal") == 0)
		return DPEM_SECOND_DIAGONAL;
	if (strcmp(shape, "spherical") == 0)
		return DPEM_SECOND_NORM;
	dpem_refuse_name("covariance", shape, "full, diagonal, spherical");
}

/* true for the first, false for the second of two names */
static bool
choice_argument(FunctionCallInfo fcinfo, int i, const char *name, const char *yes, const char *no)
{
	char	   *value = dpem_text_argument(fcinfo, i, name);

	if (strcmp(value, yes) == 0)
		return true;
	if (strcmp(value, no) != 0)
		dpem_refuse_name(name, value, psprintf("%s, %s", yes, no));
	return false;
}

static char *
composition_argument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(A_COMPOSITION))
		return NULL;
	(void) dpem_check_composition("composition", PG_GETARG_TEXT_PP(A_COMPOSITION));
	return text_to_cstring(PG_GETARG_TEXT_PP(A_COMPOSITION));
}

static void
mechanism_argument(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	r->mechanism = dpem_text_argument(fcinfo, A_MECHANISM, "mechanism");
	if (strcmp(r->mechanism, "joint") != 0)
		dpem_refuse_name("mechanism", r->mechanism, "joint");
}

static char *
model_argument(FunctionCallInfo fcinfo, float8 epsilon)
{
	if (PG_ARGISNULL(A_MODEL))
		return NULL;
	if (isinf(epsilon))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a model without noise cannot be stored, so model must be null"),
				 errhint("Leave out model, or give a finite epsilon.")));
	return dpem_text_argument(fcinfo, A_MODEL, "model");
}

static void
start_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	if (!PG_ARGISNULL(A_INIT_MEANS))
		r->init_means = dpem_float8_array_argument(fcinfo, A_INIT_MEANS, "init_means", &r->n_init);
	if (!PG_ARGISNULL(A_INIT_VARIANCE))
		r->init_variance = dpem_check_positive("init_variance", PG_GETARG_FLOAT8(A_INIT_VARIANCE));
	if (!PG_ARGISNULL(A_CLIP_NORM))
		r->clip_norm = dpem_check_positive("clip_norm", PG_GETARG_FLOAT8(A_CLIP_NORM));
}

static DpemGmmRequest *
read_request(FunctionCallInfo fcinfo)
{
	DpemGmmRequest *r = palloc0(sizeof(DpemGmmRequest));

	r->function = "dp_gmm_fit";
	r->dataset = dpem_text_argument(fcinfo, A_DATASET, "dataset");
	r->k = dpem_int_argument(fcinfo, A_K, "k");
	r->epsilon = epsilon_argument(fcinfo);
	r->delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, A_DELTA, "delta"));
	r->columns = dpem_text_list_argument(fcinfo, A_COLUMNS, "columns");
	r->iterations = iterations_argument(fcinfo);
	r->shape = covariance_argument(fcinfo);
	r->map = choice_argument(fcinfo, A_ESTIMATOR, "estimator", "map", "mle");
	mechanism_argument(fcinfo, r);
	r->composition = composition_argument(fcinfo);
	r->whiten = choice_argument(fcinfo, A_PRECONDITION, "precondition", "whiten", "none");
	start_arguments(fcinfo, r);
	r->model = model_argument(fcinfo, r->epsilon);
	return r;
}

static char *
store(FunctionCallInfo fcinfo, const DpemGmmPlan *plan, const DpemGmmFit *fit)
{
	const DpemGmmRequest *r = plan->request;
	size_t		d = (size_t) plan->d;
	DpemGmmRow *rows = palloc(r->k * sizeof(DpemGmmRow));
	DpemModelRecord record = {
		.name = r->model,.family = "gmm",.dataset = plan->dataset,.charge = fit->charge,
		.maker = fit->maker,
		.k = r->k,.d = plan->d,.covariance = text_to_cstring(PG_GETARG_TEXT_PP(A_COVARIANCE)),
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
	DpemGmmRequest *request = read_request(fcinfo);
	DpemGmmPlan *plan;
	DpemGmmFit *fit;
	char	   *model = NULL;

	if (isfinite(request->epsilon))
		dpem_charge_require_possible(request->function);
	plan = dpem_gmm_plan(request);
	if (request->model)
		dpem_model_require_free_name(request->model);
	fit = dpem_gmm_fit(plan);
	if (plan->noisy)
		model = store(fcinfo, plan, fit);
	emit(fcinfo, &fit->gmm, model);
	return (Datum) 0;
}
