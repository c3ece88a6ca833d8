/*
 * emit_forecast.h - the result of every dp_*_plan function.
 */
#ifndef DPEM_FIT_EMIT_FORECAST_H
#define DPEM_FIT_EMIT_FORECAST_H

#include "postgres.h"

#include "fmgr.h"

#include "fit/forecast.h"

/* writes the lines and rows of a plan's releases to a forecast; called after dpem_forecast_begin */
typedef void (*DpemForecaster) (const DpemFitPlan *plan, DpemForecast *forecast);

/*
 * Emits the rows of a plan's forecast, with the budget the caller would have
 * left after paying for the fit.  Raises 42501 for a role that has no budget
 * and does not own the source.
 */
extern void dpem_emit_plan(FunctionCallInfo fcinfo, const DpemFitPlan *plan, DpemForecaster forecaster);

/* raises 22023 for an infinite epsilon: without noise there is nothing to plan */
extern void dpem_require_plannable(const DpemFitRequest *request);

#endif							/* DPEM_FIT_EMIT_FORECAST_H */
