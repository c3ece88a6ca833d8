/*
 * budgets.c - what is left, and the arithmetic behind dpem.budgets.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "ledger/standing.h"
#include "ledger/totals.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dp_budget_remaining);
PG_FUNCTION_INFO_V1(dpem_totals_spent);
PG_FUNCTION_INFO_V1(dpem_totals_remaining);
PG_FUNCTION_INFO_V1(dpem_totals_part);
PG_FUNCTION_INFO_V1(dpem_totals_repeats);
PG_FUNCTION_INFO_V1(dpem_totals_reserved_part);

/* nothing can be spent from a ledger that waits for somebody's word; says so */
static bool
ledger_waits(const DpemStanding *standing, const char *dataset)
{
	if (standing->comes_from != NULL)
		ereport(NOTICE,
				(errmsg("nothing can be spent: the ledger of dataset \"%s\" comes from %s", dataset, standing->comes_from),
				 errhint("The owner of the source decides, with dp_acknowledge_restore(dataset, reason).")));
	else if (!standing->agrees)
		ereport(NOTICE,
				(errmsg("nothing can be spent: the running totals of dataset \"%s\" contradict its ledger", dataset),
				 errhint("The owner of the source sees from which charge on, with dp_check_ledger.")));
	return !dpem_standing_has_ledger(standing);
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
	DpemStanding standing = dpem_standing_load(ds->id, GetUserId(), NULL);
	DpemAccountant accountant = standing.accountant;
	double		delta;

	dpem_standing_require_share(&standing, ds->name, GetUserId());
	delta = PG_ARGISNULL(1) ? dpem_budget_usual_delta(accountant, dpem_budget_noise_delta(accountant, standing.share.limit))
		: dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	PG_RETURN_FLOAT8(ledger_waits(&standing, ds->name) ? 0 : dpem_standing_remaining(&standing, delta));
}

static DpemAccountant
read_accountant(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "accountant");
	DpemAccountant accountant = dpem_accountant_from_name(name);

	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		dpem_refuse_name("accountant", name, "gdp, rdp, zcdp, ma, advanced, linear");
	return accountant;
}

static DpemTotals
read_total(FunctionCallInfo fcinfo, int at)
{
	dpem_require_argument(fcinfo, at, "a total");
	return dpem_total_read(PG_GETARG_DATUM(at));
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

/* dpem_internal.totals_spent(accountant, total, delta, keys_share): epsilon that the total amounts to at delta */
Datum
dpem_totals_spent(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_total(fcinfo, 1);
	DpemLimit	limit = {0};

	read_delta(fcinfo, 2, &limit);
	PG_RETURN_FLOAT8(dpem_budget_spent(accountant, &total, dpem_budget_noise_delta(accountant, limit)));
}

/* dpem_internal.totals_remaining(accountant, total, epsilon, delta, keys_share): what is left of a budget, at its own delta */
Datum
dpem_totals_remaining(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_total(fcinfo, 1);
	DpemLimit	limit = read_limit(fcinfo, 2);
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

/* dpem_internal.totals_part(accountant, total, epsilon, delta, keys_share): part of a budget that is used up */
Datum
dpem_totals_part(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	total = read_total(fcinfo, 1);
	DpemLimit	limit = read_limit(fcinfo, 2);

	PG_RETURN_FLOAT8(dpem_budget_part(accountant, &total, limit, find_units(fcinfo, accountant, limit)));
}

/* dpem_internal.totals_repeats(accountant, total, cost, epsilon, delta, keys_share): how often the cost may still be charged */
Datum
dpem_totals_repeats(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	spent = read_total(fcinfo, 1);
	DpemTotals	cost = read_total(fcinfo, 2);

	PG_RETURN_INT32(dpem_budget_repeats(accountant, &spent, &cost, read_limit(fcinfo, 3)));
}

/* dpem_internal.totals_reserved_part(accountant, total, epsilon, delta, keys_share, periods, dataset_epsilon, dataset_delta) */
Datum
dpem_totals_reserved_part(PG_FUNCTION_ARGS)
{
	DpemAccountant accountant = read_accountant(fcinfo);
	DpemTotals	spent = read_total(fcinfo, 1);
	DpemLimit	share = read_limit(fcinfo, 2);
	int			periods = dpem_int_argument(fcinfo, 5, "periods");
	DpemLimit	budget = {dpem_check_epsilon("dataset_epsilon", dpem_float8_argument(fcinfo, 6, "dataset_epsilon")),
	dpem_check_delta("dataset_delta", dpem_float8_argument(fcinfo, 7, "dataset_delta")), share.keys_share};

	PG_RETURN_FLOAT8(dpem_accountant_reserves(accountant) ? dpem_budget_reserved_part(accountant, share, &spent, periods, budget) : 0);
}
