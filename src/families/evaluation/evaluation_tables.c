/*
 * evaluation_tables.c - how far what a model says of tables is from the tables of private rows.
 *
 * One pass counts all tables at the model's categories, one release takes them at the groups of categories that the
 * model tells apart (docs/proofs.md, 24), and the rest is core/evaluation/evaluate_tables.h.
 */
#include "postgres.h"

#include "core/evaluation/evaluate_rules.h"
#include "core/evaluation/evaluate_tables.h"
#include "core/kernels/kernel.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"
#include "wall/release_tables.h"

struct DpemEvaluationTables
{
	const DpemExpectedTables *expected;
	DpemTableSet set;
	DpemTable  *table;
	DpemTableView *view;
	int			cells;			/* of a pass */
	int			groups;			/* of a release */
	DpemTablesSpec spec;
};

typedef struct DpemEvaluationTables Tables;

/* ---- the plan ---- */

/* the dataset's first coordinate of the model's, of whose column all have the model's order */
static int
first_coordinate(const DpemEvaluationPlan *plan, const DpemTableColumn *of)
{
	const DpemModel *model = plan->request->model;
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);
	char	  **name = dpem_binding_coordinates(plan->fit.binding);
	int			first = 0;
	bool		same;

	/* by the column, too: coordinates of two labels may have one name */
	while (first < plan->fit.d && (strcmp(name[first], model->column[of->first]) != 0 ||
								   strcmp(column[first]->name, dpem_model_column(model, of->first)) != 0))
		first++;
	same = first + of->length <= plan->fit.d && column[first]->length == of->length && (model->scale == NULL || model->scale[of->first] == column[first]->scale);
	for (int i = 1; same && i < of->length; i++)
		same = strcmp(name[first + i], model->column[of->first + i]) == 0;
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of dataset \"%s\" is not registered as model \"%s\" was fitted with it",
						dpem_model_column(model, of->first), plan->fit.dataset->name, plan->request->name),
				 errhint("Register it with the same categories in the same order, or on the same scale.")));
	return first;
}

/* a number of the model, in the coordinate of the column's scale, in the dataset's box */
static double
in_box(const DpemColumn *column, double y)
{
	return dpem_scale_in_box(column->scale, column->lower, column->upper, y);
}

/* of the model's bins, in that box */
static const double *
box_edges(const DpemTableColumn *of, const DpemColumn *column)
{
	double	   *edge = dpem_fit_allocate(of->cells);

	for (int i = 0; i < of->cells - of->known - 1; i++)
		edge[i] = in_box(column, of->edge[i]);
	return edge;
}

/* bins that the dataset's domain is too wide, or too far from 0, to tell apart say nothing of its rows, and are none of a pass */
static void
check_bins(const DpemEvaluationPlan *plan, const DpemTableColumn *own)
{
	const DpemColumn *column = dpem_binding_columns(plan->fit.binding)[own->first];

	if (!(own->lower < own->upper) || !dpem_table_edges_ascend(own))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("bins of column \"%s\" of model \"%s\" are too narrow for the domain of dataset \"%s\"",
						column->name, plan->request->name, plan->fit.dataset->name),
				 errhint("Register the column with bounds like those of the model's dataset.")));
}

/* a column of the pass: the model's bins in the dataset's box */
static DpemTableColumn
table_column(const DpemEvaluationPlan *plan, const DpemTableColumn *of)
{
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);
	DpemTableColumn own = *of;
	int			numbers = dpem_binding_source_dimension(plan->fit.binding);

	own.first = first_coordinate(plan, of);
	own.known = 0;
	if (of->length > 1)
		return own;
	own.lower = in_box(column[own.first], of->lower);
	own.upper = in_box(column[own.first], of->upper);
	if (of->edge)
		own.edge = box_edges(of, column[own.first]);
	/* numbers come first, and what tells whether they are known last, in their order */
	if (numbers + own.first < plan->fit.d && column[numbers + own.first]->kind == DPEM_COLUMN_OBSERVED)
		own.known = numbers + own.first;
	else
		own.cells -= of->known;
	check_bins(plan, &own);
	return own;
}

/* of each cell of a table of the pass, the model's cell, and their number */
static int32 *
map_cells(const Tables *t, const DpemTable *table, int *cells)
{
	int32	   *into = palloc(table->cells * sizeof(int32));

	for (int i = 0; i < table->cells; i++)
	{
		int			rest = i;
		int			stride = 1;

		into[i] = 0;
		for (int a = table->order - 1; a >= 0; a--)
		{
			int			c = table->column[a];

			into[i] += stride * t->expected->group[c][rest % t->set.column[c].cells];
			stride *= t->expected->groups[c];
			rest /= t->set.column[c].cells;
		}
		*cells = stride;
	}
	return into;
}

static void
set_views(Tables *t)
{
	t->view = palloc(t->set.tables * sizeof(DpemTableView));
	for (int v = 0; v < t->set.tables; v++)
	{
		t->view[v] = (DpemTableView) {.table = v,.weight = 1};
		t->view[v].into = map_cells(t, &t->table[v], &t->view[v].cells);
		t->groups += t->view[v].cells;
	}
}

