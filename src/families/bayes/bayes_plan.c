/*
 * bayes_plan.c - what a naive Bayes classifier will count and cost, from public
 * facts alone.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "core/bayes/bayes_rules.h"
#include "core/bayes/class_pairs.h"
#include "families/bayes/bayes.h"
#include "server/fit_memory.h"

#define LEAST_PARTS	4

/* the coordinates of the binding: numbers, labels, what tells which numbers are known, classes */
static void
describe_cells(DpemBayesPlan *plan)
{
	const DpemBinding *binding = plan->fit.binding;
	DpemCellColumn *columns = palloc(list_length(binding->columns) * sizeof(DpemCellColumn));
	DpemClassCells *cells = &plan->cells;
	bool		missing = plan->fit.d > dpem_binding_source_dimension(binding) + binding->target->length;
	int			j = 0;
	ListCell   *cell;

	foreach(cell, binding->columns)
	{
		const DpemColumn *column = lfirst(cell);
		DpemCellColumn *next = &columns[cells->columns];

		if (column == binding->target)
			cells->first_class = j;
		else if (column->kind == DPEM_COLUMN_LABEL)
			*next = (DpemCellColumn) {j, column->length, DPEM_CELLS_OF_LABEL, NULL};
		else if (column->kind != DPEM_COLUMN_OBSERVED)
			*next = (DpemCellColumn) {j, 0, missing ? dpem_binding_source_dimension(binding) + j : DPEM_CELLS_ALWAYS, NULL};
		if (column != binding->target && column->kind != DPEM_COLUMN_OBSERVED)
			cells->columns++;
		j += column->length;
	}
	cells->column = columns;
	cells->classes = binding->target->length;
	cells->radius = plan->fit.clip_norm;
}

static void
cut_number(const DpemBayesPlan *plan, const DpemColumn *of, int parts, DpemCellColumn *column)
{
	double	   *edge = dpem_fit_allocate(parts);

	column->cells = dpem_fit_cut_number(&plan->fit, of, parts, false, edge);
	column->edge = edge;
}

static void
cut_numbers(DpemBayesPlan *plan)
{
	DpemCellColumn *column = unconstify(DpemCellColumn *, plan->cells.column);
	const DpemColumn **of = dpem_binding_columns(plan->fit.binding);
	int			parts = dpem_bayes_parts;

	for (;; parts /= 2)
	{
		for (int j = 0; j < plan->cells.columns; j++)
			if (column[j].known != DPEM_CELLS_OF_LABEL)
				cut_number(plan, of[column[j].first], parts, &column[j]);
		if (parts <= LEAST_PARTS || (double) dpem_class_cells_places(&plan->cells) * plan->fit.groups <= dpem_bayes_most_places)
			return;
	}
}

static void
check_size(const DpemBayesPlan *plan)
{
	double		k = (double) plan->layout.k * plan->fit.groups;
	double		bytes = k * dpem_moments_record(&plan->layout) * sizeof(DpemInt128);

	if (plan->layout.k > dpem_kernel_class_cells.max_components || k > DPEM_PASS_MAX_COMPONENTS || bytes > (double) MaxAllocSize / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("counts by %d classes and %zu cells do not fit into memory%s", plan->cells.classes,
						dpem_class_cells_number(&plan->cells), plan->fit.groups > 1 ? psprintf(" for %d groups", plan->fit.groups) : ""),
				 errhint("Name fewer columns.")));
}

/* numbers alone, of which there may be none, in rows of all classes; those without one do not count here either */
static void
describe_bins(DpemBayesPlan *plan)
{
	DpemCellColumn *column = palloc(plan->cells.columns * sizeof(DpemCellColumn));

	plan->bins = plan->cells;
	plan->bins.as_one = true;
	plan->bins.columns = 0;
	plan->bins.column = column;
	for (int j = 0; j < plan->cells.columns; j++)
		if (plan->cells.column[j].known != DPEM_CELLS_OF_LABEL)
			column[plan->bins.columns++] = plan->cells.column[j];
}

static DpemFitStage
stage_of(const DpemFitPlan *fit, const DpemClassCells *cells, const char *statistic, double share)
{
	DpemFitStage stage = {
		.statistic = statistic,.share = share,.releases = 1,.spec = dpem_fit_spec(fit, 0, 1, 0),
		.layout = {dpem_class_cells_components(cells, fit->d) * fit->groups, fit->d, DPEM_SECOND_NONE}
	};

	stage.spec.contribution = DPEM_DOCUMENT;
	return stage;
}

static DpemBayesPlan *
plan_of(const DpemFitRequest *request, bool joins)
{
	DpemBayesPlan *plan = palloc0(sizeof(DpemBayesPlan));
	DpemFitPlan *fit = &plan->fit;
	double		first;
	double		last;

	dpem_fit_plan_init(fit, request);
	describe_cells(plan);
	cut_numbers(plan);
	plan->layout = (DpemMomentLayout) {dpem_class_cells_components(&plan->cells, fit->d), fit->d, DPEM_SECOND_NONE};
	check_size(plan);
	if (joins && fit->noisy)
		describe_bins(plan);
	plan->powered = joins && fit->noisy && plan->cells.columns > 1;
	first = plan->bins.columns > 0 ? dpem_bayes_first : 0;
	last = plan->powered ? dpem_bayes_power_share : 0;
	fit->iterations = 1 + (plan->bins.columns > 0) + plan->powered;
	fit->stage[DPEM_BAYES_BINS] = stage_of(fit, plan->bins.columns > 0 ? &plan->bins : &plan->cells, "counts", first);
	fit->stage[DPEM_BAYES_COUNTS] = stage_of(fit, &plan->cells, "counts by class", 1 - first - last);
	fit->stage[DPEM_BAYES_PAIRS] = (DpemFitStage) {
		.statistic = "evidence",.share = last,.releases = 1,.spec = dpem_fit_spec(fit, 1, 0, 0),
		.layout = {dpem_class_pairs_places(plan->cells.classes) * fit->groups, fit->d, DPEM_COUNTS_ALONE}
	};
	dpem_fit_plan_stages(fit, DPEM_BAYES_STAGES);
	return plan;
}

DpemFitPlan *
dpem_bayes_plan(const DpemFitRequest *request)
{
	return &plan_of(request, true)->fit;
}

DpemBayesPlan *
dpem_bayes_plan_counts(const DpemFitRequest *request)
{
	return plan_of(request, false);
}
