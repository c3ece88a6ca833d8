/*
 * emit_forecast.c - see emit_forecast.h.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "fit/emit_forecast.h"
#include "fit/model_store.h"
#include "ledger/budget.h"
#include "ledger/incarnation.h"
#include "server/version_shims.h"

/* the caller's budget once the fit were paid for */
typedef struct BudgetAfter
{
	bool		known;			/* false for a fit that charges nothing */
	bool		allowed;
	double		remaining;
} BudgetAfter;

/* of one share, or (role InvalidOid) of the whole dataset */
static void
spend(BudgetAfter *after, const DpemFitPlan *plan, Oid role, TimestampTz since, DpemLimit limit)
{
	const DpemDataset *ds = plan->dataset;
	DpemAccountant accountant = dpem_accountant_from_name(ds->accountant);
	DpemTotals	cost = dpem_budget_cost(&plan->charge);
	DpemTotals	total = dpem_budget_totals(ds->account, role, since, &cost);
	bool		allowed = dpem_budget_affords(accountant, &total, limit);
	double		left = allowed ? dpem_budget_remaining(accountant, &total, limit,
													   dpem_budget_usual_delta(accountant, plan->request->delta)) : 0;

	after->allowed &= allowed;
	after->remaining = Min(after->remaining, left);
}

/* for the owner of the source, who may have no share, and for roles that have one */
static BudgetAfter
budget_after(const DpemFitPlan *plan)
{
	const DpemDataset *ds = plan->dataset;
	BudgetAfter after = {plan->noisy, true, INFINITY};
	DpemBudget	share;
	bool		has_share = dpem_budget_load(ds->id, GetUserId(), &share);

	if (!has_share && !pg_class_ownercheck(ds->source, GetUserId()))
		(void) dpem_budget_require(ds->id, ds->name, GetUserId());
	if (!plan->noisy)
		return after;
	after.allowed = dpem_incarnation_origin(ds->account) == NULL;
	spend(&after, plan, InvalidOid, DPEM_ALWAYS, (DpemLimit) {ds->epsilon, ds->delta, ds->keys_share});
	if (has_share)
	{
		after.allowed &= !share.expired;
		spend(&after, plan, GetUserId(), share.since, (DpemLimit) {share.epsilon, share.delta, ds->keys_share});
	}
	return after;
}

static void
put_number(Datum *values, bool *nulls, int at, double number)
{
	values[at] = Float8GetDatum(number);
	nulls[at] = isnan(number);
}

#define COLUMNS 19

static void
emit(ReturnSetInfo *rsinfo, const DpemForecastRow *row, int d, const BudgetAfter *after)
{
	/* the compositions in the order of the columns */
	static const DpemComposition order[DPEM_COMPOSITIONS] = {
		DPEM_COMPOSE_EXACT, DPEM_COMPOSE_RDP, DPEM_COMPOSE_ZCDP, DPEM_COMPOSE_MA,
		DPEM_COMPOSE_ADVANCED, DPEM_COMPOSE_LINEAR
	};
	Datum		values[COLUMNS] = {0};
	bool		nulls[COLUMNS] = {false};
	int			at = 0;

	nulls[at] = row->line == 0;
	values[at++] = Int32GetDatum(row->line);
	values[at++] = CStringGetTextDatum(row->statistic);
	nulls[at] = row->mechanism == NULL;
	values[at++] = row->mechanism ? CStringGetTextDatum(row->mechanism) : (Datum) 0;
	put_number(values, nulls, at++, row->sensitivity);
	put_number(values, nulls, at++, row->noise_multiplier);
	put_number(values, nulls, at++, row->deviation);
	nulls[at] = row->column_deviation == NULL;
	values[at++] = row->column_deviation ? dpem_float8_array(row->column_deviation, d) : (Datum) 0;
	values[at++] = Int32GetDatum(row->releases);
	put_number(values, nulls, at++, row->mu2);
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		put_number(values, nulls, at++, row->epsilon[order[c]]);
	put_number(values, nulls, at++, row->concentrated_mean);
	put_number(values, nulls, at++, row->concentrated_tau);
	put_number(values, nulls, at++, after->known ? after->remaining : NAN);
	nulls[at] = !after->known;
	values[at++] = BoolGetDatum(after->allowed);
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

void
dpem_emit_plan(FunctionCallInfo fcinfo, const DpemFitPlan *plan, DpemForecaster forecaster)
{
	DpemForecast forecast;
	BudgetAfter after;

	dpem_forecast_begin(&forecast, plan);
	forecaster(plan, &forecast);
	dpem_forecast_total(&forecast);
	after = budget_after(plan);
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < forecast.n; i++)
		emit((ReturnSetInfo *) fcinfo->resultinfo, &forecast.rows[i], plan->d, &after);
}
