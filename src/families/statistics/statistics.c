/*
 * statistics.c - dp_count, dp_sum, dp_avg, dp_variance, dp_stddev,
 * dp_covariance, dp_histogram, dp_top_k: check arguments, plan, release, emit rows;
 * dp_statistic_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/statistics/statistics.h"
#include "fit/forecast.h"
#include "fit/fit_model.h"
#include "server/named_arguments.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_count);
PG_FUNCTION_INFO_V1(dp_sum);
PG_FUNCTION_INFO_V1(dp_avg);
PG_FUNCTION_INFO_V1(dp_variance);
PG_FUNCTION_INFO_V1(dp_stddev);
PG_FUNCTION_INFO_V1(dp_covariance);
PG_FUNCTION_INFO_V1(dp_histogram);
PG_FUNCTION_INFO_V1(dp_top_k);
PG_FUNCTION_INFO_V1(dp_statistic_plan);

static void
put_value(const DpemStatisticValue *value, Datum values[4])
{
	values[0] = Float8GetDatum(value->value);
	values[1] = Float8GetDatum(value->sd);
	values[2] = Float8GetDatum(value->lower);
	values[3] = Float8GetDatum(value->upper);
}

static DpemStatisticPlan *
plan_call(FunctionCallInfo fcinfo, const char *function, const char *statistic)
{
	DpemStatisticRequest *request = dpem_statistic_arguments(fcinfo, function, statistic);

	dpem_fit_require_possible(&request->fit);
	return dpem_statistic_plan(request);
}

/* rows (value, noise_stddev, ci_lower, ci_upper, key), one for each category, or released key, or one with a NULL key; hidden ones are left out */
static Datum
answer(FunctionCallInfo fcinfo, const char *function, const char *statistic)
{
	DpemStatisticPlan *plan = plan_call(fcinfo, function, statistic);
	const DpemGrouping *grouping = plan->fit.binding->grouping;
	DpemStatisticValue *value = dpem_statistic_answer(plan);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	dpem_statistic_tell_hidden(&plan->fit, value, grouping ? grouping->n : 1);
	for (int g = 0; g < (grouping ? grouping->n : 1); g++)
	{
		Datum		values[5];
		bool		nulls[5] = {false, false, false, false, grouping == NULL};

		if (dpem_statistic_is_hidden(&value[g]))
			continue;
		put_value(&value[g], values);
		values[4] = grouping ? CStringGetTextDatum(grouping->category[g]) : (Datum) 0;
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* dp_count: number of rows, of those where a column is not null, or of those that match a filter; the others of a column's values */
#define ANSWER(name) \
	Datum dp_##name(PG_FUNCTION_ARGS) \
	{ return answer(fcinfo, "dp_" #name, #name); }

ANSWER(count)
ANSWER(sum)
ANSWER(avg)
ANSWER(variance)
ANSWER(stddev)
ANSWER(covariance)

/* rows (bin, lower, upper, category, value, noise_stddev, ci_lower, ci_upper) in the order of the bins */
Datum
dp_histogram(PG_FUNCTION_ARGS)
{
	DpemStatisticPlan *plan = plan_call(fcinfo, "dp_histogram", "histogram");
	const DpemGrouping *grouping = plan->fit.binding->grouping;
	DpemStatisticValue *value = dpem_statistic_answer(plan);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	bool		edges = grouping->edge != NULL;

	InitMaterializedSRF(fcinfo, 0);
	dpem_statistic_tell_hidden(&plan->fit, value, grouping->n);
	for (int g = 0; g < grouping->n; g++)
	{
		Datum		values[8];
		bool		nulls[8] = {false, !edges, !edges, edges, false, false, false, false};

		if (dpem_statistic_is_hidden(&value[g]))
			continue;
		values[0] = Int32GetDatum(g + 1);
		values[1] = edges ? Float8GetDatum(grouping->edge[g]) : (Datum) 0;
		values[2] = edges ? Float8GetDatum(grouping->edge[g + 1]) : (Datum) 0;
		values[3] = edges ? (Datum) 0 : CStringGetTextDatum(grouping->category[g]);
		put_value(&value[g], values + 4);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

typedef struct Ranked
{
	int			group;
	double		value;
} Ranked;

/* the largest first; of equal ones the first group, so that it is the same on every machine */
static int
compare_ranked(const void *a, const void *b)
{
	const Ranked *x = a;
	const Ranked *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->group - y->group;
}

static Ranked *
rank_groups(const DpemStatisticValue *value, int n)
{
	Ranked	   *ranked = MemoryContextAllocHuge(CurrentMemoryContext, Max(n, 1) * sizeof(Ranked));

	for (int g = 0; g < n; g++)
		ranked[g] = (Ranked) {g, dpem_statistic_is_hidden(&value[g]) ? -INFINITY : value[g].value};
	qsort(ranked, n, sizeof(Ranked), compare_ranked);
	return ranked;
}

/*
 * dp_top_k: rows (rank, category, value, noise_stddev, ci_lower, ci_upper), the k
 * largest of one release of all counts.  Choosing reads released numbers only.
 */
Datum
dp_top_k(PG_FUNCTION_ARGS)
{
	DpemArguments a = dpem_arguments(fcinfo);
	int			k = dpem_named_int_between(&a, "k", 1, DPEM_GROUPS_MAX);
	DpemStatisticPlan *plan = plan_call(fcinfo, "dp_top_k", "top_k");
	const DpemGrouping *grouping = plan->fit.binding->grouping;
	DpemStatisticValue *value = dpem_statistic_answer(plan);
	Ranked	   *ranked = rank_groups(value, grouping->n);
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	dpem_statistic_tell_hidden(&plan->fit, value, grouping->n);
	for (int i = 0; i < Min(k, grouping->n) && !dpem_statistic_is_hidden(&value[ranked[i].group]); i++)
	{
		int			g = ranked[i].group;
		Datum		values[6] = {Int32GetDatum(i + 1), CStringGetTextDatum(grouping->category[g])};
		bool		nulls[6] = {false};

		put_value(&value[g], values + 2);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * dp_statistic_plan(statistic text, the arguments of the statistic): a row per
 * part of the release, one for the statistic and one in all; with `within` also
 * one for the epsilon that it takes and one for the width.  Reads no row of the
 * source, spends nothing.
 */
Datum
dp_statistic_plan(PG_FUNCTION_ARGS)
{
	DpemStatisticRequest *request = dpem_statistic_arguments(fcinfo, "dp_statistic_plan", NULL);

	dpem_require_plannable(&request->fit);
	if (request->within > 0)
		dpem_statistic_find_epsilon(request);
	dpem_emit_plan(fcinfo, &dpem_statistic_plan(request)->fit, dpem_statistic_forecast);
	return (Datum) 0;
}

/* of rows that count for fits of all columns: the others are null rows, whichever column a statistic is of */
#define COUNTED "filter => 'a between -1e300 and 1e300 and b between -1e300 and 1e300 and c between -1e300 and 1e300'"
#define STATISTIC(name, columns, more) "dp_" name "('dpem_selftest', " columns "4, 1e-6, " more COUNTED ")"

static const DpemSelftestCase selftest[] = {
	{"count", STATISTIC("count", "", ""), 0},
	{"count by groups, laplace", STATISTIC("count", "", "by => 'label', mechanism => 'laplace', "), 0},
	{"sum, laplace", STATISTIC("sum", "'b', ", "mechanism => 'laplace', "), 0},
	{"sum, clamped", STATISTIC("sum", "'b', ", "clamp => 'auto', "), 0},
	{"sum by groups, clamped", STATISTIC("sum", "'b', ", "clamp => 'auto', by => 'label', "), 0},
	{"average by groups", STATISTIC("avg", "'b', ", "by => 'label', "), 0},
	{"average, clamped", STATISTIC("avg", "'b', ", "clamp => 'auto', "), 0},
	{"variance by groups, clamped", STATISTIC("variance", "'a', ", "clamp => 'auto', by => 'label', "), 0},
	{"variance", STATISTIC("variance", "'a', ", ""), 0},
	{"covariance by groups", STATISTIC("covariance", "'a', 'c', ", "by => 'label', "), 0},
	{"histogram", STATISTIC("histogram", "'b', ", "bins => 4, "), 0},
	{"most frequent categories", STATISTIC("top_k", "'label', 3, ", ""), 0},
	{"median", STATISTIC("quantile", "'b', 0.5, ", "bins => 50, "), 0},
	{"quantile", STATISTIC("quantile", "'c', 0.75, ", "bins => 50, "), 0},
	{"count by keys", STATISTIC("count", "", "by => 'word', "), 0},
	{"count by keys, laplace", STATISTIC("count", "", "by => 'word', mechanism => 'laplace', "), 0},
	{"bounds", STATISTIC("bounds", "'b', ", ""), 0},
	{"persons", STATISTIC("count_distinct", "NULL, ", ""), 0},
	{"persons by groups", STATISTIC("count_distinct", "NULL, ", "by => 'label', "), 0},
	{"different values", STATISTIC("count_distinct", "'word', ", ""), 0},
	{"different values by groups, laplace", STATISTIC("count_distinct", "'b', ", "by => 'label', mechanism => 'laplace', "), 0},
	{"description", "dp_describe('dpem_selftest', 4, 1e-6, '{a,b,c,label}')", DPEM_SELFTEST_COUNTS_NULLS},
	{"description, clamped", "dp_describe('dpem_selftest', 4, 1e-6, '{a,b,c,label}', clamp => 'auto')", DPEM_SELFTEST_COUNTS_NULLS},
	{"statistics by groups", "dp_statistics('dpem_selftest', 4, '{count, avg(a), median(b), missing(c)}', by => 'label')", DPEM_SELFTEST_COUNTS_NULLS},
	{"quantiles by groups", "dp_quantiles('dpem_selftest', 'a', '{0.5,0.75}', 4, by => 'label', mechanism => 'gaussian')", DPEM_SELFTEST_COUNTS_NULLS},
	{"quantiles by groups, chosen", "dp_quantiles('dpem_selftest', 'a', '{0.2,0.5,0.75}', 4, 1e-6, by => 'label', mechanism => 'exponential', " COUNTED ")", 0},
	{"quantiles, chosen", "dp_quantiles('dpem_selftest', 'b', '{0.1,0.5,0.9}', 4, 1e-6, mechanism => 'exponential', " COUNTED ")", 0},
	{"sum by keys", STATISTIC("sum", "'b', ", "by => 'word', "), 0},
	{NULL}
};

const DpemFamily dpem_family_statistics = {.name = "statistics",.title = "a statistic",.selftest = selftest};
