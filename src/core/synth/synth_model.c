/*
 * synth_model.c - a model's memory and tables: see synth_model.h.
 */
#include <math.h>
#include <string.h>

#include "core/synth/synth_belief.h"
#include "core/synth/synth_rules.h"

#define LEAST_SCRATCH	(2 * DPEM_SYNTH_SIZE * DPEM_SYNTH_SIZE)	/* a pair at level 1, and the same again */

/* ---- memory ------------------------------------------------------------------ */

/* of tables: values, variances, theta and places */
static size_t
tables_memory(const DpemSynthShape *shape)
{
	size_t		cells = (size_t) shape->table_cells;

	return 3 * cells + dpem_synth_doubles(cells * sizeof(int)) + (size_t) shape->tables;
}

static DpemWorkspace
part(DpemWorkspace *work, size_t n)
{
	DpemWorkspace piece;

	piece.next = dpem_workspace_take(work, n);
	piece.end = piece.next == NULL ? NULL : piece.next + n;
	return piece;
}

static void
take(const DpemSynthShape *shape, DpemSynthModel *model, DpemWorkspace *work)
{
	size_t		tree = (size_t) shape->tree_cells;

	model->table = (DpemSynthMeasured *) dpem_workspace_take(work, dpem_synth_doubles((size_t) shape->tables * sizeof(DpemSynthMeasured)));
	model->tree_memory = dpem_workspace_take(work, 3 * tree);
	model->vectors = dpem_workspace_take(work, DPEM_SYNTH_VECTORS * (size_t) shape->table_cells);
	model->memory = part(work, tables_memory(shape));
	model->scratch = part(work, 4 * tree + 2 * (size_t) shape->table_cells + LEAST_SCRATCH);
}

size_t
dpem_synth_model_work(const DpemSynthShape *shape)
{
	DpemWorkspace dry = {NULL, NULL};
	DpemSynthModel model;

	take(shape, &model, &dry);
	return dpem_workspace_taken(&dry);
}

/* the largest column last; insertion keeps equal ones in order */
static void
order_columns(DpemSynthModel *model)
{
	const int  *size = model->levels->size[1];

	for (int j = 0; j < model->levels->domain.columns; j++)
	{
		int			i = j;

		for (; i > 0 && size[model->order[i - 1]] > size[j]; i--)
			model->order[i] = model->order[i - 1];
		model->order[i] = j;
	}
}

DpemStatus
dpem_synth_model_init(const DpemSynthShape *shape, const DpemSynthLevels *levels, DpemSynthModel *model,
					  DpemWorkspace work)
{
	if (shape->columns != levels->domain.columns || shape->tables < 1 || shape->tables > DPEM_SYNTH_TABLES ||
		!(shape->table_cells >= 1 && shape->table_cells < 1e9) || !(shape->tree_cells >= 1 && shape->tree_cells < 1e9))
		return DPEM_BAD_ARGUMENT;
	memset(model, 0, sizeof *model);
	take(shape, model, &work);
	model->shape = *shape;
	model->levels = levels;
	order_columns(model);
	for (int j = 0; j < levels->domain.columns; j++)
		model->near[j] = dpem_synth_column(j);
	return DPEM_OK;
}

/* ---- tables ------------------------------------------------------------------ */

size_t
dpem_synth_measured_cells(const DpemSynthModel *model)
{
	size_t		cells = 0;

	for (int t = 0; t < model->tables; t++)
		cells += model->table[t].cells;
	return cells;
}

/* which columns stand in a table together, those of one more set (0: none) among them */
static void
graph_of(const DpemSynthModel *model, DpemSynthSet set, DpemSynthGraph *graph)
{
	graph->columns = model->levels->domain.columns;
	graph->size = model->levels->size[1];
	memcpy(graph->near, model->near, sizeof graph->near);
	dpem_synth_graph_add(graph, set);
}

