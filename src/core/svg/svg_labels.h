/*
 * svg_labels.h - labels beside points, none on another or on a line where that can be helped.
 */
#ifndef DPEM_CORE_SVG_LABELS_H
#define DPEM_CORE_SVG_LABELS_H

#include "core/svg/svg.h"

#define DPEM_SVG_LABELS 60
#define DPEM_SVG_LABEL_LINES (3 * DPEM_SVG_LABELS)

/* a line along an axis: x[0] <= x[1], y[0] <= y[1] */
typedef struct DpemSvgLabelLine
{
	double		x[2];
	double		y[2];
} DpemSvgLabelLine;

/* labels and lines that are there, and are looked at for labels to come; start with zeros */
typedef struct DpemSvgLabels
{
	int			n;
	double		left[DPEM_SVG_LABELS];
	double		base[DPEM_SVG_LABELS];
	double		width[DPEM_SVG_LABELS];
	int			lines;
	DpemSvgLabelLine line[DPEM_SVG_LABEL_LINES];
} DpemSvgLabels;

/* labels to come keep off a line; of more than DPEM_SVG_LABEL_LINES they see the first */
extern void dpem_svg_label_line(DpemSvgLabels *labels, DpemSvgLabelLine line);

/*
 * Opens a <text>, which the caller fills and closes, at most `width` units
 * wide, near the point x, y: to its right (side 1) or left (-1) or wherever
 * (0), or, where another label or a line is, as near as there is room.
 */
extern void dpem_svg_label(const DpemSvg *svg, DpemSvgLabels *labels, double x, double y,
						   double width, int side);

#endif /* DPEM_CORE_SVG_LABELS_H */
