/*
 * statistics.h - one statistic of all rows of a dataset, or of each group of
 * rows: request, plan and result.
 *
 * One pass of the kernel `sums` and one joint release, with weights chosen for
 * the statistic (core/statistics/statistic.h).  With groups (categories of a label
 * or bins of a number) the moments of all groups form one stacked vector, in
 * which a row moves only its own group's part: one charge pays for all groups.
 *
 * The values of a private key are selected first (release_keys.h) and then serve
 * as groups like any others (statistic_keys.c).  If only the number of rows is
 * requested, the selection's own release is the answer.
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
	bool		clamp;			/* clamp values to quantiles that are released first */
	double		within;			/* half-width that the epsilon is to be found for; 0: it is given */
	double		rows;			/* of a group, estimated, for plans; 0: known only if public */
} DpemStatisticRequest;

typedef struct DpemStatisticPlan
{
	DpemFitPlan fit;
	const DpemStatisticRequest *request;
	DpemStatisticScale scale;
	double		importance[DPEM_STATISTIC_PARTS];
	DpemReleaseSpec spec;
	int			line;			/* of the charge; -1 without noise, or if keys are only selected */
	DpemKeySpec keys;			/* only for private keys with noise: */
	DpemKeyLaw	key_law;
	int			keys_line;		/* of the charge; -1: none */
	bool		clamps;			/* request->clamp, with noise; only then: */
	DpemMarginGrid grid;
	DpemFitStage margins;
} DpemStatisticPlan;

/* reads and checks a function's arguments; statistic NULL: an argument too; raises 22023 naming it */
extern DpemStatisticRequest *dpem_statistic_arguments(FunctionCallInfo fcinfo, const char *function, const char *statistic);

/* the argument clamp is 'auto', and not NULL; raises 22023 */
extern bool dpem_statistic_is_clamped(const DpemArguments *arguments);

/* raises 22023 and others for impossible requests */
extern DpemStatisticPlan *dpem_statistic_plan(const DpemStatisticRequest *request);

/*
 * Rows for the parts of the release, then one named like the statistic with its
 * own noise, in the columns' units (NaN unless the number of rows is public).
 */
extern void dpem_statistic_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* half the length that the 95 % interval is planned to have, in the columns' units; NaN like the noise; with noise only */
extern double dpem_statistic_half_width(const DpemStatisticPlan *plan);

/* sets the request's epsilon to the least that its `within` takes; raises 22023 */
extern void dpem_statistic_find_epsilon(DpemStatisticRequest *request);

/*
 * Charges, reads, releases.  Returns a value for each group of the plan's dataset
 * (for a private key, the groups selected by then), or one without groups;
 * raises DP001, DP002, DP003, 42501.
 */
extern DpemStatisticValue *dpem_statistic_run(const DpemStatisticPlan *plan);

/* the same, of what is kept (answers/kept.h) if it may be; what is released is kept */
extern DpemStatisticValue *dpem_statistic_answer(DpemStatisticPlan *plan);

/* is the noise Gaussian, unbiased, and of a deviation that does not depend on rows? */
extern bool dpem_statistic_adds(const DpemStatisticPlan *plan);

/* for statistic_*.c: the additional parts of a statistic grouped by a private key */
extern void dpem_statistic_plan_keys(DpemStatisticPlan *plan);
extern void dpem_statistic_forecast_keys(const DpemStatisticPlan *plan, DpemForecast *forecast);

/* selects keys, which become the dataset's groups; returns their values if that answers the request */
extern DpemStatisticValue *dpem_statistic_run_keys(const DpemStatisticPlan *plan, DpemFitRun *run);

/* does the selection of keys alone answer the request? */
extern bool dpem_statistic_is_selection(const DpemStatisticPlan *plan);

/* for statistic_clamp.c: the same for values clamped to released quantiles of each group */
extern void dpem_statistic_plan_clamp(DpemStatisticPlan *plan);
extern DpemStatisticValue *dpem_statistic_run_clamped(const DpemStatisticPlan *plan, DpemFitRun *run);

/* cost of one release that gets this share of the plan's budget */
extern DpemCostLine dpem_statistic_cost(const DpemStatisticPlan *plan, double share);

/* share of the budget's squared mu for the selection of keys, if another release follows */
#define DPEM_STATISTIC_KEYS_SHARE 0.25

/* likewise for the margins that give the clamps (test/bench/utility_statistics.pl) */
#define DPEM_STATISTIC_CLAMP_SHARE 0.3

/* importance of the count under a minimum, of that of the sum, where the statistic by itself asks for less */
#define DPEM_STATISTIC_MINIMUM_PART 0.1

/* likewise with clamps: from the middle of the domain to that of the clamp, a sum is moved by its number of rows */
#define DPEM_STATISTIC_CLAMP_PART (1.0 / 3)

/* a value that is hidden is NaN, and so are its noise and its interval */
extern bool dpem_statistic_is_hidden(const DpemStatisticValue *value);
extern void dpem_statistic_hide(DpemStatisticValue *value);

/* tells how many of n are hidden */
extern void dpem_statistic_tell_hidden(const DpemFitPlan *plan, const DpemStatisticValue *value, int n);

/* has no models; supplies cases for dp_selftest */
extern const DpemFamily dpem_family_statistics;

#endif							/* DPEM_FAMILY_STATISTICS_H */
