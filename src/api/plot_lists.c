/*
 * plot_lists.c - see plot_lists.h; and spending over time.
 */
#include "postgres.h"

#include "fmgr.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "api/plot_lists.h"
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
	DpemPlotRows note = dpem_plot_rows(query->note, 1, &model, true, 0);

	/* of a document without the part that is drawn */
	if (rows.n == 0 || note.n == 0)
		elog(ERROR, "dpem: a model without parameters");
	intervals.axis = note.name[0];
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

/* of the time axis: a role's calls in one of them are one step; a quarter of them cannot be told apart */
#define MOST_TIMES 8000

/*
 * Steps in the order of time, with what stands for their series: roles that
 * spent most have one each, from the largest, and all others one.  $2 is when
 * the time axis starts and $3 its step, both in seconds.
 */
static const char *const steps_sql =
	"WITH c AS MATERIALIZED (SELECT role, date_bin(make_interval(secs => $3::float8), charged_at, to_timestamp($2::float8)) AS at,"
	" sum(spent_percent) AS part, count(spent_percent) AS calls"
	" FROM (SELECT role, charged_at, spent_percent FROM dpem.calls WHERE dataset = $1 OFFSET 0) s GROUP BY 1, 2)"
	" SELECT CASE WHEN r.place <= 4 OR r.roles = 5 THEN c.role ELSE 'others' END, extract(epoch FROM c.at)::float8,"
	" c.part, c.calls::float8, least(r.place, 5)::float8 FROM c JOIN (SELECT role,"
	"  row_number() OVER (ORDER BY sum(part) DESC, role) AS place, count(*) OVER () AS roles"
	"  FROM c WHERE part IS NOT NULL GROUP BY role) r USING (role) WHERE c.part IS NOT NULL ORDER BY c.at, r.place";

#define STEP_FIELDS 4
#define MOST_SERIES 5

static void
take_steps(DpemSvgSteps *steps, const DpemPlotRows *rows)
{
	DpemSvgStep *step = palloc(mul_size(rows->n, sizeof(DpemSvgStep)));
	const char **name = palloc0(MOST_SERIES * sizeof(char *));

	for (int i = 0; i < rows->n; i++)
	{
		const double *number = &rows->number[STEP_FIELDS * i];
		int			series = (int) number[3] - 1;

		step[i] = (DpemSvgStep) {number[0], number[1], series};
		name[series] = rows->name[i];
		steps->series = Max(steps->series, series + 1);
		steps->calls += (int) number[2];
	}
	steps->n = rows->n;
	steps->step = step;
	steps->name = name;
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

/* `span` seconds from `start` on, in MOST_TIMES times; never finer than a timestamp */
static DpemPlotRows
ask_steps(const char *dataset, double start, double span)
{
	const char *arguments[] = {dataset, psprintf("%.6f", start), psprintf("%.6f", Max(span / MOST_TIMES, 1e-6))};

	return dpem_plot_rows(steps_sql, lengthof(arguments), arguments, true, STEP_FIELDS);
}

/*
 * What was spent since `start`.  Times are steps of all the time until now:
 * where the last call was long ago, they are found again for the time that is shown.
 */
static void
find_steps(DpemSvgSteps *steps, const char *dataset)
{
	double		span = (double) GetCurrentTimestamp() / USECS_PER_SEC +
		(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (double) SECS_PER_DAY - steps->start;
	DpemPlotRows rows = ask_steps(dataset, steps->start, span);
	double		shown = rows.n > 0 ? rows.number[STEP_FIELDS * (rows.n - 1)] - steps->start + span / MOST_TIMES : span;

	if (shown < span / 4)
		rows = ask_steps(dataset, steps->start, Max(shown, 0));
	take_steps(steps, &rows);
	if (steps->n > 0)
		steps->start = Min(steps->start, steps->step[0].at);
}

/* dp_plot_budget(dataset text): SVG, spending over time, a series per role */
Datum
dp_plot_budget(PG_FUNCTION_ARGS)
{
	const char *dataset = dpem_text_argument(fcinfo, 0, "dataset");
	DpemPlotRows heading = dataset_row(dataset);
	DpemSvgSteps steps = {
		.caption = {dpem_plot_utf8(dataset), heading.name[0]},.part_name = "% of the dataset's budget",
		.start = heading.number[0]
	};
	DpemPlot	plot;

	find_steps(&steps, dataset);
	dpem_plot_start(&plot);
	dpem_svg_steps(&plot.svg, &steps);
	PG_RETURN_TEXT_P(dpem_plot_finish(&plot));
}
