/*
 * svg_scale.h - axes of columns that have a scale.
 */
#ifndef DPEM_CORE_SVG_SCALE_H
#define DPEM_CORE_SVG_SCALE_H

#include "core/numeric/column_scale.h"
#include "core/svg/svg_axis.h"

/*
 * dpem_axis for low to high in the coordinate of a scale, with ticks labelled in the
 * column's own unit: at powers of ten where there is room for two of them.
 */
extern DpemAxis dpem_scaled_axis(DpemColumnScale scale, const char *name, double low, double high,
								 double beyond, int most);

#endif							/* DPEM_CORE_SVG_SCALE_H */
