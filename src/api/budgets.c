/*
 * budgets.c - what is left, and the arithmetic behind dpem.budgets.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "core/accounting/budget_rule.h"
#include "ledger/budget.h"
#include "ledger/incarnation.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dp_budget_remaining);
PG_FUNCTION_INFO_V1(dpem_totals_spent);
PG_FUNCTION_INFO_V1(dpem_totals_remaining);
PG_FUNCTION_INFO_V1(dpem_totals_part);
PG_FUNCTION_INFO_V1(dpem_totals_repeats);
PG_FUNCTION_INFO_V1(dpem_add_curves);

/* nothing can be spent from a ledger that was restored and not acknowledged; says so */
static bool
ledger_is_restored(const DpemDataset *ds)
{
	char	   *origin = dpem_incarnation_origin(ds->account);

	if (origin != NULL)
		ereport(NOTICE,
				(errmsg("nothing can be spent: the ledger of dataset \"%s\" comes from %s", ds->name, origin),
				 errhint("The owner of the source decides, with dp_acknowledge_restore(dataset, reason).")));
	return origin != NULL;
}

/*
 * dp_budget_remaining(dataset text, delta float8): epsilon of the largest
 * call at delta that the caller's share and the dataset both still afford;
 * delta NULL: the share's own, without its part for keys, or 0 where deltas add up (linear, advanced).
 */
Datum
dp_budget_remaining(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	DpemAccountant accountant = dpem_accountant_from_name(ds->accountant);
	DpemBudget	share;
	DpemTotals	total;
	DpemLimit	all = {ds->epsilon, ds->delta, ds->keys_share};
	DpemLimit	mine;
	double		delta;
	double		left;

	share = dpem_budget_require(ds->id, ds->name, GetUserId());
	mine = (DpemLimit) {share.epsilon, share.delta, ds->keys_share};
	delta = PG_ARGISNULL(1) ? dpem_budget_usual_delta(accountant, dpem_budget_noise_delta(accountant, mine)) : dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	if (ledger_is_restored(ds))
		PG_RETURN_FLOAT8(0);
	total = dpem_budget_totals(ds->account, GetUserId(), share.since, NULL);
	left = dpem_budget_remaining(accountant, &total, mine, delta);
	total = dpem_budget_totals(ds->account, InvalidOid, DPEM_ALWAYS, NULL);
	PG_RETURN_FLOAT8(Min(left, dpem_budget_remaining(accountant, &total, all, delta)));
}

#define CURVE 6					/* the one argument of a total that may be null */
#define TOTALS 8				/* arguments that make one */

static DpemAccountant
read_accountant(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "accountant");
	DpemAccountant accountant = dpem_accountant_from_name(name);

	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		dpem_refuse_name("accountant", name, "gdp, rdp, zcdp, ma, advanced, linear");
	return accountant;
}

/* arguments from `at` on: mu2_units, rho_units bigint, epsilon, delta, epsilon2 float8, plain_rho_units bigint, curve bigint[], failure float8 */
static DpemTotals
read_totals(FunctionCallInfo fcinfo, int at)
{
	DpemTotals	total;

	for (int i = 0; i < TOTALS; i++)
		if (i != CURVE)
			dpem_require_argument(fcinfo, at + i, "a total");
	total = (DpemTotals) {
		.mu2_units = PG_GETARG_INT64(at),.rho_units = PG_GETARG_INT64(at + 1),
			.epsilon = PG_GETARG_FLOAT8(at + 2),.delta = PG_GETARG_FLOAT8(at + 3),
			.epsilon2 = PG_GETARG_FLOAT8(at + 4),.plain_rho_units = PG_GETARG_INT64(at + 5),
			.failure = PG_GETARG_FLOAT8(at + CURVE + 1)
	};
	if (!PG_ARGISNULL(at + CURVE))
		dpem_curve_from_array(PG_GETARG_ARRAYTYPE_P(at + CURVE), &total.curve);
	return total;
}

