/*
 * statistics.c - dp_count, dp_sum, dp_avg, dp_variance, dp_stddev,
 * dp_covariance, dp_histogram: check arguments, plan, release, emit rows;
 * dp_statistic_plan.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/statistics/statistic_arguments.h"
#include "fit/emit_forecast.h"
#include "fit/fit_model.h"
#include "server/argument_list.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_count);
PG_FUNCTION_INFO_V1(dp_sum);
PG_FUNCTION_INFO_V1(dp_avg);
PG_FUNCTION_INFO_V1(dp_variance);
PG_FUNCTION_INFO_V1(dp_stddev);
PG_FUNCTION_INFO_V1(dp_covariance);
PG_FUNCTION_INFO_V1(dp_histogram);
PG_FUNCTION_INFO_V1(dp_statistic_plan);

/* (dataset, epsilon, delta, filter, by, column_name, composition, mechanism) */
static const DpemStatisticPositions count_positions = {
	.fit = {.dataset = 0,.epsilon = 1,.delta = 2,.filter = 3,.by = 4,.composition = 6},
	.column = 5,.mechanism = 7
};

/* (dataset, column_name, epsilon, delta, filter, by, composition, mechanism) */
static const DpemStatisticPositions column_positions = {
	.fit = {.dataset = 0,.epsilon = 2,.delta = 3,.filter = 4,.by = 5,.composition = 6},
	.column = 1,.mechanism = 7
};

/* (dataset, column_name, other_column, epsilon, delta, filter, by, composition) */
static const DpemStatisticPositions covariance_positions = {
	.fit = {.dataset = 0,.epsilon = 3,.delta = 4,.filter = 5,.by = 6,.composition = 7},
	.column = 1,.other = 2
};

/* (dataset, column_name, epsilon, delta, bins, filter, edges, composition, mechanism) */
static const DpemStatisticPositions histogram_positions = {
	.fit = {.dataset = 0,.epsilon = 2,.delta = 3,.filter = 5,.composition = 7},
	.column = 1,.mechanism = 8,.bins = 4,.edges = 6
};

/* (statistic, dataset, epsilon, delta, column_name, filter, by, other_column, composition, mechanism, bins, edges) */
static const DpemStatisticPositions plan_positions = {
	.fit = {.dataset = 1,.epsilon = 2,.delta = 3,.filter = 5,.by = 6,.composition = 8},
	.column = 4,.other = 7,.mechanism = 9,.bins = 10,.edges = 11
};

static void
put_value(const DpemStatisticValue *value, Datum values[4])
{
	values[0] = Float8GetDatum(value->value);
	values[1] = Float8GetDatum(value->sd);
	values[2] = Float8GetDatum(value->lower);
	values[3] = Float8GetDatum(value->upper);
}

static DpemStatisticPlan *
plan_call(FunctionCallInfo fcinfo, const DpemStatisticPositions *at, const char *function, const char *statistic)
{
	DpemStatisticRequest *request = dpem_statistic_arguments(fcinfo, at, function, statistic);

	dpem_fit_require_possible(&request->fit);
	return dpem_statistic_plan(request);
}

/* rows (value, noise_stddev, ci_lower, ci_upper, key), one for each category, or released key, or one with a NULL key */
static Datum
answer(FunctionCallInfo fcinfo, const DpemStatisticPositions *at, const char *function, const char *statistic)
{
	DpemStatisticPlan *plan = plan_call(fcinfo, at, function, statistic);
	const DpemGrouping *grouping = plan->fit.dataset->grouping;
	DpemStatisticValue *value = dpem_statistic_run(plan);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < (grouping ? grouping->n : 1); g++)
	{
		Datum		values[5];
		bool		nulls[5] = {false, false, false, false, grouping == NULL};

		put_value(&value[g], values);
		values[4] = grouping ? CStringGetTextDatum(grouping->category[g]) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* number of rows, of those where a column is not null, or of those that match a filter */
Datum
dp_count(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &count_positions, "dp_count", "count");
}

Datum
dp_sum(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &column_positions, "dp_sum", "sum");
}

Datum
dp_avg(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &column_positions, "dp_avg", "avg");
}

Datum
dp_variance(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &column_positions, "dp_variance", "variance");
}

Datum
dp_stddev(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &column_positions, "dp_stddev", "stddev");
}

Datum
dp_covariance(PG_FUNCTION_ARGS)
{
	return answer(fcinfo, &covariance_positions, "dp_covariance", "covariance");
}

/* rows (bin, lower, upper, category, value, noise_stddev, ci_lower, ci_upper) in the order of the bins */
Datum
dp_histogram(PG_FUNCTION_ARGS)
{
	DpemStatisticPlan *plan = plan_call(fcinfo, &histogram_positions, "dp_histogram", "histogram");
	const DpemGrouping *grouping = plan->fit.dataset->grouping;
	DpemStatisticValue *value = dpem_statistic_run(plan);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	bool		edges = grouping->edge != NULL;

	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < grouping->n; g++)
	{
		Datum		values[8];
		bool		nulls[8] = {false, !edges, !edges, edges, false, false, false, false};

		values[0] = Int32GetDatum(g + 1);
		values[1] = edges ? Float8GetDatum(grouping->edge[g]) : (Datum) 0;
		values[2] = edges ? Float8GetDatum(grouping->edge[g + 1]) : (Datum) 0;
		values[3] = edges ? (Datum) 0 : CStringGetTextDatum(grouping->category[g]);
		put_value(&value[g], values + 4);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * dp_statistic_plan(statistic text, the arguments of the statistic): a row per
 * part of the release, one for the statistic and one in all.  Reads no row of
 * the source, spends nothing.
 */
Datum
dp_statistic_plan(PG_FUNCTION_ARGS)
{
	char	   *statistic = dpem_text_argument(fcinfo, 0, "statistic");
	DpemStatisticRequest *request = dpem_statistic_arguments(fcinfo, &plan_positions, "dp_statistic_plan", statistic);
	DpemForecast forecast;

	dpem_require_plannable(&request->fit);
	dpem_statistic_forecast(dpem_statistic_plan(request), &forecast);
	dpem_emit_forecast(fcinfo, &forecast);
	return (Datum) 0;
}
