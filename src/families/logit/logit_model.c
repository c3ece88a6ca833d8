/*
 * logit_model.c - logistic regression of two classes by a model of its rows (core/replay/logit_model.h).
 */
#include "postgres.h"

#include "core/replay/logit_model.h"
#include "core/replay/logit_noise.h"
#include "families/logit/logit.h"
#include "server/fit_memory.h"

/* of a sample a gradient has noise that is in no deviation; what is known of noise in such steps comes from draws of them */
DpemLogitModel *
dpem_logit_create_model(const DpemFitPlan *plan, DpemLogitHistory *history)
{
	int			gradients = plan->iterations - 1;
	DpemLogitModel *model;
	DpemWorkspace work;

	if (!history || history->prior_variance > 0 || dpem_fit_is_sampled(plan) ||
		dpem_logit_noise_draws(true, plan->d, gradients, plan->groups) == 0)
		return NULL;
	history->modelled = true;
	history->planned = gradients;
	model = palloc(sizeof(DpemLogitModel));
	work = dpem_fit_workspace_unset(dpem_logit_model_work(plan->d));
	*model = dpem_logit_model_take(plan->d, &work);
	return model;
}

bool
dpem_logit_begin_model(const DpemLogitHistory *history, const DpemLogitStatistics *s, const DpemLogit *fit, DpemLogitModel *model)
{
	DpemWorkspace work = dpem_fit_workspace_unset(dpem_logit_model_step_work(s->d));

	return dpem_logit_model_begin(s, &history->first, history->whole, history->planned, fit, model, work) == DPEM_OK;
}

bool
dpem_logit_step_by_model(const DpemNoisyMoments *m, double scale, int before, DpemLogitStatistics *s, DpemLogit *fit, DpemLogitModel *model)
{
	DpemWorkspace work = dpem_fit_workspace_unset(dpem_logit_model_step_work(s->d));
	double	   *at = dpem_fit_allocate(s->d);

	memcpy(at, fit->mean, s->d * sizeof(double));
	if (dpem_logit_model_gradient(m, scale, before, s, fit, model, work) == DPEM_OK)
		return true;
	memcpy(fit->mean, at, s->d * sizeof(double));
	return false;
}

/* what gradients before have told is in s->linear and curvature; secants were not kept */
void
dpem_logit_drop_model(DpemLogitHistory *history, DpemLogitStatistics *s)
{
	history->modelled = false;
	s->secant = NULL;
}
