/*
 * synth_tables.c - tables of a model at any level: see synth_model.h.
 */
#include "core/synth/synth_belief.h"

/* the smallest n columns of a set */
static DpemSynthSet
smallest(DpemSynthLayout layout, DpemSynthSet set, int n)
{
	DpemSynthSet found = 0;

	for (int i = 0; i < layout.columns && n > 0; i++)
		if (set & dpem_synth_column(layout.order[i]))
		{
			found |= dpem_synth_column(layout.order[i]);
			n--;
		}
	return found;
}

/* the next combination of the fixed columns' groups; false after the last */
static bool
next_row(DpemSynthLayout layout, DpemSynthSet fixed, int *row)
{
	for (; fixed != 0; fixed &= fixed - 1)
	{
		int			j = __builtin_ctzll(fixed);

		if (++row[j] < layout.size[j])
			return true;
		row[j] = 0;
	}
	return false;
}

/* the part of a table where fixed columns are what they are, from the table of the others */
static void
put_slice(DpemSynthLayout layout, DpemSynthSet set, DpemSynthSet fixed, const int *row, const double *piece, double *out)
{
	DpemSynthStride from = dpem_synth_stride(layout, set & ~fixed);
	DpemSynthStride to = dpem_synth_stride(layout, set);
	DpemSynthWalk walk;

	for (DpemSynthSet left = fixed; left != 0; left &= left - 1)
		out += to.by[__builtin_ctzll(left)] * (size_t) row[__builtin_ctzll(left)];
	dpem_synth_walk(layout, set & ~fixed, &from, &to, NULL, &walk);
	do
	{
		for (size_t i = 0; i < walk.run; i++)
			out[walk.at[1] + i * walk.step[1]] = piece[walk.at[0] + i * walk.step[0]];
	} while (dpem_synth_walk_next(&walk));
}

/* by one elimination for each combination of the fixed columns' groups */
static DpemStatus
eliminate_slices(const DpemSynthModel *model, DpemSynthSet set, DpemSynthSet fixed, DpemWorkspace scratch, double *out)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	int			row[DPEM_SYNTH_COLUMNS];

	for (int j = 0; j < layout.columns; j++)
		row[j] = fixed & dpem_synth_column(j) ? 0 : -1;
	do
	{
		DpemWorkspace left = scratch;
		double	   *piece;
		DpemStatus	status = dpem_synth_eliminate(model, set & ~fixed, row, &left, &piece);

		if (status != DPEM_OK)
			return status;
		put_slice(layout, set, fixed, row, piece, out);
	} while (next_row(layout, fixed, row));
	return DPEM_OK;
}

/*
 * At level 1, columns in increasing order.  With all columns but one fixed,
 * messages are as large as separators: that always fits.
 */
static DpemStatus
table_of(const DpemSynthModel *model, DpemSynthSet set, double *out)
{
	DpemSynthLayout layout = dpem_synth_layout(model);
	DpemSynthLayout plain = {layout.columns, layout.size, NULL};
	int			home = dpem_synth_home(model, set);
	double		cells = dpem_synth_cells(layout.size, set);
	DpemWorkspace scratch = model->scratch;
	DpemStatus	status = DPEM_NO_SOLUTION;
	double	   *table;

	if (cells > (double) (scratch.end - scratch.next))
		return DPEM_NO_SOLUTION;
	table = dpem_workspace_take(&scratch, (size_t) cells);
	if (home >= 0)
	{
		dpem_synth_sum(layout, model->clique[home].set, set, model->clique[home].belief, table);
		status = DPEM_OK;
	}
	for (int n = 0; status != DPEM_OK && n < dpem_synth_order(set); n++)
		status = eliminate_slices(model, set, smallest(layout, set, n), scratch, table);
	if (status == DPEM_OK)
		dpem_synth_permute(plain, layout, set, out, table);
	return status;
}

DpemStatus
dpem_synth_tables(const DpemSynthModel *model, int n, const DpemSynthSet *set, double *const *out)
{
	DpemStatus	status = DPEM_OK;

	for (int i = 0; i < n && status == DPEM_OK; i++)
		if (dpem_synth_home(model, set[i]) < 0)
			status = table_of(model, set[i], out[i]);
	for (int c = 0; c < model->cliques && status == DPEM_OK; c++)
		dpem_synth_clique_tables(model, c, n, set, out);
	return status;
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
