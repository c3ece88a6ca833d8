/*
 * svg_clusters.c - see svg_clusters.h.
 */
#include "core/svg/svg_clusters.h"

#include <math.h>

#include "core/numeric/voronoi.h"
#include "core/numeric/workspace.h"
#include "core/svg/svg_scale.h"

#define HEIGHT		 460
#define STEMS_HEIGHT 320
#define LARGEST_DISC 26 /* radius of the heaviest cluster's; of all, where weights are not known: */
#define PLAIN_DISC	 7
#define AROUND		 0.25 /* of the width of all centers, shown on each side */

/* around the centers, but not beyond the domain */
static DpemAxis
axis_of(const DpemSvgClusters *m, int j, int most)
{
	double		low = INFINITY;
	double		high = -INFINITY;
	double		around;

	for (int i = 0; i < m->n; i++)
	{
		low = fmin(low, m->component[i].mean[j]);
		high = fmax(high, m->component[i].mean[j]);
	}
	around = high > low ? AROUND * (high - low) : AROUND * (m->upper[j] - m->lower[j]);
	return dpem_scaled_axis(m->scale[j], m->column[j], fmin(low, fmax(low - around, m->lower[j])),
					 fmax(high, fmin(high + around, m->upper[j])), 0, most);
}

static double
heaviest(const DpemSvgClusters *m)
{
	double		most = 0;

	for (int i = 0; i < m->n; i++)
		most = fmax(most, m->component[i].weight);
	return most;
}

/* pairs of x and y */
typedef struct Cells
{
	double	   *center;			/* n */
	double	   *corner;			/* DPEM_VORONOI_CORNERS(n), of one cell */
	double	   *scratch;		/* as many */
} Cells;

static Cells
take_cells(int n, DpemWorkspace *work)
{
	return (Cells) {
		.center = dpem_workspace_take(work, 2 * (size_t) n),
			.corner = dpem_workspace_take(work, 2 * (size_t) DPEM_VORONOI_CORNERS(n)),
			.scratch = dpem_workspace_take(work, 2 * (size_t) DPEM_VORONOI_CORNERS(n))
	};
}

static void
draw_region(const DpemSvg *svg, const DpemSvgClusters *m, const DpemFrame *f, int i, const Cells *c)
{
	double		unit[] = {m->upper[0] - m->lower[0], m->upper[1] - m->lower[1]};
	int			n = dpem_voronoi_cell(m->n, c->center, i, unit, (double[]){f->x.low, f->y.low},
							  (double[]){f->x.high, f->y.high}, c->corner, c->scratch);

	if (n < 3)
		return;
	dpem_svg_put(svg, "<path class=\"region\" d=\"");
	for (int j = 0; j < n; j++)
		dpem_svg_put(svg, "%c%.1f %.1f", j == 0 ? 'M' : 'L', dpem_frame_x(f, c->corner[2 * j]),
					 dpem_frame_y(f, c->corner[2 * j + 1]));
	dpem_svg_put(
		svg,
		"Z\" fill=\"%s\" fill-opacity=\"0.1\" stroke=\"currentColor\" stroke-opacity=\"0.35\"/>\n",
		dpem_svg_colour(i));
}

static void
draw_regions(const DpemSvg *svg, const DpemSvgClusters *m, const DpemFrame *frame, double *doubles)
{
	DpemWorkspace work = {doubles, doubles + dpem_svg_clusters_workspace(m->n)};
	Cells		c = take_cells(m->n, &work);

	for (int i = 0; i < m->n; i++)
	{
		c.center[2 * i] = m->component[i].mean[0];
		c.center[2 * i + 1] = m->component[i].mean[1];
	}
	for (int i = 0; i < m->n; i++)
		draw_region(svg, m, frame, i, &c);
}

static void
draw_disc(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgClusters *m, const DpemFrame *frame, int i, double most)
{
	const DpemSvgComponent *c = &m->component[i];
	double		radius = isfinite(c->weight) && most > 0 ?
						LARGEST_DISC * sqrt(fmax(c->weight / most, 0)) :
						PLAIN_DISC;
	double		x = dpem_frame_x(frame, c->mean[0]);
	double		y = dpem_frame_y(frame, c->mean[1]);

	dpem_svg_put(svg, "<g class=\"component\">\n");
	dpem_svg_component_title(svg, m->column, m->scale, 2, i, c);
	dpem_svg_put(
		svg,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\"0.3\" stroke=\"%s\""
		" stroke-width=\"1.5\"/>\n",
		x, y, radius, dpem_svg_colour(i), dpem_svg_colour(i));
	dpem_svg_noise_cross(svg, labels, frame, c);
	dpem_svg_put(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n</g>\n", x, y,
				 dpem_svg_colour(i));
}

