/*
 * fit_model.c - see fit_model.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"

#include "fit/fit_model.h"
#include "fit/model_name.h"
#include "fit/progress.h"
#include "server/as_owner.h"
#include "server/attempt.h"

void
dpem_fit_require_possible(const DpemFitRequest *request)
{
	if (isfinite(request->epsilon) && !request->nominal)
		dpem_charge_require_possible(request->function);
}

const char *
dpem_fit_category(const DpemFitPlan *plan, int group)
{
	const DpemGrouping *grouping = plan->binding->grouping;

	return grouping && grouping->category && grouping->within == NULL ? grouping->category[group] : NULL;
}

static DpemModelNames
names_of(const DpemFitPlan *plan, const char *stem)
{
	const DpemGrouping *grouping = plan->binding->grouping;

	return grouping && grouping->category ? (DpemModelNames) {stem, grouping->category, grouping->n, false}
	: (DpemModelNames) {stem, NULL, 0, false};
}

/* the categories are the owner's, and of any length */
static void
require_short_names(const DpemFitPlan *plan)
{
	for (int g = 0; g < plan->groups; g++)
	{
		const char *category = dpem_fit_category(plan, g);

		if (category && strlen(category) > DPEM_MODEL_NAME_MOST - DPEM_MODEL_STEM_MOST)
			ereport(ERROR,
					(errcode(ERRCODE_NAME_TOO_LONG),
					 errmsg("the model of a category would have a name of more than %d bytes", DPEM_MODEL_NAME_MOST),
					 errhint("Leave out by, or ask the dataset's owner for shorter categories.")));
	}
}

void
dpem_fit_claim_name(DpemFitPlan *plan)
{
	DpemModelNames names;

	if (!plan->noisy)
		return;
	require_short_names(plan);
	if (plan->request->model == NULL)
		return;
	names = names_of(plan, plan->request->model);
	names.replace = plan->request->replace;
	dpem_model_claim(&names);
	plan->model = plan->request->model;
}

typedef struct Naming
{
	DpemModelNames names;
	char	   *stem;
} Naming;

static void
claim_free(void *argument)
{
	Naming	   *naming = argument;

	naming->stem = dpem_model_claim_free(&naming->names, 1);
}

void
dpem_fit_name_models(DpemFitPlan *plan, const char *family, int64 charge)
{
	Naming		naming;
	ErrorData  *error;

	if (!plan->noisy || plan->model != NULL)
		return;
	naming.names = names_of(plan, dpem_model_stem(plan->dataset->name, family, charge));
	error = dpem_attempt(claim_free, &naming, true);
	if (error != NULL)
		dpem_model_warn_lost(error);
	else
		plan->model = naming.stem;
}

void
dpem_fit_record(const DpemFitPlan *plan, int group, DpemModelRecord *record)
{
	const DpemFitRequest *r = plan->request;

	/* its rows may be read slowly, through a cursor */
	dpem_progress_end();
	record->stem = plan->model;
	record->replace = plan->request->replace;
	record->function = r->function;
	record->arguments = r->arguments;
	record->public_rows = plan->public_rows;
	record->binding = plan->binding;
	record->category = dpem_fit_category(plan, group);
	record->composition = dpem_composition_name(plan->composition);
	record->iterations = plan->iterations;
	record->epsilon = r->epsilon;
	record->delta = r->delta;
}

const char *
dpem_model_column(const DpemModel *model, int j)
{
	return model->column_of[j] ? model->column_of[j] : model->column[j];
}

int
dpem_model_column_length(const DpemModel *model, int j)
{
	int			end = j + 1;

	while (model->column_of[j] && end < model->d && model->column_of[end] && strcmp(model->column_of[end], model->column_of[j]) == 0)
		end++;
	return end - j;
}

void
dpem_model_insert_candidates(int64 id, const DpemModel *model)
{
	const DpemSizes *c = model->candidates;
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, BOOLOID};

	for (int i = 0; c != NULL && i < c->n; i++)
	{
		Datum		values[] = {
			Int64GetDatum(id), Int32GetDatum(c->k[i]), Float8GetDatum(c->log_likelihood[i]), Float8GetDatum(c->score[i]),
			BoolGetDatum(c->k[i] == c->chosen)
		};

		dpem_spi_query("INSERT INTO dpem.model_candidate (model, k, log_likelihood, score, chosen) VALUES ($1, $2, $3, $4, $5)",
					   5, types, values, NULL, false, SPI_OK_INSERT);
	}
}