void
dpem_synth_model_tree(const DpemSynthModel *model, DpemSynthSet set, DpemSynthTree *tree)
{
	DpemSynthGraph graph;

	graph_of(model, set, &graph);
	dpem_synth_tree(&graph, tree);
}

double
dpem_synth_union_cells(const DpemSynthLevels *levels, const DpemSynthTable *table, int n)
{
	DpemSynthGraph graph;
	DpemSynthTree tree;

	dpem_synth_graph_init(levels->size[1], levels->domain.columns, &graph);
	for (int t = 0; t < n; t++)
		dpem_synth_graph_add(&graph, table[t].set);
	dpem_synth_tree(&graph, &tree);
	return tree.cells;
}

static bool
in_a_clique(const DpemSynthModel *model, DpemSynthSet set)
{
	for (int c = 0; c < model->cliques; c++)
		if ((set & ~model->clique[c].set) == 0)
			return true;
	return false;
}

double
dpem_synth_tree_cells(const DpemSynthModel *model, DpemSynthSet set)
{
	DpemSynthTree tree;

	if (model->tree_current && in_a_clique(model, set))
		return model->tree_cells;
	dpem_synth_model_tree(model, set, &tree);
	return tree.cells;
}

/* room for a table itself */
static bool
holds(const DpemSynthModel *model, DpemSynthTable table)
{
	double		used = 0;

	for (int t = 0; t < model->tables; t++)
		used += (double) model->table[t].fine_cells;
	return model->tables < model->shape.tables &&
		used + dpem_synth_cells(model->levels->size[1], table.set) <= model->shape.table_cells;
}

bool
dpem_synth_admits(const DpemSynthModel *model, DpemSynthTable table, double limit)
{
	DpemSynthGraph graph;

	limit = fmin(limit, model->shape.tree_cells);
	if (!holds(model, table))
		return false;
	if (model->tree_current && in_a_clique(model, table.set))
		return model->tree_cells <= limit;
	graph_of(model, table.set, &graph);
	return dpem_synth_tree_fits(&graph, limit);
}

/* which cell of a table at its level each cell of level 1 is in, in the model's order of columns */
static void
find_places(const DpemSynthModel *model, DpemSynthMeasured *table)
{
	const DpemSynthLevels *levels = model->levels;
	DpemSynthLayout layout = {levels->domain.columns, levels->size[table->table.level], NULL};
	DpemSynthStride stride = dpem_synth_stride(layout, table->table.set);
	size_t		block = table->fine_cells;

	memset(table->place, 0, table->fine_cells * sizeof(int));
	for (int i = 0; i < levels->domain.columns; i++)
	{
		int			j = model->order[i];
		size_t		n = (size_t) levels->size[1][j];
		int			above[DPEM_SYNTH_SIZE];

		if ((table->table.set & dpem_synth_column(j)) == 0)
			continue;
		for (int c = 0; c < levels->domain.size[j]; c++)
			above[levels->group[1][levels->offset[j] + c]] = levels->group[table->table.level][levels->offset[j] + c];
		block /= n;
		for (size_t cell = 0; cell < table->fine_cells; cell++)
			table->place[cell] += (int) stride.by[j] * above[cell / block % n];
	}
}

/* values of level 0 are summed to groups, whose noise is that of as many values */
static void
take_values(const DpemSynthModel *model, bool categories, const double *value, double sd, DpemSynthMeasured *table)
{
	if (categories)
	{
		dpem_synth_coarsen(model->levels, table->table, value, table->value);
		dpem_synth_coarsen_noise(model->levels, table->table, sd, table->variance);
		return;
	}
	memcpy(table->value, value, table->cells * sizeof *value);
	for (size_t i = 0; i < table->cells; i++)
		table->variance[i] = sd * sd;
}

