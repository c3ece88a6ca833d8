/*
 * svg_component.c - what every picture of components shows of one: see svg_mixture.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/svg/svg_mixture.h"

#define NORMAL_95	 1.959963984540054
#define DESCRIBED	 12
#define WEIGHTED	 12 /* more components than that have their numbers only */
#define WEIGHT_WIDTH 58 /* of labels with and without a weight */
#define NUMBER_WIDTH 16

DpemEllipse
dpem_ellipse(double xx, double xy, double yy)
{
	double		middle = xx / 2 + yy / 2;
	double		spread = hypot(xx / 2 - yy / 2, xy);
	DpemEllipse ellipse;

	ellipse.radius[0] = sqrt(fmax(middle + spread, 0));
	ellipse.radius[1] = sqrt(fmax(middle - spread, 0));
	ellipse.degrees = atan2(2 * xy, xx - yy) * 90 / M_PI;
	return ellipse;
}

static void
put_value(const DpemSvg *svg, const char *name, double value, double noise)
{
	dpem_svg_put(svg, ", ");
	dpem_svg_name(svg, name, 40);
	dpem_svg_put(svg, " %.4g", value);
	if (isfinite(noise))
		dpem_svg_put(svg, " (noise %.2g)", noise);
}

/* noise to first order */
static void
put_component(const DpemSvg *svg, const char *const *column, const DpemColumnScale *scale, int columns, int i,
			  const DpemSvgComponent *c)
{
	dpem_svg_put(svg, "Component %d", i + 1);
	if (isfinite(c->weight))
		put_value(svg, "weight", c->weight, c->weight_noise);
	for (int j = 0; j < columns; j++)
	{
		double		value = dpem_scale_invert(scale[j], c->mean[j]);

		put_value(svg, column[j], value, c->mean_noise[j] * dpem_scale_unit(scale[j], value));
	}
}

void
dpem_svg_describe(const DpemSvg *svg, const char *const *column, const DpemColumnScale *scale,
				  int columns, int n, const DpemSvgComponent *component)
{
	for (int i = 0; i < n && i < DESCRIBED; i++)
	{
		dpem_svg_put(svg, " ");
		put_component(svg, column, scale, columns, i, &component[i]);
		dpem_svg_put(svg, ".");
	}
	if (n > DESCRIBED)
		dpem_svg_put(svg, " And %d more.", n - DESCRIBED);
}

void
dpem_svg_component_title(const DpemSvg *svg, const char *const *column, const DpemColumnScale *scale,
						 int columns, int i, const DpemSvgComponent *c)
{
	dpem_svg_put(svg, "<title>");
	put_component(svg, column, scale, columns, i, c);
	dpem_svg_put(svg, "</title>\n");
}

void
dpem_svg_component_label(const DpemSvg *svg, DpemSvgLabels *labels, int i, int n, double weight,
						 double x, double y)
{
	bool		weighted = n <= WEIGHTED && isfinite(weight);

	if (n > DPEM_SVG_LABELS)
		return;
	dpem_svg_label(svg, labels, x, y, weighted ? WEIGHT_WIDTH : NUMBER_WIDTH, 0);
	dpem_svg_put(svg, "<tspan font-weight=\"600\">%d</tspan>", i + 1);
	if (weighted)
		dpem_svg_put(svg, "<tspan dx=\"5\">%.3g %%</tspan>", 100 * weight);
	dpem_svg_put(svg, "</text>\n");
}

static void
put_noise_line(const DpemSvg *svg, DpemSvgLabels *labels, double x1, double y1, double x2, double y2)
{
	dpem_svg_label_line(labels, (DpemSvgLabelLine) {{x1, x2}, {y1, y2}});
	dpem_svg_put(
		svg,
		"<path class=\"noise\" d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" stroke-width=\"1.2\"/>\n",
		x1, y1, x2, y2);
}

void
dpem_svg_noise_cross(const DpemSvg *svg, DpemSvgLabels *labels, const DpemFrame *frame, const DpemSvgComponent *c)
{
	double		x = dpem_frame_x(frame, c->mean[0]);
	double		y = dpem_frame_y(frame, c->mean[1]);
	double		dx = NORMAL_95 * c->mean_noise[0] / (frame->x.high - frame->x.low) * frame->width;
	double		dy = NORMAL_95 * c->mean_noise[1] / (frame->y.high - frame->y.low) * frame->height;

	if (isfinite(dx))
		put_noise_line(svg, labels, fmax(x - dx, frame->left), y, fmin(x + dx, frame->left + frame->width),
					   y);
	if (isfinite(dy))
		put_noise_line(svg, labels, x, fmax(y - dy, frame->top), x,
					   fmin(y + dy, frame->top + frame->height));
}
