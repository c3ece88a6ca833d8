/*
 * model_use.c - using released models: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "api/model_point.h"
#include "api/model_ready.h"
#include "core/numeric/chi_square.h"
#include "families/evaluation/evaluation.h"
#include "server/argument_list.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dpem_to_scale);
PG_FUNCTION_INFO_V1(dpem_from_scale);
PG_FUNCTION_INFO_V1(dp_predict);
PG_FUNCTION_INFO_V1(dp_predict_value);
PG_FUNCTION_INFO_V1(dp_predict_label);
PG_FUNCTION_INFO_V1(dp_predict_interval);
PG_FUNCTION_INFO_V1(dp_posterior);
PG_FUNCTION_INFO_V1(dp_log_density);
PG_FUNCTION_INFO_V1(dp_squared_distance);
PG_FUNCTION_INFO_V1(dp_transform);

static DpemColumnScale
scale_argument(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "scale");
	DpemColumnScale scale = dpem_scale_from_name(name);

	if (scale == DPEM_SCALES)
		dpem_refuse_name("scale", name, DPEM_SCALE_NAMES);
	return scale;
}

/* dpem.to_scale(scale text, x float8): the coordinate of a value; raises 2201E for the logarithm of 0 or less */
Datum
dpem_to_scale(PG_FUNCTION_ARGS)
{
	DpemColumnScale scale = scale_argument(fcinfo);
	float8		x = PG_GETARG_FLOAT8(1);

	if (scale == DPEM_SCALE_LOG && x <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_ARGUMENT_FOR_LOG),
				 errmsg("x must be above 0 on scale log, not %g", x)));
	PG_RETURN_FLOAT8(dpem_scale_apply(scale, x));
}

/* dpem.from_scale(scale text, y float8): the value of a coordinate */
Datum
dpem_from_scale(PG_FUNCTION_ARGS)
{
	DpemColumnScale scale = scale_argument(fcinfo);

	PG_RETURN_FLOAT8(dpem_scale_invert(scale, PG_GETARG_FLOAT8(1)));
}

/* NULLs as NaN */
static double *
partial_point(ArrayType *array, int *n)
{
	Datum	   *elements;
	bool	   *nulls;
	double	   *x;

	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &elements, &nulls, n);
	x = palloc(*n * sizeof(double));
	for (int j = 0; j < *n; j++)
		x[j] = !nulls[j] && isfinite(DatumGetFloat8(elements[j])) ? DatumGetFloat8(elements[j]) : NAN;
	return x;
}

static double *
array_point(Datum value, const DpemReadyModel *ready)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	bool		partial = array_contains_nulls(array) || dpem_model_imputes(ready->shape);
	int			n;
	double	   *x = partial ? partial_point(array, &n) : dpem_float8_array_values(value, "x", &n);
	int			d = ready->shape->d;

	if (n != d)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("x must have %d elements for model \"%s\", not %d", d, ready->name, n),
				 errhint("One number per column, in the order of dpem.models.columns.")));
	return x;
}

static double *
row_point(Datum row, const DpemReadyModel *ready)
{
	dpem_model_point(DatumGetJsonbP(row), ready->shape, ready->family->use.missing, ready->x, ready->noticed);
	return ready->x;
}

static Datum
text_as(Oid type, char *value)
{
	Oid			input;
	Oid			parameter;

	getTypeInputInfo(type, &input, &parameter);
	return OidInputFunctionCall(input, value, parameter, -1);
}

/* no array of numbers has a colon but in its bounds, [0:1]={...}, and every JSON object with a key has one */
static bool
is_row(const char *value)
{
	return strchr(value, ':') != NULL && value[strspn(value, " \t\r\n")] != '[';
}

