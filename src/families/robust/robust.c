/*
 * robust.c - dp_robust, dp_robust_plan: a median or interquartile range by smooth sensitivity (Nissim, Raskhodnikova,
 * Smith 2007), propose-test-release (Dwork, Lei 2009), or blocks (Smith 2011).
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "families/robust/robust.h"
#include "fit/forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_robust);
PG_FUNCTION_INFO_V1(dp_robust_plan);

/* what the release depends on besides the price */
static DpemKeptQuestion *
question_of(const DpemRobustPlan *plan)
{
	const char *what = psprintf("robust %s(%s)", dpem_robust_statistic_name(plan->spec.statistic), quote_identifier(plan->column->name));
	const char *name = dpem_robust_mechanism_name(plan->request->mechanism);
	const char *how = plan->request->mechanism == DPEM_ROBUST_TESTED ? psprintf("%s of %d bins, ", name, plan->spec.proposal) : psprintf("%s, ", name);

	return dpem_fit_question(&plan->fit, what, how, psprintf(", %d bins", plan->spec.cells));
}

static void
keep(const DpemKeptQuestion *q, const DpemRobustPlan *plan, const DpemRobustValue *v, int64 charge)
{
	DpemKeptCell cell = {dpem_robust_statistic_name(plan->spec.statistic), NULL, v->value, v->sd, v->lower, v->upper, NAN, false};
	DpemKeptAnswer a = {1, &cell, q->epsilon, q->delta, charge, GetCurrentTimestamp(), 1, 0};

	dpem_kept_store(q, &a);
}

/* what is kept, or a release, which is kept; also that a test refused */
static DpemRobustValue
find_or_release(DpemRobustPlan *plan)
{
	DpemKeptQuestion *q = question_of(plan);
	DpemKeptAnswer *kept = dpem_kept_find(q);
	DpemRobustValue v;
	int64		charge = 0;

	if (kept != NULL)
		return (DpemRobustValue) {kept->cell[0].value, kept->cell[0].noise, kept->cell[0].lower, kept->cell[0].upper};
	plan->fit.paid = &charge;
	v = dpem_robust_run(plan);
	keep(q, plan, &v, charge);
	return v;
}

/* one row (value, noise_stddev, ci_lower, ci_upper, refused) */
Datum
dp_robust(PG_FUNCTION_ARGS)
{
	DpemRobustRequest *request = dpem_robust_arguments(fcinfo, "dp_robust");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemRobustValue v;
	Datum		values[5];
	bool		nulls[5] = {false};

	dpem_fit_require_possible(&request->fit);
	v = find_or_release(dpem_robust_plan(request));
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < 4; i++)
	{
		double		number = i == 0 ? v.value : i == 1 ? v.sd : i == 2 ? v.lower : v.upper;

		values[i] = Float8GetDatum(number);
		nulls[i] = isnan(number);
	}
	values[4] = BoolGetDatum(isnan(v.value));
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	return (Datum) 0;
}

/* the same arguments: noise, threshold and cost; reads no row, spends nothing */
Datum
dp_robust_plan(PG_FUNCTION_ARGS)
{
	DpemRobustRequest *request = dpem_robust_arguments(fcinfo, "dp_robust_plan");

	dpem_require_plannable(&request->fit);
	dpem_emit_plan(fcinfo, &dpem_robust_plan(request)->fit, dpem_robust_forecast);
	return (Datum) 0;
}

/* of rows that count for fits of all columns: the others are null rows, whichever column a statistic is of */
#define COUNTED "filter => 'a between -1e300 and 1e300 and b between -1e300 and 1e300 and c between -1e300 and 1e300'"
#define CALL(column, delta, more) "dp_robust('dpem_selftest', '" column "', 1, " delta ", " more ", " COUNTED ")"
#define ROBUST(column, more) CALL(column, "1e-6", more)

/*
 * Whether a test lets its value be released is all but certain: of nearly the whole domain it does, of one of many bins
 * it does not but with its failure, of which there are eight or more in a run of dp_selftest.
 */
static const DpemSelftestCase selftest[] = {
	{"robust median", ROBUST("b", "bins => 64"), 0},
	{"robust iqr", ROBUST("c", "statistic => 'iqr', bins => 64"), 0},
	{"robust median, tested", ROBUST("a", "mechanism => 'propose_test_release', bins => 64, proposal => 1.9"), 0},
	{"robust iqr, tested", ROBUST("b", "statistic => 'iqr', mechanism => 'propose_test_release', bins => 64, proposal => 1.9"), 0},
	{"robust median, blocks", ROBUST("a", "mechanism => 'blocks', bins => 64"), DPEM_SELFTEST_DRAWS},
	{"robust iqr, blocks", ROBUST("b", "statistic => 'iqr', mechanism => 'blocks', bins => 64"), DPEM_SELFTEST_DRAWS},
	{"robust median, refused", CALL("c", "1e-9", "mechanism => 'propose_test_release', bins => 16384, proposal => 0.0002"), 0},
	{NULL}
};

const DpemFamily dpem_family_robust = {.name = "robust",.title = "a robust statistic",.selftest = selftest};
