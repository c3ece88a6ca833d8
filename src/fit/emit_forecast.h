/*
 * fit_plan.h - what every dp_*_plan function returns.
 */
#ifndef DPEM_FIT_FIT_PLAN_H
#define DPEM_FIT_FIT_PLAN_H

#include "postgres.h"

#include "fmgr.h"

#include "fit/forecast.h"

/*
 * Emits the rows of a forecast, with what the caller's budget would be once
 * the fit were paid for.  Raises 42501 for a role that has no budget and does
 * not own the source.
 */
extern void dpem_emit_forecast(FunctionCallInfo fcinfo, const DpemForecast *forecast);

/* raises 22023 for an infinite epsilon, which has nothing to plan */
extern void dpem_require_plannable(const DpemFitRequest *request);

#endif							/* DPEM_FIT_FIT_PLAN_H */
