/*
 * synth_common.c - the tables of a clique, in common: their potentials into it, and their sums from it.
 *
 * Tables without a column are summed from (or added up in) the clique's table without that column,
 * which is as much smaller as the column has groups: few passes over the clique serve all of its tables.
 */
#include <string.h>

#include "core/synth/synth_belief.h"

/* a table that is added to a clique or summed from it */
typedef struct Part
{
	DpemSynthSet set;
	const DpemSynthMeasured *table;
	double	   *out;			/* without a measured table: where its sums go, columns in increasing order */
} Part;

typedef struct Common
{
	const DpemSynthModel *model;
	DpemSynthLayout layout;
	const double *theta;		/* of all measured tables: they are added; NULL: sums are taken */
	double	   *marginal;		/* of all tables */
	DpemWorkspace scratch;
} Common;

static void
sum_apart(Common *common, DpemSynthSet set, const double *x, const Part *part)
{
	DpemSynthLayout plain = {common->layout.columns, common->layout.size, NULL};
	DpemWorkspace scratch = common->scratch;
	double	   *fine = dpem_workspace_take(&scratch, (size_t) dpem_synth_cells(plain.size, part->set));

	dpem_synth_sum(common->layout, set, part->set, x, fine);
	dpem_synth_permute(plain, common->layout, part->set, part->out, fine);
}

/* x, the table of `set`, += the part's potentials; or the part's sums = sums of x */
static void
one_part(Common *common, DpemSynthSet set, double *x, const Part *part)
{
	const DpemSynthMeasured *table = part->table;
	DpemWorkspace scratch = common->scratch;
	double	   *fine;

	if (table == NULL)
	{
		sum_apart(common, set, x, part);
		return;
	}
	fine = dpem_workspace_take(&scratch, table->fine_cells);
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
column_to_leave(const Common *common, DpemSynthSet set, const Part *list, int n)
{
	double		most = 1;
	int			best = -1;

	for (; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);
		double		saved = 0;

		for (int i = 0; i < n; i++)
			if ((list[i].set & dpem_synth_column(j)) == 0)
				saved += 1 - 1.0 / common->layout.size[j];
		if (saved > most)
		{
			most = saved;
			best = j;
		}
	}
	return best;
}

/* parts with the column first; returns their number */
static int
with_column(int j, Part *list, int n)
{
	int			with = 0;

	for (int i = 0; i < n; i++)
	{
		Part		part = list[i];

		if ((part.set & dpem_synth_column(j)) == 0)
			continue;
		list[i] = list[with];
		list[with++] = part;
	}
	return with;
}

/* x: the table of `set`, of which the n parts of list are parts */
static void
all_parts(Common *common, DpemSynthSet set, double *x, Part *list, int n)
{
	DpemWorkspace before = common->scratch;
	int			j;

	while ((j = column_to_leave(common, set, list, n)) >= 0)
	{
		DpemSynthSet rest = set & ~dpem_synth_column(j);
		size_t		cells = (size_t) dpem_synth_cells(common->layout.size, rest);
		double	   *y = dpem_workspace_take(&common->scratch, cells);
		int			with = with_column(j, list, n);

		if (common->theta != NULL)
			memset(y, 0, cells * sizeof *y);
		else
			dpem_synth_sum(common->layout, set, rest, x, y);
		all_parts(common, rest, y, list + with, n - with);
		if (common->theta != NULL)
			dpem_synth_add_to(common->layout, set, rest, x, y);
		common->scratch = before;
		n = with;
	}
	for (int i = 0; i < n; i++)
		one_part(common, set, x, &list[i]);
}

/* of every clique, with its potential or its belief */
static void
all_cliques(Common *common)
{
	const DpemSynthModel *model = common->model;

	for (int c = 0; c < model->cliques; c++)
	{
		const DpemSynthClique *clique = &model->clique[c];
		Part		list[DPEM_SYNTH_TABLES];
		int			n = 0;

		for (int t = 0; t < model->tables; t++)
			if (model->table[t].home == c)
				list[n++] = (Part) {model->table[t].table.set, &model->table[t], NULL};
		all_parts(common, clique->set, common->theta != NULL ? clique->potential : clique->belief, list, n);
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
	const Part	part = {model->table[t].table.set, &model->table[t], NULL};

	one_part(&common, clique->set, clique->belief, &part);
}

void
dpem_synth_measure(const DpemSynthModel *model, double *marginal)
{
	Common		common = {model, dpem_synth_layout(model), NULL, marginal, model->scratch};

	all_cliques(&common);
}

void
dpem_synth_clique_tables(const DpemSynthModel *model, int c, int n, const DpemSynthSet *set, double *const *out)
{
	Common		common = {model, dpem_synth_layout(model), NULL, NULL, model->scratch};
	const DpemSynthClique *clique = &model->clique[c];
	Part		list[DPEM_SYNTH_TABLES];
	int			parts = 0;

	for (int i = 0; i < n; i++)
	{
		if ((set[i] & ~clique->set) == 0 && dpem_synth_home(model, set[i]) == c)
			list[parts++] = (Part) {set[i], NULL, out[i]};
		if (parts > 0 && (parts == DPEM_SYNTH_TABLES || i == n - 1))
		{
			all_parts(&common, clique->set, clique->belief, list, parts);
			parts = 0;
		}
	}
}
