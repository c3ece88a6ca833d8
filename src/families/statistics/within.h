/*
 * within.h - a plan asked the other way round: the least epsilon for a width.
 */
#ifndef DPEM_FAMILY_WITHIN_H
#define DPEM_FAMILY_WITHIN_H

#include "fit/fit.h"
#include "fit/forecast.h"
#include "server/named_arguments.h"

/*
 * Half the length of the 95 % interval, or another error, of a request at its
 * epsilon, from public facts; falls as epsilon grows.  *fit: the plan it is of.
 */
typedef double (*DpemWidth) (const void *request, const DpemFitPlan **fit);

/* the argument `within`: 0 for NULL or a function without it; raises 22023 */
extern double dpem_within_argument(const DpemArguments *a);

/*
 * Sets fit->epsilon, `fit` being the beginning of `request`, to the least epsilon, to
 * within 1 %, at which the width is at most `within` and which a call may cost.  Plans
 * the request some twenty times; reads no row.  Raises 22023 where there is none: the
 * width is not known (NaN; `hint` says what to do), or the accountant has no such noise.
 */
extern void dpem_within_find(const void *request, DpemFitRequest *fit, double within, DpemWidth width, const char *hint);

/* rows of a plan made by dpem_within_find: the epsilon found, and the width at it */
extern void dpem_within_forecast(DpemForecast *forecast, double epsilon, double width);

#endif							/* DPEM_FAMILY_WITHIN_H */
