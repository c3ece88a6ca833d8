/*
 * svg_evaluation.c - see svg_evaluation.h.
 */
#include "core/svg/svg_evaluation.h"

#include <math.h>

#define HEIGHT		400
#define GAP			64			/* between two frames, with the labels of the second */
#define SEEN		2			/* noise deviations that a bin must have rows for */

/* ---- classifiers ---- */

static DpemFrame
half_frame(const char *x_name, const char *y_name, int place)
{
	DpemAxis	x = dpem_axis(x_name, 0, 1, 0, 6);
	DpemAxis	y = dpem_axis(y_name, 0, 1, 0, 6);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);

	frame.width = (frame.width - GAP) / 2;
	frame.left += place * (frame.width + GAP);
	frame.margin += place * (frame.width + GAP);
	return frame;
}

static void
draw_diagonal(const DpemSvg *svg, const DpemFrame *f)
{
	dpem_svg_put(svg, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" stroke-opacity=\"0.5\" stroke-dasharray=\"5 4\"/>\n",
				 dpem_frame_x(f, 0), dpem_frame_y(f, 0), dpem_frame_x(f, 1), dpem_frame_y(f, 1));
}

static void
draw_curve(const DpemSvg *svg, const DpemFrame *f, const DpemSvgRate *rate, int n)
{
	dpem_svg_put(svg, "<path class=\"roc\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"M%.1f %.1f", dpem_svg_colour(0),
				 dpem_frame_x(f, 0), dpem_frame_y(f, 0));
	for (int i = n - 1; i >= 0; i--)
	{
		if (!isnan(rate[i].true_positive) && !isnan(rate[i].false_positive))
			dpem_svg_put(svg, "L%.1f %.1f", dpem_frame_x(f, rate[i].false_positive), dpem_frame_y(f, rate[i].true_positive));
	}
	dpem_svg_put(svg, "L%.1f %.1f\"/>\n", dpem_frame_x(f, 1), dpem_frame_y(f, 1));
}

static int
draw_calibration(const DpemSvg *svg, const DpemFrame *f, const DpemSvgRate *rate, int n)
{
	int			drawn = 0;

	for (int i = 0; i < n; i++)
	{
		const DpemSvgRate *r = &rate[i];

		if (isnan(r->predicted) || isnan(r->observed) || !(r->rows > SEEN * r->noise))
			continue;
		dpem_svg_put(svg, "<circle class=\"bin\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>predicted %.3g, observed %.3g, %.0f rows</title></circle>\n",
					 dpem_frame_x(f, r->predicted), dpem_frame_y(f, r->observed), dpem_svg_colour(1), r->predicted,
					 r->observed, r->rows);
		drawn++;
	}
	return drawn;
}

void
dpem_svg_rates(const DpemSvg *svg, const DpemCaption *caption, const DpemSvgRate *rate, int n)
{
	DpemFrame	curve = half_frame("false positive rate", "true positive rate", 0);
	DpemFrame	calibration = half_frame("predicted", "observed", 1);

	dpem_svg_begin(svg, caption, HEIGHT);
	dpem_svg_put(svg, " ROC curve and calibration at %d thresholds.", n);
	dpem_svg_heading(svg, caption);
	dpem_frame_draw(svg, &curve);
	draw_diagonal(svg, &curve);
	draw_curve(svg, &curve, rate, n);
	dpem_frame_draw(svg, &calibration);
	draw_diagonal(svg, &calibration);
	(void) draw_calibration(svg, &calibration, rate, n);
	dpem_svg_end(svg);
}

/* ---- residuals ---- */

static double
largest(const DpemSvgBin *bin, int n)
{
	double		most = 1;

	for (int i = 0; i < n; i++)
		most = fmax(most, bin[i].rows + SEEN * bin[i].noise);
	return most;
}

static void
draw_bin(const DpemSvg *svg, const DpemFrame *f, const DpemSvgBin *bin)
{
	double		left = dpem_frame_x(f, bin->low);
	double		right = dpem_frame_x(f, bin->high);
	double		top = dpem_frame_y(f, fmax(bin->rows, 0));

	dpem_svg_put(svg, "<rect class=\"bin\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\"0.6\"><title>%.4g to %.4g: %.0f rows</title></rect>\n",
				 left, top, fmax(right - left - 1, 0.5), dpem_frame_y(f, 0) - top, dpem_svg_colour(0), bin->low, bin->high,
				 bin->rows);
	dpem_svg_put(svg, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"currentColor\"/>\n", (left + right) / 2,
				 dpem_frame_y(f, fmax(bin->rows - SEEN * bin->noise, 0)), dpem_frame_y(f, fmax(bin->rows + SEEN * bin->noise, 0)));
}

void
dpem_svg_bins(const DpemSvg *svg, const DpemCaption *caption, const char *axis, const DpemSvgBin *bin, int n)
{
	DpemAxis	x = dpem_axis(axis, n > 0 ? bin[0].low : 0, n > 0 ? bin[n - 1].high : 1, 0, 8);
	DpemAxis	y = dpem_axis("rows", 0, largest(bin, n), 0, 6);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);

	dpem_svg_begin(svg, caption, HEIGHT);
	dpem_svg_put(svg, " %d bins.", n);
	dpem_svg_heading(svg, caption);
	dpem_frame_draw(svg, &frame);
	for (int i = 0; i < n; i++)
		draw_bin(svg, &frame, &bin[i]);
	dpem_svg_end(svg);
}