static Tables *
create_tables(const DpemEvaluationPlan *plan)
{
	const DpemExpectedTables *e = plan->request->tables;
	Tables	   *t = palloc0(sizeof(Tables));
	DpemTableColumn *column = palloc(e->columns * sizeof(DpemTableColumn));

	t->expected = e;
	t->table = palloc(e->tables * sizeof(DpemTable));
	memcpy(t->table, e->table, e->tables * sizeof(DpemTable));
	for (int c = 0; c < e->columns; c++)
		column[c] = table_column(plan, &e->column[c]);
	t->cells = dpem_tables_arrange(column, e->columns, t->table, e->tables);
	if (t->cells == 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the tables of model \"%s\" have more than %d cells", plan->request->name, DPEM_TABLES_MAX_CELLS),
				 errhint("Fit fewer columns or bins.")));
	t->set = (DpemTableSet) {plan->fit.clip_norm, e->columns, e->tables, column, t->table};
	t->spec = (DpemTablesSpec) {1, plan->fit.dataset->replace_one, plan->fit.dataset->max_rows_per_unit};
	set_views(t);
	return t;
}

void
dpem_evaluation_plan_tables(DpemEvaluationPlan *plan)
{
	plan->tables = create_tables(plan);
	plan->fit.stage[DPEM_EVALUATE_SUMS].share = DPEM_EVALUATE_DENSITY_SHARE;
	plan->fit.stage[DPEM_EVALUATE_CELLS] = (DpemFitStage) {
		.statistic = "tables",.share = 1 - DPEM_EVALUATE_DENSITY_SHARE,.releases = 1,.spec = dpem_fit_spec(&plan->fit, 1, 0, 0),
			.layout = {plan->tables->cells, plan->fit.d, DPEM_COUNTS_ALONE}
	};
}

void
dpem_evaluation_check_tables(const DpemEvaluationPlan *plan)
{
	if (plan->fit.noisy)
		dpem_release_tables_check(&plan->tables->spec, plan->tables->set.tables, dpem_fit_stage_multiplier(&plan->fit, DPEM_EVALUATE_CELLS));
}

void
dpem_evaluation_forecast_tables(const DpemEvaluationPlan *plan, DpemForecast *f)
{
	const DpemFitStage *stage = &plan->fit.stage[DPEM_EVALUATE_CELLS];
	double		sensitivity = dpem_release_tables_sensitivity(&plan->tables->spec, plan->tables->set.tables);

	if (stage->line < 0)
		return;
	dpem_forecast_release(f, stage->line, sensitivity, dpem_fit_stage_multiplier(&plan->fit, DPEM_EVALUATE_CELLS) * sensitivity);
	dpem_forecast_remark(f, "tables", plan->tables->set.tables);
	dpem_forecast_remark(f, "cells of all tables", plan->tables->groups);
}

/* ---- the run ---- */

static DpemRawMoments *
count_tables(const Tables *t, DpemFitRun *run)
{
	DpemMomentLayout layout = {t->cells, run->plan->d, DPEM_COUNTS_ALONE};
	double	   *theta = dpem_fit_allocate(dpem_tables_theta_length(&t->set));

	dpem_fit_report(run, "tables", 0);
	dpem_tables_write(&t->set, theta);
	return dpem_fit_scan(run, &dpem_kernel_tables, &layout, theta);
}

/* cells of all views, one after the other; returns the noise in each */
static double
release_cells(const Tables *t, DpemFitRun *run, int line, double *count)
{
	DpemRawMoments *raw = count_tables(t, run);
	DpemNoisyMoments *m;
	double		sd;

	if (run->plan->noisy)
	{
		m = dpem_release_tables(run->charge, line, raw, &t->spec, t->view, t->set.tables);
		for (int v = 0; v < t->set.tables; count += t->view[v++].cells)
			memcpy(count, m[v].value, t->view[v].cells * sizeof(double));
		sd = m[0].count_sd;
		dpem_release_tables_end(raw);
		return sd;
	}
	m = dpem_release_to_reader(run->reader, raw);
	for (int v = 0; v < t->set.tables; count += t->view[v++].cells)
		for (int i = 0; i < t->table[v].cells; i++)
			count[t->view[v].into[i]] += m->value[t->table[v].first + i];
	return 0;
}

void
dpem_evaluation_judge_tables(const DpemEvaluationPlan *plan, DpemFitRun *run, DpemEvaluation *e)
{
	const Tables *t = plan->tables;
	double	   *count = dpem_fit_allocate(t->groups);
	double	   *share = dpem_fit_allocate(t->groups);
	int		   *cells = palloc(t->set.tables * sizeof(int));
	DpemEvaluateTables all = {t->set.tables, cells, count, share, 0};
	DpemStatisticValue mean;
	DpemStatisticValue largest;
	int			at = 0;

	for (int v = 0; v < t->set.tables; at += cells[v++])
	{
		cells[v] = t->view[v].cells;
		memcpy(share + at, t->expected->share[v], cells[v] * sizeof(double));
	}
	all.sd = release_cells(t, run, plan->fit.stage[DPEM_EVALUATE_CELLS].line, count);
	dpem_evaluate_tables_distance(&all, &mean, &largest);
	dpem_evaluation_add_metric(e, "mean_total_variation", mean);
	dpem_evaluation_add_metric(e, "max_total_variation", largest);
}
