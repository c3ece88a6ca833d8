/*
 * synth_sample.c - rows of a model, clique by clique along the tree: see synth_use.h.
 */
#include <string.h>

#include "core/numeric/vector.h"
#include "core/synth/synth_belief.h"
#include "core/synth/synth_use.h"

/*
 * P(new columns | known columns) for all rows: the weights of the new cells of each
 * cell of the known columns, summed up to every one, in rows of `cells` numbers.
 */
typedef struct Conditional
{
	DpemSynthLayout layout;
	DpemSynthSet known;
	DpemSynthSet new;
	DpemSynthStride known_by;
	DpemSynthStride new_by;
	size_t		knowns;
	size_t		cells;
	double	   *cumulative;		/* knowns x cells */
} Conditional;

static bool
conditional(const DpemSynthModel *model, const DpemSynthClique *clique, DpemWorkspace *scratch, Conditional *c)
{
	DpemSynthStride from;
	DpemSynthWalk walk;

	c->layout = dpem_synth_layout(model);
	c->known = clique->separator;
	c->new = clique->set & ~clique->separator;
	c->known_by = dpem_synth_stride(c->layout, c->known);
	c->new_by = dpem_synth_stride(c->layout, c->new);
	c->knowns = (size_t) dpem_synth_cells(c->layout.size, c->known);
	c->cells = (size_t) dpem_synth_cells(c->layout.size, c->new);
	if (clique->cells + 3 * c->knowns > (size_t) (scratch->end - scratch->next))
		return false;
	c->cumulative = dpem_workspace_take(scratch, clique->cells);
	from = dpem_synth_stride(c->layout, clique->set);
	dpem_synth_walk(c->layout, clique->set, &from, &c->known_by, &c->new_by, &walk);
	do
	{
		for (size_t i = 0; i < walk.run; i++)
			c->cumulative[(walk.at[1] + i * walk.step[1]) * c->cells + walk.at[2] + i * walk.step[2]] =
				clique->belief[walk.at[0] + i * walk.step[0]];
	} while (dpem_synth_walk_next(&walk));
	for (size_t k = 0; k < c->knowns; k++)
		for (size_t i = 1; i < c->cells; i++)
			c->cumulative[k * c->cells + i] += c->cumulative[k * c->cells + i - 1];
	return true;
}

static size_t
known_cell(const Conditional *c, const int *row)
{
	size_t		place = 0;

	for (DpemSynthSet set = c->known; set != 0; set &= set - 1)
		place += c->known_by.by[__builtin_ctzll(set)] * (size_t) row[__builtin_ctzll(set)];
	return place;
}

/* the new columns of a row from a uniform number in [0, 1) */
static void
set_new(const Conditional *c, size_t known, double u, int *row)
{
	const double *cumulative = c->cumulative + known * c->cells;
	size_t		place = dpem_first_above(cumulative, c->cells, u * cumulative[c->cells - 1]);

	for (DpemSynthSet set = c->new; set != 0; set &= set - 1)
	{
		int			j = __builtin_ctzll(set);

		row[j] = (int) (place / c->new_by.by[j] % (size_t) c->layout.size[j]);
	}
}

/* ---- numbers within [0, 1): independent, or spread evenly over the rows of each cell ---- */

typedef struct Evenly
{
	int		   *order;			/* NULL: independent */
	double	   *count;			/* rows per known cell */
	double	   *next;			/* place of the next of them */
	double	   *offset;
} Evenly;

static void
shuffle(DpemPublicRandom *random, size_t n, int *order)
{
	for (size_t i = 0; i < n; i++)
	{
		size_t		j = dpem_public_index(random, i + 1);

		order[i] = order[j];
		order[j] = (int) i;
	}
}

static void
spread_evenly(DpemPublicRandom *random, const Conditional *c, size_t n, int columns, const int *rows, Evenly *even)
{
	memset(even->count, 0, c->knowns * sizeof(double));
	memset(even->next, 0, c->knowns * sizeof(double));
	shuffle(random, n, even->order);
	for (size_t i = 0; i < n; i++)
		even->count[known_cell(c, rows + i * (size_t) columns)]++;
	for (size_t k = 0; k < c->knowns; k++)
		even->offset[k] = dpem_public_uniform(random);
}

/* all rows' columns of one conditional */
static void
draw_columns(DpemPublicRandom *random, const Conditional *c, size_t n, int columns, Evenly *even, int *rows)
{
	if (even->order != NULL)
		spread_evenly(random, c, n, columns, rows, even);
	for (size_t i = 0; i < n; i++)
	{
		int		   *row = rows + (even->order != NULL ? (size_t) even->order[i] : i) * (size_t) columns;
		size_t		known = known_cell(c, row);
		double		u;

		if (even->order != NULL)
			u = (even->next[known]++ + even->offset[known]) / even->count[known];
		else
			u = dpem_public_uniform(random);
		set_new(c, known, u, row);
	}
}

/* one category of each group, column by column, in place of the groups */
static void
draw_categories(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int columns, int *rows)
{
	const DpemSynthLevels *levels = model->levels;

	for (int j = 0; j < columns; j++)
	{
		const int  *group = levels->group[1] + levels->offset[j];
		const double *share = levels->share + levels->offset[j];
		int			size = levels->domain.size[j];

		for (size_t i = 0; i < n; i++)
		{
			int		   *value = rows + i * (size_t) columns + j;
			double		u = dpem_public_uniform(random);
			int			last = -1;

			for (int c = 0; c < size && (last < 0 || u >= 0); c++)
				if (group[c] == *value && share[c] > 0)
				{
					last = c;
					u -= share[c];
				}
			*value = last;
		}
	}
}

static DpemStatus
draw(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int *order, int *rows)
{
	int			columns = model->levels->domain.columns;

	for (int k = 0; k < model->cliques; k++)
	{
		DpemWorkspace scratch = model->scratch;
		Conditional c;
		Evenly		even = {.order = order};

		if (!conditional(model, &model->clique[k], &scratch, &c))
			return DPEM_NO_SOLUTION;
		even.count = dpem_workspace_take(&scratch, c.knowns);
		even.next = dpem_workspace_take(&scratch, c.knowns);
		even.offset = dpem_workspace_take(&scratch, c.knowns);
		draw_columns(random, &c, n, columns, &even, rows);
	}
	draw_categories(model, random, n, columns, rows);
	return DPEM_OK;
}

DpemStatus
dpem_synth_sample(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int *rows)
{
	return draw(model, random, n, NULL, rows);
}

size_t
dpem_synth_rows_work(const DpemSynthModel *model, size_t n)
{
	return dpem_synth_doubles(n * sizeof(int));
}

DpemStatus
dpem_synth_rows(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int *rows, DpemWorkspace work)
{
	return draw(model, random, n, (int *) dpem_workspace_take(&work, dpem_synth_rows_work(model, n)), rows);
}
