/*
 * quantile_request.h - a quantile of a dataset's rows: what was asked, what
 * will be done and charged, and what came of it.
 *
 * One pass of the family `sums` that counts rows in equal bins of the column's
 * domain, as a histogram's does, and one choice of a bin by its rank
 * (core/statistics/quantile.h).
 */
#ifndef DPEM_FAMILY_QUANTILE_REQUEST_H
#define DPEM_FAMILY_QUANTILE_REQUEST_H

#include "fit/fit.h"
#include "fit/forecast.h"
#include "wall/release_choice.h"

typedef struct DpemQuantileRequest
{
	DpemFitRequest fit;			/* by equal bins of the column */
	int64_t		level;			/* of core/statistics/quantile.h */
} DpemQuantileRequest;

typedef struct DpemQuantilePlan
{
	DpemFitPlan fit;
	DpemChoiceSpec spec;
	double		noise_multiplier;	/* 0 without noise */
	int			line;			/* of the charge; -1 without noise */
} DpemQuantilePlan;

/* in the column's units; rank_error in rows, with probability 95 % over the choice */
typedef struct DpemQuantileValue
{
	double		value;			/* the middle of the chosen bin, */
	double		lower;			/* and its ends */
	double		upper;
	double		rank_error;
} DpemQuantileValue;

/* raises 22023 and others for whatever cannot be done */
extern DpemQuantilePlan *dpem_quantile_plan(const DpemQuantileRequest *request);

/* a row of the choice, in rows, and one of the error of the rank */
extern void dpem_quantile_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* charges, reads, chooses; raises DP001, DP002, DP003, 42501 */
extern DpemQuantileValue dpem_quantile_run(const DpemQuantilePlan *plan);

#endif							/* DPEM_FAMILY_QUANTILE_REQUEST_H */
