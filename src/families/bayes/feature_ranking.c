/*
 * feature_ranking.c - dp_feature_ranking, dp_feature_ranking_plan: which columns say most of a label.
 *
 * The release is that of a naive Bayes classifier, counts by class and cell of every column; information and ranks follow
 * from it (core/bayes/information.h).  What is kept of it are these, two cells a column: its information, and its rank
 * between the best and the worst that it may have.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "core/bayes/information.h"
#include "families/bayes/bayes.h"
#include "fit/forecast.h"
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
	r->answers = true;
	r->iterations = 1;
	r->bind.class_column = dpem_named_text(&a, "label");
	r->bind.categories = true;
	r->bind.missing = true;
	return r;
}

/* ---- what is kept ---- */

enum
{
	INFORMATION, RANK, CELLS
};

/* the name of each of the columns that are ranked */
static const char **
names_of(const DpemBayesPlan *plan)
{
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);
	const char **name = palloc(plan->cells.columns * sizeof(char *));

	for (int j = 0; j < plan->cells.columns; j++)
		name[j] = column[plan->cells.column[j].first]->name;
	return name;
}

static DpemKeptQuestion *
question_of(const DpemBayesPlan *plan)
{
	const char **name = names_of(plan);
	StringInfoData what;

	initStringInfo(&what);
	appendStringInfo(&what, "feature_ranking(%s", quote_identifier(plan->fit.binding->target->name));
	for (int j = 0; j < plan->cells.columns; j++)
		appendStringInfo(&what, ", %s", quote_identifier(name[j]));
	appendStringInfoChar(&what, ')');
	return dpem_fit_question(&plan->fit, what.data, "", "");
}

/* of one group */
static void
put_cells(const DpemBayesPlan *plan, const DpemNoisyMoments *released, const char *key, DpemKeptCell *cell)
{
	DpemBayesCounts counts = dpem_bayes_counts(plan, &plan->cells, released);
	DpemInformation *information = palloc(counts.columns * sizeof(DpemInformation));
	const char **name = names_of(plan);

	dpem_information(&counts, information, dpem_fit_workspace(dpem_information_work(&counts)));
	for (int j = 0; j < counts.columns; j++)
	{
		const DpemInformation *i = &information[j];
		const char *column = quote_identifier(name[j]);

		cell[j * CELLS + INFORMATION] = (DpemKeptCell) {psprintf("information(%s)", column), key, i->value, i->sd, i->lower, i->upper, NAN, false};
		cell[j * CELLS + RANK] = (DpemKeptCell) {psprintf("rank(%s)", column), key, i->rank, NAN, i->rank_best, i->rank_worst, NAN, false};
	}
}

static DpemKeptCell *
run(DpemBayesPlan *plan, int n, int64 *charge)
{
	DpemKeptCell *cell = palloc(n * sizeof(DpemKeptCell));
	DpemFitRun	run = {0};
	DpemNoisyMoments *released;

	plan->fit.paid = charge;
	dpem_fit_begin(&run, &plan->fit);
	released = dpem_bayes_count(&run, plan, DPEM_BAYES_COUNTS, &plan->cells);
	for (int g = 0; g < plan->fit.groups; g++)
		put_cells(plan, &released[g], dpem_fit_category(&plan->fit, g), cell + (size_t) g * plan->cells.columns * CELLS);
	dpem_fit_end(&run);
	return cell;
}

/* what is kept, or a release, which is kept: CELLS for each column of each group */
static const DpemKeptCell *
find_or_release(DpemBayesPlan *plan)
{
	DpemKeptQuestion *q = question_of(plan);
	DpemKeptAnswer *kept = dpem_kept_find(q);
	DpemKeptAnswer a = {.n = plan->fit.groups * plan->cells.columns * CELLS,.epsilon = q->epsilon,.delta = q->delta};

	if (kept != NULL && kept->n != a.n)
		elog(ERROR, "dpem: an answer of other columns");
	if (kept != NULL)
		return kept->cell;
	a.cell = run(plan, a.n, &a.charge);
	a.answered_at = GetCurrentTimestamp();
	dpem_kept_store(q, &a);
	return a.cell;
}

/* ---- rows ---- */

/* (rank, column_name, information, noise_stddev, ci_lower, ci_upper, rank_best, rank_worst, key) */
static void
emit(ReturnSetInfo *rsinfo, const DpemKeptCell *cell, const char *column, const char *key)
{
	const DpemKeptCell *i = &cell[INFORMATION];
	const DpemKeptCell *rank = &cell[RANK];
	bool		nulls[9] = {false, false, false, false, false, false, false, false, key == NULL};
	Datum		values[9] = {
		Int32GetDatum((int32) rank->value), CStringGetTextDatum(column), Float8GetDatum(i->value), Float8GetDatum(i->noise),
		Float8GetDatum(i->lower), Float8GetDatum(i->upper), Int32GetDatum((int32) rank->lower), Int32GetDatum((int32) rank->upper),
		key ? CStringGetTextDatum(key) : (Datum) 0
	};

	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* one group's columns in the order of their ranks */
static void
emit_ranking(ReturnSetInfo *rsinfo, const DpemBayesPlan *plan, const DpemKeptCell *cell, const char *key)
{
	const char **name = names_of(plan);

	for (int rank = 1; rank <= plan->cells.columns; rank++)
	{
		for (int j = 0; j < plan->cells.columns; j++)
		{
			if (cell[j * CELLS + RANK].value == rank)
				emit(rsinfo, &cell[j * CELLS], name[j], key);
		}
	}
}

Datum
dp_feature_ranking(PG_FUNCTION_ARGS)
{
	DpemFitRequest *request = read_arguments(fcinfo, "dp_feature_ranking");
	DpemBayesPlan *plan;
	const DpemKeptCell *cell;

	dpem_fit_require_possible(request);
	plan = dpem_bayes_plan_counts(request);
	cell = find_or_release(plan);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
		emit_ranking((ReturnSetInfo *) fcinfo->resultinfo, plan, cell + (size_t) g * plan->cells.columns * CELLS,
					 dpem_fit_category(&plan->fit, g));
	return (Datum) 0;
}

/* the same arguments: cost and noise; reads no row, spends nothing */
Datum
dp_feature_ranking_plan(PG_FUNCTION_ARGS)
{
	DpemFitRequest *request = read_arguments(fcinfo, "dp_feature_ranking_plan");

	dpem_require_plannable(request);
	dpem_emit_plan(fcinfo, &dpem_bayes_plan_counts(request)->fit, dpem_fit_forecast_stages);
	return (Datum) 0;
}
