/*
 * quantile_request.h - a quantile of a column: request, plan and result.
 *
 * One pass of the kernel `sums` counts rows in bins of the column's domain, as for a
 * histogram; the exponential mechanism then chooses a bin by its rank
 * (core/statistics/quantile.h).
 */
#ifndef DPEM_FAMILY_QUANTILE_REQUEST_H
#define DPEM_FAMILY_QUANTILE_REQUEST_H

#include "fit/fit.h"
#include "fit/forecast.h"
#include "wall/release_choice.h"

typedef struct DpemQuantileRequest
{
	DpemFitRequest fit;			/* grouped by bins of the column */
	int64_t		level;			/* see core/statistics/quantile.h */
	double		within;			/* rank error, in rows, that the epsilon is to be found for; 0: it is given */
} DpemQuantileRequest;

typedef struct DpemQuantilePlan
{
	DpemFitPlan fit;
	DpemChoiceSpec spec;
	double		noise_multiplier;	/* 0 without noise */
	double		within;			/* the request's */
	int			line;			/* of the charge; -1 without noise */
} DpemQuantilePlan;

/* in the column's units; rank_error in rows, exceeded with probability at most 5 % */
typedef struct DpemQuantileValue
{
	double		value;			/* middle of the chosen bin */
	double		lower;			/* its ends */
	double		upper;
	double		rank_error;
} DpemQuantileValue;

/*
 * As many bins of the column `by` as there may be: of a number on a linear scale narrow ones near zero (dpem_scale_mixed), else equal ones.
 * Raises 42703.
 */
extern void dpem_quantile_set_bins(DpemBindingRequest *bind, const DpemDataset *dataset);

/* raises 22023 and others for impossible requests */
extern DpemQuantilePlan *dpem_quantile_plan(const DpemQuantileRequest *request);

/* sets the request's epsilon to the least that its `within` takes; raises 22023 */
extern void dpem_quantile_find_epsilon(DpemQuantileRequest *request);

/* a row for the choice, in rows, and one for the rank error */
extern void dpem_quantile_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* charges, reads, chooses; raises DP001, DP002, DP003, 42501 */
extern DpemQuantileValue dpem_quantile_run(const DpemQuantilePlan *plan);

#endif							/* DPEM_FAMILY_QUANTILE_REQUEST_H */
