/*
 * budgets.c - what is left, and the arithmetic behind dpem.budgets.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "api/argument_list.h"
#include "api/arguments.h"
#include "catalog/budget.h"
#include "catalog/dataset.h"
#include "catalog/incarnation.h"
#include "core/budget_rule.h"

PG_FUNCTION_INFO_V1(dp_budget_remaining);
PG_FUNCTION_INFO_V1(dpem_totals_spent);
PG_FUNCTION_INFO_V1(dpem_totals_remaining);
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
 * delta NULL: the share's own, or 0 where deltas add up (linear, advanced).
 */
Datum
dp_budget_remaining(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	DpemAccountant accountant = dpem_accountant_from_name(ds->accountant);
	DpemBudget	share;
	DpemTotals	total;
	double		delta;
	double		left;

	if (!dpem_budget_load(ds->id, GetUserId(), &share))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"",
						GetUserNameFromId(GetUserId(), false), ds->name),
				 errhint("The dataset's owner grants one with dp_grant_budget.")));
	delta = PG_ARGISNULL(1) ? dpem_budget_usual_delta(accountant, share.delta) : dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	if (ledger_is_restored(ds))
		PG_RETURN_FLOAT8(0);
	total = dpem_budget_totals(ds->account, GetUserId(), NULL);
	left = dpem_budget_remaining(accountant, &total, share.epsilon, share.delta, delta);
	total = dpem_budget_totals(ds->account, InvalidOid, NULL);
	PG_RETURN_FLOAT8(Min(left, dpem_budget_remaining(accountant, &total, ds->epsilon, ds->delta, delta)));
}

#define CURVE_ARGUMENT 7

/* arguments: accountant text, mu2_units, rho_units bigint, epsilon, delta, epsilon2 float8, plain_rho_units bigint, curve bigint[] */
static DpemAccountant
read_totals(FunctionCallInfo fcinfo, DpemTotals *total)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "accountant");
	DpemAccountant accountant = dpem_accountant_from_name(name);

	for (int i = 1; i < PG_NARGS(); i++)
		if (i != CURVE_ARGUMENT)
			dpem_require_argument(fcinfo, i, "a total");
	if (accountant == DPEM_ACCOUNTANT_UNKNOWN)
		dpem_refuse_name("accountant", name, "gdp, rdp, zcdp, ma, advanced, linear");
	*total = (DpemTotals) {
		.mu2_units = PG_GETARG_INT64(1),.rho_units = PG_GETARG_INT64(2),
			.epsilon = PG_GETARG_FLOAT8(3),.delta = PG_GETARG_FLOAT8(4),
			.epsilon2 = PG_GETARG_FLOAT8(5),.plain_rho_units = PG_GETARG_INT64(6)
	};
	if (!PG_ARGISNULL(CURVE_ARGUMENT))
		dpem_curve_from_array(PG_GETARG_ARRAYTYPE_P(CURVE_ARGUMENT), &total->curve);
	return accountant;
}

/* dpem.totals_spent(totals, delta): epsilon that the totals amount to at delta */
Datum
dpem_totals_spent(PG_FUNCTION_ARGS)
{
	DpemTotals	total;
	DpemAccountant accountant = read_totals(fcinfo, &total);

	PG_RETURN_FLOAT8(dpem_budget_spent(accountant, &total, dpem_check_delta("delta", PG_GETARG_FLOAT8(8))));
}

/* dpem.totals_remaining(totals, epsilon, delta): what is left of a budget, at its own delta */
Datum
dpem_totals_remaining(PG_FUNCTION_ARGS)
{
	DpemTotals	total;
	DpemAccountant accountant = read_totals(fcinfo, &total);
	double		epsilon = dpem_check_epsilon("epsilon", PG_GETARG_FLOAT8(8));
	double		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(9));
	double		left = dpem_budget_remaining(accountant, &total, epsilon, delta,
										  dpem_budget_usual_delta(accountant, delta));

	PG_RETURN_FLOAT8(left);
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
