/*
 * gam_minimum.c - an additive model of several classes without noise: passes until the minimum.
 */
#include "postgres.h"

#include "families/gam/gam_run.h"
#include "server/fit_memory.h"

void
dpem_gam_begin_search(const DpemGamPlan *plan, DpemGamRun *run)
{
	bool		learn = !(((const DpemGamRequest *) plan->fit.request)->prior_variance > 0);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		run[g].search = palloc(sizeof(DpemGamSearch));
		dpem_fit_require_ok(dpem_gam_search_begin(run[g].search, &run[g].rows, run[g].score, plan->scores, learn, dpem_fit_pause,
												  dpem_fit_workspace(dpem_gam_search_work(&run[g].rows, plan->scores))));
	}
}

void
dpem_gam_search_pass(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run)
{
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
		dpem_gam_search_at(run[g].search, run[g].coefficient);
	m = dpem_gam_release(fit, plan, run, DPEM_GAM_GRADIENTS, false);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_fit_require_ok(dpem_gam_search_take(run[g].search, &m[g], run[g].coefficient));
		run[g].converged = run[g].search->minimum.found;
	}
}
