/*
 * synth_expect.c - what a model says of tables of its columns, for dp_evaluate.
 *
 * All pairs, which a fit is judged by (synth_plan.h, the default workload), or where these have more cells than a pass counts
 * the tables that the fit measured; in the groups of categories that the model tells apart.
 */
#include "postgres.h"

#include "families/synth/synth.h"
#include "server/fit_memory.h"

/* of each column, as in a pass but for its coordinates */
static void
set_columns(const DpemReadySynth *ready, DpemExpectedTables *e)
{
	DpemTableColumn *column = palloc0(ready->columns * sizeof(DpemTableColumn));
	const int **group = palloc(ready->columns * sizeof(int *));

	for (int c = 0; c < ready->columns; c++)
	{
		const DpemSynthColumn *own = &ready->column[c];

		column[c] = (DpemTableColumn) {.first = own->first,.length = own->length,.cells = own->cells,.lower = own->lower,.upper = own->upper};
		column[c].edge = own->edge ? own->edge + 1 : NULL;
		column[c].known = own->length == 1 && own->cells > own->bins;
		group[c] = ready->levels.group[1] + ready->levels.offset[c];
	}
	e->columns = ready->columns;
	e->column = column;
	e->group = group;
	e->groups = ready->levels.size[1];
}

static int
all_pairs(const DpemReadySynth *ready, DpemSynthSet *set)
{
	int			n = 0;

	for (int a = 0; a < ready->columns; a++)
		for (int b = a + 1; b < ready->columns; b++)
			set[n++] = dpem_synth_column(a) | dpem_synth_column(b);
	if (n == 0)
		set[n++] = dpem_synth_column(0);
	return n;
}

/* each once */
static int
measured_sets(const DpemReadySynth *ready, DpemSynthSet *set)
{
	int			n = 0;

	for (int t = 0; t < ready->released.n; t++)
	{
		bool		known = dpem_synth_order(ready->released.table[t].set) > DPEM_TABLES_ORDER;

		for (int i = 0; i < n && !known; i++)
			known = set[i] == ready->released.table[t].set;
		if (!known)
			set[n++] = ready->released.table[t].set;
	}
	return n;
}

static double
cells_of(const DpemReadySynth *ready, const DpemSynthSet *set, int n)
{
	double		cells = 0;

	for (int i = 0; i < n; i++)
		cells += dpem_synth_cells(ready->levels.domain.size, set[i]);
	return cells;
}

static void
set_table(const DpemReadySynth *ready, DpemSynthSet set, DpemTable *table)
{
	*table = (DpemTable) {0};
	for (int c = 0; c < ready->columns; c++)
	{
		if (set & dpem_synth_column(c))
			table->column[table->order++] = c;
	}
}

static void
set_shares(const DpemReadySynth *ready, const DpemSynthSet *set, DpemExpectedTables *e)
{
	e->share = palloc(e->tables * sizeof(double *));
	for (int t = 0; t < e->tables; t++)
		e->share[t] = dpem_fit_allocate((size_t) dpem_synth_table_cells(&ready->levels, (DpemSynthTable) {set[t], 1}));
	dpem_synth_require(dpem_synth_tables(&ready->graph, e->tables, set, e->share));
	for (int t = 0; t < e->tables; t++)
	{
		DpemSynthTable table = {set[t], 1};
		int			cells = (int) dpem_synth_table_cells(&ready->levels, table);

		if (dpem_synth_has_better(&ready->released, set[t]))
			dpem_synth_require(dpem_synth_best_table(&ready->released, &ready->graph, table, e->share[t]));
		for (int i = 0; i < cells; i++)
			e->share[t][i] /= ready->graph.total;
	}
}

const DpemExpectedTables *
dpem_synth_expected(void *model)
{
	const DpemReadySynth *ready = model;
	DpemExpectedTables *e = palloc0(sizeof(DpemExpectedTables));
	DpemSynthSet *set = palloc(Max(ready->columns * ready->columns, ready->released.n) * sizeof(DpemSynthSet));

	set_columns(ready, e);
	e->tables = all_pairs(ready, set);
	if (cells_of(ready, set, e->tables) > DPEM_TABLES_MAX_CELLS)
		e->tables = measured_sets(ready, set);
	e->table = palloc(e->tables * sizeof(DpemTable));
	for (int t = 0; t < e->tables; t++)
		set_table(ready, set[t], &e->table[t]);
	set_shares(ready, set, e);
	return e;
}
