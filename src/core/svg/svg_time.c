/*
 * svg_time.c - see svg_time.h.
 */
#include "core/svg/svg_time.h"

#include <math.h>
#include <stdio.h>

#define MINUTE	60.0
#define HOUR	3600.0
#define DAY		86400.0

static const double steps[] = {
	1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR,
	DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY, 730 * DAY, 1825 * DAY
};

#define STEPS	((int) (sizeof(steps) / sizeof(steps[0])))

static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
};

/*
 * Richards 2013, "Calendars", Explanatory Supplement to the Astronomical
 * Almanac, 15.11.3: Gregorian date of a Julian day number.
 */
void
dpem_civil_day(double seconds, int *year, int *month, int *day)
{
	long		julian = (long) floor(seconds / DAY) + 2440588;
	long		f = julian + 1401 + (4 * julian + 274277) / 146097 * 3 / 4 - 38;
	long		e = 4 * f + 3;
	long		h = 5 * (e % 1461 / 4) + 2;

	*day = (int) (h % 153 / 5 + 1);
	*month = (int) ((h / 153 + 2) % 12 + 1);
	*year = (int) (e / 1461 - 4716 + (14 - *month) / 12);
}

/* the time of day between midnights, the day at them, the month and year where a step is longer than a month */
static void
label(const DpemAxis *axis, int i, char *label)
{
	double		at = dpem_tick(&axis->ticks, i);
	int			second = (int) (at - DAY * floor(at / DAY));
	int			year;
	int			month;
	int			day;

	dpem_civil_day(at, &year, &month, &day);
	if (axis->ticks.step > 30 * DAY)
		snprintf(label, DPEM_TICK_LABEL, "%s %d", months[month - 1], year);
	else if (second == 0)
		snprintf(label, DPEM_TICK_LABEL, "%d %s", day, months[month - 1]);
	else if (axis->ticks.step < MINUTE)
		snprintf(label, DPEM_TICK_LABEL, "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60);
	else
		snprintf(label, DPEM_TICK_LABEL, "%02d:%02d", second / 3600, second / 60 % 60);
}

DpemAxis
dpem_time_axis(double low, double high, int most)
{
	DpemAxis	axis = {.name = "time, UTC",.low = low,.high = fmax(high, low + 1),.label = label};
	int			i = 0;

	while (i < STEPS - 1 && (axis.high - axis.low) / steps[i] > most - 1)
		i++;
	axis.ticks.step = steps[i];
	while ((axis.high - axis.low) / axis.ticks.step > most - 1)
		axis.ticks.step *= 2;
	axis.ticks.first = ceil(axis.low / axis.ticks.step);
	axis.ticks.n = (int) (floor(axis.high / axis.ticks.step) - axis.ticks.first) + 1;
	return axis;
}
