/*
 * svg_time.h - axes of time.
 */
#ifndef DPEM_CORE_SVG_TIME_H
#define DPEM_CORE_SVG_TIME_H

#include "core/svg/svg_axis.h"

/*
 * An axis from low to high, seconds since 1970 (UTC) of a day between the
 * years 1 and 9999, with at most `most` >= 2 ticks at full seconds, minutes,
 * hours or days.
 */
extern DpemAxis dpem_time_axis(double low, double high, int most);

/* the day that starts or is under way at that second, in the Gregorian calendar */
extern void dpem_civil_day(double seconds, int *year, int *month, int *day);

#endif							/* DPEM_CORE_SVG_TIME_H */
