/*
 * choices.c - quantiles of a column, of all rows or of each category's, chosen by the exponential mechanism.
 *
 * One pass of the kernel `cells` counts the rows of every group in equal bins of the column's domain, on its scale; the
 * wall chooses cuts of bins, the middle quantile first (core/statistics/quantile_tree.h).
 */
#include "postgres.h"

#include <math.h>

#include "core/statistics/quantile.h"
#include "core/statistics/quantile_rules.h"
#include "families/statistics/minimum.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"
#include "wall/release_quantiles.h"

#define STATISTIC "quantiles"
#define FEWEST_BINS 64
#define MOST_CELLS (1 << 18)	/* of all groups */

struct DpemChoices
{
	DpemQuantileTree tree;
	DpemQuantilesSpec spec;
	double		noise_multiplier;
	int			line;			/* of the charge */
	int		   *node;			/* of each wish, in its order */
};

/* ---- which quantiles ---- */

static int
compare_levels(const void *a, const void *b)
{
	int64_t		x = *(const int64_t *) a;
	int64_t		y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

/* levels of the wishes, ascending and different; returns how many */
static int
sort_levels(List *wishes, int64_t *level)
{
	int			n = 0;
	int			kept = 0;
	ListCell   *cell;

	foreach(cell, wishes)
		level[n++] = dpem_quantile_level(((DpemWish *) lfirst(cell))->level);
	qsort(level, n, sizeof(int64_t), compare_levels);
	for (int i = 0; i < n; i++)
	{
		if (i == 0 || level[i] != level[i - 1])
			level[kept++] = level[i];
	}
	return kept;
}

static bool
plant_tree(DpemChoices *choices, List *wishes)
{
	int64_t    *level = palloc(list_length(wishes) * sizeof(int64_t));
	int			n = sort_levels(wishes, level);
	ListCell   *cell;

	choices->node = palloc(list_length(wishes) * sizeof(int));
	foreach(cell, wishes)
	{
		int64_t		own = dpem_quantile_level(((DpemWish *) lfirst(cell))->level);
		int			node = 0;

		while (level[node] != own)
			node++;
		choices->node[foreach_current_index(cell)] = node;
	}
	return dpem_quantile_tree_init(&choices->tree, level, n);
}

/* ---- the plan ---- */

static int
bins_for(int groups)
{
	int			bins = DPEM_QUANTILE_BINS;

	while (bins > FEWEST_BINS && bins * groups > MOST_CELLS)
		bins /= 2;
	return bins;
}

/* ranks within equal values are no coarser than a part of these; of a few bins more would say nothing */
static int
pieces_for(int bins)
{
	return Min(DPEM_QUANTILE_CUTS / bins, DPEM_QUANTILE_MOST_PIECES);
}

static void
add_line(DpemSummaryPlan *plan)
{
	DpemChoices *c = plan->choices;
	int			depths = c->tree.depths;
	DpemCostLine cost = dpem_cost_line(DPEM_COST_CHOICE, dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_CHOICE, depths), depths);

	c->noise_multiplier = cost.noise_multiplier;
	dpem_release_quantiles_check(&c->spec, cost.noise_multiplier);
	c->line = dpem_fit_add_line(&plan->fit, STATISTIC, DPEM_MECHANISM_EXPONENTIAL, &cost);
}

