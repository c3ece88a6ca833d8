/*
 * statistic_arguments.h - the arguments of dp_count, dp_sum, ... and of dp_statistic_plan.
 */
#ifndef DPEM_FAMILY_STATISTIC_ARGUMENTS_H
#define DPEM_FAMILY_STATISTIC_ARGUMENTS_H

#include "postgres.h"

#include "families/statistics/statistic_request.h"
#include "fit/fit_arguments.h"

/* positions beside those of fit.h; below 1: the function has no such argument */
typedef struct DpemStatisticPositions
{
	DpemFitPositions fit;
	int			column;
	int			other;
	int			mechanism;
	int			bins;			/* a histogram's, with edges; a label has its categories */
	int			edges;
} DpemStatisticPositions;

/* reads and checks them; raises 22023 naming the argument */
extern DpemStatisticRequest *dpem_statistic_arguments(FunctionCallInfo fcinfo, const DpemStatisticPositions *at,
													  const char *function, const char *statistic);

#endif							/* DPEM_FAMILY_STATISTIC_ARGUMENTS_H */
