/*
 * summary_plan.c - how the norm of a row is divided among statistics, and what they cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/statistics/quantile_rules.h"
#include "core/statistics/quantile_tree.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_arguments.h"
#include "fit/fit_stages.h"

#define MOST_SUMS	(1 << 18)	/* of all groups together, for the finest bins; gone over once for every block */

/* ---- columns ---- */

static int
column_named(const DpemSummaryPlan *plan, const char *name)
{
	for (int i = 0; i < plan->summary.columns; i++)
	{
		if (strcmp(plan->column[i]->name, name) == 0)
			return i;
	}
	elog(ERROR, "dpem: a statistic of a column that is not bound");
}

static int
observed_coordinate(const DpemSummaryPlan *plan, const char *name)
{
	const DpemColumn **column = dpem_binding_columns(plan->fit.binding);

	for (int j = 0; j < plan->fit.d; j++)
	{
		if (column[j]->kind == DPEM_COLUMN_OBSERVED && strcmp(column[j]->name, name) == 0)
			return j;
	}
	return -1;
}

static void
set_columns(DpemSummaryPlan *plan)
{
	DpemSummary *s = &plan->summary;
	ListCell   *cell;
	int			first = 0;

	plan->column = palloc(DPEM_SUMMARY_COLUMNS * sizeof(DpemColumn *));
	foreach(cell, plan->fit.binding->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind == DPEM_COLUMN_CONSTANT)
			s->constant = first;
		else if (column->kind == DPEM_COLUMN_NUMBER || column->kind == DPEM_COLUMN_LABEL)
		{
			if (s->columns == DPEM_SUMMARY_COLUMNS)
				ereport(ERROR,
						(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("a call reads at most %d columns", DPEM_SUMMARY_COLUMNS),
						 errhint("Name fewer columns.")));
			plan->column[s->columns] = column;
			s->column[s->columns++] = (DpemSummaryColumn) {
				.first = first,.length = column->kind == DPEM_COLUMN_LABEL ? column->length : 0,
					.observed = column->kind == DPEM_COLUMN_NUMBER ? observed_coordinate(plan, column->name) : -1
			};
		}
		first += column->length;
	}
}

/* ---- weights ---- */

/* squares of weights, which are made roots in the end */
static void
at_least(double *square, double least)
{
	*square = fmax(*square, least);
}

static void
need_rows(DpemSummary *s, DpemSummaryColumn *c, double square)
{
	at_least(c->observed < 0 ? &s->rows : &c->known, square);
}

static void
refuse_column(const DpemWish *wish, const char *wanted)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s is of %s, which column \"%s\" is not", wish->name, wanted, wish->column),
			 errhint("The view dpem.columns says what columns are.")));
}

/*
 * What a statistic's own noise is worth beside that of the number of rows, which is multiplied by an average, and of
 * sums, as statistic.c's importances have it; bins, whose ranks add up a dozen of them, have twice the part of a sum.
 */
static void
need_statistic(DpemSummary *s, DpemSummaryColumn *c, const DpemWish *wish)
{
	bool		second = wish->statistic->second != DPEM_SECOND_NONE;

	need_rows(s, c, second ? 0.1 : 0.4);
	at_least(&c->sum, second ? 0.5 : 1);
	if (second)
		at_least(&c->square, 1);
}

/* quantiles, and what follows from two of them, read bins */
static bool
reads_bins(DpemWishKind kind)
{
	return kind == DPEM_WISH_QUANTILE || kind == DPEM_WISH_RANGE || kind == DPEM_WISH_TRIMMED || kind == DPEM_WISH_WINSORISED;
}

static void
need_wish(DpemSummaryPlan *plan, const DpemWish *wish)
{
	DpemSummary *s = &plan->summary;
	DpemSummaryColumn *c = wish->column ? &s->column[column_named(plan, wish->column)] : NULL;
	bool		label = c != NULL && c->length > 0;

	if (label && (wish->kind == DPEM_WISH_STATISTIC || reads_bins(wish->kind)))
		refuse_column(wish, "numbers");
	if (!label && wish->kind == DPEM_WISH_CATEGORIES)
		refuse_column(wish, "a label");
	if (wish->kind == DPEM_WISH_ROWS || wish->kind == DPEM_WISH_MISSING)
		at_least(&s->rows, 1);
	if (label)
		at_least(&c->known, 1);
	else if (wish->kind == DPEM_WISH_KNOWN || wish->kind == DPEM_WISH_MISSING)
		need_rows(s, c, 1);
	else if (wish->kind == DPEM_WISH_STATISTIC)
		need_statistic(s, c, wish);
	else if (reads_bins(wish->kind))
	{
		need_rows(s, c, 0.3);
		at_least(&c->bins, 2);
		s->levels = DPEM_SUMMARY_LEVELS;
	}
}

