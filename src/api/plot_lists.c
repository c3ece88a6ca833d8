/*
 * plot_lists.c - pictures with a line per column: loadings, coefficients; and spending over time.
 */
#include "postgres.h"

#include "fmgr.h"
#include "storage/shmem.h"

#include "core/svg/svg_steps.h"
#include "core/svg/svg_table.h"
#include "fit/family.h"
#include "fit/plot.h"
#include "server/argument_list.h"

PG_FUNCTION_INFO_V1(dp_plot_loadings);
PG_FUNCTION_INFO_V1(dp_plot_coefficients);
PG_FUNCTION_INFO_V1(dp_plot_topics);
PG_FUNCTION_INFO_V1(dp_plot_budget);

/* the family's picture of that kind; 42809 if it has none */
static const DpemPicture *
picture_of(DpemPictureKind kind, const char *model, const char *function, const char **subtitle)
{
	const DpemFamily *family = dpem_model_family(model);

	*subtitle = dpem_plot_subtitle(family->title, model);
	if (family->picture[kind].sql == NULL)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("model \"%s\" is %s, which has no %s", model, family->title, function),
						errhint("Other functions named dp_plot draw other models.")));
	return &family->picture[kind];
}

/* lines of a table of one number a row, of which those of a line follow each other */
static int
lines_of(const DpemPlotRows *rows, int *columns)
{
	*columns = 1;
	while (*columns < rows->n && strcmp(rows->name[*columns], rows->name[0]) == 0)
		(*columns)++;
	return rows->n / *columns;
}

/* dp_plot_loadings(model text): SVG, a cell per column and factor or component */
Datum
dp_plot_loadings(PG_FUNCTION_ARGS)
{
	const char *model = dpem_text_argument(fcinfo, 0, "model");
	DpemPlot	plot;
	DpemSvgHeat heat = {.caption.name = dpem_plot_utf8(model)};
	const DpemPicture *query = picture_of(DPEM_PICTURE_LOADINGS, model, "loadings", &heat.caption.subtitle);
	DpemPlotRows rows = dpem_plot_rows(query->sql, 1, &model, true, 1);

	heat.note = query->note;
	heat.head = query->head;
	heat.lines = lines_of(&rows, &heat.columns);
	heat.value = rows.number;
	heat.name = palloc(heat.lines * sizeof(char *));
	for (int i = 0; i < heat.lines; i++)
		((const char **) heat.name)[i] = rows.name[i * heat.columns];
	dpem_plot_start(&plot);
	dpem_svg_heat(&plot.svg, &heat);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}

StaticAssertDecl(sizeof(DpemSvgInterval) == 4 * sizeof(double), "an interval is its fields");

/* dp_plot_coefficients(model text): SVG, an interval per column */
Datum
dp_plot_coefficients(PG_FUNCTION_ARGS)
{
	const char *model = dpem_text_argument(fcinfo, 0, "model");
	DpemPlot	plot;
	DpemSvgIntervals intervals = {.caption.name = dpem_plot_utf8(model)};
	const DpemPicture *query = picture_of(DPEM_PICTURE_COEFFICIENTS, model, "coefficients",
											&intervals.caption.subtitle);
	DpemPlotRows rows = dpem_plot_rows(query->sql, 1, &model, true, 4);

	intervals.axis = dpem_plot_rows(query->note, 1, &model, true, 0).name[0];
	intervals.lines = rows.n;
	intervals.name = rows.name;
	intervals.interval = (DpemSvgInterval *) rows.number;
	dpem_plot_start(&plot);
	dpem_svg_intervals(&plot.svg, &intervals);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}

/* rows of term, number and weight of the list, weight of the term; the rows of a list follow each other */
static void
take_lists(DpemSvgBars *bars, const DpemPlotRows *rows)
{
	DpemSvgList *list = palloc(mul_size(rows->n, sizeof(DpemSvgList)));
	DpemSvgBar *bar = palloc(mul_size(rows->n, sizeof(DpemSvgBar)));

	for (int i = 0; i < rows->n; i++)
	{
		const double *number = &rows->number[3 * i];

		if (bars->lists == 0 || list[bars->lists - 1].number != (int) number[0])
			list[bars->lists++] = (DpemSvgList) {(int) number[0], number[1]};
		bar[i] = (DpemSvgBar) {rows->name[i], number[2]};
	}
	bars->lines = rows->n / bars->lists;
	bars->list = list;
	bars->bar = bar;
}

