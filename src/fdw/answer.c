/*
 * answer.c - from questions to noisy numbers: one charge, a release for each
 * aggregate of each.
 *
 * Each aggregate is a statistic of its own (families/statistics), with an equal part of the
 * query's budget; the lines of all are one charge, which the first of
 * them commits.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/fit_cost.h"
#include "core/statistics/quantile.h"
#include "families/statistics/quantile_request.h"
#include "families/statistics/statistics.h"
#include "families/statistics/summary_request.h"
#include "fdw/fdw.h"
#include "fit/fit_model.h"
#include "ledger/totals.h"

#define FUNCTION "SELECT"
#define MOST_PLANS 40

/* one of the three, for an ask of a question */
typedef struct AskPlan
{
	const DpemQuestion *question;
	const DpemAsk *ask;
	DpemStatisticPlan *statistic;
	DpemQuantilePlan *quantile;
	DpemSummaryPlan *summary;	/* a quantile of each group */
	DpemFitPlan *fit;
} AskPlan;

/* ---- plans ---- */

static void
fill_request(DpemFitRequest *fit, const AskPlan *plan, DpemPrice price, double together)
{
	*fit = (DpemFitRequest) {
		.function = FUNCTION,.dataset = plan->question->table->dataset->name,.epsilon = price.epsilon,.delta = price.delta,.iterations = 1,
			.answers = true,.together = together,.bind.filter = plan->ask->filter
	};
}

static void
fill_groups(DpemBindingRequest *bind, const DpemQuestion *q)
{
	ListCell   *cell;

	foreach(cell, q->keys)
	{
		DpemGroupKey *key = lfirst(cell);

		if (foreach_current_index(cell) > 0)
		{
			bind->within = lappend(bind->within, &key->request);
			continue;
		}
		bind->by = key->request.by;
		bind->groups = key->request.groups;
		bind->bins = key->request.bins;
		bind->edges = key->request.edges;
		bind->cycle = key->request.cycle;
		bind->cycle_groups = key->request.cycle_groups;
	}
}

static void
plan_statistic(AskPlan *plan, DpemPrice price, double together)
{
	DpemStatisticRequest *r = palloc0(sizeof(DpemStatisticRequest));

	fill_request(&r->fit, plan, price, together);
	fill_groups(&r->fit.bind, plan->question);
	r->statistic = plan->ask->statistic;
	r->fit.bind.own_units = true;
	r->fit.bind.columns = plan->ask->columns;
	r->fit.bind.rows = plan->ask->columns == NIL ? DPEM_BIND_ALONE : DPEM_BIND_NUMBERS;
	plan->statistic = dpem_statistic_plan(r);
	plan->fit = &plan->statistic->fit;
}

static void
plan_quantile(AskPlan *plan, DpemPrice price, double together)
{
	DpemQuantileRequest *r = palloc0(sizeof(DpemQuantileRequest));

	fill_request(&r->fit, plan, price, together);
	r->level = dpem_quantile_level(plan->ask->level);
	r->fit.bind.rows = DPEM_BIND_ALONE;
	r->fit.bind.by = linitial(plan->ask->columns);
	r->fit.bind.groups = DPEM_BY_BINS;
	dpem_quantile_set_bins(&r->fit.bind, dpem_dataset_load(r->fit.dataset));
	plan->quantile = dpem_quantile_plan(r);
	plan->fit = &plan->quantile->fit;
}

/* of every group: what dp_quantiles does (docs/proofs.md, 9 and 18) */
static void
plan_group_quantile(AskPlan *plan, DpemPrice price, double together)
{
	DpemSummaryRequest *r = palloc0(sizeof(DpemSummaryRequest));
	DpemBindingRequest *bind = &r->fit.bind;
	DpemWish   *wish = palloc(sizeof(DpemWish));

	*wish = (DpemWish) {.kind = DPEM_WISH_QUANTILE,.name = "quantile",.column = linitial(plan->ask->columns),.level = plan->ask->level};
	fill_request(&r->fit, plan, price, together);
	fill_groups(bind, plan->question);
	bind->own_units = bind->missing = bind->constant = true;
	bind->columns = plan->ask->columns;
	bind->rows = DPEM_BIND_NUMBERS;
	r->wishes = list_make1(wish);
	r->way = DPEM_BY_THE_BETTER;
	plan->summary = dpem_quantiles_plan(r);
	plan->fit = &plan->summary->fit;
}

