/*
 * mixture_keep.c - whether the components that passes have found are worth keeping, by released numbers alone.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/mixture/mixture_rules.h"
#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

static bool
may_give_up(const DpemMixturePlan *plan)
{
	return plan->fit.noisy && plan->fit.request->iterations == 0;
}

bool
dpem_mixture_is_noise(const DpemMixturePlan *plan, const MixtureRun *run, DpemMixturePrior prior)
{
	DpemWorkspace work;
	double		worth;

	CHECK_FOR_INTERRUPTS();
	if (!may_give_up(plan))
		return false;
	work = dpem_fit_workspace(dpem_mixture_worth_work(&run->rows, run->mixture.k));
	worth = dpem_mixture_worth(&run->rows, &run->moments, &run->total, prior, &run->mixture, work);
	pfree(work.next);
	return worth < DPEM_MIXTURE_LEAST_WORTH;
}

/* up to a quarter of a gigabyte, which is not kept while other groups are looked at */
static bool
is_chance(const MixtureRun *run)
{
	DpemWorkspace draws = dpem_fit_workspace(dpem_mixture_worth_work(&run->rows, run->mixture.k));
	DpemWorkspace trials = dpem_fit_workspace(dpem_mixture_chance_work(&run->rows, &run->search, &run->all));
	double		gain = dpem_mixture_gain(&run->rows, &run->total, &run->mixture, draws);
	bool		chance = dpem_mixture_is_chance(&run->rows, &run->search, &run->all, &run->total, gain, trials);

	pfree(trials.next);
	pfree(draws.next);
	return chance;
}

bool
dpem_mixture_is_no_group(const DpemMixturePlan *plan, const MixtureRun *run)
{
	return may_give_up(plan) && (dpem_mixture_is_noise(plan, run, dpem_mixture_weak_prior) || is_chance(run));
}
