/*
 * summary_request.h - several statistics of several columns for one charge: request, plan and result.
 *
 * One pass of the kernel `summary` and one release (core/statistics/summary.h), of all rows or, stacked, of each
 * category's.
 */
#ifndef DPEM_FAMILY_SUMMARY_REQUEST_H
#define DPEM_FAMILY_SUMMARY_REQUEST_H

#include "core/kernels/margins.h"
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

/* how quantiles are found: from counts of bins, which have intervals, or by choices, whose ranks miss by less */
typedef enum DpemSummaryWay
{
	DPEM_BY_COUNTS, DPEM_BY_CHOICES, DPEM_BY_THE_BETTER
} DpemSummaryWay;

typedef struct DpemChoices DpemChoices;

typedef struct DpemSummaryRequest
{
	DpemFitRequest fit;
	DpemSummaryWay way;			/* others than counts: of quantiles of one column alone */
	bool		apart;			/* quantiles of several columns may be chosen, beside the release of the rest (description.c) */
	bool		clamp;			/* of a description: numbers are clamped to where margins say that rows are (summary_clamp.c) */
	List	   *wishes;			/* of DpemWish *, in the order of the result */
} DpemSummaryRequest;

typedef struct DpemSummaryPlan
{
	DpemFitPlan fit;
	const DpemSummaryRequest *request;
	DpemSummary summary;
	const DpemColumn **column;	/* of the summary's columns */
	DpemChoices *choices;		/* instead of a summary; NULL: there is one */
	double		squares;		/* sum of the summary's weights' squares as they are wished for, and that of the margins before it */
	int			clamped;		/* leading numbers that are clamped to released ends (summary_clamp.c); 0: none */
	DpemMarginGrid grid;		/* only with clamps */
	List	   *chosen;			/* of DpemSummaryPlan *, for each column whose quantiles are chosen beside the summary; NIL: none are */
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

/*
 * The same of all but quantiles, beside which others get `chosen` of the budget where the wished weights' squares get
 * their sum; less: how many times less than its part it gets.
 */
extern DpemSummaryPlan *dpem_summary_plan_beside(const DpemSummaryRequest *request, double chosen, double less);

/*
 * If the request asks for clamps: plans margins of all numbers before the summary, as stage 1.  Returns
 * what part of the budget they get where the wished weights' squares get their sum; 0: nothing is clamped.  Raises 22023 and 54000.
 */
extern double dpem_summary_plan_clamps(DpemSummaryPlan *plan);

/* between which a column's values count, in its units */
typedef struct DpemSummaryEnds
{
	double		lower;
	double		upper;
} DpemSummaryEnds;

/* releases these margins, if any; ends of each of the summary's columns, for each group in turn, between which the next pass sees numbers */
extern DpemSummaryEnds *dpem_summary_find_ends(const DpemSummaryPlan *plan, DpemFitRun *run);

/* of a description: with chosen quantiles, where public facts say that these miss ranks by less */
extern DpemSummaryPlan *dpem_description_plan(const DpemSummaryRequest *request);

/* joins the charges of plan->chosen with the plan's own */
extern void dpem_choices_join(DpemSummaryPlan *plan);

/* rows of a description with chosen quantiles; reads and chooses these, after the summary's release, into the rows */
extern void dpem_description_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_description_choose(const DpemSummaryPlan *plan, List *rows);

/* the same for quantiles that are chosen; NULL: they are too many */
extern DpemSummaryPlan *dpem_choices_plan(const DpemSummaryRequest *request);

/* of whichever way the request asks for, or public facts say misses ranks by less; raises 22023 */
extern DpemSummaryPlan *dpem_quantiles_plan(const DpemSummaryRequest *request);

/* about the mean error of a rank, in rows: of the worst of the quantiles */
extern double dpem_choices_typical_error(const DpemSummaryPlan *plan);
extern double dpem_summary_typical_error(const DpemSummaryPlan *plan);

/* in rows, of the worst of the quantiles, in 95 of 100 calls */
extern double dpem_choices_rank_error(const DpemSummaryPlan *plan);

/* the line of the charge that its release, or its choices, are paid by */
extern int *dpem_summary_line(DpemSummaryPlan *plan);

/* rows for the choices, in rows, and for the worst quantile's rank error */
extern void dpem_choices_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* charges, reads, chooses; the rows with values, without intervals; raises DP001, DP002, DP003 */
extern List *dpem_choices_run(const DpemSummaryPlan *plan);

/* the rows that a release becomes, without values: a List of DpemSummaryRow * */
extern List *dpem_summary_rows_of(const DpemSummaryPlan *plan);

/* charges, reads, releases; these rows with values; raises DP001, DP002, DP003, 42501 */
extern List *dpem_summary_run(const DpemSummaryPlan *plan);

/* the same, of what is kept (answers/kept.h) if it may be; what is released is kept */
extern List *dpem_summary_answer(DpemSummaryPlan *plan);

#endif							/* DPEM_FAMILY_SUMMARY_REQUEST_H */