/* of each ask of each question, those of the first question first */
static AskPlan *
list_asks(const DpemQuestion *const *question, int questions, int *n)
{
	AskPlan    *plan;

	*n = 0;
	for (int i = 0; i < questions; i++)
		*n += list_length(question[i]->asks);
	plan = palloc0(*n * sizeof(AskPlan));
	for (int i = 0, at = 0; i < questions; i++)
	{
		ListCell   *cell;

		foreach(cell, question[i]->asks)
			plan[at++] = (AskPlan) {.question = question[i],.ask = lfirst(cell)};
	}
	return plan;
}

static void
plan_asks(AskPlan *plan, int n, DpemPrice price, double together)
{
	for (int i = 0; i < n; i++)
	{
		if (plan[i].ask->statistic != NULL)
			plan_statistic(&plan[i], price, together);
		else if (plan[i].question->keys != NIL)
			plan_group_quantile(&plan[i], price, together);
		else
			plan_quantile(&plan[i], price, together);
	}
}

/* ---- one charge ---- */

static void
shift_lines(AskPlan *plan, int by)
{
	int		   *line[] = {
		plan->statistic ? &plan->statistic->line : plan->summary ? dpem_summary_line(plan->summary) : &plan->quantile->line,
		plan->statistic ? &plan->statistic->keys_line : NULL
	};

	for (int i = 0; i < (plan->statistic ? 2 : 1); i++)
		*line[i] += *line[i] >= 0 ? by : 0;
}

/* all plans have the lines of all, each its own numbers of them */
static void
join_charges(AskPlan *plan, int n)
{
	DpemChargeRequest all = plan[0].fit->charge;

	for (int i = 1; i < n; i++)
	{
		const DpemChargeRequest *own = &plan[i].fit->charge;

		if (all.nlines + own->nlines > DPEM_CHARGE_MAX_LINES)
			elog(ERROR, "dpem: a charge of too many lines");
		shift_lines(&plan[i], all.nlines);
		memcpy(&all.lines[all.nlines], own->lines, own->nlines * sizeof(DpemChargeLine));
		all.nlines += own->nlines;
	}
	for (int i = 0; i < n; i++)
		plan[i].fit->charge = all;
}

/* epsilon of all lines by the dataset's composition; 0 if there is nothing to compose */
static double
cost_of(const DpemFitPlan *fit)
{
	DpemCostLine lines[DPEM_CHARGE_MAX_LINES];
	double		epsilon;

	for (int i = 0; i < fit->charge.nlines; i++)
		lines[i] = dpem_fit_cost_of_line(&fit->charge.lines[i]);
	if (fit->charge.nlines < 2 ||
		dpem_cost_epsilon(lines, fit->charge.nlines, fit->composition, dpem_fit_noise_delta(fit), 0, &epsilon) != DPEM_OK)
		return 0;
	return epsilon;
}

/*
 * Mechanisms of several kinds may compose to more than their parts say: then the parts are
 * made smaller.  A charge never costs more than was asked for.
 */
static AskPlan *
plan_together(const DpemQuestion *const *question, int questions, DpemPrice price, int *asks)
{
	AskPlan    *plan = list_asks(question, questions, asks);
	int			n = *asks;
	double		together = n;

	for (int i = 0; i < MOST_PLANS; i++)
	{
		double		cost;

		plan_asks(plan, n, price, together);
		if (!plan[0].fit->noisy)
			return plan;
		join_charges(plan, n);
		cost = cost_of(plan[0].fit);
		if (cost <= price.epsilon * (1 + 1e-9))
			return plan;
		together *= fmax(cost / price.epsilon, 1.001);
	}
	elog(ERROR, "dpem: no noise for several aggregates");
}

/* ---- forecast ---- */

double *
dpem_forecast_answers(const DpemQuestion *const *question, int questions, DpemPrice price, DpemTotals *cost)
{
	int			n;
	AskPlan    *plan = plan_together(question, questions, price, &n);
	double	   *noise = palloc0(n * sizeof(double));

	if (cost != NULL)
		*cost = dpem_total_cost(&plan[0].fit->charge);
	for (int i = 0; i < n && isfinite(price.epsilon); i++)
	{
		DpemForecast f;

		noise[i] = NAN;
		if (plan[i].statistic == NULL)
			continue;
		dpem_forecast_begin(&f, plan[i].fit);
		dpem_statistic_forecast(plan[i].fit, &f);
		if (!dpem_binding_has_key(plan[i].fit->binding))
			noise[i] = f.rows[f.n - 1].deviation * fabs(plan[i].ask->factor);
	}
	return noise;
}

/* ---- answers ---- */

static double
over_all(const DpemAsk *ask, double rows)
{
	double		part = rows > 1 ? (rows - 1) / rows : 0;

	return strcmp(ask->statistic->name, "stddev") == 0 ? sqrt(part) : part;
}

