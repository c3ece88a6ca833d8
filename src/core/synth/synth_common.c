/*
 * synth_common.c - the tables of a clique, in common: their potentials into it, and their sums from it.
 *
 * Tables without a column are summed from (or added up in) the clique's table without that column,
 * which is as much smaller as the column has groups: few passes over the clique serve all of its tables.
 */
#include <string.h>

#include "core/synth/synth_belief.h"

typedef struct Common
{
	const DpemSynthModel *model;
	DpemSynthLayout layout;
	const double *theta;		/* of all tables: they are added; NULL: sums are taken */
	double	   *marginal;		/* of all tables */
	DpemWorkspace scratch;
} Common;

/* x, the table of `set`, += the table's potentials; or the table's marginal = sums of x */
static void
one_table(Common *common, DpemSynthSet set, double *x, const DpemSynthMeasured *table)
{
	DpemWorkspace scratch = common->scratch;
	double	   *fine = dpem_workspace_take(&scratch, table->fine_cells);

	if (common->theta != NULL)
	{
		for (size_t i = 0; i < table->fine_cells; i++)
			fine[i] = common->theta[table->first + (size_t) table->place[i]];
		dpem_synth_add_to(common->layout, set, table->table.set, x, fine);
		return;
	}
	dpem_synth_sum(common->layout, set, table->table.set, x, fine);
	memset(common->marginal + table->first, 0, table->cells * sizeof *fine);
	for (size_t i = 0; i < table->fine_cells; i++)
		common->marginal[table->first + (size_t) table->place[i]] += fine[i];
}

/* the column without which most passes over the set's table are saved; -1: one more pass would save none */
static int
column_to_leave(const Common *common, DpemSynthSet set, const int *list, int n)
{
	double		most = 1;
	int			best = -1;

	for (; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);
		double		saved = 0;

		for (int i = 0; i < n; i++)
			if ((common->model->table[list[i]].table.set & dpem_synth_column(j)) == 0)
				saved += 1 - 1.0 / common->layout.size[j];
		if (saved > most)
		{
			most = saved;
			best = j;
		}
	}
	return best;
}

/* tables with the column first; returns their number */
static int
with_column(const Common *common, int j, int *list, int n)
{
	int			with = 0;

	for (int i = 0; i < n; i++)
	{
		int			t = list[i];

		if ((common->model->table[t].table.set & dpem_synth_column(j)) == 0)
			continue;
		list[i] = list[with];
		list[with++] = t;
	}
	return with;
}

/* x: the table of `set`, of which the n tables of list are parts */
static void
all_tables(Common *common, DpemSynthSet set, double *x, int *list, int n)
{
	DpemWorkspace before = common->scratch;
	int			j;

	while ((j = column_to_leave(common, set, list, n)) >= 0)
	{
		DpemSynthSet rest = set & ~dpem_synth_column(j);
		size_t		cells = (size_t) dpem_synth_cells(common->layout.size, rest);
		double	   *y = dpem_workspace_take(&common->scratch, cells);
		int			with = with_column(common, j, list, n);

		if (common->theta != NULL)
			memset(y, 0, cells * sizeof *y);
		else
			dpem_synth_sum(common->layout, set, rest, x, y);
		all_tables(common, rest, y, list + with, n - with);
		if (common->theta != NULL)
			dpem_synth_add_to(common->layout, set, rest, x, y);
		common->scratch = before;
		n = with;
	}
	for (int i = 0; i < n; i++)
		one_table(common, set, x, &common->model->table[list[i]]);
}

/* of every clique, with its potential or its belief */
static void
all_cliques(Common *common)
{
	const DpemSynthModel *model = common->model;

	for (int c = 0; c < model->cliques; c++)
	{
		const DpemSynthClique *clique = &model->clique[c];
		int			list[DPEM_SYNTH_TABLES];
		int			n = 0;

		for (int t = 0; t < model->tables; t++)
			if (model->table[t].home == c)
				list[n++] = t;
		all_tables(common, clique->set, common->theta != NULL ? clique->potential : clique->belief, list, n);
	}
}

void
dpem_synth_add_potentials(DpemSynthModel *model, const double *theta)
{
	Common		common = {model, dpem_synth_layout(model), theta, NULL, model->scratch};

	for (int c = 0; c < model->cliques; c++)
		memset(model->clique[c].potential, 0, model->clique[c].cells * sizeof(double));
	all_cliques(&common);
}

void
dpem_synth_measure_one(const DpemSynthModel *model, int t, double *marginal)
{
	Common		common = {model, dpem_synth_layout(model), NULL, marginal, model->scratch};
	const DpemSynthClique *clique = &model->clique[model->table[t].home];

	one_table(&common, clique->set, clique->belief, &model->table[t]);
}

void
dpem_synth_measure(const DpemSynthModel *model, double *marginal)
{
	Common		common = {model, dpem_synth_layout(model), NULL, marginal, model->scratch};

	all_cliques(&common);
}
