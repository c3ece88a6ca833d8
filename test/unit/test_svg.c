/*
 * test_svg.c - pictures: ellipses, cells, harmless names, and markup that closes.
 */
#include <stdlib.h>
#include <string.h>

#include "core/numeric/voronoi.h"
#include "core/svg/svg_clusters.h"
#include "core/svg/svg_steps.h"
#include "core/svg/svg_table.h"
#include "kernel_fixture.h"
#include "svg_fixture.h"

static void
keep_nothing(void)
{
	sink.n = 0;
	sink.text[0] = '\0';
}

static const char *
named(const char *name, int most)
{
	keep_nothing();
	dpem_svg_name(&svg, name, most);
	return sink.text;
}

/* what is left of a name of letters and its ellipsis is as wide as there is room, no less */
static void
check_within(const char *letters, double width)
{
	char		left[64];
	char	   *cut;

	keep_nothing();
	dpem_svg_name_within(&svg, letters, 12, width);
	strcpy(left, sink.text);
	cut = strstr(left, "&#8230;");
	CHECK((cut != NULL) == (dpem_svg_text_width(letters, 12) > width), "%s in %g", letters, width);
	if (cut == NULL)
		return;
	*cut = '\0';
	CHECK(strncmp(left, letters, strlen(left)) == 0, "%s is not of %s", left, letters);
	CHECK(dpem_svg_text_width(left, 12) + 12 <= width, "%s in %g", left, width);
	*cut = letters[cut - left];
	cut[1] = '\0';
	CHECK(dpem_svg_text_width(left, 12) + 12 > width, "%s would do in %g", left, width);
}

static void
test_names_within(Rng *rng)
{
	char		letters[64];

	for (int i = 0; i < 20000; i++)
	{
		int			n = (int) (rng_uniform(rng, 0, 1) * 50);

		for (int j = 0; j < n; j++)
			letters[j] = "aWi7_Q"[(int) (rng_uniform(rng, 0, 1) * 6)];
		letters[n] = '\0';
		check_within(letters, rng_uniform(rng, 13, 300));
	}
	keep_nothing();
	dpem_svg_name_within(&svg, "\xF0\x9F\x98\x80", 12, 13);
	CHECK(strcmp(sink.text, "&#8230;") == 0, "one that is too wide: %s", sink.text);
	CHECK(dpem_svg_text_width("\xE5\xB9\xB4\xE9\xBD\xA2", 10) == 20, "wide characters");
}

static void
test_names(Rng *rng)
{
	char		bytes[64];

	CHECK(strcmp(named("<script>alert('&\"')</script>", 99),
				 "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;") == 0,
		  "%s", sink.text);
	CHECK(strcmp(named("\x01\x1f\x7f\n", 9), "&#65533;&#65533;&#65533;&#65533;") == 0, "%s",
		  sink.text);
	CHECK(strcmp(named("\xEF\xBF\xBE\xED\xA0\x80\xEF\xBF\xBD", 9),
				 "&#65533;&#65533;\xEF\xBF\xBD") == 0,
		  "%s", sink.text);
	CHECK(strcmp(named("gr\xC3\xB6\xC3\x9F"
					   "e",
					   5),
				 "gr\xC3\xB6\xC3\x9F"
				 "e") == 0,
		  "%s", sink.text);
	CHECK(strcmp(named("gr\xC3\xB6\xC3\x9F"
					   "en",
					   4),
				 "gr\xC3\xB6&#8230;") == 0,
		  "%s", sink.text);
	CHECK(strcmp(named("\xC3", 4), "&#65533;") == 0, "%s", sink.text);
	for (int i = 0; i < 20000; i++)
	{
		int			n = (int) (rng_uniform(rng, 0, 1) * (sizeof(bytes) - 1));

		for (int j = 0; j < n; j++)
			bytes[j] = (char) (1 + (int) (rng_uniform(rng, 0, 1) * 255));
		bytes[n] = '\0';
		named(bytes, 40);
		CHECK(strpbrk(sink.text, "<>\"'") == NULL, "markup in %s", sink.text);
		CHECK(dpem_svg_length(bytes) <= n, "more characters than bytes");
	}
}

