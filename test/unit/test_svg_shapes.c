/*
 * test_svg_shapes.c - step functions in small: many cells are one line in a band, inside their panel.
 */
#include <stdlib.h>
#include <string.h>

#include "core/svg/svg_shapes.h"
#include "kernel_fixture.h"
#include "svg_fixture.h"

#define MOST	5000

/* corners of the first path of that class, at most `most` */
static int
corners(const char *class, double *x, double *y, int most)
{
	const char *at = strstr(strstr(sink.text, class), " d=\"") + 4;
	int			n = 0;

	for (char *end; *at == 'M' || *at == 'L'; n++)
	{
		double		first = strtod(at + 1, &end);
		double		height = strtod(end, &end);

		if (n < most)
		{
			x[n] = first;
			y[n] = height;
		}
		CHECK(*end == 'H', "a corner without an end");
		(void) strtod(end + 1, &end);
		at = end;
	}
	return n;
}

/* a line that rises by one from cell to cell, with a band of one on both sides: y falls from left to right, the band's returns */
static void
check_line(const double *value, const double *stddev, int n)
{
	static double x[2 * MOST];
	static double y[2 * MOST];
	static double bx[2 * MOST];
	static double by[2 * MOST];
	DpemSvgPanel panel = {"<p>", 1, n, value, stddev};
	DpemSvgPanels panels = {{"<c>", "s"}, "values & noise", "coefficients", 1, &panel};
	int			found;
	int			bad = 0;

	sink.n = 0;
	dpem_svg_panels(&svg, &panels);
	CHECK(count("class=\"step\"") == 0 && count("class=\"line\"") == 1 && count("class=\"band\"") == 1, "%d cells: %d steps, %d lines", n, count("class=\"step\""), count("class=\"line\""));
	CHECK(count(" 1 coefficients.") == 1 && sink.n < 40000, "%d cells: %zu bytes", n, sink.n);
	found = corners("class=\"line\"", x, y, 2 * MOST);
	CHECK(found <= n && corners("class=\"band\"", bx, by, 2 * MOST) == 2 * found, "%d cells: %d corners", n, found);
	for (int i = 0; i < found; i++)
	{
		bad += i > 0 && (x[i] < x[i - 1] || y[i] > y[i - 1]);
		bad += fabs(bx[i] - x[i]) > 0.11 || by[i] > y[i] || by[2 * found - 1 - i] < y[i];
		bad += fabs(by[i] + by[2 * found - 1 - i] - 2 * y[i]) > 0.31;
	}
	CHECK(bad == 0, "%d cells: %d corners are elsewhere", n, bad);
}

int
main(void)
{
	static double value[MOST];
	static double stddev[MOST];
	DpemSvgPanel few = {"p", 1, 12, value, stddev};
	DpemSvgPanels panels = {{"c", "s"}, "note", NULL, 1, &few};
	DpemSvgBinStep step = {0.5, 1.5, 2, 1};
	DpemSvgShape shape = {.caption = {"c", "s"},.column = "batch",.value_name = "v",.steps_name = "batches",.n = 1,.step = &step};

	for (int i = 0; i < MOST; i++)
	{
		value[i] = i;
		stddev[i] = 30;
	}
	check_line(value, stddev, 63);
	check_line(value, stddev, 1023);
	check_line(value, stddev, MOST);
	sink.n = 0;
	dpem_svg_panels(&svg, &panels);
	CHECK(count("class=\"step\"") == 12 && count("class=\"line\"") == 0 && count(" 1 shapes.") == 1, "few cells have steps of their own");
	sink.n = 0;
	dpem_svg_shape(&svg, &shape);
	CHECK(count("class=\"step\"") == 1 && count(" 1 batches.") == 1, "a step of one batch");
	return unit_report();
}
