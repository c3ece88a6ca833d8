/*
 * svg_shapes.c - see svg_shapes.h.
 */
#include "core/svg/svg_shapes.h"

#include <math.h>
#include <stdbool.h>

#include "core/svg/svg_scale.h"

#define NORMAL_95	1.959963984540054
#define HEIGHT		400
#define ACROSS		3			/* panels in a line */
#define PANEL		84			/* height of a panel's steps, */
#define LINE		118			/* and of a line of panels */
#define GAP			36			/* between panels, with the labels of the second */
#define STRONGEST	0.85		/* opacity of the largest value of a grid */
#define NARROW		3			/* user units below which a cell of a panel is no element of its own, */
#define NARROWEST	0.5			/* and cells are as one */

/* ---- one shape ---- */

static void
widen(const DpemSvgBinStep *step, double *low, double *high)
{
	*low = fmin(*low, step->value - NORMAL_95 * step->stddev);
	*high = fmax(*high, step->value + NORMAL_95 * step->stddev);
}

static void
draw_zero(const DpemSvg *svg, double left, double right, double y)
{
	dpem_svg_put(svg, "<path class=\"zero\" d=\"M%.1f %.1fH%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.5\" stroke-dasharray=\"5 4\"/>\n", left, y, right);
}

static void
draw_step(const DpemSvg *svg, const DpemFrame *f, const DpemSvgBinStep *s)
{
	double		left = dpem_frame_x(f, s->low);
	double		width = dpem_frame_x(f, s->high) - left;
	double		top = dpem_frame_y(f, s->value + NORMAL_95 * s->stddev);

	dpem_svg_put(svg, "<g class=\"step\"><title>%.3g &#177; %.2g</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\"0.25\"/>",
				 s->value, NORMAL_95 * s->stddev, left, top, width, dpem_frame_y(f, s->value - NORMAL_95 * s->stddev) - top, dpem_svg_colour(0));
	dpem_svg_put(svg, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"%s\" stroke-width=\"2.5\"/></g>\n", left, dpem_frame_y(f, s->value), width, dpem_svg_colour(0));
}

void
dpem_svg_shape(const DpemSvg *svg, const DpemSvgShape *shape)
{
	double		low = 0;
	double		high = 0;
	DpemAxis	x;
	DpemAxis	y;
	DpemFrame	frame;

	for (int i = 0; i < shape->n; i++)
		widen(&shape->step[i], &low, &high);
	x = dpem_scaled_axis(shape->scale, shape->column, shape->n > 0 ? shape->step[0].low : 0, shape->n > 0 ? shape->step[shape->n - 1].high : 1, 0, 8);
	y = dpem_axis(shape->value_name, low, high, 0.04, 6);
	frame = dpem_frame(&x, &y, HEIGHT);
	dpem_svg_begin(svg, &shape->caption, HEIGHT + (shape->unknown ? 24 : 0));
	dpem_svg_put(svg, " %d %s.", shape->n, shape->steps_name ? shape->steps_name : "bins");
	dpem_svg_heading(svg, &shape->caption);
	dpem_frame_draw(svg, &frame);
	draw_zero(svg, frame.left, frame.left + frame.width, dpem_frame_y(&frame, 0));
	for (int i = 0; i < shape->n; i++)
		draw_step(svg, &frame, &shape->step[i]);
	if (shape->unknown)
		dpem_svg_put(svg, "<text x=\"%d\" y=\"%d\" opacity=\"0.75\">without a value: %.3g &#177; %.2g</text>\n", DPEM_SVG_MARGIN, HEIGHT + 8,
					 shape->unknown->value, NORMAL_95 * shape->unknown->stddev);
	dpem_svg_end(svg);
}

/* ---- all shapes ---- */

static DpemFrame
panel_frame(int i, double low, double high)
{
	DpemFrame	f = {.height = PANEL};

	f.width = (DPEM_SVG_WIDTH - 2.0 * DPEM_SVG_MARGIN - GAP * ACROSS) / ACROSS;
	f.left = DPEM_SVG_MARGIN + GAP + i % ACROSS * (f.width + GAP);
	f.top = DPEM_SVG_TOP + i / ACROSS * LINE;
	f.x = dpem_axis(NULL, 0, 1, 0, 2);
	f.y = dpem_axis(NULL, low, high, 0.04, 2);
	return f;
}

/* values of cells first to last, by `together` of them, from left to right or back, `sign` bands above */
static void
put_outline(const DpemSvg *svg, const DpemFrame *f, const DpemSvgPanel *panel, int together, bool back, double sign)
{
	int			groups = (panel->n + together - 1) / together;

	for (int g = 0; g < groups; g++)
	{
		int			first = (back ? groups - 1 - g : g) * together;
		int			last = first + together < panel->n ? first + together : panel->n;
		double		y = dpem_frame_y(f, panel->value[first] + sign * NORMAL_95 * panel->stddev[first]);

		dpem_svg_put(svg, "%c%.1f %.1fH%.1f", g == 0 && !back ? 'M' : 'L', dpem_frame_x(f, (double) (back ? last : first) / panel->n), y,
					 dpem_frame_x(f, (double) (back ? first : last) / panel->n));
	}
}

