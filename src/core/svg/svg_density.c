/*
 * svg_density.c - components of one column as curves: see svg_mixture.h.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/numeric/vector.h"
#include "core/svg/svg_mixture.h"
#include "core/svg/svg_scale.h"

#define HEIGHT		  380
#define REACH		  3.5 /* standard deviations beyond which a curve is not drawn */
#define OWN_POINTS	  49  /* of each component */
#define COMMON_POINTS 161
#define LEAST_STDDEV  1e-3 /* of the picture's width */

typedef struct Curves
{
	const DpemSvgMixture *mixture;
	double		low;
	double		high;
	bool		weighted;		/* all weights known: the whole has a density, too */
} Curves;

static double
stddev_of(const Curves *curves, int i)
{
	double		variance = curves->mixture->component[i].covariance[0];

	return fmax(sqrt(fmax(variance, 0)), LEAST_STDDEV * (curves->high - curves->low));
}

static double
density_of(const Curves *curves, int i, double x)
{
	const DpemSvgComponent *c = &curves->mixture->component[i];
	double		stddev = stddev_of(curves, i);
	double		z = (x - c->mean[0]) / stddev;

	return (curves->weighted ? c->weight : 1) * exp(-z * z / 2) / (stddev * sqrt(2 * M_PI));
}

static double
density(const Curves *curves, double x)
{
	double		sum = 0;

	for (int i = 0; i < curves->mixture->n; i++)
		sum += density_of(curves, i, x);
	return sum;
}

static Curves
curves_of(const DpemSvgMixture *mixture)
{
	Curves		curves = {.mixture = mixture, .low = INFINITY, .high = -INFINITY, .weighted = true};
	double		width;

	for (int i = 0; i < mixture->n; i++)
	{
		const DpemSvgComponent *c = &mixture->component[i];
		double		reach = REACH * sqrt(fmax(c->covariance[0], 0));

		curves.low = fmin(curves.low, c->mean[0] - reach);
		curves.high = fmax(curves.high, c->mean[0] + reach);
		curves.weighted = curves.weighted && isfinite(c->weight);
	}
	width = fmax(curves.high - curves.low, 1e-6 * fmax(fabs(curves.low), fabs(curves.high)));
	width = fmax(width, 1e-100);
	curves.low -= 0.01 * width;
	curves.high += 0.01 * width;
	return curves;
}

/* points close to each other wherever a component is, in order */
static int
sample(const Curves *curves, double *at)
{
	int			n = 0;

	for (int i = 0; i < COMMON_POINTS; i++)
		at[n++] = curves->low + (curves->high - curves->low) * i / (COMMON_POINTS - 1);
	for (int i = 0; i < curves->mixture->n; i++)
	{
		for (int j = 0; j < OWN_POINTS; j++)
		{
			double		x = curves->mixture->component[i].mean[0] +
					   stddev_of(curves, i) * REACH * (2.0 * j / (OWN_POINTS - 1) - 1);

			if (x > curves->low && x < curves->high)
				at[n++] = x;
		}
	}
	qsort(at, (size_t) n, sizeof(double), dpem_ascending);
	return n;
}

size_t
dpem_svg_density_workspace(int n)
{
	return COMMON_POINTS + OWN_POINTS * (size_t) n;
}

static double
highest(const Curves *curves, const double *at, int n)
{
	double		most = 0;

	for (int i = 0; i < n; i++)
	{
		double		height = curves->weighted ? density(curves, at[i]) : 0;

		for (int j = 0; j < curves->mixture->n && !curves->weighted; j++)
			height = fmax(height, density_of(curves, j, at[i]));
		most = fmax(most, height);
	}
	return most;
}

static void
put_point(const DpemSvg *svg, const DpemFrame *frame, double x, double y, char command)
{
	dpem_svg_put(svg, "%c%.1f %.1f", command, dpem_frame_x(frame, x), dpem_frame_y(frame, y));
}

static void
draw_component(const DpemSvg *svg, const Curves *curves, const DpemFrame *frame, int i)
{
	const DpemSvgComponent *c = &curves->mixture->component[i];
	double		reach = REACH * stddev_of(curves, i);
	const char *colour = dpem_svg_colour(i);

	dpem_svg_put(svg, "<g class=\"component\">\n");
	dpem_svg_component_title(svg, curves->mixture->column, curves->mixture->scale, 1, i, c);
	dpem_svg_put(svg, "<path d=\"");
	put_point(svg, frame, fmax(c->mean[0] - reach, curves->low), 0, 'M');
	for (int j = 0; j < OWN_POINTS; j++)
	{
		double		x = c->mean[0] + reach * (2.0 * j / (OWN_POINTS - 1) - 1);

		x = fmin(fmax(x, curves->low), curves->high);
		put_point(svg, frame, x, density_of(curves, i, x), 'L');
	}
	put_point(svg, frame, fmin(c->mean[0] + reach, curves->high), 0, 'L');
	dpem_svg_put(
		svg, "Z\" fill=\"%s\" fill-opacity=\"0.18\" stroke=\"%s\" stroke-width=\"1.5\"/>\n</g>\n",
		colour, colour);
}

static void
draw_whole(const DpemSvg *svg, const Curves *curves, const DpemFrame *frame, const double *at,
		   int n)
{
	dpem_svg_put(svg, "<path class=\"whole\" d=\"");
	for (int i = 0; i < n; i++)
		put_point(svg, frame, at[i], density(curves, at[i]), i == 0 ? 'M' : 'L');
	dpem_svg_put(
		svg,
		"\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n");
}

static void
draw_label(const DpemSvg *svg, DpemSvgLabels *labels, const Curves *curves, const DpemFrame *frame,
		   int i)
{
	const DpemSvgComponent *c = &curves->mixture->component[i];

	dpem_svg_component_label(svg, labels, i, curves->mixture->n, c->weight,
							 dpem_frame_x(frame, c->mean[0]) - 8,
							 dpem_frame_y(frame, density_of(curves, i, c->mean[0])));
}

void
dpem_svg_density(const DpemSvg *svg, const DpemSvgMixture *m, double *work)
{
	Curves		curves = curves_of(m);
	int			n = sample(&curves, work);
	DpemAxis	x = dpem_scaled_axis(m->scale[0], m->column[0], curves.low, curves.high, 0, 8);
	DpemAxis	y = dpem_axis("density", 0, 1.1 * highest(&curves, work, n), 0, 6);
	DpemFrame	frame = dpem_frame(&x, &y, HEIGHT);
	DpemSvgLabels labels = {0};

	dpem_svg_begin(svg, &m->caption, HEIGHT);
	dpem_svg_describe(svg, m->column, m->scale, 1, m->n, m->component);
	dpem_svg_heading(svg, &m->caption);
	dpem_frame_draw(svg, &frame);
	for (int i = 0; i < m->n; i++)
		draw_component(svg, &curves, &frame, i);
	if (curves.weighted && m->n > 1)
		draw_whole(svg, &curves, &frame, work, n);
	for (int i = 0; i < m->n && m->n > 1; i++)
		draw_label(svg, &labels, &curves, &frame, i);
	dpem_svg_end(svg);
}