static Datum
text_as_array(char *value)
{
	if (strchr("{[", value[strspn(value, " \t\r\n")]) == NULL || (strchr(value, '[') != NULL && strchr(value, '=') == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("x must be numbers of a model's columns or a row, not \"%s\"", dpem_shown_text(value)),
				 errhint("Write for instance '{54,131}', ARRAY[54, 131] or '{\"age\": 54, \"weight\": 131}'.")));
	return text_as(FLOAT8ARRAYOID, value);
}

/* what is neither said to be an array nor to be JSON comes as text, a literal for example */
static double *
own_point(FunctionCallInfo fcinfo, const DpemReadyModel *ready)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 1);
	char	   *value;

	if (type == JSONBOID)
		return row_point(PG_GETARG_DATUM(1), ready);
	if (type_is_rowtype(type))
		return row_point(text_as(JSONBOID, TextDatumGetCString(DirectFunctionCall1(row_to_json, PG_GETARG_DATUM(1)))), ready);
	if (type != TEXTOID)
		return array_point(PG_GETARG_DATUM(1), ready);
	value = text_to_cstring(PG_GETARG_TEXT_PP(1));
	return is_row(value) ? row_point(text_as(JSONBOID, value), ready) : array_point(text_as_array(value), ready);
}

/*
 * A point in the model's coordinates; NULL where a number that the model needs is not known.  volume: the logarithm of their volume per
 * unit of the columns' own there, of what has a density; NULL of what takes numbers beyond the model's clamps for these
 */
static const double *
point_argument(FunctionCallInfo fcinfo, const DpemReadyModel *ready, double *volume)
{
	double	   *x = own_point(fcinfo, ready);
	bool		known = volume ? dpem_model_impute(ready->shape, x) : dpem_model_complete(ready->shape, x);

	if (!known && !ready->family->use.missing)
		return NULL;
	if (volume != NULL)
		*volume = dpem_model_log_volume(ready->shape, x);
	dpem_model_to_coordinates(ready->shape, x);
	return x;
}

/*
 * The functions below take x as float8[], a number per coordinate, as jsonb or a row, by column, or as
 * text, an array or JSON; NULL where a value that the model needs is NULL.  All raise 42704 for models that the caller may not read, 42809 for families that
 * have no such function, and 22023 for points of another shape.
 */

/*
 * dp_log_density(model text, x): natural logarithm, per unit of volume in the columns' units; of a sigmoid
 * belief network a lower bound of that of the probability
 */
Datum
dp_log_density(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	const double *x;
	double		volume;

	dpem_require_use(ready, use->log_density != NULL, "dp_log_density");
	x = point_argument(fcinfo, ready, &volume);
	if (x == NULL)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(use->log_density(ready->model, x) + (use->discrete ? 0 : volume));
}

/* the point of a call of a function that needs what the family may not have */
static const double *
point_for(FunctionCallInfo fcinfo, const DpemReadyModel *ready, bool has, const char *function)
{
	dpem_require_use(ready, has, function);
	return point_argument(fcinfo, ready, NULL);
}

/* dp_squared_distance(model text, x): to the nearest center, every column scaled to [-1, 1] by its domain, on its scale */
Datum
dp_squared_distance(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	const double *x = point_for(fcinfo, ready, use->squared_distance != NULL, "dp_squared_distance");

	if (x == NULL)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(use->squared_distance(ready->model, x));
}

/* dp_predict(model text, x): the component a point most probably belongs to, from 1 */
Datum
dp_predict(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	const double *x = point_for(fcinfo, ready, use->predict != NULL, "dp_predict");

	if (x == NULL)
		PG_RETURN_NULL();
	PG_RETURN_INT32(use->predict(ready->model, x));
}

/* dp_predict_value(model text, x): the target, in its own units */
Datum
dp_predict_value(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	const double *x = point_for(fcinfo, ready, use->value != NULL, "dp_predict_value");

	if (x == NULL)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(use->value(ready->model, x));
}

static double
coverage_argument(FunctionCallInfo fcinfo)
{
	double		coverage = dpem_float8_argument(fcinfo, 2, "coverage");

	if (!(coverage > 0 && coverage < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("coverage must be above 0 and below 1, not %g", coverage),
				 errhint("0.9 and 0.95 are usual.")));
	return coverage;
}

