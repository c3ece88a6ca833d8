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

void
dpem_fit_require_free_name(const DpemFitRequest *request)
{
	if (request->model != NULL)
		dpem_model_require_free_name(request->model);
}

void
dpem_fit_record(const DpemFitPlan *plan, DpemModelRecord *record)
{
	const DpemFitRequest *r = plan->request;

	/* its rows may be read slowly, through a cursor */
	dpem_progress_end();
	record->name = r->model;
	record->dataset = plan->dataset;
	record->d = plan->d;
	record->composition = dpem_composition_name(plan->composition);
	record->iterations = plan->iterations;
	record->epsilon = r->epsilon;
	record->delta = r->delta;
}