/* points of the ellipse are one standard deviation from the mean */
static void
test_ellipses(Rng *rng)
{
	DpemEllipse e = dpem_ellipse(9, 0, 4);

	CHECK(e.radius[0] == 3 && e.radius[1] == 2 && e.degrees == 0, "%g %g %g", e.radius[0],
		  e.radius[1], e.degrees);
	e = dpem_ellipse(1, 2, 1);
	CHECK_CLOSE(e.radius[0], sqrt(3), 1e-12, "not semidefinite");
	CHECK(e.radius[1] == 0, "not semidefinite: %g", e.radius[1]);
	for (int i = 0; i < 2000; i++)
	{
		double		a = 0.1 + rng_uniform(rng, 0, 1);
		double		c = 0.1 + rng_uniform(rng, 0, 1);
		double		b = 0.95 * (2 * rng_uniform(rng, 0, 1) - 1) * sqrt(a * c);
		double		t = 2 * M_PI * rng_uniform(rng, 0, 1);
		double		angle;
		double		x;
		double		y;

		e = dpem_ellipse(a, b, c);
		angle = e.degrees * M_PI / 180;
		x = e.radius[0] * cos(t) * cos(angle) - e.radius[1] * sin(t) * sin(angle);
		y = e.radius[0] * cos(t) * sin(angle) + e.radius[1] * sin(t) * cos(angle);
		CHECK(e.radius[0] >= e.radius[1], "radii %g, %g", e.radius[0], e.radius[1]);
		CHECK_CLOSE((c * x * x - 2 * b * x * y + a * y * y) / (a * c - b * b), 1, 1e-9, "distance");
	}
}

static double
area(int n, const double *corner)
{
	double		twice = 0;

	for (int i = 0; i < n; i++)
	{
		const double *p = corner + 2 * i;
		const double *q = corner + 2 * ((i + 1) % n);

		twice += p[0] * q[1] - q[0] * p[1];
	}
	return fabs(twice) / 2;
}

/* cells share out the rectangle, and no corner is nearer to another center */
static void
test_cells(Rng *rng)
{
	enum
	{
		most = 30
	};
	const double unit[] = {1, 4};
	const double low[] = {-1, -2};
	const double high[] = {1, 2};
	double		center[2 * most];
	double		corner[2 * DPEM_VORONOI_CORNERS(most)];
	double		work[2 * DPEM_VORONOI_CORNERS(most)];

	for (int round = 0; round < 200; round++)
	{
		int			n = 1 + round % most;
		double		sum = 0;

		for (int i = 0; i < 2 * n; i++)
			center[i] = low[i % 2] + (high[i % 2] - low[i % 2]) * rng_uniform(rng, 0, 1);
		for (int i = 0; i < n; i++)
		{
			int			corners = dpem_voronoi_cell(n, center, i, unit, low, high, corner, work);

			sum += area(corners, corner);
			for (int j = 0; j < corners * n; j++)
			{
				const double *p = corner + 2 * (j / n);
				const double *other = center + 2 * (j % n);

				CHECK(hypot((p[0] - center[2 * i]) / unit[0],
							(p[1] - center[2 * i + 1]) / unit[1]) <=
						  hypot((p[0] - other[0]) / unit[0], (p[1] - other[1]) / unit[1]) + 1e-9,
					  "cell %d of %d", i, n);
			}
		}
		CHECK_CLOSE(sum, 8, 1e-9, "cells of %d centers", n);
	}
}

