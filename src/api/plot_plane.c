/*
 * plot_plane.c - what families draw dp_plot with: numbers from the views, drawn by core/svg.
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "fit/plot.h"

/* fields of a query for components, as they stand in DpemSvgComponent */
#define COMPONENT_FIELDS 9

StaticAssertDecl(sizeof(DpemSvgComponent) == COMPONENT_FIELDS * sizeof(double),
				 "a component is its fields");
StaticAssertDecl(sizeof(DpemSvgDirection) == 2 * sizeof(double), "a direction is its fields");

/* a query of $1 model, $2 and $3 columns */
static DpemPlotRows
rows_of(const DpemPlot *plot, const char *sql, int fields)
{
	const char *args[] = {plot->model, plot->column[0], plot->column[1]};

	return dpem_plot_rows(sql, lengthof(args), args, false, fields);
}

DpemSvgComponent *
dpem_plot_components(const DpemPlot *plot, const char *sql, int *n)
{
	DpemPlotRows rows = rows_of(plot, sql, COMPONENT_FIELDS);

	if (rows.n == 0)
		elog(ERROR, "dpem: a model without parameters");
	*n = rows.n;
	return (DpemSvgComponent *) rows.number;
}

DpemSvgDirection *
dpem_plot_directions(const DpemPlot *plot, const char *sql, int *n)
{
	DpemPlotRows rows = rows_of(plot, sql, 2);

	*n = rows.n;
	return (DpemSvgDirection *) rows.number;
}

DpemSvgMixture
dpem_plot_mixture(const DpemPlot *plot, const char *sql)
{
	DpemSvgMixture m = {.caption = plot->caption, .column = {plot->axis[0], plot->axis[1]},
						.scale = {plot->scale[0], plot->scale[1]}};

	m.component = dpem_plot_components(plot, sql, &m.n);
	return m;
}

void
dpem_plot_draw_mixture(const DpemPlot *plot, const DpemSvgMixture *m)
{
	if (plot->columns == 2)
		dpem_svg_mixture(&plot->svg, m);
	else
		dpem_svg_density(&plot->svg, m,
						 palloc(mul_size(dpem_svg_density_workspace(m->n), sizeof(double))));
}
