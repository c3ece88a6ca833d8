/*
 * svg_axis.c - see svg_axis.h.
 */
#include "core/svg/svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUND_OFF 1e-9 /* of a step: ticks that far outside count as inside */
#define FAR 1e300 /* what lies beyond is drawn there: an axis of twice as much is a number */
#define OFF 1e7 /* user units, of what lies that far beside the picture: numbers in SVG are finite */

/* the least of 1, 2, 5 times a power of 10 that is not below `least` > 0 */
static double
nice_step(double least)
{
	double		power = pow(10, floor(log10(least)));
	double		mantissa = least / power;

	return power * (mantissa <= 1 + ROUND_OFF ? 1 :
					mantissa <= 2 + ROUND_OFF ? 2 :
					mantissa <= 5 + ROUND_OFF ? 5 :
												10);
}

static int
ticks_within(double low, double high, double step, double *first)
{
	*first = ceil(low / step - ROUND_OFF);
	return (int) (floor(high / step + ROUND_OFF) - *first) + 1;
}

/* labels of up to six digits before the point, and down to 0.0001 */
static int
exponent_of(double largest, double step)
{
	if (largest < 1e6 && step >= 0.999e-4)
		return 0;
	return 3 * (int) floor(log10(largest) / 3);
}

DpemTicks
dpem_ticks(double low, double high, int most)
{
	DpemTicks	ticks;
	double		digits;

	ticks.step = nice_step((high - low) / most);
	ticks.n = ticks_within(low, high, ticks.step, &ticks.first);
	while (ticks.n > most)
	{
		ticks.step = nice_step(ticks.step * 1.5);
		ticks.n = ticks_within(low, high, ticks.step, &ticks.first);
	}
	ticks.exponent = exponent_of(fmax(fabs(low), fabs(high)), ticks.step);
	digits = ticks.exponent - floor(log10(ticks.step) + ROUND_OFF);
	ticks.decimals = digits > 15 ? 15 : digits > 0 ? (int) digits : 0;
	return ticks;
}

double
dpem_tick(const DpemTicks *ticks, int i)
{
	return (ticks->first + i) * ticks->step;
}

void
dpem_tick_label(const DpemTicks *ticks, int i, char *label)
{
	double		value = dpem_tick(ticks, i);

	snprintf(label, DPEM_TICK_LABEL, "%.*f", ticks->decimals,
			 value == 0 ? 0 : value / pow(10, ticks->exponent));
}

/* within [-most, most], NaN too */
static double
within(double x, double most)
{
	return fmin(fmax(x, -most), most);
}

DpemAxis
dpem_axis(const char *name, double low, double high, double beyond, int most)
{
	double		width;
	double		least;
	DpemAxis	axis = {.name = name};

	low = within(low, FAR);
	high = fmax(low, within(high, FAR));
	width = high - low;
	least = fmax(fmax(fabs(low), fabs(high)) * 1e-6, 1e-100);
	if (width < least)
		width = 10 * least;
	axis.low = low - beyond * width;
	axis.high = high + beyond * width;
	if (!(axis.high - axis.low >= least))
	{
		axis.low -= width / 2;
		axis.high += width / 2;
	}
	axis.ticks = dpem_ticks(axis.low, axis.high, most);
	return axis;
}

static double
tick_of(const DpemAxis *axis, int i)
{
	return axis->tick != NULL ? axis->tick(axis, i) : dpem_tick(&axis->ticks, i);
}

static void
put_label(const DpemAxis *axis, int i, char *label)
{
	if (axis->label != NULL)
		axis->label(axis, i, label);
	else
		dpem_tick_label(&axis->ticks, i, label);
}

DpemFrame
dpem_frame(const DpemAxis *x, const DpemAxis *y, double height)
{
	DpemFrame	frame = {.x = *x, .y = *y, .top = DPEM_SVG_TOP, .margin = DPEM_SVG_MARGIN};
	double		widest = 0;
	char		label[DPEM_TICK_LABEL];

	for (int i = 0; i < y->ticks.n; i++)
	{
		put_label(y, i, label);
		widest = fmax(widest, dpem_svg_text_width(label, 12));
	}
	frame.left = DPEM_SVG_MARGIN + widest + 8;
	frame.width = DPEM_SVG_WIDTH - DPEM_SVG_MARGIN - frame.left;
	frame.height = height - frame.top - 50;
	return frame;
}

double
dpem_frame_x(const DpemFrame *frame, double x)
{
	return within(frame->left + frame->width * ((x - frame->x.low) / (frame->x.high - frame->x.low)), OFF);
}

double
dpem_frame_y(const DpemFrame *frame, double y)
{
	return within(frame->top + frame->height * ((frame->y.high - y) / (frame->y.high - frame->y.low)), OFF);
}

/* name and, where labels are not in units of 1, the power of ten they are in */
static void
draw_name(const DpemSvg *svg, const DpemAxis *axis, double x, double y, const char *anchor)
{
	double		room = (strcmp(anchor, "end") == 0 ? x : DPEM_SVG_WIDTH - x) - DPEM_SVG_MARGIN;

	if (axis->name == NULL)
		return;
	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-weight=\"600\">", x, y,
				 anchor);
	dpem_svg_name_within(svg, axis->name, DPEM_SVG_BOLD * 12,
						 room - (axis->ticks.exponent != 0 ? 40 : 0));
	if (axis->ticks.exponent != 0)
		dpem_svg_put(svg,
					 " (10<tspan dy=\"-4\" font-size=\"9\">%d</tspan><tspan dy=\"4\">)</tspan>",
					 axis->ticks.exponent);
	dpem_svg_put(svg, "</text>\n");
}

void
dpem_frame_draw_x(const DpemSvg *svg, const DpemFrame *frame)
{
	double		bottom = frame->top + frame->height;
	char		label[DPEM_TICK_LABEL];

	for (int i = 0; i < frame->x.ticks.n; i++)
	{
		double		x = dpem_frame_x(frame, tick_of(&frame->x, i));

		put_label(&frame->x, i, label);
		dpem_svg_put(
			svg,
			"<path d=\"M%.1f %.1fV%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.1\"/>"
			"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" opacity=\"0.75\">%s</text>\n",
			x, frame->top, bottom, x, bottom + 18, label);
	}
	draw_name(svg, &frame->x, frame->left + frame->width, bottom + 38, "end");
}

static void
draw_y(const DpemSvg *svg, const DpemFrame *frame)
{
	char		label[DPEM_TICK_LABEL];

	for (int i = 0; i < frame->y.ticks.n; i++)
	{
		double		y = dpem_frame_y(frame, tick_of(&frame->y, i));

		put_label(&frame->y, i, label);
		dpem_svg_put(svg,
					 "<path d=\"M%.1f %.1fH%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.1\"/>"
					 "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" opacity=\"0.75\">%s</text>\n",
					 frame->left, y, frame->left + frame->width, frame->left - 8, y + 4, label);
	}
	draw_name(svg, &frame->y, frame->margin, frame->top - 10, "start");
}

void
dpem_frame_draw(const DpemSvg *svg, const DpemFrame *frame)
{
	dpem_svg_put(svg, "<g class=\"axes\">\n");
	dpem_frame_draw_x(svg, frame);
	draw_y(svg, frame);
	dpem_svg_put(svg, "</g>\n");
}
