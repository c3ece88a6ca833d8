/*
 * kept_answer.c - prices of queries, and their answers among those that are kept (answers/kept.h).
 *
 * A query's text is not what is compared, but its question with the domains of the table's columns.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "answers/kept.h"
#include "families/statistics/minimum.h"
#include "fdw/fdw.h"
#include "server/arguments.h"

static double query_epsilon;
static double query_delta;

void
dpem_fdw_init(void)
{
	DefineCustomRealVariable("dpem.epsilon",
							 "Epsilon that a query of a private table spends; 0: what the table's option says.",
							 "It is divided among the query's aggregates.",
							 &query_epsilon, 0, 0, INFINITY, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("dpem.delta",
							 "Delta of a query of a private table.",
							 NULL, &query_delta, 1e-6, 0, 1, PGC_USERSET, 0, NULL, NULL, NULL);
}

DpemPrice
dpem_query_price(const DpemPrivateTable *table)
{
	DpemPrice	price = {query_epsilon > 0 ? query_epsilon : table->epsilon, query_delta};

	if (!(price.epsilon > 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a query of private table \"%s\" needs an epsilon", table->dataset->name),
				 errhint("SET dpem.epsilon = 0.1 says what each query spends; the table's owner can give a default: ALTER FOREIGN TABLE ... OPTIONS (ADD epsilon '0.1').")));
	if (isfinite(price.epsilon))
		(void) dpem_check_epsilon("dpem.epsilon", price.epsilon);
	(void) dpem_check_delta("dpem.delta", price.delta);
	return price;
}

/* "select ..."; of several questions "select ...and ..." */
static char *
text_of(const DpemQuestion *const *q, int n)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < n; i++)
		appendStringInfo(&text, "%s %s", i == 0 ? "select" : "and", q[i]->text);
	appendStringInfoString(&text, dpem_minimum_text(q[0]->table->dataset->minimum));
	return text.data;
}

/* of kept questions that may be answered */
typedef struct Asked
{
	const DpemQuestion *const *question;
	int			n;
	DpemPrice	price;
} Asked;

static void
require_open(const void *asked)
{
	const Asked *a = asked;

	dpem_answers_require_open(a->question, a->n, a->price);
}

static DpemKeptQuestion
kept_question(const DpemQuestion *const *q, int n, DpemPrice price)
{
	const DpemPrivateTable *table = q[0]->table;
	DpemBinding all = {.dataset = table->dataset};

	for (int i = 0; i < table->columns; i++)
	{
		if (table->column[i] != NULL)
			all.columns = lappend(all.columns, table->column[i]);
	}
	return (DpemKeptQuestion) {
		.function = "SELECT",.dataset = table->dataset,.text = text_of(q, n),.facts = dpem_kept_facts(&all),
			.epsilon = price.epsilon,.delta = price.delta,.fresh = dpem_fresh,.quiet = true
	};
}

/* ---- storing ---- */

/* an aggregate as the question has it: not as whoever asked first wrote it */
static const char *
name_of(const DpemAsk *ask)
{
	const char *of = ask->columns ? quote_identifier(linitial(ask->columns)) : "*";
	const char *name = ask->statistic ? ask->statistic->name : psprintf("%.15g quantile", ask->level);
	const char *more = list_length(ask->columns) > 1 ? psprintf(", %s", quote_identifier(lsecond(ask->columns))) : "";

	return psprintf("%s%s(%s%s)%s%s", name, ask->population ? " of all" : "", of, more, ask->filter ? " where " : "", ask->filter ? ask->filter : "");
}

static void
copy_cells(DpemKeptCell *cell, const DpemQuestion *q, const DpemAnswer *a)
{
	for (int i = 0; i < a->groups * a->asks; i++)
		cell[i] = (DpemKeptCell) {
			name_of(list_nth(q->asks, i % a->asks)), dpem_key_of(q, a, i / a->asks), a->value[i], a->noise[i], a->lower[i], a->upper[i],
				a->rank_error[i], a->adds[i % a->asks] && a->noise[i] > 0
		};
}

void
dpem_keep_answers(const DpemQuestion *const *q, DpemAnswer *const *a, int n)
{
	DpemKeptQuestion kept = kept_question(q, n, (DpemPrice) {a[0]->epsilon, a[0]->delta});
	DpemKeptAnswer answer = {.epsilon = a[0]->epsilon,.delta = a[0]->delta,.charge = a[0]->charge,.answered_at = a[0]->answered_at};

	for (int i = 0; i < n; i++)
		answer.n += a[i]->groups * a[i]->asks;
	answer.cell = MemoryContextAllocHuge(CurrentMemoryContext, (answer.n + 1) * sizeof(DpemKeptCell));
	for (int i = 0, at = 0; i < n; at += a[i]->groups * a[i]->asks, i++)
		copy_cells(&answer.cell[at], q[i], a[i]);
	dpem_kept_store(&kept, &answer);
}

/* ---- finding ---- */

/* from cells `at` on */
static DpemAnswer *
take_one(const DpemQuestion *q, const DpemKeptAnswer *kept, int at, int groups)
{
	DpemAnswer *a = dpem_create_answer(q, groups);

	a->key = q->groups > 0 ? NULL : palloc((groups + 1) * sizeof(char *));
	for (int i = 0; i < groups * a->asks; i++)
	{
		const DpemKeptCell *cell = &kept->cell[at + i];

		a->value[i] = cell->value;
		a->noise[i] = cell->noise;
		a->lower[i] = cell->lower;
		a->upper[i] = cell->upper;
		a->rank_error[i] = cell->rank_error;
		if (a->key != NULL)
			a->key[i / a->asks] = unconstify(char *, cell->key);
	}
	a->epsilon = kept->epsilon;
	a->delta = kept->delta;
	a->charge = kept->charge;
	a->answered_at = kept->answered_at;
	a->reused = true;
	return a;
}

/* of several questions none has a private key, so that the number of cells of each is known */
static DpemAnswer **
take_kept(const DpemQuestion *const *q, int n, const DpemKeptAnswer *kept)
{
	DpemAnswer **a = palloc(n * sizeof(DpemAnswer *));
	int			at = 0;

	if (kept == NULL)
		return NULL;
	for (int i = 0; i < n; i++)
	{
		int			asks = list_length(q[i]->asks);
		int			groups = q[i]->groups > 0 ? q[i]->groups : kept->n / asks;

		if (groups * asks > kept->n - at)
			elog(ERROR, "dpem: an answer of other groups");
		a[i] = take_one(q[i], kept, at, groups);
		at += groups * asks;
	}
	if (at != kept->n)
		elog(ERROR, "dpem: an answer of other groups");
	return a;
}

DpemAnswer **
dpem_kept_answers(const DpemQuestion *const *q, int n, DpemPrice price)
{
	DpemKeptQuestion kept = kept_question(q, n, price);
	Asked		asked = {q, n, price};

	kept.require_open = require_open;
	kept.asked = &asked;
	return take_kept(q, n, dpem_kept_find(&kept));
}

DpemAnswer **
dpem_forecast_kept(const DpemQuestion *const *q, int n, DpemPrice price)
{
	DpemKeptQuestion kept = kept_question(q, n, price);

	return take_kept(q, n, dpem_kept_own(&kept));
}
