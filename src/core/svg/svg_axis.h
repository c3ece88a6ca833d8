/*
 * svg_axis.h - axes of pictures: round numbers, and where they are.
 */
#ifndef DPEM_CORE_SVG_AXIS_H
#define DPEM_CORE_SVG_AXIS_H

#include <stddef.h>

#include "core/numeric/column_scale.h"
#include "core/svg/svg.h"

#define DPEM_TICK_LABEL 32 /* bytes */

/* round numbers (first + i) * step * 10^exponent, i < n, within a range */
typedef struct DpemTicks
{
	double		first;
	double		step;			/* 1, 2 or 5 times a power of 10 */
	int			n;
	int			decimals;		/* of a label */
	int			exponent;		/* a multiple of 3; labels are in units of 10^exponent */
} DpemTicks;

/*
 * At most `most` >= 2 of the finest ticks of 1, 2 or 5 times a power of ten
 * between low < high (Heckbert 1990, "Nice numbers for graph labels", with
 * ticks inside the range).
 */
extern DpemTicks dpem_ticks(double low, double high, int most);
extern double dpem_tick(const DpemTicks *ticks, int i);
/* at least DPEM_TICK_LABEL bytes */
extern void dpem_tick_label(const DpemTicks *ticks, int i, char *label);

typedef struct DpemAxis DpemAxis;

struct DpemAxis
{
	const char *name;			/* UTF-8; NULL: none */
	double		low;
	double		high;
	DpemTicks	ticks;
	DpemColumnScale scale;		/* low, high and ticks are in its coordinate */
	/* where the i-th tick is; NULL: at dpem_tick */
	double		(*tick) (const DpemAxis *axis, int i);
	/* what the i-th tick is called; NULL: its number, dpem_tick_label */
	void		(*label) (const DpemAxis *axis, int i, char *label);
};

/* an axis that shows low to high and `beyond` of that on both sides, even where low = high */
extern DpemAxis dpem_axis(const char *name, double low, double high, double beyond, int most);

/* a rectangle of the picture with axes to it */
typedef struct DpemFrame
{
	double		left;
	double		top;
	double		width;
	double		height;
	double		margin;			/* where the name of the y axis begins */
	DpemAxis	x;
	DpemAxis	y;
} DpemFrame;

/* below the heading of a picture of that height, with room for the labels of both axes */
extern DpemFrame dpem_frame(const DpemAxis *x, const DpemAxis *y, double height);

/* user units of a point in the axes' units */
extern double dpem_frame_x(const DpemFrame *frame, double x);
extern double dpem_frame_y(const DpemFrame *frame, double y);

/* the x axis alone, or both */
extern void dpem_frame_draw_x(const DpemSvg *svg, const DpemFrame *frame);
extern void dpem_frame_draw(const DpemSvg *svg, const DpemFrame *frame);

#endif /* DPEM_CORE_SVG_AXIS_H */
