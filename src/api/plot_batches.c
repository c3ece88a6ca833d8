/*
 * plot_batches.c - see plot_batches.h.
 */
#include "postgres.h"

#include "storage/shmem.h"
#include "utils/builtins.h"

#include "api/plot_batches.h"
#include "core/svg/svg_shapes.h"

/* how many rows follow the first with its name: the batches of a coefficient, as many of each */
static int
batches_of(const DpemPlotRows *rows)
{
	int			n = 1;

	while (n < rows->n && strcmp(rows->name[n], rows->name[0]) == 0)
		n++;
	return n;
}

/* one coefficient, its batches numbered from 1 */
static void
draw_one(DpemPlot *plot, const char *note, const DpemPlotRows *rows)
{
	DpemSvgBinStep *step = palloc(mul_size(rows->n, sizeof(DpemSvgBinStep)));
	DpemSvgShape shape = {.caption = plot->caption,.column = "batch",.value_name = note,.steps_name = "values",.n = rows->n,.step = step};

	for (int i = 0; i < rows->n; i++)
		step[i] = (DpemSvgBinStep) {i + 0.5, i + 1.5, rows->number[2 * i], rows->number[2 * i + 1]};
	shape.caption.name = psprintf("%s: %s", shape.caption.name, rows->name[0]);
	dpem_svg_shape(&plot->svg, &shape);
}

/* a panel for each */
static void
draw_several(DpemPlot *plot, const char *note, const DpemPlotRows *rows)
{
	int			batches = batches_of(rows);
	double	   *value = palloc(mul_size(rows->n, sizeof(double)));
	double	   *stddev = palloc(mul_size(rows->n, sizeof(double)));
	DpemSvgPanel *panel = palloc(mul_size(rows->n / batches, sizeof(DpemSvgPanel)));
	DpemSvgPanels panels = {.caption = plot->caption,.note = note,.panels_name = "coefficients",.n = rows->n / batches,.panel = panel};

	for (int i = 0; i < rows->n; i++)
	{
		value[i] = rows->number[2 * i];
		stddev[i] = rows->number[2 * i + 1];
	}
	for (int p = 0; p < panels.n; p++)
		panel[p] = (DpemSvgPanel) {rows->name[p * batches], 1, batches, value + p * batches, stddev + p * batches};
	dpem_svg_panels(&plot->svg, &panels);
}

text *
dpem_plot_batches(const DpemFamily *family, const char *model, const char *column)
{
	const DpemPicture *picture = &family->picture[DPEM_PICTURE_BATCHES];
	const char *arguments[] = {model, column ? column : ""};
	DpemPlot	plot = {.caption.name = dpem_plot_utf8(model)};
	DpemPlotRows note = {0};
	DpemPlotRows rows;

	if (picture->sql != NULL)
		note = dpem_plot_rows(picture->note, 1, arguments, true, 0);
	if (note.n == 0)
		return NULL;
	rows = dpem_plot_rows(picture->sql, lengthof(arguments), arguments, true, 2);
	if (rows.n == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("model \"%s\" has no coefficient of \"%s\"", model, arguments[1]),
				 errhint("dp_plot(%s) draws the largest.", quote_literal_cstr(model))));
	plot.caption.subtitle = dpem_plot_subtitle(family->title, model);
	dpem_plot_start(&plot);
	if (batches_of(&rows) == rows.n)
		draw_one(&plot, note.name[0], &rows);
	else
		draw_several(&plot, note.name[0], &rows);
	return dpem_plot_finish(&plot);
}
