/*
 * synth_eliminate.c - any table of the model: messages towards the root that carry
 * the columns asked for.
 *
 * With P(C) the beliefs and P(S) those of the separators, the distribution is
 * P(root) times the product of P(C) / P(S).  A clique's message is its P(C) / P(S)
 * times its children's messages, summed over what is neither in S nor asked for;
 * subtrees with nothing that is asked for or fixed are 1 and left out.
 */
#include <string.h>

#include "core/synth/synth_belief.h"

typedef struct Message
{
	DpemSynthSet set;
	double	   *table;			/* NULL: 1 */
} Message;

typedef struct Elimination
{
	const DpemSynthModel *model;
	DpemSynthLayout layout;
	DpemSynthSet asked;
	DpemSynthSet fixed;
	const int  *row;			/* groups of the fixed columns */
	DpemWorkspace *scratch;
	Message		message[DPEM_SYNTH_COLUMNS];
	DpemSynthSet below[DPEM_SYNTH_COLUMNS];	/* columns asked for or fixed in the subtree */
} Elimination;

static double *
take_table(Elimination *e, DpemSynthSet set)
{
	double		cells = dpem_synth_cells(e->layout.size, set);

	if (cells > (double) (e->scratch->end - e->scratch->next))
		return NULL;
	return dpem_workspace_take(e->scratch, (size_t) cells);
}

/* the cell of a table in which the fixed columns are what they are and others 0 */
static size_t
fixed_place(const Elimination *e, const DpemSynthStride *stride, DpemSynthSet set)
{
	size_t		place = 0;

	for (set &= e->fixed; set != 0; set &= set - 1)
		place += stride->by[__builtin_ctzll(set)] * (size_t) e->row[__builtin_ctzll(set)];
	return place;
}

/* sums of a table over all but `keep`, which has no fixed columns, where fixed columns are what they are */
static void
slice(const Elimination *e, DpemSynthSet set, const double *table, DpemSynthSet keep, double *out)
{
	DpemSynthStride from = dpem_synth_stride(e->layout, set);
	DpemSynthStride to = dpem_synth_stride(e->layout, keep);
	DpemSynthWalk walk;

	table += fixed_place(e, &from, set);
	memset(out, 0, (size_t) dpem_synth_cells(e->layout.size, keep) * sizeof *out);
	dpem_synth_walk(e->layout, set & ~e->fixed, &from, &to, NULL, &walk);
	do
	{
		const double *x = table + walk.at[0];
		double	   *y = out + walk.at[1];

		for (size_t i = 0; i < walk.run; i++)
			y[i * walk.step[1]] += x[i * walk.step[0]];
	} while (dpem_synth_walk_next(&walk));
}

/* out, of set `keep`, = sums of the product of a and b over the other columns */
static void
multiply_sum(const Elimination *e, const Message *a, const Message *b, DpemSynthSet keep, double *out)
{
	DpemSynthStride sa = dpem_synth_stride(e->layout, a->set);
	DpemSynthStride sb = dpem_synth_stride(e->layout, b->set);
	DpemSynthStride so = dpem_synth_stride(e->layout, keep);
	DpemSynthWalk walk;

	memset(out, 0, (size_t) dpem_synth_cells(e->layout.size, keep) * sizeof *out);
	dpem_synth_walk(e->layout, a->set | b->set, &sa, &sb, &so, &walk);
	do
	{
		const double *x = a->table + walk.at[0];
		const double *y = b->table + walk.at[1];
		double	   *z = out + walk.at[2];

		for (size_t i = 0; i < walk.run; i++)
			z[i * walk.step[2]] += x[i * walk.step[0]] * y[i * walk.step[1]];
	} while (dpem_synth_walk_next(&walk));
}

/* P(C) / P(S) of the columns in `keep` */
static bool
conditional(Elimination *e, const DpemSynthClique *clique, DpemSynthSet keep, Message *m)
{
	DpemSynthSet separator = clique->separator & ~e->fixed;
	DpemWorkspace before;
	double	   *shared;
	size_t		n = (size_t) dpem_synth_cells(e->layout.size, separator);

	m->set = keep;
	m->table = take_table(e, keep);
	before = *e->scratch;
	shared = take_table(e, separator);
	if (m->table == NULL || shared == NULL)
		return false;
	slice(e, clique->set, clique->belief, keep, m->table);
	if (clique->parent >= 0)
	{
		slice(e, clique->separator, clique->shared, separator, shared);
		for (size_t i = 0; i < n; i++)
			shared[i] = shared[i] > 0 ? 1 / shared[i] : 0;
		dpem_synth_multiply(e->layout, keep, separator, m->table, shared);
	}
	*e->scratch = before;
	return true;
}

/* multiplies a child's message in, keeping what later ones and the result need */
static bool
take_child(Elimination *e, DpemSynthSet needed, const Message *child, Message *m)
{
	Message		result = {(m->set | child->set) & needed, NULL};

	result.table = take_table(e, result.set);
	if (result.table == NULL)
		return false;
	multiply_sum(e, m, child, result.set, result.table);
	*m = result;
	return true;
}

static DpemSynthSet
children_need(const Elimination *e, int c, int after)
{
	DpemSynthSet need = 0;

	for (int k = after + 1; k < e->model->cliques; k++)
		if (e->model->clique[k].parent == c && e->message[k].table != NULL)
			need |= e->message[k].set;
	return need;
}

