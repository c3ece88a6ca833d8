/*
 * evaluation.c - dp_evaluate, dp_evaluate_plan: check arguments, plan, release, store, emit rows; cases for dp_selftest.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "families/evaluation/evaluation.h"
#include "fit/forecast.h"
#include "fit/fit_model.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_evaluate);
PG_FUNCTION_INFO_V1(dp_evaluate_plan);

/* rows (metric, value, noise_stddev, ci_lower, ci_upper) */
Datum
dp_evaluate(PG_FUNCTION_ARGS)
{
	DpemEvaluationRequest *request = dpem_evaluation_arguments(fcinfo, "dp_evaluate");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DpemEvaluationPlan *plan;
	DpemEvaluation *e;

	dpem_fit_require_possible(&request->fit);
	plan = dpem_evaluation_plan(request);
	e = dpem_evaluation_run(plan);
	if (plan->fit.noisy)
		dpem_evaluation_save(plan, e);
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < e->metrics; i++)
	{
		bool		nulls[5] = {false};
		Datum		values[5] = {CStringGetTextDatum(e->name[i]), Float8GetDatum(e->metric[i].value), Float8GetDatum(e->metric[i].sd),
		Float8GetDatum(e->metric[i].lower), Float8GetDatum(e->metric[i].upper)};

		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* the same arguments: noise and cost, and to what values are clipped; reads no row, spends nothing */
Datum
dp_evaluate_plan(PG_FUNCTION_ARGS)
{
	DpemEvaluationRequest *request = dpem_evaluation_arguments(fcinfo, "dp_evaluate_plan");

	dpem_require_plannable(&request->fit);
	dpem_emit_plan(fcinfo, &dpem_evaluation_plan(request)->fit, dpem_evaluation_forecast);
	return (Datum) 0;
}

/* a model of the same rows, made under the same releases, then its evaluation */
#define EVALUATED(fit, more) "dp_evaluate((SELECT model FROM @" fit " LIMIT 1), 'dpem_selftest', 4, 1e-6" more ")"

static const DpemSelftestCase selftest[] = {
	{"evaluation of a classifier", EVALUATED("dp_logit_fit('dpem_selftest', 'label', 4, iterations => 1, columns => '{a,b,c}')", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of a regression", EVALUATED("dp_linreg_fit('dpem_selftest', 'c', 4, columns => '{a,b}')", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of a regression in a wide domain", EVALUATED("dp_linreg_fit('dpem_selftest', 'c', 4, columns => '{a,b}')", ", range => '{-0.01,0.01}'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of a density", EVALUATED("dp_fa_fit('dpem_selftest', 1, 4)", ", range => '{-20,5}'"), 0},
	{"evaluation of centers", EVALUATED("dp_kmeans_fit('dpem_selftest', 2, 4, algorithm => 'joint', iterations => 1)", ""), 0},
	{"evaluation of an additive model", EVALUATED("dp_gam_fit('dpem_selftest', 'label', 4, bins => 4, iterations => 2)", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of three classes", EVALUATED("dp_gam_fit('dpem_selftest', 'label', 4, bins => 4, iterations => 2)", ""), DPEM_SELFTEST_COUNTS_NULLS | DPEM_SELFTEST_CLASSES},
	{"evaluation of naive Bayes", EVALUATED("dp_bayes_fit('dpem_selftest', 'label', 4)", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of margins", EVALUATED("dp_svm_fit('dpem_selftest', 'label', 4, features => 'fourier', dimension => 8, iterations => 2)", ""), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of a belief network", EVALUATED("dp_sbn_fit('dpem_selftest', 2, 4, iterations => 1)", ", range => '{-20,0}'"), 0},
	{"evaluation of a mixture", EVALUATED("dp_mixture_fit('dpem_selftest', 2, 4, iterations => 1)", ", range => '{-20,5}'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of marginals", EVALUATED("dp_synth_fit('dpem_selftest', 4, label => 'label', bins => 4, rounds => 1)", ", range => '{-20,0}'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"evaluation of topics", EVALUATED("dp_lda_fit('dpem_selftest', 2, 4, iterations => 2)", ""), 0},
	{NULL}
};

const DpemFamily dpem_family_evaluation = {.name = "evaluation",.title = "an evaluation",.selftest = selftest};
