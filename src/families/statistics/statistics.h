/*
 * statistics.h - one statistic of a dataset's rows, or of each group of
 * them: what was asked, what will be done and charged, and what came of it.
 *
 * One pass of the family `sums` and one joint release, with weights for the
 * statistic that is asked (core/statistics/statistic.h).  With groups, by a label's
 * categories or by bins of a number, the moments of all groups are one stacked
 * vector, of which a row moves its own group's part: one charge for them all.
 *
 * By a key whose values are not public they are selected first (release_keys.h),
 * and then are groups like any others (statistic_keys.c); where the number of
 * rows is all that is asked, what the selection releases is the answer.
 */
#ifndef DPEM_FAMILY_STATISTICS_H
#define DPEM_FAMILY_STATISTICS_H

#include "core/statistics/statistic.h"
#include "fit/family.h"
#include "fit/fit_margins.h"
#include "fit/fit_stages.h"
#include "wall/release_keys.h"

typedef struct DpemStatisticRequest
{
	DpemFitRequest fit;
	const DpemStatistic *statistic;
	char	   *mechanism;		/* 'gaussian', 'laplace'; NULL: by the composition */
	bool		clamp;			/* values to quantiles that are released first */
} DpemStatisticRequest;

typedef struct DpemStatisticPlan
{
	DpemFitPlan fit;
	const DpemStatisticRequest *request;
	DpemStatisticScale scale;
	double		importance[DPEM_STATISTIC_PARTS];
	DpemReleaseSpec spec;
	int			line;			/* of the charge; -1 without noise, or where the selection of keys is all */
	DpemKeySpec keys;			/* where keys are private, and there is noise: */
	DpemKeyLaw	key_law;
	int			keys_line;		/* of the charge; -1 without */
	bool		clamps;			/* request->clamp, and noise: */
	DpemMarginGrid grid;
	DpemFitStage margins;
} DpemStatisticPlan;

/* reads and checks the arguments that the function has; statistic NULL: that is one of them; raises 22023 naming the argument */
extern DpemStatisticRequest *dpem_statistic_arguments(FunctionCallInfo fcinfo, const char *function, const char *statistic);

/* raises 22023 and others for whatever cannot be done */
extern DpemStatisticPlan *dpem_statistic_plan(const DpemStatisticRequest *request);

/* rows of the release's parts, then one named as the statistic with its own noise, in the columns' units (NaN where the number of rows is not public) */
extern void dpem_statistic_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/*
 * Charges, reads, releases: a value for each group of the plan's dataset, those
 * of a key being known by then, or one without groups; raises DP001, DP002,
 * DP003, 42501.
 */
extern DpemStatisticValue *dpem_statistic_run(const DpemStatisticPlan *plan);

/* for statistic_*.c: what a statistic by a private key is more than others */
extern void dpem_statistic_plan_keys(DpemStatisticPlan *plan);
extern void dpem_statistic_forecast_keys(const DpemStatisticPlan *plan, DpemForecast *forecast);

/* selects keys, which are the dataset's groups from then on; a value for each, if that is all that is asked */
extern DpemStatisticValue *dpem_statistic_run_keys(const DpemStatisticPlan *plan, DpemFitRun *run);

/* does the selection of keys tell all that is asked? */
extern bool dpem_statistic_is_selection(const DpemStatisticPlan *plan);

/* for statistic_clamp.c: the same for values that are clamped to released quantiles, of each group's */
extern void dpem_statistic_plan_clamp(DpemStatisticPlan *plan);
extern DpemStatisticValue *dpem_statistic_run_clamped(const DpemStatisticPlan *plan, DpemFitRun *run);

/* cost of one release that gets such a share of the plan's budget */
extern DpemCostLine dpem_statistic_cost(const DpemStatisticPlan *plan, double share);

/* of the budget, as parts of squared mu, for the selection of keys where another release follows */
#define DPEM_STATISTIC_KEYS_SHARE 0.25

/* likewise for the margins that clamps come from (test/bench/utility_statistics.pl) */
#define DPEM_STATISTIC_CLAMP_SHARE 0.3

/* has no models: cases for dp_selftest alone */
extern const DpemFamily dpem_family_statistics;

#endif							/* DPEM_FAMILY_STATISTICS_H */
