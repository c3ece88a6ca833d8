/*
 * synth_at_once.c - a fit that chooses nothing: all candidates are one release, and the model takes in as many as it has
 * room for, those first that it explains worst.  The others stay beside it (core/synth/synth_use.h, dpem_synth_refine).
 */
#include "postgres.h"

#include <math.h>

#include "core/synth/synth_use.h"
#include "families/synth/synth_run.h"
#include "server/fit_memory.h"

/* a released candidate, as sums of its groups at level 1, which is how a model takes it in */
typedef struct Sums
{
	int			cells;
	double	   *value;
	double	   *variance;
	bool		taken;
} Sums;

static Sums *
sum_groups(const DpemSynthPlan *plan, const DpemSynthRun *run, double *const *value)
{
	Sums	   *sums = palloc(plan->candidates * sizeof(Sums));

	for (int i = 0; i < plan->candidates; i++)
	{
		DpemSynthTable table = {plan->candidate[i], 1};

		sums[i] = (Sums) {.cells = (int) dpem_synth_table_cells(&run->levels, table)};
		sums[i].value = dpem_fit_allocate(sums[i].cells);
		sums[i].variance = dpem_fit_allocate(sums[i].cells);
		dpem_synth_coarsen(&run->levels, table, value[i], sums[i].value);
		dpem_synth_coarsen_noise(&run->levels, table, dpem_synth_measure_sd(plan), sums[i].variance);
	}
	return sums;
}

/* the candidate that the model has room for and explains worst; -1: none */
static int
worst_explained(const DpemSynthPlan *plan, const DpemSynthRun *run, const Sums *sums, int round)
{
	double		limit = dpem_synth_limit(&plan->schedule, round);
	double		most = -INFINITY;
	int			worst = -1;

	for (int i = 0; i < plan->candidates; i++)
	{
		double		misfit = dpem_synth_misfit(sums[i].cells, sums[i].value, sums[i].variance, run->level1[i]);

		if (sums[i].taken || misfit <= most || !dpem_synth_admits(&run->model, (DpemSynthTable) {plan->candidate[i], 1}, limit))
			continue;
		most = misfit;
		worst = i;
	}
	return worst;
}

/* a table among those released, and its own numbers */
static void
put_beside(const DpemSynthPlan *plan, DpemSynthRun *run, int i, double *value)
{
	DpemSynthReleased *r = &run->released;

	r->table[r->n] = (DpemSynthTable) {plan->candidate[i], 0};
	r->sd[r->n] = dpem_synth_measure_sd(plan);
	r->value[r->n++] = (DpemFieldArray) {plan->table[plan->columns + i].cells, value};
}

void
dpem_synth_take_in(const DpemSynthPlan *plan, DpemSynthRun *run, double *const *value)
{
	Sums	   *sums = sum_groups(plan, run, value);

	for (int round = 0; round < plan->schedule.rounds; round++)
	{
		int			i;

		dpem_synth_require(dpem_synth_tables(&run->model, plan->candidates, plan->candidate, run->level1));
		i = worst_explained(plan, run, sums, round);
		if (i < 0)
			continue;
		sums[i].taken = true;
		put_beside(plan, run, i, value[i]);
		dpem_synth_require(dpem_synth_add(&run->model, (DpemSynthTable) {plan->candidate[i], 0}, value[i], dpem_synth_measure_sd(plan), NULL));
		dpem_synth_learn_ridge(&run->model, run->level1[i]);
		dpem_synth_require(dpem_synth_fit(&run->model, plan->schedule.iterations, NULL));
	}
	for (int i = 0; i < plan->candidates; i++)
		if (!sums[i].taken)
			put_beside(plan, run, i, value[i]);
}
