/*
 * bayes_fit.c - the pass of a naive Bayes classifier, and what its counts say.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/bayes/bayes_power.h"
#include "core/bayes/cell_join.h"
#include "core/bayes/class_pairs.h"
#include "core/gam/gam_bins.h"
#include "families/bayes/bayes.h"
#include "server/fit_memory.h"

static DpemMomentLayout
layout_of(const DpemBayesPlan *plan, const DpemClassCells *cells)
{
	return (DpemMomentLayout) {dpem_class_cells_components(cells, plan->fit.d), plan->fit.d, DPEM_SECOND_NONE};
}

DpemNoisyMoments *
dpem_bayes_count(DpemFitRun *fit, const DpemBayesPlan *plan, int stage, const DpemClassCells *cells)
{
	double	   *theta = dpem_fit_allocate(dpem_class_cells_theta_length(cells));
	DpemMomentLayout layout = layout_of(plan, cells);

	dpem_fit_report(fit, plan->fit.stage[stage].statistic, plan->fit.iterations < 2 ? 0 : stage + (plan->bins.columns > 0));
	dpem_class_cells_write(cells, theta);
	for (int g = 0; g < plan->fit.groups; g++)
		fit->part[g].theta = theta;
	return dpem_fit_release_stage_groups(fit, stage, &dpem_kernel_class_cells, &layout);
}

/* counts that nothing is known of yet */
static DpemBayesCounts
shape_of(const DpemClassCells *cells)
{
	int		   *length = palloc(cells->columns * sizeof(int));
	bool	   *ordered = palloc(cells->columns * sizeof(bool));
	bool	   *complete = palloc(cells->columns * sizeof(bool));

	for (int j = 0; j < cells->columns; j++)
	{
		length[j] = cells->column[j].cells;
		ordered[j] = cells->column[j].known != DPEM_CELLS_OF_LABEL;
		complete[j] = cells->column[j].known == DPEM_CELLS_ALWAYS;
	}
	return (DpemBayesCounts) {
		.classes = dpem_class_cells_apart(cells),.columns = cells->columns,.cells = (int) dpem_class_cells_number(cells),
			.length = length,.ordered = ordered,.complete = complete
	};
}

/* marks of known size were added up */
DpemBayesCounts
dpem_bayes_counts(const DpemBayesPlan *plan, const DpemClassCells *cells, const DpemNoisyMoments *m)
{
	DpemBayesCounts counts = shape_of(cells);
	DpemMomentLayout layout = layout_of(plan, cells);
	size_t		places = dpem_class_cells_places(cells);
	double		mark = dpem_class_cells_mark(cells);
	double	   *count = dpem_fit_allocate(places);

	for (size_t i = 0; i < places; i++)
		count[i] = m->value[dpem_class_cells_at(&layout, i)] / mark;
	counts.count = count;
	counts.sd = m->sum_sd / mark;
	return counts;
}

/* border i of a number's parts, in its own unit */
static double
border_of(const DpemColumn *column, const DpemCellColumn *cells, int i)
{
	DpemScaledDomain domain = {column->scale, column->lower, column->upper};

	return dpem_gam_bound(&domain, cells->edge, cells->cells, i);
}

/* where each cell is */
static void
describe_cells(const DpemBayesPlan *plan, DpemModel *model)
{
	const DpemClassCells *cells = &plan->cells;
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);
	double	   *place = dpem_fit_allocate(3 * (size_t) model->cells);
	double	   *power = dpem_fit_allocate(1);
	size_t		n = 0;

	*power = 1;
	for (int j = 0; j < cells->columns; j++)
	{
		DpemCellColumn at = cells->column[j];
		bool		number = at.known != DPEM_CELLS_OF_LABEL;

		for (int i = 0; i < at.cells; i++, n++)
		{
			place[n] = at.first + 1 + (number ? 0 : i);
			place[model->cells + n] = number ? border_of(column[at.first], &at, i) : 0;
			place[2 * model->cells + n] = number ? border_of(column[at.first], &at, i + 1) : 0;
		}
	}
	model->value[DPEM_BAYES_POWER] = power;
	model->value[DPEM_BAYES_LABEL] = &plan->fit.binding->target->name;
	model->value[DPEM_BAYES_COORDINATE] = place;
	model->value[DPEM_BAYES_LOWER] = place + model->cells;
	model->value[DPEM_BAYES_UPPER] = place + 2 * model->cells;
}

