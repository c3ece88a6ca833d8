/*
 * summary_run.c - the one pass of a summary, and the rows that its release becomes.
 */
#include "postgres.h"

#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"
#include "families/statistics/summary_request.h"
#include "fit/fit_model.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"

static DpemNoisyMoments *
release(const DpemSummaryPlan *plan, DpemFitRun *run)
{
	DpemMomentLayout layout = {dpem_summary_components(&plan->summary), plan->fit.d, DPEM_SECOND_NONE};
	double	   *theta = dpem_fit_allocate(dpem_summary_theta_length(&plan->summary));

	dpem_fit_report(run, "summary", 0);
	dpem_summary_write(&plan->summary, theta);
	for (int g = 0; g < plan->fit.groups; g++)
		run->part[g].theta = theta;
	return dpem_fit_release_stage_groups(run, 0, &dpem_kernel_summary, &layout);
}

static int
place_of(const DpemSummaryPlan *plan, const char *column)
{
	int			i = 0;

	while (plan->choices == NULL && column != NULL && strcmp(plan->column[i]->name, column) != 0)
		i++;
	return i;
}

static void
estimate(const DpemSummary *s, const DpemNoisyMoments *m, const DpemWish *wish, int place, DpemSummaryEnds ends, DpemStatisticValue *out)
{
	switch (wish->kind)
	{
		case DPEM_WISH_ROWS:
			dpem_summary_rows(s, m, out);
			break;
		case DPEM_WISH_KNOWN:
			dpem_summary_known(s, m, place, out);
			break;
		case DPEM_WISH_MISSING:
			dpem_summary_missing(s, m, place, out);
			break;
		case DPEM_WISH_STATISTIC:
			dpem_summary_statistic(s, m, place, wish->statistic, ends.lower, ends.upper, out);
			break;
		case DPEM_WISH_RANGE:
			dpem_summary_spread(s, m, place, wish->level, ends.lower, ends.upper, out);
			break;
		case DPEM_WISH_TRIMMED:
		case DPEM_WISH_WINSORISED:
			dpem_summary_middle_mean(s, m, place, wish->level, wish->kind == DPEM_WISH_WINSORISED, ends.lower, ends.upper, out);
			break;
		default:
			dpem_summary_quantile(s, m, place, wish->level, ends.lower, ends.upper, out);
	}
}

static List *
add_row(List *rows, DpemSummaryRow row)
{
	DpemSummaryRow *copy = palloc(sizeof(DpemSummaryRow));

	*copy = row;
	return lappend(rows, copy);
}

/* of one group */
static List *
add_rows(const DpemSummaryPlan *plan, int group, List *rows)
{
	ListCell   *cell;

	foreach(cell, plan->request->wishes)
	{
		DpemSummaryRow row = {.wish = lfirst(cell),.key = dpem_fit_category(&plan->fit, group),.group = group};

		row.place = place_of(plan, row.wish->column);
		if (row.wish->kind != DPEM_WISH_CATEGORIES)
			rows = add_row(rows, row);
		for (int i = 0; row.wish->kind == DPEM_WISH_CATEGORIES && i < plan->column[row.place]->length; i++)
		{
			row.at = i;
			row.category = plan->column[row.place]->words[i];
			rows = add_row(rows, row);
		}
	}
	return rows;
}

List *
dpem_summary_rows_of(const DpemSummaryPlan *plan)
{
	List	   *rows = NIL;

	for (int g = 0; g < plan->fit.groups; g++)
		rows = add_rows(plan, g, rows);
	return rows;
}

/* a count stands for itself, and what has a public value hides nobody; any other is of the rows where its column is known */
static void
hide_few(const DpemSummaryPlan *plan, const DpemNoisyMoments *m, DpemSummaryRow *row)
{
	bool		counts = row->wish->kind == DPEM_WISH_ROWS || row->wish->kind == DPEM_WISH_KNOWN ||
		row->wish->kind == DPEM_WISH_MISSING || row->wish->kind == DPEM_WISH_CATEGORIES;
	double		least = dpem_fit_minimum_rows(&plan->fit);
	DpemStatisticValue rows = row->value;

	if (!(least > 0) || (counts && row->value.sd == 0))
		return;
	if (!counts)
		dpem_summary_known(&plan->summary, m, row->place, &rows);
	if (!(rows.value >= least))
		dpem_statistic_hide(&row->value);
}

List *
dpem_summary_run(const DpemSummaryPlan *plan)
{
	DpemFitRun	run = {0};
	DpemNoisyMoments *released;
	DpemSummaryEnds *ends;
	List	   *rows = dpem_summary_rows_of(plan);
	ListCell   *cell;

	if (plan->choices != NULL)
		return dpem_choices_run(plan);
	dpem_fit_begin(&run, &plan->fit);
	ends = dpem_summary_find_ends(plan, &run);
	released = release(plan, &run);
	foreach(cell, rows)
	{
		DpemSummaryRow *row = lfirst(cell);

		if (plan->chosen != NIL && row->wish->kind == DPEM_WISH_QUANTILE)
			continue;
		if (row->wish->kind == DPEM_WISH_CATEGORIES)
			dpem_summary_category(&plan->summary, &released[row->group], row->place, row->at, &row->value);
		else
			estimate(&plan->summary, &released[row->group], row->wish, row->place,
					 ends[row->group * plan->summary.columns + row->place], &row->value);
		hide_few(plan, &released[row->group], row);
	}
	dpem_fit_end(&run);
	dpem_description_choose(plan, rows);
	return rows;
}
