/*
 * bayes_fit.c - the pass of a naive Bayes classifier, and what its counts say.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/gam/gam_bins.h"
#include "families/bayes/bayes.h"
#include "server/fit_memory.h"

DpemNoisyMoments *
dpem_bayes_count(DpemFitRun *fit, const DpemBayesPlan *plan)
{
	double	   *theta = dpem_fit_allocate(dpem_class_cells_theta_length(&plan->cells));

	dpem_fit_report(fit, "counts by class", 0);
	dpem_class_cells_write(&plan->cells, theta);
	for (int g = 0; g < plan->fit.groups; g++)
		fit->part[g].theta = theta;
	return dpem_fit_release_stage_groups(fit, DPEM_BAYES_COUNTS, &dpem_kernel_class_cells, &plan->layout);
}

/* marks of known size were added up */
DpemBayesCounts
dpem_bayes_counts(const DpemBayesPlan *plan, const DpemNoisyMoments *m)
{
	const DpemClassCells *cells = &plan->cells;
	size_t		places = dpem_class_cells_places(cells);
	double		mark = dpem_class_cells_mark(cells);
	double	   *count = dpem_fit_allocate(places);
	int		   *length = palloc(cells->columns * sizeof(int));
	bool	   *ordered = palloc(cells->columns * sizeof(bool));
	bool	   *complete = palloc(cells->columns * sizeof(bool));

	for (size_t i = 0; i < places; i++)
		count[i] = m->value[dpem_class_cells_at(&plan->layout, i)] / mark;
	for (int j = 0; j < cells->columns; j++)
	{
		length[j] = cells->column[j].cells;
		ordered[j] = cells->column[j].known != DPEM_CELLS_OF_LABEL;
		complete[j] = cells->column[j].known == DPEM_CELLS_ALWAYS;
	}
	return (DpemBayesCounts) {
		.classes = cells->classes,.columns = cells->columns,.cells = (int) dpem_class_cells_number(cells),
			.length = length,.ordered = ordered,.complete = complete,.sd = m->sum_sd / mark,.count = count
	};
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
	size_t		n = 0;

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
	model->value[DPEM_BAYES_LABEL] = &plan->fit.binding->target->name;
	model->value[DPEM_BAYES_COORDINATE] = place;
	model->value[DPEM_BAYES_LOWER] = place + model->cells;
	model->value[DPEM_BAYES_UPPER] = place + 2 * model->cells;
}

static void
finish(const DpemBayesPlan *plan, const DpemNoisyMoments *m, DpemModel *model)
{
	DpemBayesCounts counts = dpem_bayes_counts(plan, m);
	size_t		classes = (size_t) counts.classes;
	DpemBayes	bayes = {
		.weight = dpem_fit_allocate(classes),.weight_noise = dpem_fit_allocate(classes),.noise = dpem_fit_allocate(classes),
		.probability = dpem_fit_allocate(classes * counts.cells)
	};

	dpem_bayes_estimate(&counts, &bayes, dpem_fit_workspace(dpem_bayes_estimate_work(&counts)));
	model->k = counts.classes;
	model->d = dpem_binding_source_dimension(plan->fit.binding);
	model->cells = counts.cells;
	model->value[DPEM_BAYES_CATEGORY] = plan->fit.binding->target->words;
	model->value[DPEM_BAYES_WEIGHT] = bayes.weight;
	model->value[DPEM_BAYES_WEIGHT_NOISE] = bayes.weight_noise;
	model->value[DPEM_BAYES_PROBABILITY] = bayes.probability;
	model->value[DPEM_BAYES_NOISE] = bayes.noise;
	describe_cells(plan, model);
}

/* every row that counts is of a class */
static void
note_rows(DpemFitRun *fit, int group, const DpemBayesPlan *plan, const DpemNoisyMoments *m)
{
	DpemBayesCounts counts = dpem_bayes_counts(plan, m);
	double		rows = 0;

	for (int k = 0; k < counts.classes; k++)
		rows += counts.count[(size_t) k * (1 + counts.cells)];
	dpem_fit_note_rows(fit, group, rows, counts.sd * sqrt(counts.classes));
}

void
dpem_bayes_run(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemBayesPlan *plan = (const DpemBayesPlan *) fit->plan;
	DpemNoisyMoments *m = dpem_bayes_count(fit, plan);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		CHECK_FOR_INTERRUPTS();
		note_rows(fit, g, plan, &m[g]);
		finish(plan, &m[g], &fitted->model[g]);
	}
}
