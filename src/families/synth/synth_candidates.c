/*
 * synth_candidates.c - tables that a round may choose: every candidate set, at every level.
 */
#include "postgres.h"

#include "core/synth/synth_rules.h"
#include "families/synth/synth_run.h"
#include "server/fit_memory.h"

/* of each cell of a table of categories, the cell of their groups */
static int32 *
map_cells(const DpemSynthPlan *plan, const DpemSynthLevels *levels, const DpemTable *table, int level)
{
	int32	   *into = palloc(table->cells * sizeof(int32));

	for (int i = 0; i < table->cells; i++)
	{
		int			rest = i;
		int			cell = 0;
		int			stride = 1;

		for (int a = table->order - 1; a >= 0; a--)
		{
			int			c = table->column[a];
			int			size = plan->column[c].cells;

			cell += stride * levels->group[level][levels->offset[c] + rest % size];
			stride *= levels->size[level][c];
			rest /= size;
		}
		into[i] = cell;
	}
	return into;
}

/* does a level say the same of the table as the one below it? */
static bool
is_same(const DpemSynthLevels *levels, const DpemTable *table, int level)
{
	for (int a = 0; a < table->order; a++)
	{
		if (levels->size[level][table->column[a]] != levels->size[level - 1][table->column[a]])
			return false;
	}
	return true;
}

static void
add_candidate(const DpemSynthPlan *plan, DpemSynthRun *run, int number, int level)
{
	int			t = plan->columns + number;
	int			cells = (int) dpem_synth_table_cells(&run->levels, (DpemSynthTable) {plan->candidate[number], level});

	run->candidate[run->n++] = (DpemSynthCandidate) {
		.number = number,.level = level,
			.view = {.table = t,.cells = cells,.into = map_cells(plan, &run->levels, &plan->table[t], level),.weight = 1},
			.expected = dpem_fit_allocate(cells)
	};
}

void
dpem_synth_create_candidates(const DpemSynthPlan *plan, DpemSynthRun *run)
{
	run->candidate = palloc(Max(plan->candidates, 1) * (DPEM_SYNTH_LEVELS - 1) * sizeof(DpemSynthCandidate));
	run->level1 = palloc(Max(plan->candidates, 1) * sizeof(double *));
	for (int i = 0; i < plan->candidates; i++)
	{
		run->level1[i] = dpem_fit_allocate((size_t) dpem_synth_table_cells(&run->levels, (DpemSynthTable) {plan->candidate[i], 1}));
		for (int level = 1; level < DPEM_SYNTH_LEVELS && !plan->schedule.at_once; level++)
		{
			if (level == 1 || !is_same(&run->levels, &plan->table[plan->columns + i], level))
				add_candidate(plan, run, i, level);
		}
	}
}

void
dpem_synth_expect(const DpemSynthPlan *plan, DpemSynthRun *run)
{
	dpem_synth_require(dpem_synth_tables(&run->model, plan->candidates, plan->candidate, run->level1));
	for (int i = 0; i < run->n; i++)
	{
		DpemSynthCandidate  *c = &run->candidate[i];

		dpem_synth_spread(&run->levels, (DpemSynthTable) {plan->candidate[c->number], c->level}, run->level1[c->number], c->expected);
		c->chosen = false;
	}
}

int
dpem_synth_admitted(const DpemSynthPlan *plan, const DpemSynthRun *run, int round, DpemTableCandidate *list, int *of)
{
	double		limit = dpem_synth_limit(&plan->schedule, round);
	int			n = 0;
	bool		room = false;

	for (int i = 0; i < run->n; i++)
	{
		const DpemSynthCandidate *c = &run->candidate[i];

		/* the levels of a set follow each other, and the tree has room for all or for none */
		if (i == 0 || c->number != run->candidate[i - 1].number)
			room = dpem_synth_admits(&run->model, (DpemSynthTable) {plan->candidate[c->number], c->level}, limit);
		if (c->chosen || !room)
			continue;
		of[n] = i;
		list[n++] = (DpemTableCandidate) {c->view, c->expected, dpem_synth_bias * dpem_synth_measure_sd(plan), plan->weight[c->number]};
	}
	return n;
}
