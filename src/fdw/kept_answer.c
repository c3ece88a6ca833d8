/*
 * kept_answer.c - prices of queries, and their answers among those that are kept (answers/kept.h).
 *
 * A query's text is not what is compared, but its question with the domains of the table's columns.
 */
#include "postgres.h"

#include <math.h>

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

static DpemKeptQuestion
kept_question(const DpemQuestion *q, DpemPrice price)
{
	DpemBinding all = {.dataset = q->table->dataset};

	for (int i = 0; i < q->table->columns; i++)
	{
		if (q->table->column[i] != NULL)
			all.columns = lappend(all.columns, q->table->column[i]);
	}
	return (DpemKeptQuestion) {
		.function = "SELECT",.dataset = q->table->dataset,.text = psprintf("select %s%s", q->text, dpem_minimum_text(q->table->dataset->minimum)),.facts = dpem_kept_facts(&all),
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

void
dpem_keep_answer(const DpemQuestion *q, const DpemAnswer *a)
{
	DpemKeptQuestion kept = kept_question(q, (DpemPrice) {a->epsilon, a->delta});
	DpemKeptAnswer answer = {.n = a->groups * a->asks,.epsilon = a->epsilon,.delta = a->delta,.charge = a->charge,.answered_at = a->answered_at};

	answer.cell = MemoryContextAllocHuge(CurrentMemoryContext, (answer.n + 1) * sizeof(DpemKeptCell));
	for (int i = 0; i < answer.n; i++)
		answer.cell[i] = (DpemKeptCell) {
			name_of(list_nth(q->asks, i % a->asks)), dpem_key_of(q, a, i / a->asks), a->value[i], a->noise[i], a->lower[i], a->upper[i],
				a->rank_error[i], a->adds[i % a->asks] && a->noise[i] > 0
		};
	dpem_kept_store(&kept, &answer);
}

/* ---- finding ---- */

static DpemAnswer *
take_kept(const DpemQuestion *q, const DpemKeptAnswer *kept)
{
	DpemAnswer *a;
	int			asks = list_length(q->asks);

	if (kept == NULL)
		return NULL;
	if (kept->n % asks != 0 || (q->groups > 0 && kept->n != q->groups * asks))
		elog(ERROR, "dpem: an answer of other groups");
	a = dpem_create_answer(q, kept->n / asks);
	a->key = q->groups > 0 ? NULL : palloc((kept->n + 1) * sizeof(char *));
	for (int i = 0; i < kept->n; i++)
	{
		a->value[i] = kept->cell[i].value;
		a->noise[i] = kept->cell[i].noise;
		a->lower[i] = kept->cell[i].lower;
		a->upper[i] = kept->cell[i].upper;
		a->rank_error[i] = kept->cell[i].rank_error;
		if (a->key != NULL)
			a->key[i / asks] = unconstify(char *, kept->cell[i].key);
	}
	a->epsilon = kept->epsilon;
	a->delta = kept->delta;
	a->charge = kept->charge;
	a->answered_at = kept->answered_at;
	a->reused = true;
	return a;
}

DpemAnswer *
dpem_kept_answer(const DpemQuestion *q, DpemPrice price)
{
	DpemKeptQuestion kept = kept_question(q, price);

	return take_kept(q, dpem_kept_find(&kept));
}

DpemAnswer *
dpem_forecast_kept(const DpemQuestion *q, DpemPrice price)
{
	DpemKeptQuestion kept = kept_question(q, price);

	return take_kept(q, dpem_kept_own(&kept));
}
