/*
 * bundle.c - from the questions of one query to their answers, and what EXPLAIN says of them.
 *
 * A query without GROUPING SETS has one question.  With them it has one for each set, and those
 * are a bundle: one charge for all their releases, whose noise is what the composition asks for.
 * Of k sets Gaussian noise is larger than that of one by the root of k, where parts of the epsilon would
 * make it k times as large.  Sums of the finest set's cells would have the noise of as many cells as there are in a
 * sum: more, but for sums of fewer than k cells.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "fdw/explaining.h"
#include "fdw/fdw.h"
#include "ledger/charge.h"
#include "ledger/standing.h"
#include "server/errors.h"

/* questions that are asked together, and their price */
typedef struct Bundle
{
	const DpemQuestion *const *question;
	int			n;
	DpemPrice	price;
} Bundle;

/* how many of n questions one charge has lines for; a private key's, whose release may fail, is alone */
static int
together(const DpemQuestion *const *question, int n)
{
	int			lines = 0;
	int			i = 0;

	if (question[0]->groups == 0)
		return 1;
	for (; i < n && question[i]->groups > 0; i++)
	{
		lines += list_length(question[i]->asks);
		if (lines > DPEM_CHARGE_MAX_LINES)
			break;
	}
	return i;
}

/* the bundle that begins with question `first` of n: a part of the price as large as its part of the questions */
static Bundle
bundle_at(const DpemQuestion *const *question, int first, int n, DpemPrice price)
{
	Bundle		b = {question + first, together(question + first, n - first), price};

	if (b.n < n)
	{
		b.price.epsilon *= (double) b.n / n;
		b.price.delta *= (double) b.n / n;
	}
	return b;
}

/* ---- answers ---- */

/* what a query's charges come to, before the first of them; of accountants whose totals are not compared one by one each charge is */
static void
require_budget(const DpemPrivateTable *table, const DpemTotals *cost, DpemPrice price)
{
	DpemStanding standing = dpem_standing_load(table->dataset->id, GetUserId(), NULL);
	DpemSpending *spending[] = {&standing.dataset, &standing.share, &standing.unreserved};

	if (!standing.has_share || !dpem_accountant_reserves(standing.accountant))
		return;
	for (int i = 0; i < lengthof(spending); i++)
		spending[i]->after = dpem_budget_with_reserved(&spending[i]->spent, cost);
	if (!dpem_standing_affords(&standing))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_BUDGET_EXCEEDED),
				 errmsg("the budget allows no query of epsilon %g at delta %g, which takes several charges", price.epsilon, price.delta),
				 errdetail("Nothing was read and nothing was spent."),
				 errhint("Ask for a smaller epsilon, fewer grouping sets, or fewer aggregates.")));
}

/* what cannot be planned, or paid for, is refused before any of several bundles is paid for */
static void
check_bundles(const DpemQuestion *const *question, int n, DpemPrice price)
{
	Bundle		b = bundle_at(question, 0, n, price);
	DpemTotals	all = {0};
	DpemTotals	cost;

	if (b.n == n)
		return;
	for (int i = 0; i < n; i += b.n)
	{
		b = bundle_at(question, i, n, price);
		(void) dpem_forecast_answers(b.question, b.n, b.price, isfinite(price.epsilon) ? &cost : NULL);
		if (isfinite(price.epsilon) && dpem_forecast_kept(b.question, b.n, b.price) == NULL)
			all = dpem_budget_with_reserved(&all, &cost);
	}
	if (isfinite(price.epsilon))
		require_budget(question[0]->table, &all, price);
}

void
dpem_answer_questions(const DpemQuestion *const *question, int n, const DpemPrice *price, DpemAnswer **answer)
{
	Bundle		b;

	for (int i = 0; price == NULL && i < n; i++)
		answer[i] = dpem_answer_of_groups(question[i]);
	if (price == NULL)
		return;
	check_bundles(question, n, *price);
	for (int i = 0; i < n; i += b.n)
	{
		DpemAnswer **of;

		b = bundle_at(question, i, n, *price);
		of = dpem_kept_answers(b.question, b.n, b.price);
		if (of == NULL)
		{
			of = dpem_answers(b.question, b.n, b.price);
			dpem_keep_answers(b.question, of, b.n);
		}
		memcpy(&answer[i], of, b.n * sizeof(DpemAnswer *));
	}
}

/* ---- EXPLAIN ---- */

/* an answer's price: `given` is one that has been, or would be, given again */
static void
explain_price(const Bundle *b, const DpemAnswer *given, ExplainState *es)
{
	const char *sets = b->n > 1 ? psprintf(", one charge for %d grouping sets", b->n) : "";

	if (isinf(b->price.epsilon))
		ExplainPropertyText("Privacy", "no noise, for roles that may read the rows", es);
	else if (given != NULL)
		ExplainPropertyText("Privacy", psprintf("an answer of charge " INT64_FORMAT " is given again, nothing is spent", given->charge), es);
	else
		ExplainPropertyText("Privacy", psprintf("epsilon %g, delta %g%s", b->price.epsilon, b->price.delta, sets), es);
}

/* "(region, smoker) " of a grouping set; "" where there are none */
static const char *
set_of(const DpemQuestion *q, bool sets)
{
	StringInfoData out;
	ListCell   *cell;

	if (!sets)
		return "";
	initStringInfo(&out);
	foreach(cell, q->keys)
		appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", dpem_deparse(q->table, ((DpemGroupKey *) lfirst(cell))->expression));
	return psprintf("(%s) ", out.data);
}

static void
explain_noise(const Bundle *b, bool sets, ExplainState *es)
{
	const double *noise = dpem_forecast_answers(b->question, b->n, b->price, NULL);
	List	   *lines = NIL;
	int			at = 0;

	for (int i = 0; i < b->n; i++)
	{
		ListCell   *cell;

		foreach(cell, b->question[i]->asks)
		{
			const char *name = psprintf("%s%s", set_of(b->question[i], sets), ((DpemAsk *) lfirst(cell))->name);
			double		deviation = noise[at++];

			lines = lappend(lines, isnan(deviation) ? psprintf("%s: depends on the rows", name) : psprintf("%s: %.3g", name, deviation));
		}
	}
	ExplainPropertyList("Noise Stddev", lines, es);
}

static void
explain_questions(const DpemQuestion *const *question, int n, ExplainState *es)
{
	for (int i = 0; i < n && es->verbose; i++)
		ExplainPropertyText("Question", question[i]->text, es);
}

void
dpem_explain_questions(const DpemQuestion *const *question, int n, const DpemPrice *price, DpemAnswer *const *answer, ExplainState *es)
{
	Bundle		b;

	explain_questions(question, n, es);
	if (price == NULL)
		ExplainPropertyText("Privacy", "public groups, nothing is spent", es);
	for (int i = 0; price != NULL && i < n; i += b.n)
	{
		DpemAnswer *const *kept;

		b = bundle_at(question, i, n, *price);
		kept = answer != NULL ? NULL : dpem_forecast_kept(b.question, b.n, b.price);
		explain_price(&b, kept != NULL ? kept[0] : answer != NULL && answer[i]->reused ? answer[i] : NULL, es);
		if (kept == NULL)
			explain_noise(&b, n > 1, es);
	}
}