static bool
send(Elimination *e, int c)
{
	const DpemSynthClique *clique = &e->model->clique[c];
	DpemSynthSet result = (clique->separator & ~e->fixed) | (e->below[c] & e->asked);
	Message    *m = &e->message[c];

	if (clique->parent >= 0 && (e->below[c] & ~clique->separator) == 0)
		return true;
	if (!conditional(e, clique, (result | children_need(e, c, c)) & clique->set & ~e->fixed, m))
		return false;
	for (int k = c + 1; k < e->model->cliques; k++)
		if (e->model->clique[k].parent == c && e->message[k].table != NULL &&
			!take_child(e, result | children_need(e, c, k), &e->message[k], m))
			return false;
	return true;
}

DpemStatus
dpem_synth_eliminate(const DpemSynthModel *model, DpemSynthSet set, const int *row, DpemWorkspace *scratch,
					 double **out)
{
	Elimination e = {.model = model, .layout = dpem_synth_layout(model), .asked = set, .row = row,.scratch = scratch};

	for (int j = 0; row != NULL && j < model->levels->domain.columns; j++)
		if (row[j] >= 0)
			e.fixed |= dpem_synth_column(j);
	for (int c = model->cliques - 1; c >= 0; c--)
	{
		e.below[c] |= model->clique[c].set & (set | e.fixed);
		if (c > 0)
			e.below[model->clique[c].parent] |= e.below[c];
		if (!send(&e, c))
			return DPEM_NO_SOLUTION;
	}
	*out = e.message[0].table;
	return DPEM_OK;
}

/* ---- tables ------------------------------------------------------------------ */

/* the smallest clique with the set */
static const DpemSynthClique *
clique_with(const DpemSynthModel *model, DpemSynthSet set)
{
	const DpemSynthClique *best = NULL;

	for (int c = 0; c < model->cliques; c++)
		if ((set & ~model->clique[c].set) == 0 && (best == NULL || model->clique[c].cells < best->cells))
			best = &model->clique[c];
	return best;
}

/* a table too large for one elimination: that of the other columns for each category of the smallest */
static DpemStatus
eliminate_slices(const DpemSynthModel *model, DpemSynthSet set, DpemWorkspace scratch, double *out)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	DpemSynthStride to = dpem_synth_stride(layout, set);
	int			row[DPEM_SYNTH_COLUMNS];
	int			smallest = __builtin_ctzll(set);
	DpemSynthSet rest;

	for (DpemSynthSet s = set; s != 0; s &= s - 1)
		if (layout.size[__builtin_ctzll(s)] < layout.size[smallest])
			smallest = __builtin_ctzll(s);
	rest = set & ~dpem_synth_column(smallest);
	for (int j = 0; j < layout.columns; j++)
		row[j] = -1;
	for (row[smallest] = 0; row[smallest] < layout.size[smallest]; row[smallest]++)
	{
		DpemSynthStride from = dpem_synth_stride(layout, rest);
		DpemWorkspace left = scratch;
		DpemSynthWalk walk;
		double	   *piece;
		DpemStatus	status = dpem_synth_eliminate(model, rest, row, &left, &piece);

		if (status != DPEM_OK)
			return status;
		dpem_synth_walk(layout, rest, &from, &to, NULL, &walk);
		do
		{
			double	   *z = out + walk.at[1] + to.by[smallest] * (size_t) row[smallest];

			for (size_t i = 0; i < walk.run; i++)
				z[i * walk.step[1]] = piece[walk.at[0] + i * walk.step[0]];
		} while (dpem_synth_walk_next(&walk));
	}
	return DPEM_OK;
}

/* at level 1, columns in increasing order */
static DpemStatus
table_of(const DpemSynthModel *model, DpemSynthSet set, double *out)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	DpemSynthLayout plain = {layout.columns, layout.size, NULL};
	const DpemSynthClique *clique = clique_with(model, set);
	DpemWorkspace scratch = model->scratch;
	double		cells = dpem_synth_cells(layout.size, set);
	DpemStatus	status = DPEM_OK;
	DpemWorkspace left;
	double	   *table;
	double	   *found;

	if (cells > (double) (scratch.end - scratch.next))
		return DPEM_NO_SOLUTION;
	table = dpem_workspace_take(&scratch, (size_t) cells);
	left = scratch;
	if (clique != NULL)
		dpem_synth_sum(layout, clique->set, set, clique->belief, table);
	else if (dpem_synth_eliminate(model, set, NULL, &left, &found) == DPEM_OK)
		table = found;
	else
		status = eliminate_slices(model, set, scratch, table);
	if (status == DPEM_OK)
		dpem_synth_permute(plain, layout, set, out, table);
	return status;
}

DpemStatus
dpem_synth_tables(const DpemSynthModel *model, int n, const DpemSynthSet *set, double *const *out)
{
	for (int i = 0; i < n; i++)
	{
		DpemStatus	status = table_of(model, set[i], out[i]);

		if (status != DPEM_OK)
			return status;
	}
	return DPEM_OK;
}

DpemStatus
dpem_synth_table(const DpemSynthModel *model, DpemSynthTable table, double *out)
{
	DpemSynthModel rest = *model;
	double		cells = dpem_synth_cells(model->levels->size[1], table.set);
	double	   *level1;
	DpemStatus	status;

	if (table.level == 1)
		return table_of(model, table.set, out);
	if (cells > (double) (rest.scratch.end - rest.scratch.next))
		return DPEM_NO_SOLUTION;
	level1 = dpem_workspace_take(&rest.scratch, (size_t) cells);
	status = table_of(&rest, table.set, level1);
	if (status == DPEM_OK)
		dpem_synth_spread(model->levels, table, level1, out);
	return status;
}
