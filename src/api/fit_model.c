/*
 * fit_model.c - see fit_model.h.
 */
#include "postgres.h"

#include <math.h>

#include "api/fit_model.h"
#include "engine/progress.h"

void
dpem_fit_require_possible(const DpemFitRequest *request)
{
	if (isfinite(request->epsilon) && !request->nominal)
		dpem_charge_require_possible(request->function);
}

const char *
dpem_fit_category(const DpemFitPlan *plan, int group)
{
	const DpemGrouping *grouping = plan->dataset->grouping;

	return grouping && grouping->category ? grouping->category[group] : NULL;
}

void
dpem_fit_require_free_names(const DpemFitPlan *plan)
{
	DpemModelRecord record = {.name = plan->request->model};

	for (int g = 0; record.name != NULL && g < plan->groups; g++)
	{
		record.category = dpem_fit_category(plan, g);
		dpem_model_require_free_name(dpem_model_name(&record));
	}
}

void
dpem_fit_record(const DpemFitPlan *plan, int group, DpemModelRecord *record)
{
	const DpemFitRequest *r = plan->request;

	/* its rows may be read slowly, through a cursor */
	dpem_progress_end();
	record->name = r->model;
	record->dataset = plan->dataset;
	record->category = dpem_fit_category(plan, group);
	record->d = plan->d;
	record->composition = dpem_composition_name(plan->composition);
	record->iterations = plan->iterations;
	record->epsilon = r->epsilon;
	record->delta = r->delta;
}
