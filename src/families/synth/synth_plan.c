/*
 * synth_plan.c - what a fit of marginals will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/accountant.h"
#include "core/synth/synth_rules.h"
#include "families/synth/synth.h"
#include "fit/fit_arguments.h"

#define MOST_MEMORY	(1e9 / sizeof(double))	/* numbers of the models of all groups */
#define NUMBERS_PER_CELL 10	/* of a junction tree, and more */
#define MOST_MEASURED 2e6		/* cells of the measured tables of a model */

static double
factor_of(const DpemSynthPlan *plan)
{
	return dpem_release_tables_sensitivity(&plan->spec, 1);
}

static double
multiplier_of(const DpemSynthPlan *plan, int line)
{
	return plan->fit.charge.lines[plan->line[line]].noise_multiplier;
}

double
dpem_synth_one_way_sd(const DpemSynthPlan *plan, int column)
{
	return plan->fit.noisy ? multiplier_of(plan, DPEM_SYNTH_ONE_WAY) * sqrt(plan->columns) * factor_of(plan) / plan->column_weight[column] : DPEM_SYNTH_EXACT_SD;
}

/* tables of one release of those that are measured */
static int
measured_together(const DpemSynthPlan *plan)
{
	return plan->schedule.at_once ? plan->candidates : 1;
}

double
dpem_synth_measure_sd(const DpemSynthPlan *plan)
{
	return plan->fit.noisy && plan->line[DPEM_SYNTH_MEASURE] >= 0
		? multiplier_of(plan, DPEM_SYNTH_MEASURE) * dpem_release_tables_sensitivity(&plan->spec, measured_together(plan)) : DPEM_SYNTH_EXACT_SD;
}

int
dpem_synth_most_released(const DpemSynthPlan *plan)
{
	return plan->columns + (plan->schedule.at_once ? plan->candidates : plan->schedule.rounds * plan->schedule.each);
}

static void
set_schedule(DpemSynthPlan *plan, int rounds)
{
	double		mu = 10;

	if (plan->candidates == 0)
	{
		plan->schedule = (DpemSynthSchedule) {.each = 1,.one_way = 1,.choice = 1,.measure = 1,.last_iterations = 100,.cells = plan->cells};
		plan->fit.iterations = 1;
		return;
	}
	if (plan->fit.noisy)
		(void) dpem_gdp_mu(plan->fit.request->epsilon, dpem_fit_noise_delta(&plan->fit), &mu);
	mu *= sqrt(1 - plan->looks.share);
	if (dpem_synth_schedule(&plan->domain, plan->candidate, plan->candidates, plan->fit.public_rows, mu, rounds, &plan->schedule) != DPEM_OK)
		elog(ERROR, "dpem: no schedule of a fit of marginals");
	plan->fit.iterations = plan->schedule.rounds;
}

/* largest of the tables that a round may measure, all their categories apart: candidates, and the first column */
static double
largest_table(const DpemSynthPlan *plan)
{
	double		most = plan->table[0].cells;

	for (int t = plan->columns; t < plan->set.tables; t++)
		most = fmax(most, plan->table[t].cells);
	return most;
}

/* no larger than a table of all columns, nor than leaves memory for the other groups */
static double
tree_cells(const DpemSynthPlan *plan)
{
	DpemSynthSet all = 0;

	for (int c = 0; c < plan->columns; c++)
		all |= dpem_synth_column(c);
	return fmin(fmin(plan->schedule.cells, dpem_synth_cells(plan->domain.size, all)),
				MOST_MEMORY / (NUMBERS_PER_CELL * DPEM_SYNTH_ROOM * plan->fit.groups));
}

static void
set_shape(DpemSynthPlan *plan)
{
	int			measured = plan->schedule.rounds * plan->schedule.each;
	double		one_way = 0;
	size_t		numbers;

	if (plan->columns + measured > DPEM_SYNTH_TABLES)
		dpem_refuse_argument(psprintf("rounds must be at most %d with %d columns, not %d", DPEM_SYNTH_TABLES - plan->columns, plan->columns, measured),
							 "Ask for fewer rounds.");
	plan->schedule.cells = tree_cells(plan);
	for (int c = 0; c < plan->columns; c++)
		one_way += plan->column[c].cells;
	plan->shape = (DpemSynthShape) {
		.columns = plan->columns,.tables = plan->columns + measured,
			.table_cells = one_way + fmin(MOST_MEASURED, measured * largest_table(plan)),
			.tree_cells = DPEM_SYNTH_ROOM * fmax(plan->schedule.cells, one_way)
	};
	numbers = dpem_synth_model_work(&plan->shape);
	if ((double) numbers * plan->fit.groups > MOST_MEMORY)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("models of %d groups with a junction tree of %.0f cells each take %.0f MB, and at most %.0f", plan->fit.groups,
						plan->shape.tree_cells, (double) numbers * plan->fit.groups * sizeof(double) / 1e6, MOST_MEMORY * sizeof(double) / 1e6),
				 errhint("Leave out by, or ask for fewer columns or bins.")));
}

static const DpemMechanism mechanism[DPEM_SYNTH_LINES] = {
	DPEM_MECHANISM_GAUSSIAN, DPEM_MECHANISM_GAUSSIAN, DPEM_MECHANISM_EXPONENTIAL, DPEM_MECHANISM_GAUSSIAN
};

