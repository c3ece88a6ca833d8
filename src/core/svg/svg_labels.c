/*
 * svg_labels.c - labels beside points, each where there is room: see svg_labels.h.
 */
#include "core/svg/svg_labels.h"

#include <math.h>
#include <stdbool.h>

#define HEIGHT 13
#define ASCENT 10
#define DESCENT 3

typedef struct Place
{
	int			side;			/* 1: right of the point, -1: left of it, 0: in its middle */
	double		down;			/* of the base line from the point */
} Place;

/* from near to far; what is asked for stands before these */
static const Place places[] = {{1, -8},	{1, 17},  {-1, -8}, {-1, 17}, {0, -18}, {0, 28},
							   {1, -24}, {-1, -24}, {1, 33},  {-1, 33}, {1, -40}, {-1, -40},
							   {1, 49},	{-1, 49}, {1, -56}, {-1, -56}, {1, 65},	{-1, 65}};

#define PLACES ((int) (sizeof(places) / sizeof(places[0])))

static double
left_of(int side, double x, double width)
{
	return side > 0 ? x + 8 :
		   side < 0 ? x - 8 - width :
					  x - width / 2;
}

static bool
off_labels(const DpemSvgLabels *labels, double left, double base, double width)
{
	if (left < DPEM_SVG_MARGIN || left + width > DPEM_SVG_WIDTH - 2 || base < DPEM_SVG_TOP)
		return false;
	for (int i = 0; i < labels->n; i++)
	{
		if (left < labels->left[i] + labels->width[i] && labels->left[i] < left + width &&
			fabs(base - labels->base[i]) < HEIGHT)
			return false;
	}
	return true;
}

static bool
off_lines(const DpemSvgLabels *labels, double left, double base, double width)
{
	for (int i = 0; i < labels->lines; i++)
	{
		const DpemSvgLabelLine *line = &labels->line[i];

		if (left < line->x[1] && line->x[0] < left + width && base - ASCENT < line->y[1] && line->y[0] < base + DESCENT)
			return false;
	}
	return true;
}

void
dpem_svg_label_line(DpemSvgLabels *labels, DpemSvgLabelLine line)
{
	if (labels->lines < DPEM_SVG_LABEL_LINES)
		labels->line[labels->lines++] = line;
}

/* the first place off labels and lines, or else off labels, or else the first */
static Place
place_of(const DpemSvgLabels *labels, double x, double y, double width, int side)
{
	Place		first = side == 0 ? places[0] : (Place) {side, 4};

	for (int on_lines = 0; on_lines < 2; on_lines++)
	{
		for (int i = -1; i < PLACES; i++)
		{
			Place		place = i < 0 ? first : places[i];
			double		left = left_of(place.side, x, width);

			if (off_labels(labels, left, y + place.down, width) && (on_lines || off_lines(labels, left, y + place.down, width)))
				return place;
		}
	}
	return first;
}

void
dpem_svg_label(const DpemSvg *svg, DpemSvgLabels *labels, double x, double y, double width, int side)
{
	static const char *const anchors[] = {"end", "middle", "start"};
	Place		place = place_of(labels, x, y, width, side);

	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"" DPEM_SVG_HALO ">",
				 x + 8 * place.side, y + place.down, anchors[place.side + 1]);
	if (labels->n == DPEM_SVG_LABELS)
		return;
	labels->left[labels->n] = left_of(place.side, x, width);
	labels->base[labels->n] = y + place.down;
	labels->width[labels->n++] = width;
}
