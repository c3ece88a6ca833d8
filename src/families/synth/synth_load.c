/*
 * synth_load.c - a model of marginals from its fields.
 */
#include "postgres.h"

#include <math.h>

#include "core/numeric/bisect.h"
#include "core/synth/synth_use.h"
#include "export/kept_models.h"
#include "families/synth/synth.h"
#include "server/argument_list.h"
#include "server/fit_memory.h"

#define LEAST_CELLS 262144		/* of a loaded model's memory: 12 MB */
#define MOST_CELLS	1e9

static const DpemFieldArray *
array_of(const DpemModel *model, int value, int row)
{
	return (const DpemFieldArray *) model->value[value] + row;
}

/* the numbers of a column, which a document from elsewhere may have brought (dp_model_from_json) */
static bool
is_column(const DpemModel *model, const double *n)
{
	if (!dpem_is_whole(n[0], 0, model->d - 1) || !dpem_is_whole(n[1], 1, model->d - n[0]) || !dpem_is_whole(n[3], 1, DPEM_SYNTH_SIZE))
		return false;
	for (int i = 0; n[1] > 1 && i < (int) n[1]; i++)
	{
		if (model->category_of[(int) n[0] + i] == NULL)
			return false;
	}
	if (n[1] > 1)
		return n[3] == n[1] + 1 && n[2] == 0;
	return dpem_is_whole(n[2], 1, n[3]) && n[2] >= n[3] - 1 && isfinite(n[5] - n[4]) && n[4] < n[5] && n[6] >= 0;
}

static void
read_columns(DpemReadySynth *ready)
{
	const DpemFieldArray *array = array_of(ready->model, DPEM_SYNTH_COLUMN, 0);
	const double label = dpem_model_numbers(ready->model, DPEM_SYNTH_LABEL)[0];

	ready->columns = array->n / DPEM_SYNTH_COLUMN_NUMBERS;
	if (ready->columns < 1 || ready->columns > DPEM_SYNTH_COLUMNS || !dpem_is_whole(label, 0, ready->columns))
		dpem_model_corrupt();
	ready->label = (int) label - 1;
	ready->column = palloc(ready->columns * sizeof(DpemSynthColumn));
	ready->name = palloc(ready->columns * sizeof(char *));
	for (int c = 0; c < ready->columns; c++)
	{
		const double *n = array->number + (size_t) c * DPEM_SYNTH_COLUMN_NUMBERS;

		if (!is_column(ready->model, n))
			dpem_model_corrupt();
		ready->column[c] = (DpemSynthColumn) {(int) n[0], (int) n[1], (int) n[2], (int) n[3], n[4], n[5], n[6], n[7], NULL};
		ready->name[c] = pstrdup(dpem_model_column(ready->model, ready->column[c].first));
	}
}

static bool
are_edges(const DpemSynthColumn *column)
{
	for (int i = 0; i < column->bins; i++)
		if (!(column->edge[i] < column->edge[i + 1]))
			return false;
	return column->edge[0] == column->lower && isfinite(column->edge[column->bins] - column->lower);
}

static void
read_edges(DpemReadySynth *ready)
{
	const DpemFieldArray *array = array_of(ready->model, DPEM_SYNTH_EDGE, 0);
	const double *edge = array->number;

	if (array->n == 0)
		return;
	if ((size_t) array->n != dpem_synth_edges(ready->column, ready->columns))
		dpem_model_corrupt();
	for (int c = 0; c < ready->columns; c++)
	{
		DpemSynthColumn *column = &ready->column[c];

		if (!dpem_synth_is_number(column))
			continue;
		column->edge = edge;
		edge += column->bins + 1;
		if (!are_edges(column))
			dpem_model_corrupt();
	}
}