/* a value between two others, times a factor, and what is added to it */
static void
put(DpemAnswer *a, double factor, double offset, const double value[3], int at)
{
	a->lower[at] = offset + factor * value[factor < 0 ? 2 : 0];
	a->value[at] = offset + factor * value[1];
	a->upper[at] = offset + factor * value[factor < 0 ? 0 : 2];
}

static void
put_statistic(DpemAnswer *a, const DpemAsk *ask, const DpemStatisticValue *value, int at)
{
	double		factor = ask->factor * (ask->population ? over_all(ask, value->rows) : 1);

	put(a, factor, ask->offset, (double[]) {value->lower, value->value, value->upper}, at);
	a->noise[at] = fabs(factor) * value->sd;
	a->rank_error[at] = NAN;
}

static void
put_quantile(DpemAnswer *a, const DpemAsk *ask, DpemQuantileValue value, int at)
{
	put(a, ask->factor, ask->offset, (double[]) {value.lower, value.value, value.upper}, at);
	a->noise[at] = NAN;
	a->rank_error[at] = value.rank_error;
}

static void
put_group_quantiles(DpemAnswer *a, const DpemAsk *ask, const DpemSummaryPlan *plan, int place)
{
	double		rank_error = plan->choices ? dpem_choices_rank_error(plan) : NAN;
	ListCell   *cell;

	foreach(cell, dpem_summary_run(plan))
	{
		const DpemStatisticValue *value = &((DpemSummaryRow *) lfirst(cell))->value;

		put_quantile(a, ask, (DpemQuantileValue) {value->value, value->lower, value->upper, rank_error}, foreach_current_index(cell) * a->asks + place);
	}
}

/* a private key has as many groups as were released, and is alone with its one aggregate; a: NULL of such a key */
static DpemAnswer *
run_statistic(DpemAnswer *a, const DpemQuestion *q, const AskPlan *plan, int place)
{
	const DpemStatisticValue *value = dpem_statistic_run(plan->statistic);

	if (a == NULL)
	{
		a = dpem_create_answer(q, plan->fit->binding->grouping->n);
		a->key = plan->fit->binding->grouping->category;
	}
	a->adds[place] = dpem_statistic_adds(plan->statistic);
	for (int g = 0; g < a->groups; g++)
		put_statistic(a, plan->ask, &value[g], g * a->asks + place);
	return a;
}

static DpemAnswer *
run(const DpemQuestion *q, const AskPlan *plan)
{
	DpemAnswer *a = q->groups > 0 ? dpem_create_answer(q, q->groups) : NULL;

	for (int i = 0; i < list_length(q->asks); i++)
	{
		if (plan[i].statistic != NULL)
			a = run_statistic(a, q, &plan[i], i);
		else if (plan[i].summary != NULL)
			put_group_quantiles(a, plan[i].ask, plan[i].summary, i);
		else
			put_quantile(a, plan[i].ask, dpem_quantile_run(plan[i].quantile), i);
	}
	return a;
}

/* the question has read the dataset, and each plan has read it again */
static void
require_same_dataset(const AskPlan *plan, int n)
{
	for (int i = 0; i < n; i++)
	{
		const DpemQuestion *q = plan[i].question;
		const DpemBinding *bound = plan[i].fit->binding;

		if (bound->dataset->id != q->table->dataset->id ||
			(q->groups > 0 && plan[i].quantile == NULL && dpem_binding_groups(bound) != q->groups))
			dpem_refuse_altered(q->table);
	}
}

void
dpem_answers_require_open(const DpemQuestion *const *question, int questions, DpemPrice price)
{
	int			n;
	AskPlan    *plan = plan_together(question, questions, price, &n);

	require_same_dataset(plan, n);
	/* the first one's charge is that of all */
	dpem_fit_require_open(plan[0].fit);
}

DpemAnswer **
dpem_answers(const DpemQuestion *const *question, int questions, DpemPrice price)
{
	int			n;
	AskPlan    *plan = plan_together(question, questions, price, &n);
	DpemAnswer **a = palloc(questions * sizeof(DpemAnswer *));
	DpemCharge *charge = NULL;

	require_same_dataset(plan, n);
	for (int i = 0; i < n; i++)
		plan[i].fit->shared = &charge;
	dpem_fit_require_possible(plan[0].fit->request);
	for (int i = 0, at = 0; i < questions; at += list_length(question[i]->asks), i++)
	{
		a[i] = run(question[i], &plan[at]);
		a[i]->epsilon = price.epsilon;
		a[i]->delta = price.delta;
		a[i]->charge = charge != NULL ? dpem_charge_number(charge) : 0;
		a[i]->answered_at = GetCurrentTimestamp();
	}
	return a;
}
