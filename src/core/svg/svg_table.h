/*
 * svg_table.h - pictures that have a line per column or term: heat maps, intervals, bars.
 */
#ifndef DPEM_CORE_SVG_TABLE_H
#define DPEM_CORE_SVG_TABLE_H

#include "core/svg/svg_axis.h"

#define DPEM_SVG_LINES	60		/* that one picture has room for */

typedef struct DpemSvgHeat
{
	DpemCaption caption;
	const char *note;			/* what a value is; ASCII, without markup */
	const char *head;			/* what columns are numbered as; likewise */
	const char *const *column_name; /* instead, what they are called, UTF-8; NULL: numbers */
	double		most;			/* the value that is coloured most; 0: 1 */
	int			lines;
	const char *const *name;
	int			columns;
	const double *value;		/* lines x columns, each in [-most, most]; NaN: not known */
} DpemSvgHeat;

/* a cell per value, the stronger coloured the larger it is, blue above zero and red below, with the number in it */
extern void dpem_svg_heat(const DpemSvg *svg, const DpemSvgHeat *heat);

/* an estimate with its interval where it is drawn, and as it is written beside that */
typedef struct DpemSvgInterval
{
	double		value;
	double		stddev;
	double		own_value;		/* in the column's own unit */
	double		own_stddev;
} DpemSvgInterval;

typedef struct DpemSvgIntervals
{
	DpemCaption caption;
	const char *axis;			/* UTF-8 */
	int			lines;
	const char *const *name;
	const DpemSvgInterval *interval;
} DpemSvgIntervals;

/* estimates as dots with their 95 % intervals and a line at zero */
extern void dpem_svg_intervals(const DpemSvg *svg, const DpemSvgIntervals *intervals);

/* a term with its share of a list, above 0, and a list with its share of all */
typedef struct DpemSvgBar
{
	const char *name;
	double		weight;
} DpemSvgBar;

typedef struct DpemSvgList
{
	int			number;
	double		weight;
} DpemSvgList;

typedef struct DpemSvgBars
{
	DpemCaption caption;
	const char *note;			/* what numbers are; ASCII, without markup */
	const char *head;			/* what lists are numbered as; likewise */
	int			lists;
	const DpemSvgList *list;
	int			lines;
	const DpemSvgBar *bar;		/* lists x lines */
} DpemSvgBars;

/* list beside list, all bars on one scale, shares in per cent */
extern void dpem_svg_bars(const DpemSvg *svg, const DpemSvgBars *bars);

#endif							/* DPEM_CORE_SVG_TABLE_H */
