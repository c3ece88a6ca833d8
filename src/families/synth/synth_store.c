/*
 * synth_store.c - a model of marginals as fields.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/numeric/bisect.h"
#include "core/synth/synth_use.h"
#include "families/synth/synth.h"
#include "server/argument_list.h"
#include "server/fit_memory.h"
#include "server/version_shims.h"

static DpemFieldArray *
one_array(size_t n)
{
	DpemFieldArray *array = palloc(sizeof(DpemFieldArray));

	*array = (DpemFieldArray) {(int) n, dpem_fit_allocate(n)};
	return array;
}

static DpemFieldArray *
write_columns(const DpemSynthPlan *plan, const DpemSynthColumn *columns)
{
	DpemFieldArray *array = one_array((size_t) plan->columns * DPEM_SYNTH_COLUMN_NUMBERS);

	for (int c = 0; c < plan->columns; c++)
	{
		const DpemSynthColumn *column = &columns[c];
		const double number[DPEM_SYNTH_COLUMN_NUMBERS] = {column->first, column->length, column->bins, column->cells,
		column->lower, column->upper, column->whole, column->last};

		memcpy(array->number + (size_t) c * DPEM_SYNTH_COLUMN_NUMBERS, number, sizeof(number));
	}
	return array;
}

static DpemFieldArray *
write_edges(const DpemSynthColumn *column, int n)
{
	bool		placed = false;
	DpemFieldArray *array;
	double	   *edge;

	for (int c = 0; c < n; c++)
		placed = placed || column[c].edge != NULL;
	array = one_array(placed ? dpem_synth_edges(column, n) : 0);
	edge = array->number;
	for (int c = 0; placed && c < n; c++)
		for (int i = 0; dpem_synth_is_number(&column[c]) && i <= column[c].bins; i++)
			*edge++ = dpem_synth_edge(&column[c], i);
	return array;
}

/* groups at each level, then shares, and the sums on which released pairs agree if there are such */
static DpemFieldArray *
write_levels(const DpemSynthLevels *levels, const double *sums)
{
	int			all = levels->offset[levels->domain.columns];
	DpemFieldArray *array = one_array((size_t) (DPEM_SYNTH_LEVELS + (sums ? 2 : 1)) * all);

	for (int l = 0; l < DPEM_SYNTH_LEVELS; l++)
		for (int i = 0; i < all; i++)
			array->number[l * all + i] = levels->group[l][i];
	memcpy(array->number + (size_t) DPEM_SYNTH_LEVELS * all, levels->share, all * sizeof(double));
	if (sums)
		memcpy(array->number + (size_t) (DPEM_SYNTH_LEVELS + 1) * all, sums, all * sizeof(double));
	return array;
}

static DpemFieldArray
write_members(DpemSynthSet set)
{
	DpemFieldArray array = {dpem_synth_order(set), dpem_fit_allocate(dpem_synth_order(set))};
	int			n = 0;

	for (int c = 0; c < DPEM_SYNTH_COLUMNS; c++)
	{
		if (set & dpem_synth_column(c))
			array.number[n++] = c + 1;
	}
	return array;
}

static void
write_tables(const DpemSynthReleased *released, const DpemSynthModel *graph, DpemModel *model)
{
	DpemFieldArray *members = palloc(released->n * sizeof(DpemFieldArray));
	DpemFieldArray *theta = palloc(released->n * sizeof(DpemFieldArray));
	double	   *level = dpem_fit_allocate(released->n);

	for (int t = 0; t < released->n; t++)
	{
		members[t] = write_members(released->table[t].set);
		level[t] = released->table[t].level;
		theta[t] = t < graph->tables ? (DpemFieldArray) {(int) graph->table[t].cells, graph->table[t].theta} : (DpemFieldArray) {0, NULL};
	}
	model->value[DPEM_SYNTH_MEMBERS] = members;
	model->value[DPEM_SYNTH_LEVEL] = level;
	model->value[DPEM_SYNTH_NOISE] = released->sd;
	model->value[DPEM_SYNTH_VALUE] = released->value;
	model->value[DPEM_SYNTH_THETA] = theta;
}

void
dpem_synth_store(const DpemSynthPlan *plan, const DpemSynthColumn *column, DpemSynthReleased *released, const DpemSynthLevels *levels,
				 DpemSynthModel *graph, DpemModel *model)
{
	double	   *scalar = dpem_fit_allocate(2);
	DpemFieldArray *association = one_array((size_t) plan->columns * plan->columns);

	dpem_synth_require(dpem_synth_association(graph, association->number,
											  dpem_fit_workspace(dpem_synth_association_work(graph))));
	released->in_graph = graph->tables;
	dpem_synth_find_sums(released, graph);
	dpem_synth_best_association(released, graph, association->number);
	scalar[0] = plan->label + 1;
	scalar[1] = graph->total;
	model->k = released->n;
	model->d = dpem_binding_source_dimension(plan->fit.binding);
	model->value[DPEM_SYNTH_LABEL] = scalar;
	model->value[DPEM_SYNTH_TOTAL] = scalar + 1;
	model->value[DPEM_SYNTH_COLUMN] = write_columns(plan, column);
	model->value[DPEM_SYNTH_EDGE] = write_edges(column, plan->columns);
	model->value[DPEM_SYNTH_GROUP] = write_levels(levels, released->sums);
	model->value[DPEM_SYNTH_ASSOCIATION] = association;
	write_tables(released, graph, model);
}
