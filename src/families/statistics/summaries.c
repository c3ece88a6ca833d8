/*
 * summaries.c - dp_describe, dp_statistics, dp_quantiles and their plans: check arguments, plan, release, emit rows.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"
#include "families/statistics/summary_request.h"
#include "fit/forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "fit/fit_stages.h"
#include "server/version_shims.h"

typedef void (*Reader) (const DpemArguments *arguments, DpemSummaryRequest *request);

/* labels are read category by category, and rows with unknown numbers count */
static DpemSummaryRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function, Reader read)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemSummaryRequest *r = palloc0(sizeof(DpemSummaryRequest));
	DpemBindingRequest *bind = &r->fit.bind;

	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	read(&a, r);
	r->fit.iterations = 1;
	bind->own_units = bind->categories = bind->missing = bind->constant = true;
	bind->groups = DPEM_BY_CATEGORIES;
	bind->rows = bind->columns == NIL ? DPEM_BIND_ALONE : DPEM_BIND_NUMBERS;
	return r;
}

/* (column_name, statistic, category, value, noise_stddev, ci_lower, ci_upper, key) */
static void
emit(ReturnSetInfo *rsinfo, const DpemSummaryRow *row)
{
	bool		alone = isnan(row->value.sd);	/* a chosen quantile has no interval */
	bool		nulls[8] = {row->wish->column == NULL, false, row->category == NULL, false, alone, alone, alone, row->key == NULL};
	Datum		values[8] = {
		nulls[0] ? (Datum) 0 : CStringGetTextDatum(row->wish->column), CStringGetTextDatum(row->wish->name),
		nulls[2] ? (Datum) 0 : CStringGetTextDatum(row->category), Float8GetDatum(row->value.value),
		Float8GetDatum(row->value.sd), Float8GetDatum(row->value.lower), Float8GetDatum(row->value.upper),
		nulls[7] ? (Datum) 0 : CStringGetTextDatum(row->key)
	};

	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

static Datum
answer(FunctionCallInfo fcinfo, const char *function, Reader read)
{
	DpemSummaryRequest *request = read_arguments(fcinfo, function, read);
	DpemSummaryPlan *plan;
	List	   *rows;
	ListCell   *cell;
	int			hidden = 0;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_quantiles_plan(request);
	rows = dpem_summary_answer(plan);
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, rows)
	{
		if (dpem_statistic_is_hidden(&((DpemSummaryRow *) lfirst(cell))->value))
			hidden++;
		else
			emit((ReturnSetInfo *) fcinfo->resultinfo, lfirst(cell));
	}
	dpem_fit_tell_hidden(&plan->fit, hidden, list_length(rows), "cells");
	return (Datum) 0;
}

static Datum
forecast(FunctionCallInfo fcinfo, const char *function, Reader read)
{
	DpemSummaryRequest *request = read_arguments(fcinfo, function, read);
	DpemSummaryPlan *plan;

	dpem_require_plannable(&request->fit);
	plan = dpem_quantiles_plan(request);
	dpem_emit_plan(fcinfo, &plan->fit, plan->choices ? dpem_choices_forecast : plan->chosen ? dpem_description_forecast : dpem_fit_forecast_stages);
	return (Datum) 0;
}

/* dp_NAME, and dp_NAME_plan, which reads no row and spends nothing */
#define SUMMARY(name, read) \
	PG_FUNCTION_INFO_V1(dp_##name); \
	PG_FUNCTION_INFO_V1(dp_##name##_plan); \
	Datum dp_##name(PG_FUNCTION_ARGS) \
	{ return answer(fcinfo, "dp_" #name, read); } \
	Datum dp_##name##_plan(PG_FUNCTION_ARGS) \
	{ return forecast(fcinfo, "dp_" #name "_plan", read); }

SUMMARY(describe, dpem_summary_read_description)
SUMMARY(statistics, dpem_summary_read_statistics)
SUMMARY(quantiles, dpem_summary_read_quantiles)