/* dp_plot_topics(model text): SVG, the most probable terms of each topic */
Datum
dp_plot_topics(PG_FUNCTION_ARGS)
{
	const char *model = dpem_text_argument(fcinfo, 0, "model");
	DpemPlot	plot;
	DpemSvgBars bars = {.caption.name = dpem_plot_utf8(model)};
	const DpemPicture *query = picture_of(DPEM_PICTURE_TOPICS, model, "topics", &bars.caption.subtitle);
	DpemPlotRows rows = dpem_plot_rows(query->sql, 1, &model, true, 3);

	if (rows.n == 0)
		elog(ERROR, "dpem: a model without parameters");
	bars.note = query->note;
	bars.head = query->head;
	take_lists(&bars, &rows);
	dpem_plot_start(&plot);
	dpem_svg_bars(&plot.svg, &bars);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}

/* roles that spent most have a series each, from the largest, and all others one */
#define MOST_SERIES 5

/* what a call spent is found once for all that is asked about it */
#define CALLS "WITH c AS MATERIALIZED (SELECT role, charge, charged_at, spent_percent FROM dpem.calls WHERE dataset = $1)"

static const char *const series_sql =
	CALLS " SELECT role, sum(spent_percent) FROM (SELECT CASE WHEN n <= 4 OR roles = 5 THEN role ELSE 'others' END AS role,"
	" greatest(n, 1) AS n, spent_percent FROM (SELECT role, sum(spent_percent) AS spent_percent,"
	" row_number() OVER (ORDER BY sum(spent_percent) DESC, role) AS n, count(*) OVER () AS roles"
	" FROM c WHERE spent_percent IS NOT NULL GROUP BY role) p) q"
	" GROUP BY role ORDER BY min(n)";

static const char *const steps_sql =
	CALLS " SELECT role, extract(epoch FROM charged_at)::float8, spent_percent FROM c"
	" WHERE spent_percent IS NOT NULL ORDER BY charged_at, charge";

/* the series of a role: its own, or else the last, of all others */
static int
series_of(const DpemPlotRows *series, const char *role)
{
	for (int i = 0; i < series->n; i++)
	{
		if (strcmp(series->name[i], role) == 0)
			return i;
	}
	return series->n - 1;
}

static DpemSvgStep *
steps_of(const DpemPlotRows *series, const DpemPlotRows *rows)
{
	DpemSvgStep *step = palloc(mul_size(rows->n, sizeof(DpemSvgStep)));

	for (int i = 0; i < rows->n; i++)
		step[i] = (DpemSvgStep) {rows->number[2 * i], rows->number[2 * i + 1], series_of(series, rows->name[i])};
	return step;
}

/* when a dataset was registered and how much it may spend; 42704 for one that the caller has no part in */
static DpemPlotRows
dataset_row(const char *dataset)
{
	DpemPlotRows row = dpem_plot_rows("SELECT format('Epsilon %s and delta %s in all; spending as role %s may see it', epsilon,"
									  " delta, current_user), extract(epoch FROM registered_at)::float8"
									  " FROM dpem.datasets WHERE dataset = $1", 1, &dataset, true, 1);

	if (row.n == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("dataset \"%s\" does not exist or you have no part in it", dataset),
						errhint("The view dpem.datasets lists the datasets you own or have a budget on.")));
	return row;
}

/* dp_plot_budget(dataset text): SVG, spending over time, a series per role */
Datum
dp_plot_budget(PG_FUNCTION_ARGS)
{
	const char *dataset = dpem_text_argument(fcinfo, 0, "dataset");
	DpemPlotRows heading = dataset_row(dataset);
	DpemPlotRows series = dpem_plot_rows(series_sql, 1, &dataset, true, 1);
	DpemPlotRows rows = dpem_plot_rows(steps_sql, 1, &dataset, true, 2);
	DpemSvgSteps steps = {
		.caption = {dpem_plot_utf8(dataset), heading.name[0]},.part_name = "% of the dataset's budget",
		.start = heading.number[0],.series = series.n,.name = series.name,.n = rows.n,
		.step = steps_of(&series, &rows)
	};
	DpemPlot	plot;

	if (steps.n > 0)
		steps.start = Min(steps.start, steps.step[0].at);
	dpem_plot_start(&plot);
	dpem_svg_steps(&plot.svg, &steps);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}
