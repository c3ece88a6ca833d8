/*
 * budget_grants.c - dp_grant_budget and dp_revoke_budget: for the owner of the source.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "api/datasets/dataset_rules.h"
#include "core/accounting/budget_rule.h"
#include "ledger/budget.h"
#include "ledger/registration.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dp_grant_budget);
PG_FUNCTION_INFO_V1(dp_revoke_budget);

static bool
interval_less(Interval *a, Interval *b)
{
	return DatumGetBool(DirectFunctionCall2(interval_lt, IntervalPGetDatum(a), IntervalPGetDatum(b)));
}

/* a term of at least a day: periods are counted one by one, and a budget is not a rate limit */
static DpemBudgetTerm
own_term_arguments(FunctionCallInfo fcinfo, int i)
{
	static Interval day = {.day = 1};
	static Interval century = {.month = 1200};
	DpemBudgetTerm term = {.ends = !PG_ARGISNULL(i)};

	if (term.ends)
		term.expires = PG_GETARG_TIMESTAMPTZ(i);
	if (term.ends && (TIMESTAMP_NOT_FINITE(term.expires) || term.expires <= GetCurrentTimestamp()))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("expires must be a time to come, not %s", timestamptz_to_str(term.expires)),
				 TIMESTAMP_NOT_FINITE(term.expires) ? errhint("A share without expires does not end.")
				 : errhint("dp_revoke_budget ends a share now.")));
	if (PG_ARGISNULL(i + 1))
		return term;
	term.refresh = PG_GETARG_INTERVAL_P(i + 1);
	/* a month less 29 days is less than nothing in February */
	if (interval_less(term.refresh, &day) || interval_less(&century, term.refresh) ||
		term.refresh->month < 0 || term.refresh->day < 0 || term.refresh->time < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("refresh must be between 1 day and 100 years, not %s",
						DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(term.refresh)))),
				 errhint("For instance '1 month'.")));
	return term;
}

#define MAX_PERIODS 10000

/* what cannot be added up cannot be set aside */
static void
require_reservable(const DpemDataset *ds, const DpemBudgetTerm *term)
{
	if (!dpem_accountant_reserves(dpem_accountant_from_name(ds->accountant)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("reserved must be false with accountant \"%s\"", ds->accountant),
				 errhint("What several calls may cost there depends on which they are. It can be reserved with gdp, zcdp and linear.")));
	if (term->refresh != NULL && !term->ends)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a reserved share that is renewed must end"),
				 errhint("Say with expires until when periods are reserved.")));
	if (term->refresh != NULL &&
		(term->expires - GetCurrentTimestamp()) / USECS_PER_DAY / MAX_PERIODS >= term->refresh->day + DAYS_PER_MONTH * term->refresh->month +
		(double) term->refresh->time / USECS_PER_DAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("at most %d periods can be reserved", MAX_PERIODS),
				 errhint("Give an earlier expires.")));
}

/* expires, refresh, reserved from number i */
static DpemBudgetTerm
term_arguments(FunctionCallInfo fcinfo, const DpemDataset *ds, int i)
{
	DpemBudgetTerm term = own_term_arguments(fcinfo, i);

	dpem_require_argument(fcinfo, i + 2, "reserved");
	term.reserved = PG_GETARG_BOOL(i + 2);
	if (term.reserved)
	{
		require_reservable(ds, &term);
		/* no charge may come between what is added up and its being kept */
		dpem_require_read_committed("altered");
		dpem_account_close(ds->account);
	}
	return term;
}

/*
 * dp_grant_budget(role regrole, dataset text, epsilon float8, delta float8,
 * expires timestamptz, refresh interval, reserved boolean).  Raises 55000 where the dataset's budget has less left than is to be reserved.
 */
Datum
dp_grant_budget(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 1, "dataset"));
	float8		epsilon = dpem_budget_argument(fcinfo, 2);
	float8		delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, 3, "delta"));
	DpemBudgetTerm term;

	dpem_dataset_require_owner(ds);
	dpem_require_argument(fcinfo, 0, "role");
	term = term_arguments(fcinfo, ds, 4);
	dpem_budget_grant(ds, PG_GETARG_OID(0), epsilon, delta, &term);
	if (term.reserved)
		dpem_budget_require_reserved(ds);
	if (term.refresh)
		ereport(NOTICE,
				(errmsg("a share that is renewed bounds what role \"%s\" learns in one period, not over all of them",
						GetUserNameFromId(PG_GETARG_OID(0), false)),
				 errdetail("Over all periods and roles the budget of the dataset holds, epsilon %g at delta %g, which is never renewed.",
						   ds->epsilon, ds->delta)));
	return dpem_dataset_answer(ds);
}

/* dp_revoke_budget(role regrole, dataset text) */
Datum
dp_revoke_budget(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 1, "dataset"));

	dpem_dataset_require_owner(ds);
	dpem_require_argument(fcinfo, 0, "role");
	dpem_budget_revoke(ds, PG_GETARG_OID(0));
	PG_RETURN_VOID();
}