static void
read_domain(DpemReadySynth *ready)
{
	int		   *size = palloc(ready->columns * sizeof(int));
	bool	   *ordered = palloc(ready->columns * sizeof(bool));
	DpemSynthLevels *levels = &ready->levels;

	levels->offset[0] = 0;
	for (int c = 0; c < ready->columns; c++)
	{
		size[c] = ready->column[c].cells;
		ordered[c] = dpem_synth_is_number(&ready->column[c]);
		levels->offset[c + 1] = levels->offset[c] + size[c];
	}
	levels->domain = (DpemSynthDomain) {ready->columns, size, ordered, NULL};
	if (dpem_synth_domain_check(&levels->domain) != DPEM_OK)
		dpem_model_corrupt();
}

/* the groups of a column's n categories: all of them have some, and at level 0 each category is one; returns their number */
static int
read_groups(const double *number, int n, int level, int *group)
{
	bool		used[DPEM_SYNTH_SIZE] = {false};
	int			groups = 0;

	for (int i = 0; i < n; i++)
	{
		if (!dpem_is_whole(number[i], level == 0 ? i : 0, level == 0 ? i : n - 1))
			dpem_model_corrupt();
		group[i] = (int) number[i];
		used[group[i]] = true;
		groups = Max(groups, group[i] + 1);
	}
	for (int g = 0; g < groups; g++)
	{
		if (!used[g])
			dpem_model_corrupt();
	}
	return groups;
}

static void
read_levels(DpemReadySynth *ready)
{
	const DpemFieldArray *array = array_of(ready->model, DPEM_SYNTH_GROUP, 0);
	DpemSynthLevels *levels = &ready->levels;
	int			all = levels->offset[ready->columns];

	if (array->n != (DPEM_SYNTH_LEVELS + 1) * all && array->n != (DPEM_SYNTH_LEVELS + 2) * all)
		dpem_model_corrupt();
	for (int l = 0; l < DPEM_SYNTH_LEVELS; l++)
	{
		levels->group[l] = palloc(all * sizeof(int));
		for (int c = 0; c < ready->columns; c++)
			levels->size[l][c] = read_groups(array->number + l * all + levels->offset[c], levels->domain.size[c], l,
											 levels->group[l] + levels->offset[c]);
	}
	levels->share = array->number + (size_t) DPEM_SYNTH_LEVELS * all;
	if (array->n > (DPEM_SYNTH_LEVELS + 1) * all)
		ready->released.sums = array->number + (size_t) (DPEM_SYNTH_LEVELS + 1) * all;
}

/* a released table; its potentials are at level 1 where it is of categories */
static DpemSynthTable
read_table(const DpemReadySynth *ready, int t)
{
	const DpemFieldArray *members = array_of(ready->model, DPEM_SYNTH_MEMBERS, t);
	int			potentials = array_of(ready->model, DPEM_SYNTH_THETA, t)->n;
	double		level = dpem_model_numbers(ready->model, DPEM_SYNTH_LEVEL)[t];
	DpemSynthTable table = {0};
	DpemSynthTable model;

	if (!dpem_is_whole(level, 0, DPEM_SYNTH_LEVELS - 1))
		dpem_model_corrupt();
	table.level = (int) level;
	for (int i = 0; i < members->n; i++)
	{
		if (!dpem_is_whole(members->number[i], 1, ready->columns))
			dpem_model_corrupt();
		table.set |= dpem_synth_column((int) members->number[i] - 1);
	}
	model = (DpemSynthTable) {table.set, Max(table.level, 1)};
	if (table.set == 0 || dpem_synth_table_cells(&ready->levels, table) != array_of(ready->model, DPEM_SYNTH_VALUE, t)->n ||
		(potentials > 0 && dpem_synth_table_cells(&ready->levels, model) != potentials))
		dpem_model_corrupt();
	return table;
}

