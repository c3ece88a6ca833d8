/*
 * gam_plot.c - pictures of shape functions, from what dpem.gam_shapes shows.
 */
#include "postgres.h"

#include <math.h>

#include "storage/shmem.h"
#include "utils/builtins.h"

#include "core/svg/svg_shapes.h"
#include "core/svg/svg_table.h"
#include "families/gam/gam.h"
#include "fit/plot.h"

/* bins, then categories together, then rows without a value */
#define BIN_ORDER(bin) bin " = 0, " bin " < 0, " bin

static const char *const note_sql =
	"SELECT CASE WHEN count(class) = 0 THEN 'contribution to ' || max(target)"
	" ELSE 'contribution to the log-odds of ' || max(target) || CASE WHEN count(DISTINCT class) = 1 THEN ' = ' || max(class) ELSE '' END END"
	" FROM dpem.gam_shapes WHERE model = $1";

/* the name of the shape that the arguments stand for: a column, or a pair in either order; and how many classes it has */
static const char *const name_sql =
	"SELECT column_name, count(DISTINCT coalesce(class, ''))::float8, (max(second_position) IS NOT NULL)::int::float8,"
	" (count(lower) > 0)::int::float8 FROM dpem.gam_shapes WHERE model = $1 AND position > 0 AND column_name = ANY"
	" (CASE WHEN $3 = '' THEN ARRAY[$2] ELSE ARRAY[$2 || ':' || $3, $3 || ':' || $2] END) GROUP BY column_name";

/* $2: of the shape of that name; '': of all */
static const char *const panels_sql =
	"SELECT CASE WHEN m.classes > 1 THEN s.class || ': ' ELSE '' END || s.column_name, s.position::float8, coalesce(s.second_position, 0)::float8,"
	" s.bin::float8, s.contribution, s.noise_stddev FROM dpem.gam_shapes s CROSS JOIN"
	" (SELECT count(DISTINCT class) AS classes FROM dpem.gam_shapes WHERE model = $1) m"
	" WHERE s.model = $1 AND s.position > 0 AND (s.column_name = $2 OR $2 = '')"
	" ORDER BY s.class, s.second_position NULLS FIRST, s.position, " BIN_ORDER("s.bin") ", " BIN_ORDER("s.second_bin");

#define PANEL_FIELDS 5

static const char *const steps_sql =
	"SELECT coalesce(category, 'unknown'), lower, upper, contribution, noise_stddev FROM dpem.gam_shapes"
	" WHERE model = $1 AND column_name = $2 ORDER BY " BIN_ORDER("bin");

static const char *const scale_sql =
	"SELECT scale FROM dpem.model_columns WHERE model = $1 AND column_name = $2";

/* a part of a pair's column, in few characters */
#define PART_NAME(side) \
	" CASE WHEN s." side "category IS NOT NULL THEN s." side "category WHEN s." side "bin = 0 THEN 'unknown'" \
	" WHEN s." side "bin < 0 THEN 'others' ELSE 'from ' || to_char(s." side "lower, 'FM9999999999990.099') END"

static const char *const grid_sql =
	"SELECT" PART_NAME("") ", contribution FROM dpem.gam_shapes s WHERE model = $1 AND column_name = $2"
	" ORDER BY " BIN_ORDER("bin") ", " BIN_ORDER("second_bin");

static const char *const heads_sql =
	"SELECT" PART_NAME("second_") " FROM (SELECT DISTINCT second_bin, second_lower, second_category FROM dpem.gam_shapes"
	" WHERE model = $1 AND column_name = $2) s ORDER BY " BIN_ORDER("second_bin");

/* ---- several shapes ---- */

/* rows of a shape follow each other; of a pair a line for each bin of its first column */
static int
take_panel(const DpemPlotRows *rows, int row, DpemSvgPanel *panel, double *value, double *stddev)
{
	const double *first = rows->number + (size_t) row * PANEL_FIELDS;
	int			n = 0;

	*panel = (DpemSvgPanel) {.name = rows->name[row],.lines = 1,.value = value + row,.stddev = stddev + row};
	for (; row + n < rows->n; n++)
	{
		const double *number = first + (size_t) n * PANEL_FIELDS;

		if (strcmp(rows->name[row + n], panel->name) != 0 || number[0] != first[0] || number[1] != first[1])
			break;
		value[row + n] = number[3];
		stddev[row + n] = number[4];
		panel->lines += n > 0 && number[1] > 0 && number[2] != number[2 - PANEL_FIELDS];
	}
	panel->n = n / panel->lines;
	return n;
}