/* delta, keys_share float8 */
static void
read_delta(FunctionCallInfo fcinfo, int at, DpemLimit *limit)
{
	limit->delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, at, "delta"));
	limit->keys_share = dpem_check_keys_share(dpem_float8_argument(fcinfo, at + 1, "keys_share"));
}

/* epsilon, delta, keys_share float8 */
static DpemLimit
read_limit(FunctionCallInfo fcinfo, int at)
{
	DpemLimit	limit = {.epsilon = dpem_check_epsilon("epsilon", dpem_float8_argument(fcinfo, at, "epsilon"))};

	read_delta(fcinfo, at + 1, &limit);
	return limit;
}

/* dpem.totals_spent(accountant, totals, delta, keys_share): epsilon that the totals amount to at delta */
Datum
dpem_totals_spent(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_totals(fcinfo, 1);
	DpemLimit	limit = {0};

	read_delta(fcinfo, 1 + TOTALS, &limit);
	PG_RETURN_FLOAT8(dpem_budget_spent(accountant, &total, dpem_budget_noise_delta(accountant, limit)));
}

/* dpem.totals_remaining(accountant, totals, epsilon, delta, keys_share): what is left of a budget, at its own delta */
Datum
dpem_totals_remaining(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_totals(fcinfo, 1);
	DpemLimit	limit = read_limit(fcinfo, 1 + TOTALS);
	double		delta = dpem_budget_usual_delta(accountant, dpem_budget_noise_delta(accountant, limit));

	PG_RETURN_FLOAT8(dpem_budget_remaining(accountant, &total, limit, delta));
}

/* the last budget that a call site asked about: a query asks about all calls of one after the other */
typedef struct KnownLimit
{
	DpemAccountant accountant;
	DpemLimit	limit;
	int64		units;
} KnownLimit;

static int64
find_units(FunctionCallInfo fcinfo, DpemAccountant accountant, DpemLimit limit)
{
	KnownLimit *known = fcinfo->flinfo->fn_extra;

	if (known == NULL)
	{
		known = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(KnownLimit));
		known->accountant = DPEM_ACCOUNTANT_UNKNOWN;
		fcinfo->flinfo->fn_extra = known;
	}
	if (known->accountant != accountant || known->limit.epsilon != limit.epsilon ||
		known->limit.delta != limit.delta || known->limit.keys_share != limit.keys_share)
		*known = (KnownLimit) {accountant, limit, dpem_budget_units_limit(accountant, limit)};
	return known->units;
}

/* dpem.totals_part(accountant, totals, epsilon, delta, keys_share): part of a budget that is used up */
Datum
dpem_totals_part(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_totals(fcinfo, 1);
	DpemLimit	limit = read_limit(fcinfo, 1 + TOTALS);

	PG_RETURN_FLOAT8(dpem_budget_part(accountant, &total, limit, find_units(fcinfo, accountant, limit)));
}

/* dpem.totals_repeats(accountant, totals, cost, epsilon, delta, keys_share): how often the cost may still be charged */
Datum
dpem_totals_repeats(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	spent = read_totals(fcinfo, 1);
	DpemTotals	cost = read_totals(fcinfo, 1 + TOTALS);

	PG_RETURN_INT32(dpem_budget_repeats(accountant, &spent, &cost, read_limit(fcinfo, 1 + 2 * TOTALS)));
}

/* dpem.add_curves(bigint[], bigint[]): the transition of dpem.sum_curves */
Datum
dpem_add_curves(PG_FUNCTION_ARGS)
{
	DpemCurve	total;
	DpemCurve	curve;

	dpem_curve_from_array(PG_GETARG_ARRAYTYPE_P(0), &total);
	dpem_curve_from_array(PG_GETARG_ARRAYTYPE_P(1), &curve);
	dpem_curve_add(&total, &curve);
	PG_RETURN_DATUM(dpem_curve_to_array(&total));
}