static void
read_tables(DpemReadySynth *ready)
{
	DpemSynthReleased *r = &ready->released;

	r->n = ready->model->k;
	if (r->n < 1 || r->n > DPEM_SYNTH_TABLES)
		dpem_model_corrupt();
	r->table = palloc(r->n * sizeof(DpemSynthTable));
	r->sd = dpem_model_numbers(ready->model, DPEM_SYNTH_NOISE);
	r->value = unconstify(DpemFieldArray *, array_of(ready->model, DPEM_SYNTH_VALUE, 0));
	for (int t = 0; t < r->n; t++)
	{
		r->table[t] = read_table(ready, t);
		if (array_of(ready->model, DPEM_SYNTH_THETA, t)->n == 0)
			continue;
		if (r->in_graph++ != t)
			dpem_model_corrupt();
	}
	if (r->in_graph == 0)
		dpem_model_corrupt();
}

/* as large as the stored tables need */
static DpemSynthShape
shape_of(const DpemReadySynth *ready)
{
	DpemSynthShape shape = {.columns = ready->columns,.tables = ready->released.in_graph};
	DpemSynthSet all = 0;
	double		tree = dpem_synth_union_cells(&ready->levels, ready->released.table, ready->released.in_graph);

	for (int t = 0; t < ready->released.in_graph; t++)
	{
		shape.table_cells += dpem_synth_cells(ready->levels.size[1], ready->released.table[t].set);
		all |= ready->released.table[t].set;
	}
	shape.tree_cells = fmax(tree, fmin(fmax(DPEM_SYNTH_ROOM * tree, LEAST_CELLS), dpem_synth_cells(ready->levels.size[1], all)));
	return shape;
}

static void
read_graph(DpemReadySynth *ready)
{
	DpemSynthShape shape = shape_of(ready);
	double		total = dpem_model_numbers(ready->model, DPEM_SYNTH_TOTAL)[0];

	/* sizes that overflow would be memory that is too small */
	if (!(shape.tree_cells < MOST_CELLS) || !(shape.table_cells < MOST_CELLS) || !(total > 0))
		dpem_model_corrupt();
	dpem_synth_require(dpem_synth_model_init(&shape, &ready->levels, &ready->graph, dpem_fit_workspace(dpem_synth_model_work(&shape))));
	for (int t = 0; t < ready->released.in_graph; t++)
		dpem_synth_require(dpem_synth_add(&ready->graph, ready->released.table[t], ready->released.value[t].number,
										  ready->released.sd[t], array_of(ready->model, DPEM_SYNTH_THETA, t)->number));
	dpem_synth_set_total(&ready->graph, total);
	dpem_synth_require(dpem_synth_calibrate(&ready->graph));
}

/* all but what follows from the graph */
static DpemReadySynth *
load_tables(DpemModel *model)
{
	DpemReadySynth *ready = palloc0(sizeof(DpemReadySynth));

	ready->model = model;
	read_columns(ready);
	read_edges(ready);
	read_domain(ready);
	read_levels(ready);
	read_tables(ready);
	if (array_of(model, DPEM_SYNTH_ASSOCIATION, 0)->n != ready->columns * ready->columns)
		dpem_model_corrupt();
	ready->association = array_of(model, DPEM_SYNTH_ASSOCIATION, 0)->number;
	ready->row = palloc(ready->columns * sizeof(int));
	ready->posterior = dpem_fit_allocate(DPEM_SYNTH_SIZE);
	return ready;
}

void *
dpem_synth_load(DpemModel *model)
{
	DpemReadySynth *ready = load_tables(model);

	read_graph(ready);
	ready->log_share = dpem_fit_allocate(ready->levels.offset[ready->columns]);
	dpem_synth_require(dpem_synth_background_shares(&ready->graph, ready->log_share));
	return ready;
}

static void *
make_tables(FunctionCallInfo fcinfo, const char *name)
{
	(void) fcinfo;
	return load_tables(dpem_model_load(name, &dpem_family_synth));
}

static void *
make_graph(FunctionCallInfo fcinfo, const char *name)
{
	(void) fcinfo;
	return dpem_synth_load(dpem_model_load(name, &dpem_family_synth));
}

DpemReadySynth *
dpem_ready_synth(FunctionCallInfo fcinfo, bool graph)
{
	return dpem_kept_model(fcinfo, dpem_text_argument(fcinfo, 0, "model"), graph ? make_graph : make_tables);
}