DpemSummaryPlan *
dpem_choices_plan(const DpemSummaryRequest *request)
{
	DpemSummaryPlan *plan = palloc0(sizeof(DpemSummaryPlan));
	DpemSummaryRequest *own = palloc(sizeof(DpemSummaryRequest));
	DpemChoices *c = palloc0(sizeof(DpemChoices));
	int			bins;

	*own = *request;
	own->fit.bind.own_units = own->fit.bind.missing = own->fit.bind.constant = own->fit.bind.categories = false;
	own->fit.bind.mixed = true;
	plan->request = own;
	plan->choices = c;
	if (!plant_tree(c, request->wishes))
		return NULL;
	dpem_fit_plan_init(&plan->fit, &own->fit);
	bins = bins_for(plan->fit.groups);
	if (plan->fit.d == 0 || ((DpemColumn *) linitial(plan->fit.binding->columns))->kind != DPEM_COLUMN_NUMBER)
		dpem_refuse_argument(psprintf("quantiles are of numbers, which column \"%s\" is not", ((DpemWish *) linitial(request->wishes))->column),
							 "The view dpem.columns says what columns are.");
	plan->fit.one_pass = true;
	c->spec = (DpemQuantilesSpec) {
		.tree = &c->tree,.groups = plan->fit.groups,.bins = bins,.pieces = pieces_for(bins),
			.replace_one = plan->fit.dataset->replace_one,.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
	add_line(plan);
	return plan;
}

/* the same mechanism with the same noise for all columns: one line of the charge, and the charge is everybody's */
void
dpem_choices_join(DpemSummaryPlan *plan)
{
	DpemCostLine cost = {0};
	int			line;
	ListCell   *cell;

	foreach(cell, plan->chosen)
	{
		const DpemChoices *c = ((DpemSummaryPlan *) lfirst(cell))->choices;

		cost = dpem_cost_line(DPEM_COST_CHOICE, fmax(cost.noise_multiplier, c->noise_multiplier), cost.releases + c->tree.depths);
	}
	line = dpem_fit_add_line(&plan->fit, STATISTIC, DPEM_MECHANISM_EXPONENTIAL, &cost);
	plan->fit.shared = palloc0(sizeof(DpemCharge *));
	foreach(cell, plan->chosen)
	{
		DpemSummaryPlan *column = lfirst(cell);

		column->choices->line = line;
		column->choices->noise_multiplier = cost.noise_multiplier;
		column->fit.charge = plan->fit.charge;
		column->fit.shared = plan->fit.shared;
	}
}

/* of the choices of each depth, in rows */
static void
fill_scales(const DpemChoices *c, double *scale)
{
	for (int depth = 0; depth < c->tree.depths; depth++)
		scale[depth] = c->noise_multiplier * dpem_release_quantiles_range(&c->spec, depth);
}

double
dpem_choices_typical_error(const DpemSummaryPlan *plan)
{
	const DpemChoices *c = plan->choices;
	double		scale[DPEM_QUANTILES_MAX];
	double		worst = 0;

	fill_scales(c, scale);
	for (int i = 0; i < c->tree.n; i++)
		worst = fmax(worst, dpem_quantile_tree_spread(&c->tree, i, scale));
	return worst;
}

double
dpem_choices_rank_error(const DpemSummaryPlan *plan)
{
	const DpemChoices *c = plan->choices;
	double		scale[DPEM_QUANTILES_MAX];
	double		error = 0;

	fill_scales(c, scale);
	for (int i = 0; i < c->tree.n; i++)
		error = fmax(error, dpem_quantile_tree_error(&c->tree, i, scale, c->spec.bins * c->spec.pieces + 1));
	return error;
}

int *
dpem_summary_line(DpemSummaryPlan *plan)
{
	return plan->choices ? &plan->choices->line : &plan->fit.stage[0].line;
}

void
dpem_choices_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemSummaryPlan *plan = (const DpemSummaryPlan *) fit;
	const DpemChoices *c = plan->choices;
	double		range = 0;

	for (int depth = 0; depth < c->tree.depths; depth++)
		range = fmax(range, dpem_release_quantiles_range(&c->spec, depth));
	dpem_forecast_release(f, c->line, range, c->noise_multiplier * range);
	dpem_forecast_remark(f, "rank error, 95 %", dpem_choices_rank_error(plan));
}

/* ---- the run ---- */

static double
value_at(const DpemSummaryPlan *plan, int cut)
{
	const DpemColumn *column = linitial(plan->fit.binding->columns);
	int			cuts = plan->choices->spec.bins * plan->choices->spec.pieces;

	if (plan->fit.d == 2)
		return dpem_scale_mixed(DPEM_QUANTILE_MIXED, column->lower, column->upper, cut, cuts);
	return dpem_scale_between(column->scale, column->lower, column->upper, cut, cuts);
}

List *
dpem_choices_run(const DpemSummaryPlan *plan)
{
	const DpemChoices *c = plan->choices;
	List	   *rows = dpem_summary_rows_of(plan);
	int		   *cut = palloc((size_t) plan->fit.groups * c->tree.n * sizeof(int));
	int			wishes = list_length(plan->request->wishes);
	DpemFitRun	run = {0};
	ListCell   *cell;

	dpem_fit_begin(&run, &plan->fit);
	dpem_release_quantiles(run.charge, c->line, dpem_fit_count_bins(&run, c->spec.bins, DPEM_QUANTILE_MIXED, STATISTIC), &c->spec, cut);
	foreach(cell, rows)
	{
		DpemSummaryRow *row = lfirst(cell);
		int			at = cut[row->group * c->tree.n + c->node[foreach_current_index(cell) % wishes]];

		row->value = (DpemStatisticValue) {value_at(plan, at), NAN, NAN, NAN, 0};
	}
	dpem_source_close(run.source);
	return rows;
}
