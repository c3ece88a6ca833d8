/*
 * synth_belief.c - belief propagation: see synth_belief.h.
 */
#include <math.h>

#include "core/synth/synth_belief.h"
#include "core/synth/synth_tree.h"

#define NOTHING 1e-300			/* what is added before a logarithm is taken: a state of probability zero stays finite */

/* ---- the tree ---------------------------------------------------------------- */

int
dpem_synth_home(const DpemSynthModel *model, DpemSynthSet set)
{
	int			best = -1;

	for (int c = 0; c < model->cliques; c++)
		if ((set & ~model->clique[c].set) == 0 && (best < 0 || model->clique[c].cells < model->clique[best].cells))
			best = c;
	return best;
}

static void
give_memory(DpemSynthModel *model)
{
	size_t		most = (size_t) model->shape.tree_cells;
	size_t		at = 0;

	for (int c = 0; c < model->cliques; c++)
	{
		DpemSynthClique *clique = &model->clique[c];

		clique->potential = model->tree_memory + at;
		clique->belief = model->tree_memory + most + at;
		clique->shared = model->tree_memory + 2 * most + at;
		at += clique->cells;
	}
}

void
dpem_synth_build(DpemSynthModel *model)
{
	DpemSynthTree tree;

	if (model->tree_current)
		return;
	dpem_synth_model_tree(model, 0, &tree);
	model->cliques = tree.cliques;
	model->tree_cells = tree.cells;
	for (int c = 0; c < tree.cliques; c++)
	{
		DpemSynthClique *clique = &model->clique[c];

		clique->set = tree.set[c];
		clique->parent = tree.parent[c];
		clique->separator = clique->parent < 0 ? 0 : clique->set & tree.set[clique->parent];
		clique->cells = (size_t) dpem_synth_cells(model->levels->size[1], clique->set);
	}
	give_memory(model);
	for (int t = 0; t < model->tables; t++)
		model->table[t].home = dpem_synth_home(model, model->table[t].table.set);
	model->tree_current = true;
}

/* ---- potentials -------------------------------------------------------------- */

/* evidence is added once, to any clique with the column */
static void
add_evidence(DpemSynthModel *model)
{
	const int  *size = model->levels->size[1];
	const double *evidence = model->evidence;

	for (int j = 0; j < model->levels->domain.columns; evidence += size[j], j++)
	{
		DpemSynthClique *clique = &model->clique[dpem_synth_home(model, dpem_synth_column(j))];

		dpem_synth_add_to(dpem_synth_layout(model), clique->set, dpem_synth_column(j), clique->potential, evidence);
	}
}

static void
set_potentials(DpemSynthModel *model, const double *theta)
{
	dpem_synth_add_potentials(model, theta);
	if (model->evidence != NULL)
		add_evidence(model);
}

/* ---- messages ---------------------------------------------------------------- */

static void
scale(size_t n, double factor, double *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] *= factor;
}

/* the message to the parent, or, of a root, its part of the partition function */
static void
collect(DpemSynthModel *model, DpemSynthClique *clique)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	double		most = dpem_synth_max(clique->cells, clique->potential);
	double		sum = dpem_synth_exp(clique->cells, clique->potential, most, clique->belief);
	size_t		n = (size_t) dpem_synth_cells(layout.size, clique->separator);
	DpemWorkspace scratch = model->scratch;
	double	   *message;

	if (clique->parent < 0)
	{
		model->log_partition += log(sum) + most;
		scale(clique->cells, model->total / sum, clique->belief);
		return;
	}
	message = dpem_workspace_take(&scratch, n);
	dpem_synth_sum(layout, clique->set, clique->separator, clique->belief, clique->shared);
	for (size_t i = 0; i < n; i++)
		message[i] = log(clique->shared[i] + NOTHING) + most;
	dpem_synth_add_to(layout, model->clique[clique->parent].set, clique->separator,
					  model->clique[clique->parent].potential, message);
}

static void
distribute(DpemSynthModel *model, DpemSynthClique *clique)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	DpemSynthClique *parent = &model->clique[clique->parent];
	size_t		n = (size_t) dpem_synth_cells(layout.size, clique->separator);
	DpemWorkspace scratch = model->scratch;
	double	   *ratio = dpem_workspace_take(&scratch, n);

	dpem_synth_sum(layout, parent->set, clique->separator, parent->belief, ratio);
	for (size_t i = 0; i < n; i++)
	{
		double		here = clique->shared[i];

		clique->shared[i] = here > 0 ? ratio[i] : 0;
		ratio[i] = here > 0 ? ratio[i] / here : 0;
	}
	dpem_synth_multiply(layout, clique->set, clique->separator, clique->belief, ratio);
}

void
dpem_synth_propagate(DpemSynthModel *model, const double *theta)
{
	if (model->between != NULL)
		model->between();
	set_potentials(model, theta);
	model->log_partition = 0;
	for (int c = model->cliques - 1; c >= 0; c--)
		collect(model, &model->clique[c]);
	for (int c = 0; c < model->cliques; c++)
		if (model->clique[c].parent >= 0)
			distribute(model, &model->clique[c]);
}