/* every element is closed in its turn, and no coordinate is not a number */
static void
check_markup(const char *what)
{
	char		open[64][16];
	int			depth = 0;

	for (const char *p = strchr(sink.text, '<'); p != NULL; p = strchr(p + 1, '<'))
	{
		const char *end = strchr(p, '>');
		char		name[16] = "";

		sscanf(p[1] == '/' ? p + 2 : p + 1, "%15[a-z]", name);
		if (p[1] == '/')
			CHECK(depth > 0 && strcmp(open[--depth], name) == 0, "%s: </%s>", what, name);
		else if (end[-1] != '/' && depth < 63)
			strcpy(open[depth++], name);
	}
	CHECK(depth == 0, "%s: %d elements are open", what, depth);
	CHECK(strstr(sink.text, "nan") == NULL && strstr(sink.text, "inf") == NULL, "%s: no number",
		  what);
}

static void
test_pictures(void)
{
	DpemSvgComponent c[3] = {{0.5, 0.01, {1, 2}, {0.1, 0.2}, {1, 0.5, 2}},
							 {0.5, NAN, {1, 2}, {NAN, NAN}, {1e-12, 0, 1e-12}},
							 {NAN, NAN, {5, -2}, {1e30, 0}, {0, 0, 0}}};
	DpemSvgDirection direction[] = {{{1, 1}}, {{-1, 0}}};
	DpemSvgMixture m = {.caption = {"<m>", "]]>"},
						.column = {"a&b", "\"c\""},
						.component = c,
						.direction = direction,
						.direction_name = "factor"};
	DpemSvgClusters k = {.caption = m.caption,
						 .column = {"a&b", "\"c\""},
						 .all = true,
						 .lower = {-10, -10},
						 .upper = {10, 10},
						 .component = c};
	double		work[400];

	for (int n = 1; n <= 3; n++)
	{
		m.n = k.n = n;
		m.directions = n == 1 ? 2 : 0;
		sink.n = 0;
		dpem_svg_mixture(&svg, &m);
		check_markup("mixture");
		CHECK(count("<ellipse") == (n == 1 ? 2 : 4), "%d ellipses of %d components",
			  count("<ellipse"), n);
		CHECK(count("class=\"direction\"") == m.directions, "%d directions",
			  count("class=\"direction\""));
		sink.n = 0;
		CHECK(dpem_svg_density_workspace(n) <= 400, "workspace");
		dpem_svg_density(&svg, &m, work);
		check_markup("density");
		CHECK(count("class=\"whole\"") == (n == 2), "%d whole densities of %d",
			  count("class=\"whole\""), n);
		for (k.columns = 1; k.columns <= 2; k.columns++)
		{
			sink.n = 0;
			dpem_svg_clusters(&svg, &k, work);
			check_markup("clusters");
			CHECK(count("class=\"component\"") == n, "%d clusters", count("class=\"component\""));
			CHECK(count("class=\"region\"") == (k.columns == 2 ? n : 0), "%d regions",
				  count("class=\"region\""));
		}
	}
}

static void
test_tables(void)
{
	const char *name[] = {"<a>", "b & c", "a name that is far too long for the room that there is for it"};
	const double value[] = {1, -1, 0, NAN, 0.5, -0.001};
	const DpemSvgInterval interval[] = {{2, 1, 0.2, 0.1}, {-3, 0, -1e-9, 0}, {0, 0, 0, 0}};
	DpemSvgHeat heat = {.caption = {"h", "<h>"},.note = "note",.head = "factor",.lines = 3,.name = name,.columns = 2,.value = value};
	DpemSvgIntervals intervals = {.caption = {"i", "<i>"},.axis = "a < b",.lines = 3,.name = name,.interval = interval};

	sink.n = 0;
	dpem_svg_heat(&svg, &heat);
	CHECK(count(">nan<") == 0 && count("class=\"cell\"") == 6, "%d cells", count("class=\"cell\""));
	check_markup("heat map");
	sink.n = 0;
	dpem_svg_intervals(&svg, &intervals);
	check_markup("intervals");
	CHECK(count("class=\"interval\"") == 3, "%d intervals", count("class=\"interval\""));
}

