/*
 * description.c - a description whose quartiles are chosen: a release of everything else, and for each number a plan of its
 * own (choices.c), all in one charge.
 *
 * Public facts say which parts of the charge they get: what a column's quartiles get beside a sum of weight 1 is
 * a rule (core/statistics/quantile_rules.h).
 */
#include "postgres.h"

#include <math.h>

#include "core/statistics/quantile_rules.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_stages.h"

#define MOST_PLANS 20

/* a List for each number, in the request's order, of its wishes that are quantiles */
static List *
wishes_by_column(const DpemSummaryRequest *request)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, request->wishes)
	{
		DpemWish   *wish = lfirst(cell);
		DpemWish   *last = columns != NIL ? linitial(llast(columns)) : NULL;

		if (wish->kind != DPEM_WISH_QUANTILE)
			continue;
		if (last != NULL && strcmp(last->column, wish->column) == 0)
			llast(columns) = lappend(llast(columns), wish);
		else
			columns = lappend(columns, list_make1(wish));
	}
	return columns;
}

static DpemSummaryPlan *
plan_column(const DpemSummaryRequest *request, List *wishes, double together)
{
	DpemSummaryRequest own = *request;

	own.wishes = wishes;
	own.fit.together = together;
	own.fit.bind.columns = list_make1(((DpemWish *) linitial(wishes))->column);
	return dpem_choices_plan(&own);
}

/* less: how many times less than its part each of them is given */
static DpemSummaryPlan *
plan_parts(const DpemSummaryRequest *request, List *columns, double less)
{
	double		chosen = DPEM_QUANTILE_CHOSEN_WEIGHT;
	DpemSummaryPlan *plan = dpem_summary_plan_beside(request, chosen * list_length(columns), less);
	ListCell   *cell;

	foreach(cell, columns)
		plan->chosen = lappend(plan->chosen, plan_column(request, lfirst(cell), less * (plan->squares + chosen * list_length(columns)) / chosen));
	dpem_choices_join(plan);
	return plan;
}

static double
cost_of(const DpemFitPlan *fit)
{
	DpemCostLine lines[DPEM_FIT_MAX_STAGES];
	double		epsilon;

	for (int i = 0; i < fit->charge.nlines; i++)
		lines[i] = dpem_fit_cost_of_line(&fit->charge.lines[i]);
	return dpem_cost_epsilon(lines, fit->charge.nlines, fit->composition, dpem_fit_noise_delta(fit), 0, &epsilon) == DPEM_OK ? epsilon : INFINITY;
}

/* mechanisms of two kinds may compose to more than their parts say: then the parts are made smaller */
static DpemSummaryPlan *
plan_chosen(const DpemSummaryRequest *request, List *columns)
{
	double		less = 1;

	for (int i = 0; i < MOST_PLANS; i++)
	{
		DpemSummaryPlan *plan = plan_parts(request, columns, less);
		double		cost = cost_of(&plan->fit);

		if (cost <= request->fit.epsilon * (1 + 1e-9))
			return plan;
		less *= fmax(cost / request->fit.epsilon, 1.001);
	}
	return NULL;
}

DpemSummaryPlan *
dpem_description_plan(const DpemSummaryRequest *request)
{
	DpemSummaryPlan *counts = dpem_summary_plan(request);
	List	   *columns = wishes_by_column(request);
	DpemSummaryPlan *plan;

	/* where epsilons add up, choices of many columns leave little for the rest; a minimum is judged by counts */
	if (!counts->fit.noisy || columns == NIL || dpem_fit_minimum(&counts->fit) > 0 ||
		dpem_composition_is_classical(counts->fit.composition))
		return counts;
	plan = plan_chosen(request, columns);
	return plan != NULL && dpem_choices_typical_error(linitial(plan->chosen)) < dpem_summary_typical_error(counts) ? plan : counts;
}

void
dpem_description_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemSummaryPlan *first = linitial(((const DpemSummaryPlan *) fit)->chosen);

	dpem_fit_forecast_stages(fit, f);
	dpem_choices_forecast(&first->fit, f);
}

/* rows of groups, and in a group of wishes: those of a column come in the same order in both */
static void
take_values(List *rows, const DpemSummaryPlan *column)
{
	List	   *chosen = dpem_choices_run(column);
	ListCell   *from = list_head(chosen);
	ListCell   *cell;

	foreach(cell, rows)
	{
		DpemSummaryRow *row = lfirst(cell);
		const DpemSummaryRow *next = from != NULL ? lfirst(from) : NULL;

		if (next == NULL || row->wish != next->wish || row->group != next->group)
			continue;
		row->value = next->value;
		from = lnext(chosen, from);
	}
	if (from != NULL)
		elog(ERROR, "dpem: quantiles that were not asked for");
}

void
dpem_description_choose(const DpemSummaryPlan *plan, List *rows)
{
	ListCell   *cell;

	foreach(cell, plan->chosen)
		take_values(rows, lfirst(cell));
}
