/*
 * synth_beside.c - pairs that were released by themselves: what is known of them is more than the graph says.
 */
#include "postgres.h"

#include "core/synth/synth_use.h"
#include "families/synth/synth.h"
#include "miscadmin.h"
#include "server/fit_memory.h"

/* a pair in its categories */
static bool
is_refined(DpemSynthTable table)
{
	return table.level == 0 && dpem_synth_order(table.set) == 2;
}

/* the release of a pair; -1: there is none */
static int
release_of(const DpemSynthReleased *released, DpemSynthSet set)
{
	for (int t = 0; t < released->n; t++)
	{
		if (released->table[t].set == set && is_refined(released->table[t]))
			return t;
	}
	return -1;
}

bool
dpem_synth_has_better(const DpemSynthReleased *released, DpemSynthSet set)
{
	return released->sums != NULL && (dpem_synth_order(set) == 1 || release_of(released, set) >= 0);
}

/* its categories, before they agree with other tables */
static DpemStatus
refine(const DpemSynthReleased *released, int t, const DpemSynthModel *graph, double *cells)
{
	DpemSynthTable table = released->table[t];
	DpemStatus	status = dpem_synth_table(graph, table, cells);
	DpemWorkspace work = dpem_fit_workspace(dpem_synth_refine_work(graph->levels, table.set));

	if (status == DPEM_OK)
		dpem_synth_refine(graph->levels, table.set, t < released->in_graph ? 0 : DPEM_SYNTH_LEVELS - 1,
						  released->value[t].number, released->sd[t], cells, work);
	pfree(work.next);
	return status;
}

/* the means of what all pairs say */
void
dpem_synth_find_sums(DpemSynthReleased *released, const DpemSynthModel *graph)
{
	const DpemSynthLevels *levels = graph->levels;
	double	   *sums = dpem_fit_allocate(levels->offset[levels->domain.columns]);
	bool		found = false;

	for (int t = 0; t < released->n; t++)
	{
		double	   *cells;

		if (!is_refined(released->table[t]))
			continue;
		CHECK_FOR_INTERRUPTS();
		cells = dpem_fit_allocate(released->value[t].n);
		dpem_synth_require(refine(released, t, graph, cells));
		dpem_synth_add_sums(levels, released->table[t].set, cells, 1.0 / (levels->domain.columns - 1), sums);
		pfree(cells);
		found = true;
	}
	released->sums = found ? sums : NULL;
}

/* of categories */
static DpemStatus
best_categories(const DpemSynthReleased *released, const DpemSynthModel *graph, DpemSynthSet set, double *cells)
{
	const DpemSynthLevels *levels = graph->levels;
	int			column = __builtin_ctzll(set);
	DpemStatus	status;

	if (dpem_synth_order(set) == 1)
	{
		memcpy(cells, released->sums + levels->offset[column], levels->domain.size[column] * sizeof(double));
		return DPEM_OK;
	}
	status = refine(released, release_of(released, set), graph, cells);
	if (status == DPEM_OK)
		dpem_synth_rake(levels, set, released->sums, cells);
	return status;
}

DpemStatus
dpem_synth_best_table(const DpemSynthReleased *released, const DpemSynthModel *graph, DpemSynthTable table, double *cells)
{
	double	   *categories;
	DpemStatus	status;

	if (!dpem_synth_has_better(released, table.set))
		return dpem_synth_table(graph, table, cells);
	if (table.level == 0)
		return best_categories(released, graph, table.set, cells);
	categories = dpem_fit_allocate((size_t) dpem_synth_cells(graph->levels->domain.size, table.set));
	status = best_categories(released, graph, table.set, categories);
	if (status == DPEM_OK)
		dpem_synth_coarsen(graph->levels, table, categories, cells);
	pfree(categories);
	return status;
}

void
dpem_synth_best_association(const DpemSynthReleased *released, const DpemSynthModel *graph, double *information)
{
	int			d = graph->levels->domain.columns;
	const int  *size = graph->levels->size[1];

	for (int a = 0; a < d; a++)
		for (int b = a + 1; b < d; b++)
		{
			DpemSynthTable table = {dpem_synth_column(a) | dpem_synth_column(b), 1};
			double	   *cells;

			if (!dpem_synth_has_better(released, table.set))
				continue;
			cells = dpem_fit_allocate((size_t) size[a] * size[b]);
			dpem_synth_require(dpem_synth_best_table(released, graph, table, cells));
			information[a * d + b] = information[b * d + a] = dpem_synth_information(size[a], size[b], cells);
			pfree(cells);
		}
}