/* what is counted by class, which follows from the first release, if there is one */
typedef struct Joined
{
	DpemBayesCounts all;		/* shape of the plan's cells */
	DpemCellJoin join;			/* rows: the mean of all groups, 0 of labels */
	DpemClassCells cells;		/* that are left */
} Joined;

/* rows of numbers' parts, at the places of the plan's cells */
static void
take_bins(const DpemBayesPlan *plan, const DpemBayesCounts *released, double *rows)
{
	const double *count = released->count + 1;

	for (int j = 0; j < plan->cells.columns; rows += plan->cells.column[j++].cells)
		for (int i = 0; i < plan->cells.column[j].cells && plan->cells.column[j].known != DPEM_CELLS_OF_LABEL; i++)
			rows[i] += *count++ / plan->fit.groups;
}

/* edges that are left between the parts of a number, of which place says where they went */
static DpemCellColumn
join_column(const DpemCellColumn *column, const int *place, int left)
{
	DpemCellColumn joined = *column;
	double	   *edge = dpem_fit_allocate(left);
	int			n = 0;

	joined.cells = left;
	joined.edge = edge;
	for (int i = 1; i < column->cells && column->known != DPEM_CELLS_OF_LABEL; i++)
		if (place[i] != place[i - 1])
			edge[n++] = column->edge[i - 1];
	return joined;
}

static void
describe_joined(const DpemBayesPlan *plan, Joined *joined)
{
	DpemCellColumn *column = palloc(plan->cells.columns * sizeof(DpemCellColumn));
	int			at = 0;

	joined->cells = plan->cells;
	joined->cells.columns = 0;
	joined->cells.column = column;
	for (int j = 0; j < plan->cells.columns; at += plan->cells.column[j++].cells)
		if (joined->join.left[j] > 0)
			column[joined->cells.columns++] = join_column(&plan->cells.column[j], joined->join.place + at, joined->join.left[j]);
}

/* standard deviation of the noise in a count by class, if no column is left out */
static double
noise_to_come(const DpemBayesPlan *plan)
{
	const DpemFitStage *stage = &plan->fit.stage[DPEM_BAYES_COUNTS];

	return dpem_fit_stage_multiplier(&plan->fit, DPEM_BAYES_COUNTS) * dpem_release_sensitivity(&stage->spec, stage->layout.k, stage->layout.d) /
		dpem_class_cells_mark(&plan->cells);
}

static Joined
join_cells(DpemFitRun *fit, const DpemBayesPlan *plan)
{
	DpemBayesCounts all = shape_of(&plan->cells);
	Joined		joined = {.all = all,.join = {palloc(all.cells * sizeof(int)), palloc(all.columns * sizeof(int)), dpem_fit_allocate(all.cells), 0}};

	dpem_cells_apart(&all, &joined.join);
	if (plan->bins.columns > 0)
	{
		DpemNoisyMoments *m = dpem_bayes_count(fit, plan, DPEM_BAYES_BINS, &plan->bins);

		for (int g = 0; g < plan->fit.groups; g++)
		{
			DpemBayesCounts released = dpem_bayes_counts(plan, &plan->bins, &m[g]);

			take_bins(plan, &released, joined.join.rows);
			joined.join.sd = released.sd / sqrt(plan->fit.groups);
		}
		dpem_cells_join(&all, noise_to_come(plan), &joined.join, dpem_fit_workspace(dpem_cells_join_work(&all)));
	}
	describe_joined(plan, &joined);
	return joined;
}

