/*
 * quantiles.c - dp_quantile, dp_quantile_plan: check arguments, plan, choose,
 * emit a row.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"

#include "core/statistics/quantile.h"
#include "families/statistics/quantile_request.h"
#include "fit/emit_forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_quantile);
PG_FUNCTION_INFO_V1(dp_quantile_plan);

/* (dataset, column_name, quantile, epsilon, delta, bins, filter, composition) */
static const DpemFitPositions positions = {.dataset = 0,.epsilon = 3,.delta = 4,.filter = 6,.composition = 7};

#define COLUMN_AT	1
#define QUANTILE_AT 2
#define BINS_AT		5

static int64_t
level_argument(FunctionCallInfo fcinfo)
{
	double		quantile = dpem_float8_argument(fcinfo, QUANTILE_AT, "quantile");
	int64_t		level = dpem_quantile_level(quantile);

	if (level == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("quantile must be above 0 and below 1, not %g", quantile),
				 errhint("0.5 is the median.")));
	return level;
}

static char *
column_argument(FunctionCallInfo fcinfo, const char *dataset)
{
	char	   *column = dpem_text_argument(fcinfo, COLUMN_AT, "column_name");

	if (dpem_dataset_is_label(dpem_dataset_load(dataset), column))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" is not a number", column, dataset),
				 errhint("Quantiles are of columns that were registered as numbers.")));
	return column;
}

static DpemQuantileRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemQuantileRequest *r = palloc0(sizeof(DpemQuantileRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->level = level_argument(fcinfo);
	r->fit.iterations = 1;
	r->fit.rows_alone = true;
	r->fit.binned = column_argument(fcinfo, r->fit.dataset);
	r->fit.bins = dpem_int_argument(fcinfo, BINS_AT, "bins");
	return r;
}

/* one row (value, lower, upper, rank_error) */
Datum
dp_quantile(PG_FUNCTION_ARGS)
{
	DpemQuantileRequest *request = read_arguments(fcinfo, "dp_quantile");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemQuantileValue v;
	Datum		values[4];
	bool		nulls[4] = {false};

	dpem_fit_require_possible(&request->fit);
	v = dpem_quantile_run(dpem_quantile_plan(request));
	InitMaterializedSRF(fcinfo, 0);
	values[0] = Float8GetDatum(v.value);
	values[1] = Float8GetDatum(v.lower);
	values[2] = Float8GetDatum(v.upper);
	values[3] = Float8GetDatum(v.rank_error);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	return (Datum) 0;
}

/* the same arguments: what the choice costs, by how much a unit moves it, and its rank error; reads no row, spends nothing */
Datum
dp_quantile_plan(PG_FUNCTION_ARGS)
{
	DpemQuantileRequest *request = read_arguments(fcinfo, "dp_quantile_plan");
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_quantile_forecast(dpem_quantile_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
