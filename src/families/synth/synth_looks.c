/*
 * synth_looks.c - looks at numbers, which say where their bins are to be (core/synth/synth_place.h).
 *
 * A look is a pass that counts these columns in a few bins, the first time equal ones, later those that the look before has
 * placed, and a release of them; the last one places the bins of the fit.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/kernel.h"
#include "core/synth/synth_place.h"
#include "core/synth/synth_rules.h"
#include "families/synth/synth_run.h"
#include "server/fit_memory.h"

/* ---- the plan ---- */

static void
describe_columns(DpemSynthPlan *plan)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	DpemSynthLooks *looks = &plan->looks;

	looks->fine = palloc0(looks->columns * sizeof(DpemSynthColumn));
	for (int i = 0; i < looks->columns; i++)
	{
		DpemSynthColumn *column = &plan->column[looks->column[i]];

		looks->fine[i].first = column->first;
		dpem_synth_set_number(bound[column->first], dpem_synth_parts(bound[column->first]), &looks->fine[i]);
		/* where whole numbers have been put together they have been so in both */
		column->lower = looks->fine[i].lower;
		column->upper = looks->fine[i].upper;
		column->whole = looks->fine[i].whole;
	}
}

/* one-way tables of them, in as many bins as a look has */
static void
describe_tables(DpemSynthPlan *plan)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	DpemSynthLooks *looks = &plan->looks;
	DpemTableColumn *of = palloc(looks->columns * sizeof(DpemTableColumn));
	DpemTable  *table = palloc0(looks->columns * sizeof(DpemTable));

	for (int i = 0; i < looks->columns; i++)
	{
		int			bins = Min(looks->bins, looks->fine[i].bins);

		of[i] = dpem_synth_table_column(bound[looks->fine[i].first], &looks->fine[i], plan->set.column[looks->column[i]].known);
		of[i].cells = bins + looks->fine[i].cells - looks->fine[i].bins;
		table[i] = (DpemTable) {.order = 1,.column = {i}};
	}
	looks->cells = dpem_tables_arrange(of, looks->columns, table, looks->columns);
	looks->set = (DpemTableSet) {plan->fit.clip_norm, looks->columns, looks->columns, of, table};
}

/* in a bin of a look that had all of the budget, in parts of the rows, as far as their number is public */
static double
whole_noise(const DpemSynthPlan *plan)
{
	double		rows = dpem_supposed_rows(plan->fit.public_rows) / plan->fit.groups;
	double		sensitivity = dpem_release_tables_sensitivity(&plan->spec, plan->looks.columns);

	return plan->fit.noisy ? dpem_fit_exact_multiplier(&plan->fit, 1) * sqrt(dpem_synth_place_rules.looks) * sensitivity / rows : DPEM_SYNTH_EXACT_SD / rows;
}

/* equal bins, as if they had been asked for */
static void
give_up(DpemSynthPlan *plan)
{
	const DpemColumn **bound = dpem_binding_columns(plan->fit.binding);
	DpemTableColumn *of = unconstify(DpemTableColumn *, plan->set.column);

	for (int i = 0; i < plan->looks.columns; i++)
	{
		int			c = plan->looks.column[i];
		int			known = of[c].known;

		dpem_synth_set_number(bound[plan->column[c].first], plan->bins, &plan->column[c]);
		of[c] = dpem_synth_table_column(bound[plan->column[c].first], &plan->column[c], known);
	}
	plan->looks.columns = 0;
	plan->looks.share = 0;
}

void
dpem_synth_plan_looks(DpemSynthPlan *plan)
{
	DpemSynthLooks *looks = &plan->looks;
	double		noise;

	if (looks->columns == 0)
		return;
	noise = whole_noise(plan);
	looks->share = dpem_synth_look_share(noise);
	if (looks->share == 0)
	{
		give_up(plan);
		return;
	}
	looks->bins = dpem_synth_look_bins(noise / sqrt(looks->share));
	describe_columns(plan);
	describe_tables(plan);
	if ((double) looks->cells * plan->fit.groups > DPEM_TABLES_MAX_CELLS)
		give_up(plan);
}

/* ---- the run ---- */

typedef struct Looks
{
	DpemFitRun *run;
	const DpemSynthPlan *plan;
	DpemSynthBins *bins;		/* columns of each group */
} Looks;

/* parameters of a group's pass */
static double *
write_bins(const Looks *l, int group)
{
	const DpemSynthLooks *looks = &l->plan->looks;
	const DpemColumn **bound = dpem_binding_columns(l->plan->fit.binding);
	DpemTableColumn *column = palloc(looks->columns * sizeof(DpemTableColumn));
	DpemTableSet set = looks->set;
	double	   *theta;

	memcpy(column, looks->set.column, looks->columns * sizeof(DpemTableColumn));
	set.column = column;
	for (int i = 0; i < looks->columns; i++)
	{
		const DpemSynthBins *bins = &l->bins[group * looks->columns + i];
		double	   *edge = dpem_fit_allocate(bins->bins);

		for (int b = 1; b < bins->bins; b++)
			edge[b - 1] = dpem_synth_in_box(bound[looks->fine[i].first], dpem_synth_edge(&looks->fine[i], bins->edge[b]));
		column[i].edge = edge;
	}
	theta = dpem_fit_allocate(dpem_tables_theta_length(&set));
	dpem_tables_write(&set, theta);
	return theta;
}

