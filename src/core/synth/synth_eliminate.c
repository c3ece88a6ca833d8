/*
 * synth_eliminate.c - any table of the model: messages that carry the columns asked
 * for towards the clique that has most of them.
 *
 * With P(C) the beliefs and P(S) those of the separators, the distribution is
 * P(root) times the product of P(C) / P(S).  A clique's message is its P(C) / P(S)
 * times its children's messages, summed over what is neither in S nor asked for;
 * subtrees with nothing that is asked for or fixed are 1 and left out.
 */
#include <math.h>
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
	int			order[DPEM_SYNTH_COLUMNS];	/* cliques, parents before their children */
	int			parent[DPEM_SYNTH_COLUMNS]; /* of each clique in the tree hung up at another root; -1: that */
	int			edge[DPEM_SYNTH_COLUMNS];	/* the clique whose separator is that to the parent */
	int			child[DPEM_SYNTH_COLUMNS];	/* the first child, -1: none */
	int			next[DPEM_SYNTH_COLUMNS];	/* the next child of the same parent, -1: none */
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

/* z += x y along a run; most runs have one step or none */
static inline void
multiply_run(const DpemSynthWalk *walk, const double *x, const double *y, double *z)
{
	size_t		n = walk->run;
	size_t		a = walk->step[0];
	size_t		b = walk->step[1];
	double		sum = *z;

	if (walk->step[2] == 0)
	{
		for (size_t i = 0; i < n; i++)
			sum += x[i * a] * y[i * b];
		*z = sum;
	}
	else if (walk->step[2] == 1 && a == 0 && b == 1)
		for (size_t i = 0; i < n; i++)
			z[i] += *x * y[i];
	else if (walk->step[2] == 1 && a == 1 && b == 0)
		for (size_t i = 0; i < n; i++)
			z[i] += x[i] * *y;
	else
		for (size_t i = 0; i < n; i++)
			z[i * walk->step[2]] += x[i * a] * y[i * b];
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
		multiply_run(&walk, a->table + walk.at[0], b->table + walk.at[1], out + walk.at[2]);
	} while (dpem_synth_walk_next(&walk));
}

/* of each clique its children, in their order, and all of them, parents before children */
static void
list_children(Elimination *e, int root)
{
	int			placed = 1;

	for (int c = 0; c < e->model->cliques; c++)
		e->child[c] = -1;
	for (int c = e->model->cliques - 1; c >= 0; c--)
	{
		int			parent = e->parent[c];

		e->next[c] = parent >= 0 ? e->child[parent] : -1;
		if (parent >= 0)
			e->child[parent] = c;
	}
	e->order[0] = root;
	for (int k = 0; k < placed; k++)
		for (int c = e->child[e->order[k]]; c >= 0; c = e->next[c])
			e->order[placed++] = c;
}

/* hangs the tree up at a clique */
static void
hang(Elimination *e, int root)
{
	const DpemSynthModel *model = e->model;

	for (int c = 0; c < model->cliques; c++)
	{
		e->parent[c] = model->clique[c].parent;
		e->edge[c] = c;
	}
	for (int c = root, before = -1; c >= 0;)
	{
		int			next = model->clique[c].parent;

		e->parent[c] = before;
		e->edge[c] = before;
		before = c;
		c = next;
	}
	list_children(e, root);
}

static DpemSynthSet
separator_of(const Elimination *e, int c)
{
	return e->parent[c] < 0 ? 0 : e->model->clique[e->edge[c]].separator;
}

/* P(C) / P(S) of the columns in `keep` */
static bool
conditional(Elimination *e, int c, DpemSynthSet keep, Message *m)
{
	const DpemSynthClique *clique = &e->model->clique[c];
	DpemSynthSet separator = separator_of(e, c) & ~e->fixed;
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
	if (e->parent[c] >= 0)
	{
		slice(e, separator_of(e, c), e->model->clique[e->edge[c]].shared, separator, shared);
		for (size_t i = 0; i < n; i++)
			shared[i] = shared[i] > 0 ? 1 / shared[i] : 0;
		dpem_synth_multiply(e->layout, keep, separator, m->table, shared);
	}
	*e->scratch = before;
	return true;
}

/* multiplies a child's message in, keeping what later ones and the result need; m is the last thing in scratch */
static bool
take_child(Elimination *e, DpemSynthSet needed, const Message *child, Message *m)
{
	Message		result = {(m->set | child->set) & needed, NULL};
	size_t		cells = (size_t) dpem_synth_cells(e->layout.size, result.set);

	result.table = take_table(e, result.set);
	if (result.table == NULL)
		return false;
	multiply_sum(e, m, child, result.set, result.table);
	memmove(m->table, result.table, cells * sizeof(double));
	m->set = result.set;
	e->scratch->next = m->table + cells;
	return true;
}

/* columns of the messages of a child and those after it */
static DpemSynthSet
children_need(const Elimination *e, int child)
{
	DpemSynthSet need = 0;

	for (; child >= 0; child = e->next[child])
		if (e->message[child].table != NULL)
			need |= e->message[child].set;
	return need;
}

/* the message of the clique at a place in the order */
static bool
send(Elimination *e, int place)
{
	int			c = e->order[place];
	DpemSynthSet separator = separator_of(e, c);
	DpemSynthSet result = (separator & ~e->fixed) | (e->below[c] & e->asked);
	DpemSynthSet own = e->model->clique[c].set & ~e->fixed;
	Message    *m = &e->message[c];

	if (place > 0 && (e->below[c] & ~separator) == 0)
		return true;
	if (!conditional(e, c, (result | children_need(e, e->child[c])) & own, m))
		return false;
	for (int child = e->child[c]; child >= 0; child = e->next[child])
		if (e->message[child].table != NULL &&
			!take_child(e, result | children_need(e, e->next[child]), &e->message[child], m))
			return false;
	return true;
}

/* the clique where least of the set has to be carried to */
static int
best_root(const Elimination *e)
{
	int			best = 0;
	double		least = INFINITY;

	for (int c = 0; c < e->model->cliques; c++)
	{
		double		carried = dpem_synth_cells(e->layout.size, e->asked & ~e->model->clique[c].set);

		if (carried < least)
		{
			least = carried;
			best = c;
		}
	}
	return best;
}

DpemStatus
dpem_synth_eliminate(const DpemSynthModel *model, DpemSynthSet set, const int *row, DpemWorkspace *scratch,
					 double **out)
{
	Elimination e = {.model = model,.layout = dpem_synth_layout(model),.asked = set,.row = row,.scratch = scratch};

	for (int j = 0; row != NULL && j < model->levels->domain.columns; j++)
		if (row[j] >= 0)
			e.fixed |= dpem_synth_column(j);
	hang(&e, best_root(&e));
	for (int k = model->cliques - 1; k >= 0; k--)
	{
		int			c = e.order[k];

		e.below[c] |= model->clique[c].set & (set | e.fixed);
		if (k > 0)
			e.below[e.parent[c]] |= e.below[c];
		if (!send(&e, k))
			return DPEM_NO_SOLUTION;
	}
	*out = e.message[e.order[0]].table;
	return DPEM_OK;
}