/* an interval of which nothing is known has a line across the picture, whatever the others are */
static void
test_unknown_intervals(void)
{
	const char *name[] = {"a", "b"};
	const DpemSvgInterval interval[] = {{0, INFINITY, 0, INFINITY}, {2, 1, 0.2, 0.1}};
	DpemSvgIntervals intervals = {.caption = {"i", "i"},.axis = "a",.name = name,.interval = interval};

	for (intervals.lines = 1; intervals.lines <= 2; intervals.lines++)
	{
		sink.n = 0;
		dpem_svg_intervals(&svg, &intervals);
		check_markup("unknown intervals");
		CHECK(count("class=\"interval\"") == intervals.lines, "%d intervals", count("class=\"interval\""));
		CHECK(count("0 &#177; &#8734;<") == 1, "%d unknown", count("0 &#177; &#8734;<"));
	}
}

/* the longest bar has all the room there is, the others their part of it */
static void
test_bars(void)
{
	const DpemSvgList list[] = {{2, 0.25}, {5, 0.5}, {7, 0.25}};
	const DpemSvgBar bar[] = {{"<a>", 0.5}, {"b & c", 0.25}, {"d", 0.125}, {"e", 1e-9}, {"f", 1}, {"g", 0.75}};
	const char *next = sink.text;
	DpemSvgBars bars = {.caption = {"b", "<b>"},.note = "note",.head = "Topic",.lists = 3,.list = list,.lines = 2,.bar = bar};
	double		width[6];

	keep_nothing();
	dpem_svg_bars(&svg, &bars);
	check_markup("bars");
	CHECK(count("class=\"list\"") == 3 && count("class=\"bar\"") == 6, "%d bars", count("class=\"bar\""));
	CHECK(count("Topic 5, 50 %: d 12.5 %, e 1e-07 %. Topic 7, 25 %: f 100 %, g 75 %.") == 1, "%s", sink.text);
	for (int i = 0; i < 6; i++)
	{
		next = strstr(next, "class=\"bar\"") + 1;
		width[i] = strtod(strstr(next, "width=\"") + 7, NULL);
	}
	for (int i = 0; i < 6; i++)
		CHECK(fabs(width[i] - fmax(bar[i].weight * width[4], 1)) < 0.11, "bar %d: %g of %g", i, width[i], width[4]);
}

/* the end of the highest outline is at the sum of all parts */
static void
test_steps(void)
{
	const char *name[] = {"<one>", "two"};
	const DpemSvgStep step[] = {{1e9 + 10, 20, 0}, {1e9 + 20, 30, 1}, {1e9 + 20.0001, 25, 0}, {1e9 + 90, 15, 1}};
	DpemSvgSteps steps = {.caption = {"s", "s"},.part_name = "%",.start = 1e9,.series = 2,.name = name,.calls = 4,.n = 4,.step = step};

	sink.n = 0;
	dpem_svg_steps(&svg, &steps);
	check_markup("steps");
	CHECK(count("class=\"series\"") == 2 && count("class=\"whole\"") == 1, "series and whole");
	CHECK(count("<title>&lt;one&gt;: 45 %") == 1 && count("<title>two: 45 %") == 1, "%s", sink.text);
	for (steps.n = 0; steps.n < 2; steps.n++)
	{
		steps.series = steps.n;
		sink.n = 0;
		dpem_svg_steps(&svg, &steps);
		check_markup("few steps");
		CHECK(count("class=\"series\"") == steps.n && count("class=\"whole\"") == 0, "few steps");
	}
}

int
main(void)
{
	Rng			rng = {UINT64_C(20250722)};

	test_names(&rng);
	test_names_within(&rng);
	test_ellipses(&rng);
	test_cells(&rng);
	test_pictures();
	test_tables();
	test_unknown_intervals();
	test_bars();
	test_steps();
	return unit_report();
}