/* a center on the axis, as high as its weight */
static DpemSvgComponent
stem_of(const DpemSvgClusters *m, const DpemFrame *frame, int i)
{
	DpemSvgComponent c = m->component[i];

	c.mean[1] = isfinite(c.weight) ? fmax(c.weight, 0) : frame->y.high * 0.8;
	c.mean_noise[1] = c.weight_noise;
	return c;
}

/* with the width of the noise in a center */
static void
draw_stem(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgClusters *m,
		  const DpemFrame *frame, int i)
{
	DpemSvgComponent c = stem_of(m, frame, i);
	double		x = dpem_frame_x(frame, c.mean[0]);
	double		y = dpem_frame_y(frame, c.mean[1]);

	dpem_svg_put(svg, "<g class=\"component\">\n");
	dpem_svg_component_title(svg, m->column, m->scale, 1, i, &c);
	dpem_svg_put(svg, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-width=\"3\"/>\n", x,
				 frame->top + frame->height, y, dpem_svg_colour(i));
	dpem_svg_label_line(labels, (DpemSvgLabelLine) {{x, x}, {y, frame->top + frame->height}});
	dpem_svg_noise_cross(svg, labels, frame, &c);
	dpem_svg_put(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n</g>\n", x, y,
				 dpem_svg_colour(i));
}

static void
label_stem(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgClusters *m, const DpemFrame *frame, int i)
{
	DpemSvgComponent c = stem_of(m, frame, i);

	dpem_svg_component_label(svg, labels, i, m->n, c.weight, dpem_frame_x(frame, c.mean[0]), dpem_frame_y(frame, c.mean[1]));
}

static void
open_picture(const DpemSvg *svg, const DpemSvgClusters *m, const DpemFrame *frame, double height)
{
	dpem_svg_begin(svg, &m->caption, height);
	dpem_svg_describe(svg, m->column, m->scale, m->columns, m->n, m->component);
	dpem_svg_heading(svg, &m->caption);
	dpem_frame_draw(svg, frame);
}

static void
draw_plane(const DpemSvg *svg, const DpemSvgClusters *m, double *work)
{
	DpemAxis	x = axis_of(m, 0, 8);
	DpemAxis	y = axis_of(m, 1, 7);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);
	DpemSvgLabels labels = {0};
	double		most = heaviest(m);

	open_picture(svg, m, &frame, HEIGHT);
	if (m->all)
		draw_regions(svg, m, &frame, work);
	for (int i = 0; i < m->n; i++)
		draw_disc(svg, &labels, m, &frame, i, most);
	for (int i = 0; i < m->n; i++)
		dpem_svg_component_label(svg, &labels, i, m->n, m->component[i].weight,
								 dpem_frame_x(&frame, m->component[i].mean[0]),
								 dpem_frame_y(&frame, m->component[i].mean[1]));
	dpem_svg_end(svg);
}

static void
draw_line(const DpemSvg *svg, const DpemSvgClusters *m)
{
	double		most = heaviest(m);
	DpemAxis	x = axis_of(m, 0, 8);
	DpemAxis	y = dpem_axis("weight", 0, most > 0 ? 1.2 * most : 1, 0, 5);
	DpemFrame	frame = dpem_frame(&x, &y, STEMS_HEIGHT);
	DpemSvgLabels labels = {0};

	open_picture(svg, m, &frame, STEMS_HEIGHT);
	for (int i = 0; i < m->n; i++)
		draw_stem(svg, &labels, m, &frame, i);
	for (int i = 0; i < m->n; i++)
		label_stem(svg, &labels, m, &frame, i);
	dpem_svg_end(svg);
}

size_t
dpem_svg_clusters_workspace(int n)
{
	DpemWorkspace dry = {NULL, NULL};

	take_cells(n, &dry);
	return dpem_workspace_taken(&dry);
}

void
dpem_svg_clusters(const DpemSvg *svg, const DpemSvgClusters *clusters, double *work)
{
	if (clusters->columns == 2)
		draw_plane(svg, clusters, work);
	else
		draw_line(svg, clusters);
}
