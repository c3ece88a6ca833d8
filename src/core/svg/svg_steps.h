/*
 * svg_steps.h - pictures of what was added up over time.
 */
#ifndef DPEM_CORE_SVG_STEPS_H
#define DPEM_CORE_SVG_STEPS_H

#include "core/svg/svg_time.h"

typedef struct DpemSvgStep
{
	double		at;				/* seconds since 1970 (UTC) */
	double		part;			/* per cent of the whole, >= 0 */
	int			series;			/* from 0 */
} DpemSvgStep;

typedef struct DpemSvgSteps
{
	DpemCaption caption;
	const char *part_name;		/* what the parts are per cent of */
	double		start;			/* of the time axis, not after the first step */
	int			series;
	const char *const *name;	/* of the series */
	int			calls;			/* that the steps stand for */
	int			n;
	const DpemSvgStep *step;	/* in the order of time */
} DpemSvgSteps;

/* sums of the parts as areas on top of each other, the first series lowest, and a line at 100 % where it is near */
extern void dpem_svg_steps(const DpemSvg *svg, const DpemSvgSteps *steps);

#endif							/* DPEM_CORE_SVG_STEPS_H */
