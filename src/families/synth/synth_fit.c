/*
 * synth_fit.c - the pass, the releases and the rounds of a fit of marginals.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/kernels/kernel.h"
#include "core/statistics/signal.h"
#include "families/synth/synth_run.h"
#include "server/fit_memory.h"

typedef struct SynthFit
{
	DpemFitRun *run;
	const DpemSynthPlan *plan;
	DpemRawMoments *raw;		/* NULL without noise */
	DpemSynthRun   *group;
} SynthFit;

void
dpem_synth_require(DpemStatus status)
{
	dpem_fit_require_ok(status);
}

/* ---- the pass ---- */

/* edges of a number's bins in box coordinates */
static double *
box_edges(const DpemSynthPlan *plan, const DpemSynthColumn *column)
{
	const DpemColumn *bound = dpem_binding_columns(plan->fit.binding)[column->first];
	double	   *edge = dpem_fit_allocate(column->bins);

	for (int i = 1; i < column->bins; i++)
		edge[i - 1] = dpem_synth_in_box(bound, column->edge[i]);
	return edge;
}

/* parameters of a group's pass, whose bins are where its own are */
static double *
write_tables(const DpemSynthPlan *plan, const DpemSynthRun *group)
{
	DpemTableSet set = plan->set;
	DpemTableColumn *column = palloc(plan->columns * sizeof(DpemTableColumn));
	double	   *theta;

	memcpy(column, plan->set.column, plan->columns * sizeof(DpemTableColumn));
	set.column = column;
	for (int c = 0; c < plan->columns; c++)
		column[c].edge = group->column[c].edge ? box_edges(plan, &group->column[c]) : NULL;
	theta = dpem_fit_allocate(dpem_tables_theta_length(&set));
	dpem_tables_write(&set, theta);
	return theta;
}

static void
count_tables(SynthFit *fit)
{
	const DpemSynthPlan *plan = fit->plan;
	int			groups = plan->fit.groups;
	DpemMomentLayout layout = {plan->cells, plan->fit.d, DPEM_COUNTS_ALONE};
	DpemRawMoments *raw;

	dpem_fit_report(fit->run, "tables", 0);
	for (int g = 0; g < groups; g++)
		fit->run->part[g].theta = write_tables(plan, &fit->group[g]);
	fit->run->pass.part = fit->run->part;
	raw = dpem_fit_scan(fit->run, &dpem_kernel_tables, &layout, fit->run->part[0].theta);
	fit->run->pass.part = NULL;
	if (plan->fit.noisy)
		fit->raw = raw;
	else
	{
		DpemNoisyMoments *exact = dpem_release_to_reader(fit->run->reader, raw);

		for (int g = 0; g < groups; g++)
			fit->group[g].exact = exact->value + (size_t) g * plan->cells;
	}
}

/* ---- released tables ---- */

/* without noise: the cells of a view */
static double *
exact_cells(const SynthFit *fit, int group, const DpemTableView *view)
{
	const DpemTable *table = &fit->plan->table[view->table];
	double	   *value = dpem_fit_allocate(view->cells);

	for (int i = 0; i < table->cells; i++)
		value[view->into ? view->into[i] : i] += fit->group[group].exact[table->first + i];
	return value;
}

/* n views of each group, group by group; *sd: the noise in a cell */
static double **
release_views(SynthFit *fit, int line, const DpemTableView *view, int n, DpemNoisyMoments **released)
{
	int			views = n * fit->plan->fit.groups;
	double	  **value = palloc(views * sizeof(double *));

	if (fit->plan->fit.noisy)
		*released = dpem_release_tables(fit->run->charge, fit->plan->line[line], fit->raw, &fit->plan->spec, view, n);
	for (int v = 0; v < views; v++)
		value[v] = fit->plan->fit.noisy ? (*released)[v].value : exact_cells(fit, v / n, &view[v]);
	return value;
}

/*
 * A released table that the model has no room for is left out: what was paid for is not lost with it.  expected: what the
 * model said of it; NULL: nothing.
 */
static void
keep(DpemSynthRun *run, DpemSynthTable table, double *value, int cells, double sd, const double *expected)
{
	DpemSynthReleased *r = &run->released;

	if (!dpem_synth_admits(&run->model, table, INFINITY))
		return;
	r->table[r->n] = table;
	r->sd[r->n] = sd;
	r->value[r->n++] = (DpemFieldArray) {cells, value};
	dpem_synth_require(dpem_synth_add(&run->model, table, value, sd, NULL));
	if (expected != NULL)
		dpem_synth_learn_ridge(&run->model, expected);
}

/* ---- one-way tables, groups of categories ---- */

