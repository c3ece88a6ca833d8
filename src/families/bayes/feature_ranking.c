/*
 * feature_ranking.c - dp_feature_ranking, dp_feature_ranking_plan: which columns say most of a label.
 *
 * The release is that of a naive Bayes classifier, counts by class and cell of every column; information and ranks follow
 * from it (core/bayes/information.h).
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "core/bayes/information.h"
#include "families/bayes/bayes.h"
#include "fit/emit_forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "server/fit_memory.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_feature_ranking);
PG_FUNCTION_INFO_V1(dp_feature_ranking_plan);

static DpemFitRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemFitRequest *r = palloc0(sizeof(DpemFitRequest));

	dpem_fit_arguments(&a, function, r);
	r->iterations = 1;
	r->bind.class_column = dpem_named_text(&a, "label");
	r->bind.categories = true;
	r->bind.missing = true;
	return r;
}

/* (rank, column_name, information, noise_stddev, ci_lower, ci_upper, rank_best, rank_worst, key) */
static void
emit(ReturnSetInfo *rsinfo, const DpemInformation *i, const char *column, const char *key)
{
	bool		nulls[9] = {false, false, false, false, false, false, false, false, key == NULL};
	Datum		values[9] = {
		Int32GetDatum(i->rank), CStringGetTextDatum(column), Float8GetDatum(i->value), Float8GetDatum(i->sd),
		Float8GetDatum(i->lower), Float8GetDatum(i->upper), Int32GetDatum(i->rank_best), Int32GetDatum(i->rank_worst),
		key ? CStringGetTextDatum(key) : (Datum) 0
	};

	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* one group's columns in the order of their ranks */
static void
emit_ranking(ReturnSetInfo *rsinfo, const DpemBayesPlan *plan, const DpemNoisyMoments *released, const char *key)
{
	DpemBayesCounts counts = dpem_bayes_counts(plan, released);
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);
	DpemInformation *information = palloc(counts.columns * sizeof(DpemInformation));

	dpem_information(&counts, information, dpem_fit_workspace(dpem_information_work(&counts)));
	for (int rank = 1; rank <= counts.columns; rank++)
	{
		for (int j = 0; j < counts.columns; j++)
		{
			if (information[j].rank == rank)
				emit(rsinfo, &information[j], column[plan->cells.column[j].first]->name, key);
		}
	}
}

Datum
dp_feature_ranking(PG_FUNCTION_ARGS)
{
	DpemFitRequest *request = read_arguments(fcinfo, "dp_feature_ranking");
	const DpemBayesPlan *plan;
	DpemFitRun	run = {0};
	DpemNoisyMoments *released;

	dpem_fit_require_possible(request);
	plan = (const DpemBayesPlan *) dpem_bayes_plan(request);
	dpem_fit_begin(&run, &plan->fit);
	released = dpem_bayes_count(&run, plan);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit_ranking((ReturnSetInfo *) fcinfo->resultinfo, plan, &released[g], dpem_fit_category(&plan->fit, g));
	dpem_fit_end(&run);
	return (Datum) 0;
}

/* the same arguments: cost and noise; reads no row, spends nothing */
Datum
dp_feature_ranking_plan(PG_FUNCTION_ARGS)
{
	DpemFitRequest *request = read_arguments(fcinfo, "dp_feature_ranking_plan");

	dpem_require_plannable(request);
	dpem_emit_plan(fcinfo, dpem_bayes_plan(request), dpem_fit_forecast_stages);
	return (Datum) 0;
}