/* the residuals that the model's last evaluation has found on private rows, as long as the model is ready */
static DpemResiduals *
residuals_of(DpemReadyModel *ready)
{
	if (!ready->sought && ready->family->use.value != NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(ready->memory);

		ready->residuals = dpem_evaluation_residuals(ready->name);
		MemoryContextSwitchTo(old);
	}
	ready->sought = true;
	return ready->residuals;
}

/* around the predicted value: as wide as residuals were in an evaluation (split conformal prediction), or as the fit says */
static void
find_bounds(const DpemModelUse *use, const DpemReadyModel *ready, DpemResiduals *residuals, const double *x, double coverage, double bounds[2])
{
	const DpemScaledDomain *domain = use->domain(ready->model);

	/* so many standard deviations of a normal distribution hold that share of it */
	if (residuals == NULL)
		use->interval(ready->model, x, sqrt(dpem_chi_square_quantile(1, coverage)), bounds);
	else
	{
		double		value = use->value(ready->model, x);
		double		half = dpem_evaluation_half_width(residuals, coverage);

		bounds[0] = value - half;
		bounds[1] = value + half;
	}
	/* so far out that they are no numbers the domain is all that is known */
	bounds[0] = bounds[0] > domain->lower ? fmin(bounds[0], domain->upper) : domain->lower;
	bounds[1] = bounds[1] < domain->upper ? fmax(bounds[1], domain->lower) : domain->upper;
}

/*
 * dp_predict_interval(model text, x, coverage float8): (lower, upper) about dp_predict_value, within the target's domain, between which the
 * target of a new row at x is with probability `coverage`: for a model that dp_evaluate has evaluated, if new rows are
 * like those; else its residual, the coefficients and their noise taken as normal
 */
Datum
dp_predict_interval(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	double		coverage = coverage_argument(fcinfo);
	DpemResiduals *residuals = residuals_of(ready);
	bool		nulls[2] = {false, false};
	double		bounds[2];
	Datum		values[2];
	TupleDesc	row;
	const double *x;

	x = point_for(fcinfo, ready, residuals != NULL || ready->family->use.interval != NULL, "dp_predict_interval");
	if (x == NULL)
		PG_RETURN_NULL();
	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "dpem: dp_predict_interval returns no row");
	find_bounds(&ready->family->use, ready, residuals, x, coverage, bounds);
	values[0] = Float8GetDatum(bounds[0]);
	values[1] = Float8GetDatum(bounds[1]);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls)));
}

/* dp_predict_label(model text, x): the most probable class, as the label's category */
Datum
dp_predict_label(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);
	const DpemModelUse *use = &ready->family->use;
	const double *x = point_for(fcinfo, ready, use->label != NULL, "dp_predict_label");

	if (x == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(use->label(ready->model, x)));
}

typedef const double *(*ArrayUse) (void *ready, const double *x, int *n);

static Datum
array_answer(FunctionCallInfo fcinfo, const DpemReadyModel *ready, ArrayUse use, const char *function)
{
	const double *x = point_for(fcinfo, ready, use != NULL, function);
	const double *answer;
	int			n;

	if (x == NULL)
		PG_RETURN_NULL();
	answer = use(ready->model, x, &n);
	return dpem_float8_array(answer, n);
}

/* dp_posterior(model text, x): probability of each component, class or hidden unit */
Datum
dp_posterior(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);

	return array_answer(fcinfo, ready, ready->family->use.posterior, "dp_posterior");
}

/* dp_transform(model text, x): factor scores, or coordinates along principal directions */
Datum
dp_transform(PG_FUNCTION_ARGS)
{
	DpemReadyModel *ready = dpem_ready_model(fcinfo);

	return array_answer(fcinfo, ready, ready->family->use.transform, "dp_transform");
}