/* in a description everything counts the same */
static void
set_weights(DpemSummaryPlan *plan, bool beside)
{
	DpemSummary *s = &plan->summary;
	ListCell   *cell;

	foreach(cell, plan->request->wishes)
	{
		if (!beside || !reads_bins(((DpemWish *) lfirst(cell))->kind))
			need_wish(plan, lfirst(cell));
	}
	plan->squares = s->rows;
	s->rows = sqrt(s->rows);
	for (int i = 0; i < s->columns; i++)
	{
		DpemSummaryColumn *c = &s->column[i];

		plan->squares += c->known + c->sum + c->square + c->bins;
		c->known = sqrt(c->known);
		c->sum = sqrt(c->sum);
		c->square = sqrt(c->square);
		c->bins = sqrt(c->bins);
	}
	if (!dpem_summary_normalise(s))
		elog(ERROR, "dpem: a summary of nothing");
}

/* ---- the plan ---- */

static void
choose_levels(DpemSummaryPlan *plan)
{
	DpemSummary *s = &plan->summary;

	while (s->levels > 1 &&
		   (double) dpem_summary_components(s) * (plan->fit.d + 1) * plan->fit.groups > MOST_SUMS)
		s->levels--;
}

DpemSummaryPlan *
dpem_summary_plan(const DpemSummaryRequest *request)
{
	return dpem_summary_plan_beside(request, 0, 1);
}

DpemSummaryPlan *
dpem_summary_plan_beside(const DpemSummaryRequest *request, double chosen, double less)
{
	DpemSummaryPlan *plan = palloc0(sizeof(DpemSummaryPlan));
	DpemSummaryRequest *own = palloc(sizeof(DpemSummaryRequest));
	double		summary;

	*own = *request;
	plan->request = own;
	dpem_fit_plan_init(&plan->fit, &own->fit);
	plan->fit.hides = "rows";
	set_columns(plan);
	set_weights(plan, chosen > 0);
	summary = plan->squares;
	plan->squares += dpem_summary_plan_clamps(plan);
	if (chosen > 0)
		own->fit.together = less * (plan->squares + chosen) / plan->squares;
	choose_levels(plan);
	plan->summary.radius = plan->fit.clip_norm;
	plan->fit.stage[0] = (DpemFitStage) {
		.statistic = "summary",.share = summary,.releases = 1,
			.spec = {
				.sum_weight = 1,.replace_one = plan->fit.dataset->replace_one,
				.rows_per_unit = plan->fit.dataset->max_rows_per_unit,.contribution = DPEM_DOCUMENT
			},
			.layout = {plan->fit.groups * dpem_summary_components(&plan->summary), plan->fit.d, DPEM_SECOND_NONE}
	};
	dpem_fit_plan_stages(&plan->fit, plan->clamped > 0 ? 2 : 1);
	return plan;
}

/* ---- counts or choices ---- */

double
dpem_summary_typical_error(const DpemSummaryPlan *plan)
{
	const DpemSummary *s = &plan->summary;
	double		bins = 0;

	for (int i = 0; i < s->columns; i++)
		bins = fmax(bins, s->column[i].bins);
	return sqrt(2 / M_PI * DPEM_QUANTILE_BINS_IN_A_RANK * s->levels) * dpem_fit_stage_noise(&plan->fit, 0).sum / bins;
}

/* where epsilons add up, a Gaussian release of so many bins is never the better one, and may be impossible */
static bool
counts_are_better(const DpemSummaryRequest *request, const DpemSummaryPlan *choices)
{
	if (dpem_composition_is_classical(choices->fit.composition))
		return false;
	return !(dpem_choices_typical_error(choices) < dpem_summary_typical_error(dpem_summary_plan(request)));
}

static DpemSummaryPlan *
plan_choices(const DpemSummaryRequest *request)
{
	DpemSummaryPlan *choices = dpem_choices_plan(request);

	if (choices == NULL && request->way == DPEM_BY_CHOICES)
		dpem_refuse_argument(psprintf("mechanism exponential chooses at most %d quantiles", DPEM_QUANTILES_MAX), "Ask for fewer, or leave it out.");
	return choices;
}

DpemSummaryPlan *
dpem_quantiles_plan(const DpemSummaryRequest *request)
{
	const DpemDataset *dataset = dpem_dataset_load(request->fit.dataset);
	DpemSummaryPlan *choices;

	if (request->apart)
		return dpem_description_plan(request);
	if (request->way == DPEM_BY_COUNTS || !isfinite(request->fit.epsilon))
		return dpem_summary_plan(request);
	if (Max(request->fit.minimum, dataset->minimum) > 0)
	{
		if (request->way == DPEM_BY_CHOICES)
			dpem_refuse_argument("mechanism cannot be exponential under a minimum of persons", "Choices do not say how many rows there are: leave it out.");
		return dpem_summary_plan(request);
	}
	choices = plan_choices(request);
	if (choices == NULL || (request->way == DPEM_BY_THE_BETTER && counts_are_better(request, choices)))
		return dpem_summary_plan(request);
	return choices;
}
