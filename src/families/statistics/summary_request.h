/*
 * summary_request.h - several statistics of several columns for one charge: request, plan and result.
 *
 * One pass of the kernel `summary` and one release (core/statistics/summary.h), of all rows or, stacked, of each
 * category's.
 */
#ifndef DPEM_FAMILY_SUMMARY_REQUEST_H
#define DPEM_FAMILY_SUMMARY_REQUEST_H

#include "core/statistics/summary.h"
#include "fit/fit.h"
#include "fit/forecast.h"
#include "server/named_arguments.h"

typedef enum DpemWishKind
{
	DPEM_WISH_ROWS, DPEM_WISH_KNOWN, DPEM_WISH_MISSING, DPEM_WISH_STATISTIC, DPEM_WISH_QUANTILE, DPEM_WISH_CATEGORIES,
	DPEM_WISH_RANGE, DPEM_WISH_TRIMMED, DPEM_WISH_WINSORISED
} DpemWishKind;

/* one statistic of a column */
typedef struct DpemWish
{
	DpemWishKind kind;
	const char *name;			/* in the result */
	char	   *column;			/* NULL: of rows */
	const DpemStatistic *statistic;	/* of DPEM_WISH_STATISTIC: sum, avg, variance, stddev */
	double		level;			/* of quantiles and what follows from two of them */
} DpemWish;

typedef struct DpemSummaryRequest
{
	DpemFitRequest fit;
	List	   *wishes;			/* of DpemWish *, in the order of the result */
} DpemSummaryRequest;

typedef struct DpemSummaryPlan
{
	DpemFitPlan fit;
	const DpemSummaryRequest *request;
	DpemSummary summary;
	const DpemColumn **column;	/* of the summary's columns */
} DpemSummaryPlan;

/* one row of the result */
typedef struct DpemSummaryRow
{
	const DpemWish *wish;
	const char *category;		/* of DPEM_WISH_CATEGORIES; else NULL */
	const char *key;			/* whose rows alone it is of, or NULL */
	int			group;
	int			place;			/* of the column among the summary's */
	int			at;				/* of the category in the column */
	DpemStatisticValue value;
} DpemSummaryRow;

/* wishes of `statistics`, such as avg(age); of a dataset's columns, all that are numbers or labels; of a column's quantiles */
extern void dpem_summary_read_statistics(const DpemArguments *arguments, DpemSummaryRequest *request);
extern void dpem_summary_read_description(const DpemArguments *arguments, DpemSummaryRequest *request);
extern void dpem_summary_read_quantiles(const DpemArguments *arguments, DpemSummaryRequest *request);

/* raises 22023 and others for impossible requests */
extern DpemSummaryPlan *dpem_summary_plan(const DpemSummaryRequest *request);

/* the rows that a release becomes, without values: a List of DpemSummaryRow * */
extern List *dpem_summary_rows_of(const DpemSummaryPlan *plan);

/* charges, reads, releases; these rows with values; raises DP001, DP002, DP003, 42501 */
extern List *dpem_summary_run(const DpemSummaryPlan *plan);

/* the same, of what is kept (answers/kept.h) if it may be; what is released is kept */
extern List *dpem_summary_answer(DpemSummaryPlan *plan);

#endif							/* DPEM_FAMILY_SUMMARY_REQUEST_H */
