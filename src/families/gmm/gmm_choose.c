/*
 * gmm_choose.c - how many components, where the caller gave several candidates.
 *
 * Nothing is released for the choice: counts of a grid serve every candidate, and EM passes with
 * the largest candidate's components, of which smaller mixtures are merged, have the noise that
 * passes with fewer would have, too (docs/proofs.md, "Choosing a number of components").
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/mixture/gmm_choice.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

static void
check_for_interrupts(void)
{
	CHECK_FOR_INTERRUPTS();
}

void
dpem_gmm_settle(GmmRun *run)
{
	DpemGmmRequest *request = palloc(sizeof(DpemGmmRequest));
	DpemGmmPlan *plan = palloc(sizeof(DpemGmmPlan));

	*request = *run->plan->request;
	*plan = *run->plan;
	request->k = run->candidates.chosen;
	plan->request = request;
	run->plan = plan;
	for (int g = 0; g < run->groups; g++)
		run->group[g].gmm.k = request->k;
}

/* passes so far were over other components; what they say of all rows together stays */
static void
forget_components(DpemGmmHistory *history)
{
	memset(history->average.value, 0, dpem_moments_length(&history->average.layout) * sizeof(double));
	history->passes = 0;
	history->variance = 0;
}

void
dpem_gmm_choose_merged(GmmRun *run)
{
	GmmGroup   *group = &run->group[0];
	DpemSizes *c = &run->candidates;
	int			most = group->gmm.k;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double		rows = dpem_gmm_effective_rows(&group->gmm, &group->history.average, group->history.total[0]);

	dpem_fit_report(run->fit, "choice", 0);
	dpem_fit_require_ok(dpem_gmm_choose(c, rows, run->plan->request->tied, &group->gmm, check_for_interrupts,
										dpem_fit_workspace(dpem_gmm_choice_work(c, most, group->gmm.d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	if (c->chosen != most)
		forget_components(&group->history);
	dpem_gmm_settle(run);
}

/* the likelihood of all is the same */
void
dpem_gmm_choose_least(GmmRun *run)
{
	DpemSizes *c = &run->candidates;
	double		rows = run->group[0].rows;

	for (int i = 0; i < c->n; i++)
		dpem_sizes_score(c, i, 0, c->k[i], rows);
	(void) dpem_sizes_choose(c);
	dpem_gmm_settle(run);
}
