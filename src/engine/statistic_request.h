/*
 * statistic_request.h - one statistic of a dataset's rows, or of each group of
 * them: what was asked, what will be done and charged, and what came of it.
 *
 * One pass of the family `sums` and one joint release, with weights for the
 * statistic that is asked (core/statistic.h).  With groups, by a label's
 * categories or by bins of a number, the moments of all groups are one stacked
 * vector, of which a row moves its own group's part: one charge for them all.
 */
#ifndef DPEM_ENGINE_STATISTIC_REQUEST_H
#define DPEM_ENGINE_STATISTIC_REQUEST_H

#include "core/statistic.h"
#include "engine/fit.h"
#include "engine/forecast.h"

typedef struct DpemStatisticRequest
{
	DpemFitRequest fit;
	const DpemStatistic *statistic;
	char	   *mechanism;		/* 'gaussian', 'laplace'; NULL: by the composition */
} DpemStatisticRequest;

typedef struct DpemStatisticPlan
{
	DpemFitPlan fit;
	const DpemStatisticRequest *request;
	DpemStatisticScale scale;
	double		importance[DPEM_STATISTIC_PARTS];
	DpemReleaseSpec spec;
	int			line;			/* of the charge; -1 without noise */
} DpemStatisticPlan;

/* raises 22023 and others for whatever cannot be done */
extern DpemStatisticPlan *dpem_statistic_plan(const DpemStatisticRequest *request);

/* rows of the release's parts, then one named as the statistic with its own noise, in the columns' units (NaN where the number of rows is not public) */
extern void dpem_statistic_forecast(const DpemStatisticPlan *plan, DpemForecast *forecast);

/* charges, reads, releases: a value for each of plan->fit.groups; raises DP001, DP002, DP003, 42501 */
extern DpemStatisticValue *dpem_statistic_run(const DpemStatisticPlan *plan);

#endif							/* DPEM_ENGINE_STATISTIC_REQUEST_H */