static void
create_model(const DpemSynthPlan *plan, DpemSynthRun *run, const double *one_way)
{
	size_t		n = dpem_synth_levels_work(&plan->domain);
	double	   *sd = dpem_fit_allocate(plan->columns);
	DpemSynthDomain domain = plan->domain;

	domain.body = run->body;
	for (int c = 0; c < plan->columns; c++)
		sd[c] = dpem_synth_one_way_sd(plan, c);
	dpem_synth_require(dpem_synth_levels(&domain, one_way, sd, dpem_synth_measure_sd(plan),
										 &run->levels, dpem_fit_workspace(n)));
	dpem_synth_require(dpem_synth_model_init(&plan->shape, &run->levels, &run->model,
											 dpem_fit_workspace(dpem_synth_model_work(&plan->shape))));
	run->model.between = dpem_fit_pause;
	run->released.table = palloc(dpem_synth_most_released(plan) * sizeof(DpemSynthTable));
	run->released.sd = dpem_fit_allocate(dpem_synth_most_released(plan));
	run->released.value = palloc(dpem_synth_most_released(plan) * sizeof(DpemFieldArray));
}

/* the public number of rows, if what was released agrees with it; a row is in a cell of every table */
static void
take_public_rows(const DpemSynthPlan *plan, DpemSynthRun *run)
{
	double		told = 0;
	double		rows;

	for (int c = 0; c < plan->columns; c++)
		told += 1 / (plan->column[c].cells * pow(dpem_synth_one_way_sd(plan, c), 2));
	rows = dpem_known_rows(run->model.total, 1 / sqrt(told), plan->fit.public_rows);
	if (rows == plan->fit.public_rows)
		dpem_synth_set_total(&run->model, rows);
}

/* columns follow each other in a release, as the levels want them */
static void
take_one_way(const SynthFit *fit, int g, double **value)
{
	const DpemSynthPlan *plan = fit->plan;
	DpemSynthRun   *run = &fit->group[g];
	double	   *all;
	size_t		n = 0;

	for (int c = 0; c < plan->columns; c++)
		n += plan->column[c].cells;
	all = dpem_fit_allocate(n);
	n = 0;
	for (int c = 0; c < plan->columns; n += plan->column[c++].cells)
		memcpy(all + n, value[c], plan->column[c].cells * sizeof(double));
	create_model(plan, run, all);
	n = 0;
	for (int c = 0; c < plan->columns; n += plan->column[c++].cells)
		keep(run, (DpemSynthTable) {dpem_synth_column(c), 0}, all + n, plan->column[c].cells, dpem_synth_one_way_sd(plan, c), NULL);
	take_public_rows(plan, run);
}

static void
note_signal(SynthFit *fit, const DpemNoisyMoments *released)
{
	int			line = fit->plan->line[DPEM_SYNTH_ONE_WAY];

	for (int v = 0; fit->plan->fit.noisy && v < fit->plan->fit.groups * fit->plan->columns; v++)
	{
		dpem_signal_add(&fit->run->signal[v / fit->plan->columns], line, DPEM_NOISE_GAUSSIAN, true, &released[v]);
		dpem_signal_add_counts(&fit->run->signal[v / fit->plan->columns], &released[v]);
	}
}

static void
release_one_way(SynthFit *fit)
{
	int			columns = fit->plan->columns;
	int			groups = fit->plan->fit.groups;
	DpemTableView *view = palloc(groups * columns * sizeof(DpemTableView));
	DpemNoisyMoments *released = NULL;
	double	  **value;

	dpem_fit_report(fit->run, "one-way tables", 0);
	for (int v = 0; v < groups * columns; v++)
		view[v] = (DpemTableView) {.table = v % columns,.cells = fit->plan->table[v % columns].cells,.weight = fit->plan->column_weight[v % columns]};
	value = release_views(fit, DPEM_SYNTH_ONE_WAY, view, columns, &released);
	note_signal(fit, released);
	for (int g = 0; g < groups; g++)
		take_one_way(fit, g, value + g * columns);
}

/* ---- a round ---- */

/* without noise: the first of the best */
static int
choose_best(const SynthFit *fit, int group, const DpemTableCandidate *list, int n)
{
	int			best = -1;
	double		most = -INFINITY;

	for (int i = 0; i < n; i++)
	{
		double	   *value = exact_cells(fit, group, &list[i].view);
		double		score = 0;

		for (int j = 0; j < list[i].view.cells; j++)
			score += list[i].weight * fabs(value[j] - list[i].expected[j]);
		best = score > most ? i : best;
		most = fmax(score, most);
		pfree(value);
	}
	return best;
}