static DpemRawMoments *
count_bins(Looks *l, int number)
{
	int			groups = l->plan->fit.groups;
	DpemMomentLayout layout = {l->plan->looks.cells, l->plan->fit.d, DPEM_COUNTS_ALONE};
	DpemRawMoments *raw;

	dpem_fit_report(l->run, "margins", number + 1);
	for (int g = 0; g < groups; g++)
		l->run->part[g].theta = write_bins(l, g);
	l->run->pass.part = l->run->part;
	raw = dpem_fit_scan(l->run, &dpem_kernel_tables, &layout, l->run->part[0].theta);
	l->run->pass.part = NULL;
	return raw;
}

/* of each column of each group its cells, and the noise in one */
static double **
release_bins(Looks *l, DpemRawMoments *raw, double *sd)
{
	const DpemSynthLooks *looks = &l->plan->looks;
	int			n = looks->columns;
	int			views = n * l->plan->fit.groups;
	DpemTableView *view = palloc(views * sizeof(DpemTableView));
	double	  **count = palloc(views * sizeof(double *));

	for (int v = 0; v < views; v++)
		view[v] = (DpemTableView) {.table = v % n,.cells = looks->set.table[v % n].cells,.weight = 1};
	if (l->plan->fit.noisy)
	{
		DpemNoisyMoments *m = dpem_release_tables(l->run->charge, l->plan->line[DPEM_SYNTH_LOOKS], raw, &l->plan->spec, view, n);

		dpem_release_tables_end(raw);
		for (int v = 0; v < views; v++)
			count[v] = m[v].value;
		*sd = m[0].count_sd;
		return count;
	}
	*sd = DPEM_SYNTH_EXACT_SD;
	count[0] = dpem_release_to_reader(l->run->reader, raw)->value;
	for (int v = 1; v < views; v++)
		count[v] = count[v - 1] + view[v - 1].cells;
	return count;
}

/* places as many bins of each column as the next look, or the fit, has */
static void
look(Looks *l, int number)
{
	const DpemSynthLooks *looks = &l->plan->looks;
	bool		last = number == dpem_synth_place_rules.looks - 1;
	double		sd;
	double	  **count = release_bins(l, count_bins(l, number), &sd);

	for (int v = 0; v < looks->columns * l->plan->fit.groups; v++)
	{
		DpemSynthBins from = l->bins[v];
		int			bins = last ? l->plan->column[looks->column[v % looks->columns]].bins : from.bins;

		if (last)
			dpem_synth_place_last(&from, count[v], sd, bins, &l->bins[v]);
		else
			dpem_synth_place(&from, count[v], sd, bins, &l->bins[v]);
	}
}

static void
place_column(const DpemSynthColumn *fine, const DpemSynthBins *bins, DpemSynthColumn *column)
{
	double	   *edge = dpem_fit_allocate(bins->bins + 1);

	for (int i = 0; i <= bins->bins; i++)
		edge[i] = dpem_synth_edge(fine, bins->edge[i]);
	column->edge = edge;
}

static void
take_places(const Looks *l, DpemSynthRun *group)
{
	const DpemSynthLooks *looks = &l->plan->looks;

	for (int v = 0; v < looks->columns * l->plan->fit.groups; v++)
	{
		DpemSynthRun *run = &group[v / looks->columns];
		int			c = looks->column[v % looks->columns];

		place_column(&looks->fine[v % looks->columns], &l->bins[v], &run->column[c]);
		run->body[c].bins = l->bins[v].bins;
		memcpy(run->body[c].empty, l->bins[v].empty, sizeof(run->body[c].empty));
	}
}

static void
look_at_numbers(DpemFitRun *run, const DpemSynthPlan *plan, DpemSynthRun *group)
{
	int			views = plan->looks.columns * plan->fit.groups;
	Looks		l = {.run = run,.plan = plan,.bins = palloc(views * sizeof(DpemSynthBins))};

	for (int v = 0; v < views; v++)
	{
		int			parts = plan->looks.fine[v % plan->looks.columns].bins;

		dpem_synth_equal_bins(parts, Min(plan->looks.bins, parts), &l.bins[v]);
	}
	for (int i = 0; i < dpem_synth_place_rules.looks; i++)
		look(&l, i);
	take_places(&l, group);
}

void
dpem_synth_look(DpemFitRun *run, const DpemSynthPlan *plan, DpemSynthRun *group)
{
	for (int g = 0; g < plan->fit.groups; g++)
	{
		group[g].column = palloc(plan->columns * sizeof(DpemSynthColumn));
		memcpy(group[g].column, plan->column, plan->columns * sizeof(DpemSynthColumn));
		group[g].body = palloc0(plan->columns * sizeof(DpemSynthBody));
	}
	if (plan->looks.columns > 0)
		look_at_numbers(run, plan, group);
}
