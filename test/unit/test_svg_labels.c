/*
 * test_svg_labels.c - labels in pictures: apart from each other, off lines, within the picture.
 */
#include "core/svg/svg_labels.h"
#include "kernel_fixture.h"

static void
forget(void *to, const char *text, size_t n)
{
	(void) to;
	(void) text;
	(void) n;
}

static const DpemSvg svg = {forget, NULL};

/* labels of points that lie close together have places of their own, the first the one asked for */
static void
test_labels(Rng *rng)
{
	for (int round = 0; round < 500; round++)
	{
		DpemSvgLabels labels = {0};
		double		x = rng_uniform(rng, 150, 490);
		double		y = rng_uniform(rng, 180, 400);

		for (int i = 0; i < 8; i++)
			dpem_svg_label(&svg, &labels, x + rng_uniform(rng, -4, 4), y + rng_uniform(rng, -4, 4),
						   rng_uniform(rng, 10, 80), i % 3 - 1);
		CHECK(labels.n == 8 && labels.left[0] + labels.width[0] < x, "the first is left");
		for (int i = 0; i < 8; i++)
		{
			CHECK(labels.left[i] > 0 && labels.left[i] + labels.width[i] < DPEM_SVG_WIDTH, "outside");
			for (int j = 0; j < i; j++)
				CHECK(labels.left[i] >= labels.left[j] + labels.width[j] ||
						  labels.left[j] >= labels.left[i] + labels.width[i] ||
						  fabs(labels.base[i] - labels.base[j]) >= 12,
					  "labels %d and %d", i, j);
		}
	}
}


/* above, below or beside the cross of its own point and of another's: no label is on a line if there is room off it */
static void
test_lines(Rng *rng)
{
	for (int round = 0; round < 500; round++)
	{
		DpemSvgLabels labels = {0};
		double		x = rng_uniform(rng, 200, 440);
		double		y = rng_uniform(rng, 180, 400);
		double		across = y + rng_uniform(rng, -20, 20);
		double		left;
		double		base;

		dpem_svg_label_line(&labels, (DpemSvgLabelLine) {{x - 50, x + 50}, {y, y}});
		dpem_svg_label_line(&labels, (DpemSvgLabelLine) {{x, x}, {y - 30, y + 30}});
		dpem_svg_label_line(&labels, (DpemSvgLabelLine) {{x - 90, x + 90}, {across, across}});
		dpem_svg_label(&svg, &labels, x, y, 40, round % 3 - 1);
		left = labels.left[0];
		base = labels.base[0];
		CHECK(left >= x || left + 40 <= x || base - 10 >= y + 30 || base <= y - 30, "on the upright line");
		CHECK(base <= y || base - 10 >= y, "on its own line: %g from %g", base, y);
		CHECK(base <= across || base - 10 >= across, "on the other line: %g from %g", base, across);
	}
	/* where lines are everywhere, a label is on one, and on no other label */
	{
		DpemSvgLabels labels = {0};

		for (int i = 0; i < 2 * DPEM_SVG_LABEL_LINES; i++)
			dpem_svg_label_line(&labels, (DpemSvgLabelLine) {{0, DPEM_SVG_WIDTH}, {3 * i, 3 * i}});
		CHECK(labels.lines == DPEM_SVG_LABEL_LINES, "%d lines", labels.lines);
		for (int i = 0; i < 3; i++)
			dpem_svg_label(&svg, &labels, 300, 250, 40, 0);
		CHECK(labels.n == 3, "%d labels", labels.n);
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < i; j++)
				CHECK(labels.base[i] != labels.base[j] || labels.left[i] != labels.left[j], "labels %d and %d", i, j);
	}
}

int
main(void)
{
	Rng			rng = {UINT64_C(20260722)};

	test_labels(&rng);
	test_lines(&rng);
	return unit_report();
}
