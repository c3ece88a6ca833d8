/*
 * svg_mixture.c - components as ellipses: see svg_mixture.h.
 */
#include "core/svg/svg_mixture.h"

#include <math.h>

#include "core/svg/svg_scale.h"

#define HEIGHT 460
#define SHOWN  2.2	/* standard deviations that a picture has room for, */
#define ALONG  1.25 /* and along a direction */

#define DIGIT_WIDTH 12 /* of a space and a digit */

/* least and greatest coordinate j of everything that is drawn */
static DpemAxis
axis_of(const DpemSvgMixture *m, int j, int most)
{
	double		low = INFINITY;
	double		high = -INFINITY;

	for (int i = 0; i < m->n; i++)
	{
		const DpemSvgComponent *c = &m->component[i];
		double		reach = SHOWN * sqrt(fmax(c->covariance[2 * j], 0));

		low = fmin(low, c->mean[j] - reach);
		high = fmax(high, c->mean[j] + reach);
	}
	for (int i = 0; i < m->directions; i++)
	{
		double		reach = ALONG * fabs(m->direction[i].delta[j]);

		low = fmin(low, m->component[0].mean[j] - reach);
		high = fmax(high, m->component[0].mean[j] + reach);
	}
	return dpem_scaled_axis(m->scale[j], m->column[j], low, high, 0.04, most);
}

static void
put_ellipse(const DpemSvg *svg, const DpemFrame *f, const DpemSvgComponent *c, const char *colour,
			double		deviations, const char *style)
{
	double		sx = f->width / (f->x.high - f->x.low);
	double		sy = -f->height / (f->y.high - f->y.low);
	DpemEllipse e = dpem_ellipse(c->covariance[0] * sx * sx, c->covariance[1] * sx * sy,
								 c->covariance[2] * sy * sy);
	double		x = dpem_frame_x(f, c->mean[0]);
	double		y = dpem_frame_y(f, c->mean[1]);

	dpem_svg_put(
		svg,
		"<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" transform=\"rotate(%.1f %.1f %.1f)\""
		" fill=\"%s\" stroke=\"%s\" %s/>\n",
		x, y, deviations * e.radius[0], deviations * e.radius[1], e.degrees, x, y, colour, colour,
		style);
}

static void
draw_ellipses(const DpemSvg *svg, const DpemSvgMixture *m, const DpemFrame *frame, int i)
{
	const DpemSvgComponent *c = &m->component[i];
	const char *colour = dpem_svg_colour(i);

	if (!(c->covariance[0] > 0 || c->covariance[2] > 0))
		return;
	dpem_svg_put(svg, "<g class=\"component\">\n");
	dpem_svg_component_title(svg, m->column, m->scale, 2, i, c);
	put_ellipse(svg, frame, c, colour, 2,
				"fill-opacity=\"0.1\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
	put_ellipse(svg, frame, c, colour, 1, "fill-opacity=\"0.18\" stroke-width=\"2\"");
	dpem_svg_put(svg, "</g>\n");
}

static void
draw_mean(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgMixture *m,
		  const DpemFrame *frame, int i)
{
	const DpemSvgComponent *c = &m->component[i];

	dpem_svg_noise_cross(svg, labels, frame, c);
	dpem_svg_put(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", dpem_frame_x(frame, c->mean[0]),
				 dpem_frame_y(frame, c->mean[1]), dpem_svg_colour(i));
}

static void
draw_number(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgMixture *m, const DpemFrame *frame, int i)
{
	const DpemSvgComponent *c = &m->component[i];

	dpem_svg_component_label(svg, labels, i, m->n, c->weight, dpem_frame_x(frame, c->mean[0]), dpem_frame_y(frame, c->mean[1]));
}

static void
draw_direction(const DpemSvg *svg, DpemSvgLabels *labels, const DpemSvgMixture *m,
			   const DpemFrame *f, int i)
{
	const double *mean = m->component[0].mean;
	const double *delta = m->direction[i].delta;
	double		x = dpem_frame_x(f, mean[0] + delta[0]);
	double		y = dpem_frame_y(f, mean[1] + delta[1]);
	double		width = dpem_svg_text_width(m->direction_name, 12) + DIGIT_WIDTH;

	dpem_svg_put(svg, "<g class=\"direction\">\n<title>%s %d</title>\n", m->direction_name, i + 1);
	dpem_svg_put(svg,
				 "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"2.5\"/>"
				 "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
				 dpem_frame_x(f, mean[0] - delta[0]), dpem_frame_y(f, mean[1] - delta[1]), x, y,
				 dpem_svg_colour(i + 1), x, y, dpem_svg_colour(i + 1));
	dpem_svg_label(svg, labels, x, y, width, delta[0] >= 0 ? 1 : -1);
	dpem_svg_put(svg, "%s %d</text>\n</g>\n", m->direction_name, i + 1);
}

void
dpem_svg_mixture(const DpemSvg *svg, const DpemSvgMixture *m)
{
	DpemAxis	x = axis_of(m, 0, 8);
	DpemAxis	y = axis_of(m, 1, 7);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);
	DpemSvgLabels labels = {0};

	dpem_svg_begin(svg, &m->caption, HEIGHT);
	dpem_svg_describe(svg, m->column, m->scale, 2, m->n, m->component);
	dpem_svg_heading(svg, &m->caption);
	dpem_frame_draw(svg, &frame);
	for (int i = 0; i < m->n; i++)
		draw_ellipses(svg, m, &frame, i);
	for (int i = 0; i < m->n; i++)
		draw_mean(svg, &labels, m, &frame, i);
	for (int i = 0; i < m->directions; i++)
		draw_direction(svg, &labels, m, &frame, i);
	for (int i = 0; i < m->n && m->n > 1; i++)
		draw_number(svg, &labels, m, &frame, i);
	dpem_svg_end(svg);
}
