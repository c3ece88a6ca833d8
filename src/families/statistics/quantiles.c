/*
 * quantiles.c - dp_quantile, dp_quantile_plan: check arguments, plan, choose,
 * emit a row.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"

#include "answers/kept.h"
#include "core/statistics/quantile.h"
#include "families/statistics/quantile_request.h"
#include "families/statistics/within.h"
#include "fit/forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_quantile);
PG_FUNCTION_INFO_V1(dp_quantile_plan);

static int64_t
level_argument(const DpemArguments *a)
{
	double		quantile = dpem_named_float8(a, "quantile");
	int64_t		level = dpem_quantile_level(quantile);

	if (level == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("quantile must be above 0 and below 1, not %g", quantile),
				 errhint("0.5 is the median.")));
	return level;
}

static DpemQuantileRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemQuantileRequest *r = palloc0(sizeof(DpemQuantileRequest));

	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	r->level = level_argument(&a);
	r->fit.iterations = 1;
	r->fit.bind.rows = DPEM_BIND_ALONE;
	r->fit.bind.by = dpem_named_text(&a, "column_name");
	r->fit.bind.groups = DPEM_BY_BINS;
	if (dpem_is_given(&a, "bins"))
		r->fit.bind.bins = dpem_named_int_between(&a, "bins", 1, DPEM_GROUPS_MAX);
	else
		dpem_quantile_set_bins(&r->fit.bind, dpem_dataset_load(r->fit.dataset));
	r->within = dpem_within_argument(&a);
	return r;
}

/* the one cell of the middle and the ends of a bin */
static void
keep(const DpemKeptQuestion *q, const DpemQuantileValue *v, int64 charge)
{
	DpemKeptCell cell = {"quantile", NULL, v->value, NAN, v->lower, v->upper, v->rank_error, false};
	DpemKeptAnswer a = {1, &cell, q->epsilon, q->delta, charge, GetCurrentTimestamp(), 1, 0};

	dpem_kept_store(q, &a);
}

/* what is kept, or a choice, which is kept */
static DpemQuantileValue
choose(DpemQuantilePlan *plan, const DpemQuantileRequest *r)
{
	DpemKeptQuestion *q = dpem_fit_question(&plan->fit, psprintf("quantile %.15g", (double) r->level / DPEM_QUANTILE_PARTS), "", "");
	DpemKeptAnswer *kept = dpem_kept_find(q);
	DpemQuantileValue v;
	int64		charge = 0;

	if (kept != NULL)
		return (DpemQuantileValue) {kept->cell[0].value, kept->cell[0].lower, kept->cell[0].upper, kept->cell[0].rank_error};
	plan->fit.paid = &charge;
	v = dpem_quantile_run(plan);
	keep(q, &v, charge);
	return v;
}

/* one row (value, lower, upper, rank_error) */
Datum
dp_quantile(PG_FUNCTION_ARGS)
{
	DpemQuantileRequest *request = read_arguments(fcinfo, "dp_quantile");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemQuantileValue v;
	Datum		values[4];
	bool		nulls[4] = {false};

	dpem_fit_require_possible(&request->fit);
	v = choose(dpem_quantile_plan(request), request);
	InitMaterializedSRF(fcinfo, 0);
	values[0] = Float8GetDatum(v.value);
	values[1] = Float8GetDatum(v.lower);
	values[2] = Float8GetDatum(v.upper);
	values[3] = Float8GetDatum(v.rank_error);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	return (Datum) 0;
}

/* the same arguments: what the choice costs, by how much a unit moves it, and its rank error; reads no row, spends nothing */
Datum
dp_quantile_plan(PG_FUNCTION_ARGS)
{
	DpemQuantileRequest *request = read_arguments(fcinfo, "dp_quantile_plan");

	dpem_require_plannable(&request->fit);
	if (request->within > 0)
		dpem_quantile_find_epsilon(request);
	dpem_emit_plan(fcinfo, &dpem_quantile_plan(request)->fit, dpem_quantile_forecast);
	return (Datum) 0;
}