static const char *
statistic_of(const DpemSynthPlan *plan, int line)
{
	static const char *const name[DPEM_SYNTH_LINES] = {"margins", "one-way tables", "choices of tables", "chosen tables"};

	return line == DPEM_SYNTH_MEASURE && plan->schedule.at_once ? "all tables" : name[line];
}

/* square of the weight of the column with most noise */
static double
least_weight2(const DpemSynthPlan *plan)
{
	double		least = plan->column_weight[0];

	for (int c = 1; c < plan->columns; c++)
		least = fmin(least, plan->column_weight[c]);
	return least * least;
}

/* what is released, and which line of the charge it is: multipliers in the schedule's ratios; returns their number */
static int
cost_lines(const DpemSynthPlan *plan, DpemCostLine *cost, int *line)
{
	const DpemSynthSchedule *s = &plan->schedule;
	int			measured = s->at_once ? 1 : s->rounds * s->each;
	int			n = 0;

	/* the others' squared multipliers have inverses of sum 1 (dpem_synth_schedule) */
	if (plan->looks.columns > 0)
	{
		line[n] = DPEM_SYNTH_LOOKS;
		cost[n++] = dpem_cost_line(DPEM_COST_GAUSSIAN, sqrt(dpem_synth_place_rules.looks * (1 - plan->looks.share) / plan->looks.share), dpem_synth_place_rules.looks);
	}
	line[n] = DPEM_SYNTH_ONE_WAY;
	cost[n++] = dpem_cost_line(DPEM_COST_GAUSSIAN, s->one_way, 1);
	if (measured > 0 && !s->at_once)
	{
		line[n] = DPEM_SYNTH_CHOICE;
		cost[n++] = dpem_cost_line(DPEM_COST_CHOICE, s->choice, measured);
	}
	if (measured > 0)
	{
		line[n] = DPEM_SYNTH_MEASURE;
		cost[n++] = dpem_cost_line(DPEM_COST_GAUSSIAN, s->measure, measured);
	}
	return n;
}

/* tables of a release of that line, by which its noise is found */
static double
released_together(const DpemSynthPlan *plan, int line)
{
	return line == DPEM_SYNTH_LOOKS ? plan->looks.columns : line == DPEM_SYNTH_ONE_WAY ? plan->columns : measured_together(plan);
}

static void
check_drawable(const DpemSynthPlan *plan, int line, double multiplier)
{
	if (line == DPEM_SYNTH_ONE_WAY)
		dpem_release_tables_check(&plan->spec, plan->columns / least_weight2(plan), multiplier);
	else if (line == DPEM_SYNTH_CHOICE)
		dpem_release_table_choice_check(&plan->spec, plan->most_weight, multiplier);
	else
		dpem_release_tables_check(&plan->spec, released_together(plan, line), multiplier);
}

/* all multiplied until the whole costs the budget */
static void
add_lines(DpemSynthPlan *plan)
{
	DpemCostLine cost[DPEM_SYNTH_LINES];
	int			line[DPEM_SYNTH_LINES];
	int			n = cost_lines(plan, cost, line);

	for (int i = 0; i < DPEM_SYNTH_LINES; i++)
		plan->line[i] = -1;
	if (!plan->fit.noisy)
		return;
	dpem_fit_scale_lines(&plan->fit, cost, n);
	for (int i = 0; i < n; i++)
	{
		check_drawable(plan, line[i], cost[i].noise_multiplier);
		plan->line[line[i]] = dpem_fit_add_line(&plan->fit, statistic_of(plan, line[i]), mechanism[line[i]], &cost[i]);
	}
}

DpemFitPlan *
dpem_synth_plan(const DpemFitRequest *request)
{
	const DpemSynthRequest *own = (const DpemSynthRequest *) request;
	DpemSynthPlan *plan = palloc0(sizeof(DpemSynthPlan));

	dpem_fit_plan_init(&plan->fit, request);
	plan->spec = (DpemTablesSpec) {plan->fit.groups, plan->fit.dataset->replace_one, plan->fit.dataset->max_rows_per_unit};
	dpem_synth_plan_domain(plan, own);
	plan->fit.one_pass = plan->looks.columns == 0;
	set_schedule(plan, own->rounds);
	set_shape(plan);
	add_lines(plan);
	return &plan->fit;
}

void
dpem_synth_forecast(const DpemFitPlan *fit, DpemForecast *forecast)
{
	const DpemSynthPlan *plan = (const DpemSynthPlan *) fit;

	for (int i = 0; i < DPEM_SYNTH_LINES; i++)
	{
		double		sensitivity;

		if (plan->line[i] < 0)
			continue;
		sensitivity = i == DPEM_SYNTH_CHOICE ? dpem_release_table_choice_range(&plan->spec, plan->most_weight)
			: dpem_release_tables_sensitivity(&plan->spec, released_together(plan, i));
		dpem_forecast_release(forecast, plan->line[i], sensitivity,
							  i == DPEM_SYNTH_CHOICE ? NAN : fit->charge.lines[plan->line[i]].noise_multiplier * sensitivity / (i == DPEM_SYNTH_ONE_WAY ? sqrt(least_weight2(plan)) : 1));
	}
	dpem_forecast_remark(forecast, "tables to choose from", plan->candidates);
	dpem_forecast_remark(forecast, "cells of all tables", plan->cells);
	dpem_forecast_remark(forecast, "most cells of the model", plan->schedule.cells);
}
