/*
 * gmm_forecast.h - the forecast of a mixture fit.
 */
#ifndef DPEM_FAMILY_GMM_FORECAST_H
#define DPEM_FAMILY_GMM_FORECAST_H

#include "families/gmm/gmm_request.h"
#include "fit/forecast.h"

/*
 * A row per statistic of every release, then one for the whole fit.  Own units
 * are those of a component's mean and variances if the public number of rows
 * were spread evenly over the components, and of noise in sums and second
 * moments alone; they are not known before a whitened fit, nor where the
 * number of rows is not public.
 */
extern void dpem_gmm_forecast(const DpemGmmPlan *plan, DpemForecast *forecast);

#endif							/* DPEM_FAMILY_GMM_FORECAST_H */
