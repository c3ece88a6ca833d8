/*
 * gmm_choose.c - how many components, where the caller gave several candidates.
 *
 * Nothing is released for the choice: counts of a grid serve every candidate, and EM passes with
 * the largest candidate's components, of which smaller mixtures are merged, have the noise that
 * passes with fewer would have, too (docs/proofs.md, "Choosing a number of components").
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "core/mixture/gmm_choice.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

void
dpem_gmm_settle(GmmRun *run)
{
	/* as long as the run: callers may be in memory of a pass */
	MemoryContext own = GetMemoryChunkContext(run);
	DpemGmmRequest *request = MemoryContextAlloc(own, sizeof(DpemGmmRequest));
	DpemGmmPlan *plan = MemoryContextAlloc(own, sizeof(DpemGmmPlan));

	*request = *run->plan->request;
	*plan = *run->plan;
	request->k = run->candidates.chosen;
	plan->request = request;
	run->plan = plan;
	for (int g = 0; g < run->groups; g++)
		run->group[g].gmm.k = request->k;
}

/* moments of components that are one now are one component's; place: of each component before */
static void
merge_moments(DpemNoisyMoments *average, const int *place, int k)
{
	size_t		record = dpem_moments_record(&average->layout);
	size_t		n = dpem_moments_length(&average->layout);
	double	   *before = dpem_fit_allocate(n);

	memcpy(before, average->value, n * sizeof(double));
	memset(average->value, 0, n * sizeof(double));
	for (size_t c = 0; c < n / record; c++)
		for (size_t i = 0; i < record; i++)
			average->value[place[c] * record + i] += before[c * record + i];
	average->layout.k = k;
	pfree(before);
}

void
dpem_gmm_choose_merged(GmmRun *run)
{
	GmmGroup   *group = &run->group[0];
	DpemSizes *c = &run->candidates;
	int			most = group->gmm.k;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	int		   *place = palloc(most * sizeof(int));
	double		rows = dpem_gmm_effective_rows(&group->gmm, &group->history.average, group->history.total[0]);

	dpem_fit_report(run->fit, "choice", 0);
	dpem_fit_require_ok(dpem_gmm_choose(c, rows, run->plan->request->tied, &group->gmm, place, dpem_fit_pause,
										dpem_fit_workspace(dpem_gmm_choice_work(c, most, group->gmm.d))));
	merge_moments(&group->history.average, place, c->chosen);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	dpem_gmm_settle(run);
}

void
dpem_gmm_choose_least(GmmRun *run)
{
	(void) dpem_sizes_choose_least(&run->candidates);
	dpem_gmm_settle(run);
}
