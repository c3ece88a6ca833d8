/*
 * svg_labels.c - labels beside points, each where there is room: see svg_labels.h.
 */
#include "core/svg/svg_labels.h"

#include <math.h>
#include <stdbool.h>

#define HEIGHT 13

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
is_free(const DpemSvgLabels *labels, double left, double base, double width)
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

/* the first place that is free, or else the first */
static Place
place_of(const DpemSvgLabels *labels, double x, double y, double width, int side)
{
	Place		first = side == 0 ? places[0] : (Place) {side, 4};

	if (is_free(labels, left_of(first.side, x, width), y + first.down, width))
		return first;
	for (int i = 0; i < PLACES; i++)
	{
		if (is_free(labels, left_of(places[i].side, x, width), y + places[i].down, width))
			return places[i];
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
