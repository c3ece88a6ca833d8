/*
 * emit_forecast.c - see forecast.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "fit/forecast.h"
#include "fit/model_store.h"
#include "ledger/mechanism.h"
#include "ledger/standing.h"
#include "server/version_shims.h"

/* the caller's budget once the fit were paid for */
typedef struct BudgetAfter
{
	bool		known;			/* false for a fit that charges nothing */
	bool		allowed;
	double		remaining;
} BudgetAfter;

/* for the owner of the source, who may have no share, and for roles that have one */
static BudgetAfter
budget_after(const DpemFitPlan *plan)
{
	const DpemDataset *ds = plan->dataset;
	DpemStanding standing = dpem_standing_load(ds->id, GetUserId(), plan->noisy ? &plan->charge : NULL);
	double		delta = dpem_budget_usual_delta(standing.accountant, plan->request->delta);
	bool		affords = dpem_standing_affords(&standing);

	if (!standing.has_share && !pg_class_ownercheck(ds->source, GetUserId()))
		dpem_standing_require_share(&standing, ds->name, GetUserId());
	return (BudgetAfter) {
		.known = plan->noisy,.allowed = !plan->noisy || (affords && !standing.expired && dpem_standing_has_ledger(&standing)),
			.remaining = affords ? dpem_standing_remaining(&standing, delta) : 0
	};
}

static void
put_number(Datum *values, bool *nulls, int at, double number)
{
	values[at] = Float8GetDatum(number);
	nulls[at] = isnan(number);
}

#define COLUMNS 20

/* from column `at` on: what the accountants say */
static int
put_costs(Datum *values, bool *nulls, int at, const DpemForecastRow *row)
{
	/* the compositions in the order of the columns */
	static const DpemComposition order[DPEM_COMPOSITIONS] = {
		DPEM_COMPOSE_EXACT, DPEM_COMPOSE_RDP, DPEM_COMPOSE_ZCDP, DPEM_COMPOSE_MA,
		DPEM_COMPOSE_ADVANCED, DPEM_COMPOSE_LINEAR
	};

	nulls[at] = row->mechanism == DPEM_MECHANISM_NONE;
	values[at] = nulls[at] ? (Datum) 0 : CStringGetTextDatum(dpem_mechanism_name(row->mechanism));
	at++;
	put_number(values, nulls, at++, row->sensitivity);
	put_number(values, nulls, at++, row->noise_multiplier);
	put_number(values, nulls, at++, row->mu2);
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		put_number(values, nulls, at++, row->epsilon[order[c]]);
	put_number(values, nulls, at++, row->concentrated_mean);
	put_number(values, nulls, at++, row->concentrated_tau);
	return at;
}

static void
emit(ReturnSetInfo *rsinfo, const DpemForecastRow *row, int d, Datum required, const BudgetAfter *after)
{
	Datum		values[COLUMNS] = {0};
	bool		nulls[COLUMNS] = {false};
	int			at = 0;

	values[at++] = CStringGetTextDatum(row->statistic);
	put_number(values, nulls, at++, row->deviation);
	nulls[at] = row->column_deviation == NULL;
	values[at++] = row->column_deviation ? dpem_float8_array(row->column_deviation, d) : (Datum) 0;
	values[at++] = Int32GetDatum(row->releases);
	nulls[at] = required == (Datum) 0;
	values[at++] = required;
	nulls[at] = !after->known;
	values[at++] = BoolGetDatum(after->allowed);
	put_number(values, nulls, at++, after->known ? after->remaining : NAN);
	nulls[at] = row->line == 0;
	values[at++] = Int32GetDatum(row->line);
	at = put_costs(values, nulls, at, row);
	Assert(at == COLUMNS);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

void
dpem_require_plannable(const DpemFitRequest *request)
{
	if (isinf(request->epsilon))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epsilon must be finite in a plan"),
				 errhint("A fit without noise has nothing to plan.")));
}

/* is a row null where the column is? */
static bool
is_required(const DpemBinding *bound, const DpemColumn *column)
{
	if (column == bound->target || column->kind == DPEM_COLUMN_ARRAY)
		return true;
	return column->kind == DPEM_COLUMN_NUMBER && !column->filled && bound->unknown == 0;
}

/* which rows count is public, how many do is not: a fit says that, with noise.  text[], or 0 for none */
static Datum
required_columns(const DpemBinding *bound)
{
	Datum	   *names = palloc((list_length(bound->columns) + 2) * sizeof(Datum));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (is_required(bound, column))
			names[n++] = CStringGetTextDatum(column->name);
	}
	if (bound->label)
		names[n++] = CStringGetTextDatum(bound->label->column.name);
	if (bound->grouping)
		names[n++] = CStringGetTextDatum(bound->grouping->column.name);
	return n == 0 ? (Datum) 0 : PointerGetDatum(construct_array(names, n, TEXTOID, -1, false, TYPALIGN_INT));
}

void
dpem_emit_plan(FunctionCallInfo fcinfo, const DpemFitPlan *plan, DpemForecaster forecaster)
{
	DpemForecast forecast;
	BudgetAfter after;
	Datum		required = required_columns(plan->binding);

	dpem_forecast_begin(&forecast, plan);
	forecaster(plan, &forecast);
	if (plan->request->candidates.n > 0)
		dpem_forecast_remark(&forecast, "candidates judged by these releases, at no cost", plan->request->candidates.n);
	if (plan->request->bind.marginal)
		dpem_forecast_remark(&forecast, "rows with unknown values count by their known columns", NAN);
	if (plan->hides && dpem_fit_minimum(plan) > 0)
		dpem_forecast_remark(&forecast, psprintf("minimum: noisy %s", plan->hides),
							 strcmp(plan->hides, "rows") == 0 ? dpem_fit_minimum_rows(plan) : dpem_fit_minimum(plan));
	dpem_forecast_total(&forecast);
	after = budget_after(plan);
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < forecast.n; i++)
		emit((ReturnSetInfo *) fcinfo->resultinfo, &forecast.rows[i], plan->d, required, &after);
}
