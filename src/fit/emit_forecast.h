/*
 * emit_forecast.h - what every dp_*_plan function returns.
 */
#ifndef DPEM_FIT_EMIT_FORECAST_H
#define DPEM_FIT_EMIT_FORECAST_H

#include "postgres.h"

#include "fmgr.h"

#include "fit/forecast.h"

/* writes the lines and rows of a plan's releases into a forecast that has begun */
typedef void (*DpemForecaster) (const DpemFitPlan *plan, DpemForecast *forecast);

/*
 * Emits the rows of a plan's forecast, with what the caller's budget would be
 * once the fit were paid for.  Raises 42501 for a role that has no budget and
 * does not own the source.
 */
extern void dpem_emit_plan(FunctionCallInfo fcinfo, const DpemFitPlan *plan, DpemForecaster forecaster);

/* raises 22023 for an infinite epsilon, which has nothing to plan */
extern void dpem_require_plannable(const DpemFitRequest *request);

#endif							/* DPEM_FIT_EMIT_FORECAST_H */
