/*
 * svg_intervals.c - estimates with what is known of them: see svg_table.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/svg/svg_table.h"

#define NORMAL_95	1.959963984540054
#define LINE		26
#define NAMES		240			/* room for the name of a line */
#define NAMES_TOLD	40			/* characters of it in the description */
#define NUMBERS		140			/* room for what is written beside a line */

/* half of an interval's width; what nothing is known of has a line across the picture, and does not set its scale */
static double
half_width(const DpemSvgInterval *v)
{
	return isfinite(v->stddev) ? NORMAL_95 * v->stddev : 0;
}

static DpemFrame
frame_of(const DpemSvgIntervals *s)
{
	DpemFrame	frame = {.top = DPEM_SVG_TOP - 12,.height = LINE * s->lines};
	double		low = 0;
	double		high = 0;
	double		widest = 0;

	for (int i = 0; i < s->lines; i++)
	{
		low = fmin(low, s->interval[i].value - half_width(&s->interval[i]));
		high = fmax(high, s->interval[i].value + half_width(&s->interval[i]));
		widest = fmax(widest, dpem_svg_text_width(s->name[i], 12));
	}
	frame.x = dpem_axis(s->axis, low, high, 0.03, 7);
	frame.left = DPEM_SVG_MARGIN + fmin(widest, NAMES) + 10;
	frame.width = DPEM_SVG_WIDTH - DPEM_SVG_MARGIN - NUMBERS - frame.left;
	return frame;
}

static void
put_width(const DpemSvg *svg, const DpemSvgInterval *v, const char *unknown)
{
	if (isfinite(v->own_stddev))
		dpem_svg_put(svg, "%.2g", NORMAL_95 * v->own_stddev);
	else
		dpem_svg_put(svg, "%s", unknown);
}

static void
draw_line(const DpemSvg *svg, const DpemSvgIntervals *s, const DpemFrame *f, int i)
{
	const DpemSvgInterval *v = &s->interval[i];
	const char *colour = dpem_svg_colour(v->value >= 0 ? 0 : 1);
	double		y = f->top + LINE * (i + 0.5);
	bool		known = isfinite(v->stddev);

	dpem_svg_put(svg, "<g class=\"interval\"><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", f->left - 10, y + 4);
	dpem_svg_name_within(svg, s->name[i], 12, NAMES);
	dpem_svg_put(svg, "</text>\n<path d=\"M%.1f %.1fH%.1f\" stroke=\"%s\" stroke-width=\"2.5\" stroke-linecap=\"round\"/>"
				 "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\"/>\n",
				 known ? dpem_frame_x(f, v->value - half_width(v)) : f->left, y,
				 known ? dpem_frame_x(f, v->value + half_width(v)) : f->left + f->width, colour,
				 dpem_frame_x(f, v->value), y, colour);
	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\">%.3g &#177; ", f->left + f->width + 14, y + 4, v->own_value);
	put_width(svg, v, "&#8734;");
	dpem_svg_put(svg, "</text></g>\n");
}

/* are numbers written of another unit than they are drawn in? */
static bool
is_rescaled(const DpemSvgIntervals *s)
{
	for (int i = 0; i < s->lines; i++)
	{
		if (s->interval[i].own_value != s->interval[i].value)
			return true;
	}
	return false;
}

static void
describe(const DpemSvg *svg, const DpemSvgIntervals *s)
{
	dpem_svg_put(svg, " ");
	dpem_svg_name(svg, s->axis, 4 * NAMES_TOLD);
	dpem_svg_put(svg, ".");
	for (int i = 0; i < s->lines; i++)
	{
		dpem_svg_put(svg, " ");
		dpem_svg_name(svg, s->name[i], NAMES_TOLD);
		dpem_svg_put(svg, " %.3g (95 %% within ", s->interval[i].own_value);
		put_width(svg, &s->interval[i], "any distance");
		dpem_svg_put(svg, ").");
	}
}

void
dpem_svg_intervals(const DpemSvg *svg, const DpemSvgIntervals *s)
{
	DpemFrame	frame = frame_of(s);
	double		zero = dpem_frame_x(&frame, 0);

	dpem_svg_begin(svg, &s->caption, frame.top + frame.height + 54);
	describe(svg, s);
	dpem_svg_heading(svg, &s->caption);
	dpem_frame_draw_x(svg, &frame);
	dpem_svg_put(svg, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.6\"/>\n", zero, frame.top,
				 frame.top + frame.height);
	if (is_rescaled(s))
		dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" opacity=\"0.75\">per unit</text>\n", frame.left + frame.width + 14,
					 frame.top + frame.height + 18);
	for (int i = 0; i < s->lines; i++)
		draw_line(svg, s, &frame, i);
	dpem_svg_end(svg);
}