/* inverse-variance mean of the tables' sums */
static void
estimate_total(DpemSynthModel *model)
{
	double		sum = 0;
	double		weight = 0;

	for (int t = 0; t < model->tables && !model->total_known; t++)
	{
		const DpemSynthMeasured *table = &model->table[t];
		double		rows = 0;
		double		variance = 0;

		for (size_t i = 0; i < table->cells; i++)
		{
			rows += table->value[i];
			variance += table->variance[i];
		}
		sum += rows / variance;
		weight += 1 / variance;
	}
	if (!model->total_known)
		model->total = fmax(sum / weight, 1);
}

void
dpem_synth_set_total(DpemSynthModel *model, double total)
{
	model->total = total;
	model->total_known = true;
}

static DpemSynthMeasured *
new_table(DpemSynthModel *model, DpemSynthTable table)
{
	size_t		first = dpem_synth_measured_cells(model);
	DpemSynthMeasured *measured = &model->table[model->tables++];

	memset(measured, 0, sizeof *measured);
	measured->first = first;
	measured->table.set = table.set;
	measured->table.level = table.level == 0 ? 1 : table.level;
	measured->cells = (size_t) dpem_synth_table_cells(model->levels, measured->table);
	measured->fine_cells = (size_t) dpem_synth_cells(model->levels->size[1], table.set);
	measured->value = dpem_workspace_take(&model->memory, measured->cells);
	measured->variance = dpem_workspace_take(&model->memory, measured->cells);
	measured->theta = dpem_workspace_take(&model->memory, measured->cells);
	measured->place = (int *) dpem_workspace_take(&model->memory, dpem_synth_doubles(measured->fine_cells * sizeof(int)));
	return measured;
}

DpemStatus
dpem_synth_add(DpemSynthModel *model, DpemSynthTable table, const double *value, double sd, const double *theta)
{
	DpemSynthMeasured *measured;

	if (table.set == 0 || table.level < 0 || table.level >= DPEM_SYNTH_LEVELS || !(sd > 0) ||
		!(theta != NULL ? holds(model, table) : dpem_synth_admits(model, table, INFINITY)))
		return DPEM_BAD_ARGUMENT;
	measured = new_table(model, table);
	find_places(model, measured);
	take_values(model, table.level == 0, value, sd, measured);
	if (theta != NULL)
		memcpy(measured->theta, theta, measured->cells * sizeof *theta);
	else
		memset(measured->theta, 0, measured->cells * sizeof *theta);
	measured->ridge = dpem_synth_order(table.set) == 1 ? dpem_synth_ridge_one_way : dpem_synth_ridge;
	for (DpemSynthSet set = table.set; set != 0; set &= set - 1)
		model->near[__builtin_ctzll(set)] |= table.set;
	estimate_total(model);
	model->tree_current = false;
	return DPEM_OK;
}

/*
 * A cell of m rows, with noise of variance v, is off what was expected by v + m / ridge on average where it is as a model fitted
 * with that ridge would have it before the table is seen (theta about 0 with variance 1 / (ridge m)): the method of moments.
 */
void
dpem_synth_learn_ridge(DpemSynthModel *model, const double *expected)
{
	DpemSynthMeasured *table = &model->table[model->tables - 1];
	double		excess = 0;
	double		rows = 0;

	for (size_t i = 0; i < table->cells; i++)
	{
		double		error = table->value[i] - expected[i];

		excess += error * error - table->variance[i];
		rows += fmax(expected[i], 0);
	}
	table->ridge = fmin(fmax(dpem_synth_ridge, excess > 0 ? rows / excess : INFINITY), dpem_synth_most_ridge);
}

DpemStatus
dpem_synth_calibrate(DpemSynthModel *model)
{
	if (model->tables == 0 || dpem_synth_tree_cells(model, 0) > model->shape.tree_cells)
		return DPEM_BAD_ARGUMENT;
	dpem_synth_build(model);
	dpem_synth_propagate_own(model);
	return DPEM_OK;
}
