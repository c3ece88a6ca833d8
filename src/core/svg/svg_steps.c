/*
 * svg_steps.c - see svg_steps.h.
 */
#include "core/svg/svg_steps.h"

#include <math.h>

#define HEIGHT		400
#define NEAR		60			/* per cent from which the whole is shown, too */
#define LEAST_MOVE	0.5			/* user units between corners of an outline */
#define NAMES		75			/* room for the name of a series */
#define NUMBERS		60			/* and for the number beside it */

/* what series 0 to `series` come to with steps 0 to n - 1 */
static double
total(const DpemSvgSteps *s, int series, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
	{
		if (s->step[i].series <= series)
			sum += s->step[i].part;
	}
	return sum;
}

static void
put_corner(const DpemSvg *svg, const DpemFrame *f, double x, double sum)
{
	dpem_svg_put(svg, "H%.1fV%.1f", x, dpem_frame_y(f, sum));
}

/* the outline of series 0 to `series` from left to right, a corner for each move that can be seen */
static void
put_forward(const DpemSvg *svg, const DpemSvgSteps *s, const DpemFrame *f, int series)
{
	double		x = f->left;
	double		sum = 0;

	dpem_svg_put(svg, "M%.1f %.1f", x, dpem_frame_y(f, 0));
	for (int i = 0; i < s->n; i++)
	{
		double		at = dpem_frame_x(f, s->step[i].at);

		if (at - x >= LEAST_MOVE)
		{
			put_corner(svg, f, x, sum);
			x = at;
		}
		if (s->step[i].series <= series)
			sum += s->step[i].part;
	}
	put_corner(svg, f, x, sum);
	dpem_svg_put(svg, "H%.1f", f->left + f->width);
}

/* and back; corners where put_forward has them do not matter, as the outline below hides nothing */
static void
put_backward(const DpemSvg *svg, const DpemSvgSteps *s, const DpemFrame *f, int series)
{
	double		x = f->left + f->width;
	double		sum = total(s, series, s->n);

	for (int i = s->n - 1; i >= 0; i--)
	{
		double		at = dpem_frame_x(f, s->step[i].at);

		if (x - at >= LEAST_MOVE)
		{
			dpem_svg_put(svg, "V%.1fH%.1f", dpem_frame_y(f, sum), at);
			x = at;
		}
		if (s->step[i].series <= series)
			sum -= s->step[i].part;
	}
	dpem_svg_put(svg, "V%.1fH%.1f", dpem_frame_y(f, fmax(sum, 0)), f->left);
}

static void
draw_series(const DpemSvg *svg, const DpemSvgSteps *s, const DpemFrame *f, int series)
{
	double		sum = total(s, series, s->n);
	double		own = series == 0 ? sum : sum - total(s, series - 1, s->n);
	const char *colour = dpem_svg_colour(series);

	dpem_svg_put(svg, "<g class=\"series\">\n<title>");
	dpem_svg_name(svg, s->name[series], 40);
	dpem_svg_put(svg, ": %.3g %%</title>\n<path fill=\"%s\" fill-opacity=\"0.35\" d=\"", own, colour);
	put_forward(svg, s, f, series);
	if (series > 0)
		put_backward(svg, s, f, series - 1);
	else
		dpem_svg_put(svg, "V%.1f", dpem_frame_y(f, 0));
	dpem_svg_put(svg, "Z\"/>\n<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colour);
	put_forward(svg, s, f, series);
	dpem_svg_put(svg, "\"/>\n</g>\n");
}

/* beside the end of its area, or above the one before if that is too thin */
static double
draw_name(const DpemSvg *svg, const DpemSvgSteps *s, const DpemFrame *f, int series, double above)
{
	double		below = series == 0 ? 0 : total(s, series - 1, s->n);
	double		sum = total(s, series, s->n);
	double		y = fmin(dpem_frame_y(f, (below + sum) / 2) + 4, above - 15);
	double		x = f->left + f->width + 8;

	dpem_svg_put(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\" rx=\"2\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\">",
				 x, y - 8, dpem_svg_colour(series), x + 13, y);
	dpem_svg_name_within(svg, s->name[series], 12, NAMES);
	dpem_svg_put(svg, " %.3g %%</text>\n", sum - below);
	return y;
}

static void
draw_whole(const DpemSvg *svg, const DpemFrame *f)
{
	double		y = dpem_frame_y(f, 100);

	dpem_svg_put(svg, "<path class=\"whole\" d=\"M%.1f %.1fH%.1f\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"/>\n",
				 f->left, y, f->left + f->width);
}

static void
describe(const DpemSvg *svg, const DpemSvgSteps *s)
{
	dpem_svg_put(svg, " %d steps.", s->calls);
	for (int i = 0; i < s->series; i++)
	{
		dpem_svg_put(svg, " ");
		dpem_svg_name(svg, s->name[i], 40);
		dpem_svg_put(svg, ": %.3g %%.", total(s, i, s->n) - (i == 0 ? 0 : total(s, i - 1, s->n)));
	}
}

void
dpem_svg_steps(const DpemSvg *svg, const DpemSvgSteps *s)
{
	double		sum = total(s, s->series, s->n);
	double		last = s->n > 0 ? s->step[s->n - 1].at : s->start;
	DpemAxis	x = dpem_time_axis(s->start, last + 0.02 * (last - s->start), 6);
	DpemAxis	y = dpem_axis(s->part_name, 0, sum >= NEAR ? fmax(1.05 * sum, 105) : sum > 0 ? 1.15 * sum : 1, 0, 6);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);
	double		above = frame.top + frame.height + 19;

	frame.width -= NAMES + NUMBERS;
	dpem_svg_begin(svg, &s->caption, HEIGHT);
	describe(svg, s);
	dpem_svg_heading(svg, &s->caption);
	dpem_frame_draw(svg, &frame);
	for (int i = 0; i < s->series; i++)
	{
		draw_series(svg, s, &frame, i);
		above = draw_name(svg, s, &frame, i, above);
	}
	if (frame.y.high > 100)
		draw_whole(svg, &frame);
	dpem_svg_end(svg);
}