static DpemBayes
create_bayes(int classes, int cells)
{
	return (DpemBayes) {
		.weight = dpem_fit_allocate(classes),.weight_noise = dpem_fit_allocate(classes),.noise = dpem_fit_allocate(classes),
			.probability = dpem_fit_allocate((size_t) classes * cells)
	};
}

static void
finish(const DpemBayesPlan *plan, const Joined *joined, const DpemBayesCounts *counts, DpemModel *model)
{
	DpemBayes	left = create_bayes(counts->classes, counts->cells);
	DpemBayes	bayes = create_bayes(counts->classes, joined->all.cells);

	dpem_bayes_estimate(counts, &left, dpem_fit_workspace(dpem_bayes_estimate_work(counts)));
	dpem_cells_part(&joined->all, &joined->join, &left, counts->cells, &bayes);
	model->k = counts->classes;
	model->d = dpem_binding_source_dimension(plan->fit.binding);
	model->cells = joined->all.cells;
	model->value[DPEM_BAYES_CATEGORY] = plan->fit.binding->target->words;
	model->value[DPEM_BAYES_WEIGHT] = bayes.weight;
	model->value[DPEM_BAYES_WEIGHT_NOISE] = bayes.weight_noise;
	model->value[DPEM_BAYES_PROBABILITY] = bayes.probability;
	model->value[DPEM_BAYES_NOISE] = bayes.noise;
	describe_cells(plan, model);
}

/* every row that counts is of a class */
static void
note_rows(DpemFitRun *fit, int group, const DpemBayesCounts *counts)
{
	double		rows = 0;

	for (int k = 0; k < counts->classes; k++)
		rows += counts->count[(size_t) k * (1 + counts->cells)];
	dpem_fit_note_rows(fit, group, rows, counts->sd * sqrt(counts->classes));
}

static const double *
pairs_theta(const DpemBayesPlan *plan, const DpemModel *model)
{
	DpemClassPairs pairs = {plan->cells, dpem_model_numbers(model, DPEM_BAYES_WEIGHT), dpem_model_numbers(model, DPEM_BAYES_PROBABILITY)};
	double	   *theta = dpem_fit_allocate(dpem_class_pairs_theta_length(&pairs));

	dpem_class_pairs_write(&pairs, theta);
	return theta;
}

/* how far columns, of which so many are counted by class, repeat each other in the rows of every group */
static void
find_powers(DpemFitRun *fit, const DpemBayesPlan *plan, int columns, DpemFitted *fitted)
{
	DpemMomentLayout layout = {dpem_class_pairs_places(plan->cells.classes), plan->fit.d, DPEM_COUNTS_ALONE};
	DpemNoisyMoments *m;

	dpem_fit_report(fit, plan->fit.stage[DPEM_BAYES_PAIRS].statistic, plan->fit.iterations);
	for (int g = 0; g < plan->fit.groups; g++)
		fit->part[g].theta = pairs_theta(plan, &fitted->model[g]);
	m = dpem_fit_release_stage_groups(fit, DPEM_BAYES_PAIRS, &dpem_kernel_class_pairs, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		const DpemModel *model = &fitted->model[g];
		DpemPairCounts counts = {plan->cells.classes, columns, dpem_model_numbers(model, DPEM_BAYES_WEIGHT), m[g].value, m[g].count_sd};

		*dpem_model_numbers(model, DPEM_BAYES_POWER) = dpem_bayes_power(&counts);
	}
}

void
dpem_bayes_run(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemBayesPlan *plan = (const DpemBayesPlan *) fit->plan;
	Joined		joined = join_cells(fit, plan);
	DpemNoisyMoments *m = dpem_bayes_count(fit, plan, DPEM_BAYES_COUNTS, &joined.cells);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		DpemBayesCounts counts = dpem_bayes_counts(plan, &joined.cells, &m[g]);

		CHECK_FOR_INTERRUPTS();
		note_rows(fit, g, &counts);
		finish(plan, &joined, &counts, &fitted->model[g]);
	}
	if (plan->powered)
		find_powers(fit, plan, joined.cells.columns, fitted);
}
