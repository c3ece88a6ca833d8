/*
 * summary_answer.c - what is kept of a summary, or a release of it, which is kept.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "families/statistics/minimum.h"
#include "families/statistics/summary_request.h"

/* as dp_statistics is asked for it, whatever the result calls it */
static const char *
kind_of(const DpemWish *wish)
{
	switch (wish->kind)
	{
		case DPEM_WISH_MISSING:
			return "missing";
		case DPEM_WISH_STATISTIC:
			return wish->statistic->name;
		case DPEM_WISH_QUANTILE:
			return "quantile";
		case DPEM_WISH_CATEGORIES:
			return "categories";
		default:
			return "count";
	}
}

/* "avg(age)", "quantile(age, 0.5)"; of a label's category its name, too */
static char *
name_of(const DpemWish *wish, const char *category)
{
	char	   *name = pstrdup(kind_of(wish));

	if (wish->column != NULL)
		name = psprintf("%s(%s%s)", name, quote_identifier(wish->column),
						wish->kind == DPEM_WISH_QUANTILE ? psprintf(", %.15g", wish->level) : "");
	return category ? psprintf("%s %s", name, quote_literal_cstr(category)) : name;
}

/* statistics are stacked: each is worth what all of them leave it */
static DpemKeptQuestion *
question_of(const DpemSummaryPlan *plan)
{
	StringInfoData what;
	ListCell   *cell;

	initStringInfo(&what);
	foreach(cell, plan->request->wishes)
		appendStringInfo(&what, "%s%s", foreach_current_index(cell) == 0 ? "" : ", ", name_of(lfirst(cell), NULL));
	return dpem_fit_question(&plan->fit, what.data, psprintf("%s%s", plan->clamped > 0 ? "clamped; " : "", plan->choices || plan->chosen ? "choices; " : ""), dpem_minimum_text(dpem_fit_minimum(&plan->fit)));
}

/* noise of counts and sums is that of the release; which releases a minimum shows depends on their noise */
static bool
adds(const DpemSummaryPlan *plan, const DpemSummaryRow *row)
{
	if (dpem_fit_minimum(&plan->fit) > 0 || !(row->value.sd > 0))
		return false;
	switch (row->wish->kind)
	{
		case DPEM_WISH_ROWS:
		case DPEM_WISH_KNOWN:
		case DPEM_WISH_MISSING:
		case DPEM_WISH_CATEGORIES:
			return true;
		case DPEM_WISH_STATISTIC:
			return strcmp(row->wish->statistic->name, "sum") == 0;
		default:
			return false;
	}
}

static void
keep(const DpemSummaryPlan *plan, const DpemKeptQuestion *q, List *rows, int64 charge)
{
	int			n = list_length(rows);
	DpemKeptAnswer a = {.n = n,.epsilon = q->epsilon,.delta = q->delta,.charge = charge,.answered_at = GetCurrentTimestamp()};
	ListCell   *cell;

	a.cell = MemoryContextAllocHuge(CurrentMemoryContext, (n + 1) * sizeof(DpemKeptCell));
	foreach(cell, rows)
	{
		const DpemSummaryRow *row = lfirst(cell);

		a.cell[foreach_current_index(cell)] = (DpemKeptCell) {
			name_of(row->wish, row->category), row->key, row->value.value, row->value.sd, row->value.lower, row->value.upper, NAN, adds(plan, row)
		};
	}
	dpem_kept_store(q, &a);
}

static List *
take_kept(const DpemSummaryPlan *plan, const DpemKeptAnswer *a)
{
	List	   *rows = dpem_summary_rows_of(plan);
	ListCell   *cell;

	if (list_length(rows) != a->n)
		elog(ERROR, "dpem: an answer of other statistics");
	foreach(cell, rows)
	{
		const DpemKeptCell *c = &a->cell[foreach_current_index(cell)];

		((DpemSummaryRow *) lfirst(cell))->value = (DpemStatisticValue) {c->value, c->noise, c->lower, c->upper, 0};
	}
	return rows;
}

List *
dpem_summary_answer(DpemSummaryPlan *plan)
{
	DpemKeptQuestion *q = question_of(plan);
	DpemKeptAnswer *kept = dpem_kept_find(q);
	List	   *rows;
	int64		charge = 0;

	if (kept != NULL)
		return take_kept(plan, kept);
	plan->fit.paid = &charge;
	rows = dpem_summary_run(plan);
	keep(plan, q, rows, charge);
	return rows;
}
