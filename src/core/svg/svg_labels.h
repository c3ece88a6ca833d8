/*
 * svg_labels.h - labels beside points, no two on each other where that can be helped.
 */
#ifndef DPEM_CORE_SVG_LABELS_H
#define DPEM_CORE_SVG_LABELS_H

#include "core/svg/svg.h"

#define DPEM_SVG_LABELS 60

/* labels that are there, and are looked at for those to come; start with zeros */
typedef struct DpemSvgLabels
{
	int			n;
	double		left[DPEM_SVG_LABELS];
	double		base[DPEM_SVG_LABELS];
	double		width[DPEM_SVG_LABELS];
} DpemSvgLabels;

/*
 * Opens a <text>, which the caller fills and closes, at most `width` units
 * wide, near the point x, y: to its right (side 1) or left (-1) or wherever
 * (0), or, where another label is, as near as there is room.
 */
extern void dpem_svg_label(const DpemSvg *svg, DpemSvgLabels *labels, double x, double y,
						   double width, int side);

#endif /* DPEM_CORE_SVG_LABELS_H */
