/*
 * classes_minimum.c - multinomial logistic regression without noise: passes until the minimum.
 */
#include "postgres.h"

#include "core/logit/softmax_search.h"
#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

/* false: every group's minimum is found */
static bool
run_pass(DpemFitRun *fit, DpemClassesRun *run, DpemSoftmaxSearch *search)
{
	int			groups = fit->plan->groups;
	double		bound = dpem_class_bound(run->classes.problems, false);
	MemoryContext old = MemoryContextSwitchTo(fit->per_pass);
	double	   *at = dpem_fit_allocate(run->classes.d);
	DpemNoisyMoments *m;
	bool		any = false;

	for (int g = 0; g < groups; g++)
		for (int k = 0; k < run->classes.problems; k++)
		{
			dpem_softmax_search_at(&search[g], k, at);
			dpem_classes_put_coefficients(&run[g], k, at);
		}
	m = dpem_classes_release_gradients(fit, run, &run->classes.loss);
	for (int g = 0; g < groups; g++)
		any |= dpem_softmax_search_take(&search[g], &m[g], bound);
	MemoryContextSwitchTo(old);
	MemoryContextReset(fit->per_pass);
	return any;
}

int
dpem_classes_run_minimum(DpemFitRun *fit, DpemClassesRun *run)
{
	int			groups = fit->plan->groups;
	int			most = fit->plan->iterations;
	int			pass = 0;
	DpemSoftmaxSearch *search = palloc0(groups * sizeof(DpemSoftmaxSearch));

	for (int g = 0; g < groups; g++)
	{
		DpemWorkspace work = dpem_fit_workspace(dpem_softmax_search_work(run[g].classes.problems, run[g].classes.d));

		dpem_softmax_search_begin(&search[g], &run[g].classes, &work);
	}
	do
		dpem_fit_report(fit, "coefficients", ++pass);
	while (run_pass(fit, run, search) && pass < most);
	for (int g = 0; g < groups; g++)
	{
		dpem_softmax_search_end(&search[g]);
		for (int k = 0; k < run->classes.problems; k++)
			dpem_softmax_search_at(&search[g], k, run[g].classes.problem[k].fit.mean);
	}
	return pass;
}
