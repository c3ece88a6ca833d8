/*
 * svg_scale.c - see svg_scale.h.
 */
#include "core/svg/svg_scale.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define DECADES 310				/* powers of ten of a double */

/*
 * Candidates for ticks are numbered: v is 10^(v step), and on a signed scale 0 is
 * 0 and v > 0 is 10^((v - 1) step), v < 0 its negative.
 */
static int
exponent_of(DpemColumnScale scale, int step, int v)
{
	return scale == DPEM_SCALE_LOG ? v * step : (abs(v) - 1) * step;
}

static double
power_at(DpemColumnScale scale, int step, int v)
{
	double		power = pow(10, exponent_of(scale, step, v));

	if (scale == DPEM_SCALE_SIGNED_LOG && v <= 0)
		power = v == 0 ? 0 : -power;
	return dpem_scale_apply(scale, power);
}

static double
power_tick(const DpemAxis *axis, int i)
{
	return power_at(axis->scale, (int) axis->ticks.step, (int) axis->ticks.first + i);
}

static void
power_label(const DpemAxis *axis, int i, char *label)
{
	int			v = (int) axis->ticks.first + i;
	int			exponent = exponent_of(axis->scale, (int) axis->ticks.step, v);
	bool		is_signed = axis->scale == DPEM_SCALE_SIGNED_LOG;
	const char *sign = is_signed && v < 0 ? "-" : "";

	if (is_signed && v == 0)
		snprintf(label, DPEM_TICK_LABEL, "0");
	else if (exponent >= -4 && exponent <= 5)
		snprintf(label, DPEM_TICK_LABEL, "%s%.*f", sign, exponent < 0 ? -exponent : 0, pow(10, exponent));
	else
		snprintf(label, DPEM_TICK_LABEL, "%s1e%d", sign, exponent);
}

/* of ticks that are evenly spaced in the coordinate: as many digits as tell neighbours apart */
static void
value_label(const DpemAxis *axis, int i, char *label)
{
	double		value = dpem_scale_invert(axis->scale, dpem_tick(&axis->ticks, i));
	double		apart = dpem_scale_unit(axis->scale, value) * axis->ticks.step;
	double		digits = value == 0 ? 3 : ceil(log10(fabs(value) / apart)) + 1;

	snprintf(label, DPEM_TICK_LABEL, "%.*g", (int) fmin(fmax(digits, 3), 15), value);
}

/* every `step`-th power of ten on the axis */
static DpemTicks
power_ticks(const DpemAxis *axis, int step)
{
	int			most = DECADES / step + 1;
	int			v = -most;
	DpemTicks	ticks = {.step = step};

	while (v <= most && power_at(axis->scale, step, v) < axis->low)
		v++;
	ticks.first = v;
	for (; v <= most && power_at(axis->scale, step, v) <= axis->high; v++)
		ticks.n++;
	return ticks;
}

DpemAxis
dpem_scaled_axis(DpemColumnScale scale, const char *name, double low, double high, double beyond,
				 int most)
{
	DpemAxis	axis = dpem_axis(name, low, high, beyond, most);
	DpemTicks	powers;
	int			step = 1;

	if (scale == DPEM_SCALE_LINEAR)
		return axis;
	axis.scale = scale;
	axis.label = value_label;
	axis.ticks.exponent = 0;
	while ((powers = power_ticks(&axis, step)).n > most)
		step++;
	if (powers.n >= 2)
	{
		axis.tick = power_tick;
		axis.label = power_label;
		axis.ticks = powers;
	}
	return axis;
}