/* chosen[g]: number of a candidate of the group, -1: there is none */
static void
choose(SynthFit *fit, int round, int *chosen)
{
	const DpemSynthPlan *plan = fit->plan;
	int			groups = plan->fit.groups;
	DpemTableCandidate **list = palloc(groups * sizeof(DpemTableCandidate *));
	int		  **of = palloc(groups * sizeof(int *));
	int		   *n = palloc(groups * sizeof(int));

	for (int g = 0; g < groups; g++)
	{
		list[g] = palloc(Max(fit->group[g].n, 1) * sizeof(DpemTableCandidate));
		of[g] = palloc(Max(fit->group[g].n, 1) * sizeof(int));
		n[g] = dpem_synth_admitted(plan, &fit->group[g], round, list[g], of[g]);
		CHECK_FOR_INTERRUPTS();
	}
	if (plan->fit.noisy)
		dpem_release_table_choice(fit->run->charge, plan->line[DPEM_SYNTH_CHOICE], fit->raw, &plan->spec, plan->most_weight,
								  list, n, chosen);
	for (int g = 0; g < groups; g++)
	{
		if (!plan->fit.noisy)
			chosen[g] = choose_best(fit, g, list[g], n[g]);
		chosen[g] = chosen[g] < 0 ? -1 : of[g][chosen[g]];
		if (chosen[g] >= 0)
			fit->group[g].candidate[chosen[g]].chosen = true;
	}
}

/* where no table has room the first column is measured again: how many releases there are does not depend on it */
static DpemTableView
chosen_view(const SynthFit *fit, int g, int chosen, DpemSynthTable *table)
{
	const DpemSynthPlan *plan = fit->plan;
	const DpemSynthRun *run = &fit->group[g];

	if (chosen >= 0)
	{
		*table = (DpemSynthTable) {plan->candidate[run->candidate[chosen].number], run->candidate[chosen].level};
		return run->candidate[chosen].view;
	}
	*table = (DpemSynthTable) {dpem_synth_column(0), 0};
	return (DpemTableView) {.table = 0,.cells = plan->table[0].cells,.weight = 1};
}

static void
measure(SynthFit *fit, const int *chosen)
{
	int			groups = fit->plan->fit.groups;
	DpemTableView *view = palloc(groups * sizeof(DpemTableView));
	DpemSynthTable *table = palloc(groups * sizeof(DpemSynthTable));
	DpemNoisyMoments *released = NULL;
	double	  **value;

	for (int g = 0; g < groups; g++)
		view[g] = chosen_view(fit, g, chosen[g], &table[g]);
	value = release_views(fit, DPEM_SYNTH_MEASURE, view, 1, &released);
	for (int g = 0; g < groups; g++)
		keep(&fit->group[g], table[g], value[g], view[g].cells, dpem_synth_measure_sd(fit->plan),
			 chosen[g] >= 0 ? fit->group[g].candidate[chosen[g]].expected : NULL);
}

/* all tables of a round are chosen before one of them is measured */
static void
run_round(SynthFit *fit, int round)
{
	const DpemSynthPlan *plan = fit->plan;
	int			groups = plan->fit.groups;
	int			each = plan->schedule.each;
	int		   *chosen = palloc(groups * each * sizeof(int));

	dpem_fit_report(fit->run, "tables", round + 1);
	for (int g = 0; g < groups; g++)
		dpem_synth_expect(plan, &fit->group[g]);
	for (int i = 0; i < each; i++)
		choose(fit, round, chosen + i * groups);
	for (int i = 0; i < each; i++)
		measure(fit, chosen + i * groups);
	for (int g = 0; g < groups; g++)
		dpem_synth_require(dpem_synth_fit(&fit->group[g].model, plan->schedule.iterations, NULL));
}

/* all candidates, in their categories */
static void
measure_all(SynthFit *fit)
{
	const DpemSynthPlan *plan = fit->plan;
	int			n = plan->candidates;
	DpemTableView *view = palloc(plan->fit.groups * n * sizeof(DpemTableView));
	DpemNoisyMoments *released = NULL;
	double	  **value;

	for (int v = 0; v < plan->fit.groups * n; v++)
		view[v] = (DpemTableView) {.table = plan->columns + v % n,.cells = plan->table[plan->columns + v % n].cells,.weight = 1};
	value = release_views(fit, DPEM_SYNTH_MEASURE, view, n, &released);
	for (int g = 0; g < plan->fit.groups; g++)
		dpem_synth_take_in(plan, &fit->group[g], value + g * n);
}

void
dpem_synth_run(DpemFitRun *run, DpemFitted *fitted)
{
	const DpemSynthPlan *plan = (const DpemSynthPlan *) run->plan;
	SynthFit	fit = {.run = run,.plan = plan,.group = palloc0(plan->fit.groups * sizeof(DpemSynthRun))};

	dpem_synth_look(run, plan, fit.group);
	count_tables(&fit);
	release_one_way(&fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_synth_require(dpem_synth_fit(&fit.group[g].model, plan->schedule.iterations, NULL));
		dpem_synth_create_candidates(plan, &fit.group[g]);
	}
	if (plan->schedule.at_once)
		measure_all(&fit);
	for (int round = 0; round < plan->schedule.rounds && !plan->schedule.at_once; round++)
		run_round(&fit, round);
	if (fit.raw != NULL)
		dpem_release_tables_end(fit.raw);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_synth_require(dpem_synth_fit(&fit.group[g].model, plan->schedule.last_iterations, NULL));
		dpem_synth_store(plan, fit.group[g].column, &fit.group[g].released, &fit.group[g].levels, &fit.group[g].model, &fitted->model[g]);
	}
}