/* many cells as one line in a band */
static void
draw_line(const DpemSvg *svg, const DpemFrame *f, const DpemSvgPanel *panel)
{
	int			together = (int) fmax(1, ceil(NARROWEST * panel->n / f->width));

	dpem_svg_put(svg, "<path class=\"band\" fill=\"%s\" fill-opacity=\"0.25\" d=\"", dpem_svg_colour(0));
	put_outline(svg, f, panel, together, false, 1);
	put_outline(svg, f, panel, together, true, -1);
	dpem_svg_put(svg, "Z\"/>\n<path class=\"line\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", dpem_svg_colour(0));
	put_outline(svg, f, panel, together, false, 0);
	dpem_svg_put(svg, "\"/>\n");
}

static void
draw_cells(const DpemSvg *svg, DpemFrame *f, const DpemSvgPanel *panel)
{
	bool		narrow = panel->n * NARROW > f->width;

	if (narrow)
		draw_line(svg, f, panel);
	for (int i = 0; i < panel->n && !narrow; i++)
	{
		DpemSvgBinStep step = {(double) i / panel->n, (i + 1.0) / panel->n, panel->value[i], panel->stddev[i]};

		draw_step(svg, f, &step);
	}
	draw_zero(svg, f->left, f->left + f->width, dpem_frame_y(f, 0));
	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"end\">%.2g</text><text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"end\">%.2g</text>\n",
				 f->left - 4, f->top + 8, f->y.high, f->left - 4, f->top + f->height, f->y.low);
}

static void
draw_grid(const DpemSvg *svg, const DpemFrame *f, const DpemSvgPanel *panel, double most)
{
	double		width = f->width / panel->n;
	double		height = f->height / panel->lines;

	for (int i = 0; i < panel->lines * panel->n; i++)
		dpem_svg_put(svg, "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\"%.2f\"><title>%.3g</title></rect>\n",
					 f->left + i % panel->n * width, f->top + i / panel->n * height, width, height, dpem_svg_colour(panel->value[i] >= 0 ? 0 : 1),
					 most > 0 ? STRONGEST * fmin(fabs(panel->value[i]) / most, 1) : 0, panel->value[i]);
}

/* of all columns' cells with their noise; most: of all grids' values */
static void
find_range(const DpemSvgPanels *panels, double *low, double *high, double *most)
{
	*low = *high = *most = 0;
	for (int p = 0; p < panels->n; p++)
	{
		const DpemSvgPanel *panel = &panels->panel[p];

		for (int i = 0; i < panel->lines * panel->n; i++)
		{
			DpemSvgBinStep step = {0, 0, panel->value[i], panel->stddev[i]};

			if (panel->lines > 1)
				*most = fmax(*most, fabs(panel->value[i]));
			else
				widen(&step, low, high);
		}
	}
}

void
dpem_svg_panels(const DpemSvg *svg, const DpemSvgPanels *panels)
{
	double		bottom = DPEM_SVG_TOP + (panels->n + ACROSS - 1) / ACROSS * (double) LINE;
	double		low;
	double		high;
	double		most;

	find_range(panels, &low, &high, &most);
	dpem_svg_begin(svg, &panels->caption, bottom + 16);
	dpem_svg_put(svg, " %d %s.", panels->n, panels->panels_name ? panels->panels_name : "shapes");
	dpem_svg_heading(svg, &panels->caption);
	for (int p = 0; p < panels->n; p++)
	{
		DpemFrame	f = panel_frame(p, low, high);

		dpem_svg_put(svg, "<g class=\"panel\"><text x=\"%.1f\" y=\"%.1f\" font-weight=\"600\">", f.left, f.top - 6);
		dpem_svg_name_within(svg, panels->panel[p].name, 12 * DPEM_SVG_BOLD, f.width);
		dpem_svg_put(svg, "</text>\n");
		if (panels->panel[p].lines > 1)
			draw_grid(svg, &f, &panels->panel[p], most);
		else
			draw_cells(svg, &f, &panels->panel[p]);
		dpem_svg_put(svg, "</g>\n");
	}
	dpem_svg_put(svg, "<text x=\"%d\" y=\"%.1f\" opacity=\"0.75\">", DPEM_SVG_MARGIN, bottom);
	dpem_svg_name_within(svg, panels->note, 12, DPEM_SVG_WIDTH - 2 * DPEM_SVG_MARGIN);
	dpem_svg_put(svg, "</text>\n");
	dpem_svg_end(svg);
}