static void
draw_panels(DpemPlot *plot, const char *note, const char *name)
{
	const char *arguments[] = {plot->model, name};
	DpemPlotRows rows = dpem_plot_rows(panels_sql, lengthof(arguments), arguments, true, PANEL_FIELDS);
	DpemSvgPanel panel[DPEM_SVG_LINES];
	double	   *value = palloc(mul_size(rows.n + 1, sizeof(double)));
	double	   *stddev = palloc(mul_size(rows.n + 1, sizeof(double)));
	DpemSvgPanels panels = {.caption = plot->caption,.note = note,.panel = panel};

	for (int row = 0; row < rows.n && panels.n < DPEM_SVG_LINES; panels.n++)
		row += take_panel(&rows, row, &panel[panels.n], value, stddev);
	dpem_svg_panels(&plot->svg, &panels);
}

/* ---- one shape ---- */

static void
draw_steps(DpemPlot *plot, const char *note, const char *name)
{
	const char *arguments[] = {plot->model, name};
	DpemPlotRows rows = dpem_plot_rows(steps_sql, lengthof(arguments), arguments, true, 4);
	DpemPlotRows scale = dpem_plot_rows(scale_sql, lengthof(arguments), arguments, true, 0);
	DpemSvgBinStep *step = (DpemSvgBinStep *) rows.number;
	DpemSvgShape shape = {
		.caption = plot->caption,.column = dpem_plot_utf8(name),.value_name = note,.step = step,
		.scale = scale.n > 0 ? dpem_scale_from_name(scale.name[0]) : DPEM_SCALE_LINEAR
	};

	for (int i = 0; i < rows.n; i++)
	{
		if (isnan(step[i].low))
			shape.unknown = &step[i];
		else
			shape.n++;
		step[i].low = dpem_scale_apply(shape.scale, step[i].low);
		step[i].high = dpem_scale_apply(shape.scale, step[i].high);
	}
	dpem_svg_shape(&plot->svg, &shape);
}

StaticAssertDecl(sizeof(DpemSvgBinStep) == 4 * sizeof(double), "a step is its fields");

static void
draw_categories(DpemPlot *plot, const char *note, const char *name)
{
	const char *arguments[] = {plot->model, name};
	DpemPlotRows rows = dpem_plot_rows(steps_sql, lengthof(arguments), arguments, true, 4);
	DpemSvgInterval *interval = palloc(mul_size(rows.n, sizeof(DpemSvgInterval)));
	DpemSvgIntervals intervals = {.caption = plot->caption,.axis = note,.lines = Min(rows.n, DPEM_SVG_LINES),.name = rows.name,.interval = interval};

	for (int i = 0; i < rows.n; i++)
	{
		const double *number = rows.number + 4 * i;

		interval[i] = (DpemSvgInterval) {number[2], number[3], number[2], number[3]};
	}
	dpem_svg_intervals(&plot->svg, &intervals);
}

static void
draw_pair(DpemPlot *plot, const char *name)
{
	const char *arguments[] = {plot->model, name};
	DpemPlotRows rows = dpem_plot_rows(grid_sql, lengthof(arguments), arguments, true, 1);
	DpemPlotRows heads = dpem_plot_rows(heads_sql, lengthof(arguments), arguments, true, 0);
	DpemSvgHeat heat = {
		.caption = plot->caption,.note = "contribution beyond those of both columns",.columns = heads.n,.lines = rows.n / heads.n,.value = rows.number,
		.column_name = heads.name
	};
	const char **line = palloc(mul_size(heat.lines, sizeof(char *)));

	for (int i = 0; i < heat.lines; i++)
		line[i] = rows.name[i * heat.columns];
	for (int i = 0; i < rows.n; i++)
		heat.most = fmax(heat.most, fabs(rows.number[i]));
	heat.name = line;
	dpem_svg_heat(&plot->svg, &heat);
}

void
dpem_gam_draw(DpemPlot *plot, const char *x, const char *y)
{
	const char *arguments[] = {plot->model, x ? x : "", y ? y : ""};
	const char *note = dpem_plot_rows(note_sql, 1, arguments, true, 0).name[0];
	DpemPlotRows found;

	if (x == NULL && y == NULL)
	{
		draw_panels(plot, note, "");
		return;
	}
	found = dpem_plot_rows(name_sql, lengthof(arguments), arguments, true, 3);
	if (found.n == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("model \"%s\" has no shape of %s%s%s", plot->model, x ? x : y, x && y ? " and " : "", x && y ? y : ""),
				 errhint("dpem.gam_shapes has its columns and pairs of columns; dp_plot(%s) draws all.", quote_literal_cstr(plot->model))));
	plot->caption.name = found.name[0];
	if (found.number[0] > 1)
		draw_panels(plot, note, found.name[0]);
	else if (found.number[1] > 0)
		draw_pair(plot, found.name[0]);
	else if (found.number[2] > 0)
		draw_steps(plot, note, found.name[0]);
	else
		draw_categories(plot, note, found.name[0]);
}
