/*
 * classes_model.c - multinomial logistic regression by a model of its rows (core/replay/class_model.h).
 */
#include "postgres.h"

#include <math.h>

#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

#define MOST_STEPS	30			/* of a gradient */

/* of a sample a gradient has noise that is in no deviation */
void
dpem_classes_create_model(const DpemFitPlan *plan, DpemClassesRun *run)
{
	DpemClassFit *fit = &run->classes;

	if (dpem_fit_is_sampled(plan) || plan->features > 0 || !dpem_class_model_fits(fit, plan->iterations - 2, plan->groups))
		return;
	run->model = palloc0(sizeof(DpemClassModel));
	if (fit->spread == NULL)
		fit->spread = dpem_fit_allocate((size_t) fit->d * fit->d);
	for (int k = 0; k < fit->problems; k++)
		if (fit->problem[k].center == NULL)
			fit->problem[k].center = dpem_fit_allocate(fit->d);
}

/* memory of passes ends with them */
static void
begin(DpemClassesRun *run, double sd)
{
	DpemClassFit *fit = &run->classes;
	MemoryContext old = MemoryContextSwitchTo(GetMemoryChunkContext(run->theta));
	DpemWorkspace work = dpem_fit_workspace_unset(dpem_class_model_work(fit));

	*run->model = dpem_class_model_take(fit, &work);
	dpem_class_model_begin(fit, sd, run->model);
	fit->draws = DPEM_MODEL_DRAWS;
	for (int k = 0; k < fit->problems; k++)
		fit->problem[k].moved = dpem_fit_allocate((size_t) fit->d * fit->draws);
	MemoryContextSwitchTo(old);
}

void
dpem_classes_begin_model(DpemClassesRun *run, double sd)
{
	double		gradients = run->fit->plan->iterations - 2;

	run->modelled = run->model && dpem_class_model_helps(&run->classes, sd / sqrt(gradients));
	if (run->modelled)
		begin(run, sd / sqrt(gradients));
}

static DpemStatus
make_step(DpemClassesRun *run, const DpemNoisyMoments *m, double scale, int before)
{
	DpemStatus	status = dpem_class_model_gradient(m, scale, before, &run->classes, run->model);
	bool		more = true;

	for (int step = 0; step < MOST_STEPS && more && status == DPEM_OK; step++)
	{
		dpem_fit_pause();
		status = dpem_class_model_step(run->model, &more);
	}
	return status == DPEM_OK ? dpem_class_model_move(run->model) : status;
}

/*
 * The gradient is paid for: where rounding leaves no step, the fit goes on without the model, and its noise is that of the last gradient.
 */
bool
dpem_classes_step_by_model(DpemClassesRun *run, const DpemNoisyMoments *m, double scale, int before)
{
	if (!run->modelled)
		return false;
	run->modelled = make_step(run, m, scale, before) == DPEM_OK;
	if (run->modelled)
		dpem_class_model_put(run->model, &run->classes);
	else
		run->classes.draws = 0;
	return run->modelled;
}
