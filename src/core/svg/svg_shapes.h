/*
 * svg_shapes.h - pictures of step functions: the shapes of an additive model, and coefficients of a
 * model that learnt online, batch by batch.
 */
#ifndef DPEM_CORE_SVG_SHAPES_H
#define DPEM_CORE_SVG_SHAPES_H

#include "core/svg/svg_axis.h"

/* a bin, in the coordinate of its column's scale, and what it contributes; stddev: of the noise in that */
typedef struct DpemSvgBinStep
{
	double		low;
	double		high;
	double		value;
	double		stddev;
} DpemSvgBinStep;

typedef struct DpemSvgShape
{
	DpemCaption caption;
	const char *column;			/* UTF-8 */
	const char *value_name;		/* what values are, UTF-8 */
	const char *steps_name;		/* what steps are, ASCII, in the plural; NULL: bins */
	DpemColumnScale scale;
	int			n;
	const DpemSvgBinStep *step;
	const DpemSvgBinStep *unknown;	/* of rows without a value, bounds aside; NULL: there is none */
} DpemSvgShape;

/* one column's steps with a band of 95 % of their noise and a line at zero */
extern void dpem_svg_shape(const DpemSvg *svg, const DpemSvgShape *shape);

/* a shape in small: cells in their order, or a grid of them */
typedef struct DpemSvgPanel
{
	const char *name;			/* UTF-8 */
	int			lines;			/* of the grid; 1: cells of one column */
	int			n;				/* cells in each line */
	const double *value;		/* lines x n */
	const double *stddev;		/* of the noise; of a grid not drawn */
} DpemSvgPanel;

typedef struct DpemSvgPanels
{
	DpemCaption caption;
	const char *note;			/* what values are, UTF-8 */
	const char *panels_name;	/* what panels are, ASCII, in the plural; NULL: shapes */
	int			n;
	const DpemSvgPanel *panel;
} DpemSvgPanels;

/* all shapes side by side, in one scale; grids as colours, blue above zero and red below */
extern void dpem_svg_panels(const DpemSvg *svg, const DpemSvgPanels *panels);

#endif							/* DPEM_CORE_SVG_SHAPES_H */
