/*
 * robust.h - a column's median or interquartile range by mechanisms whose noise depends on the table: request, plan, result.
 *
 * One pass of the kernel `cells` counts rows in equal bins of the column's domain; what follows from the counts is found
 * behind the wall (wall/release_robust.h).
 */
#ifndef DPEM_FAMILY_ROBUST_H
#define DPEM_FAMILY_ROBUST_H

#include "fit/family.h"
#include "wall/release_robust.h"

typedef enum DpemRobustMechanism
{
	DPEM_ROBUST_SMOOTH,			/* smooth sensitivity */
	DPEM_ROBUST_TESTED,			/* propose-test-release */
	DPEM_ROBUST_BLOCKS			/* Smith's estimator, robust_blocks.c */
} DpemRobustMechanism;

typedef struct DpemRobustRequest
{
	DpemFitRequest fit;			/* must be first */
	DpemRobustStatistic statistic;
	DpemRobustMechanism mechanism;
	int			bins;
	double		proposal;		/* in the column's units; 0: the default */
} DpemRobustRequest;

typedef struct DpemRobustPlan
{
	DpemFitPlan fit;			/* must be first */
	const DpemRobustRequest *request;
	DpemRobustSpec spec;
	const DpemColumn *column;
	double		noise_multiplier;	/* of the value */
	DpemTestLaw law;			/* of a test */
	int			distance_line;	/* of the charge; -1: there is no test, or no noise */
	int			line;			/* likewise: of the value */
	int			rows_line;		/* of blocks: their rows' number, -1: it is public; and quartiles of their outputs */
	int			ends_line;
} DpemRobustPlan;

/* in the column's units; sd, lower and upper are NaN where the noise is private, and all of it where the test refused */
typedef struct DpemRobustValue
{
	double		value;
	double		sd;
	double		lower;			/* 95 % interval, for the noise */
	double		upper;
} DpemRobustValue;

/* reads and checks a function's arguments; raises 22023 naming the argument */
extern DpemRobustRequest *dpem_robust_arguments(FunctionCallInfo fcinfo, const char *function);

/* raises 22023 and others for impossible requests */
extern DpemRobustPlan *dpem_robust_plan(const DpemRobustRequest *request);

/* rows for the choice, or for the distance, its threshold and failure, and the value */
extern void dpem_robust_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemRobustValue dpem_robust_run(const DpemRobustPlan *plan);

/* of blocks: lines of the charge, rows of the forecast, passes and releases */
extern void dpem_robust_plan_blocks(DpemRobustPlan *plan);
extern void dpem_robust_forecast_blocks(const DpemRobustPlan *plan, DpemForecast *forecast);
extern DpemRobustValue dpem_robust_run_blocks(const DpemRobustPlan *plan, DpemFitRun *run);

/* a place among the cells in the column's units: the middle of a median's cell */
extern double dpem_robust_in_units(const DpemRobustPlan *plan, double cells);

/* names, as arguments have them */
extern const char *dpem_robust_statistic_name(DpemRobustStatistic statistic);
extern const char *dpem_robust_mechanism_name(DpemRobustMechanism mechanism);

/* has no models; supplies cases for dp_selftest */
extern const DpemFamily dpem_family_robust;

#endif							/* DPEM_FAMILY_ROBUST_H */
