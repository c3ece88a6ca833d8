/*
 * test_svg_axes.c - axes of pictures: round ticks, plain ones, those of scales and those of times.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "core/svg/svg_scale.h"
#include "core/svg/svg_time.h"
#include "kernel_fixture.h"

static bool
is_round(double step)
{
	double		power = pow(10, floor(log10(step) + 1e-9));
	double		mantissa = step / power;

	return unit_close(mantissa, 1, 1e-9) || unit_close(mantissa, 2, 1e-9) ||
		   unit_close(mantissa, 5, 1e-9);
}

static void
check_ticks(double low, double high, int most)
{
	DpemTicks	ticks = dpem_ticks(low, high, most);
	double		tolerance = 1e-6 * ticks.step;
	char		label[DPEM_TICK_LABEL];
	char		before[DPEM_TICK_LABEL] = "";

	CHECK(ticks.n >= 1 && ticks.n <= most, "%g to %g: %d of %d ticks", low, high, ticks.n, most);
	CHECK(is_round(ticks.step), "step %g", ticks.step);
	CHECK(ticks.exponent % 3 == 0, "exponent %d", ticks.exponent);
	CHECK(most * 5.0 * ticks.step >= high - low && ticks.step <= 2.5 * 2.5 * (high - low) / most,
		  "%g to %g: step %g for %d", low, high, ticks.step, most);
	for (int i = 0; i < ticks.n; i++)
	{
		double		at = dpem_tick(&ticks, i);

		dpem_tick_label(&ticks, i, label);
		CHECK(at >= low - tolerance && at <= high + tolerance, "%g to %g: tick %g", low, high, at);
		CHECK(fabs(atof(label) * pow(10, ticks.exponent) - at) <=
				  1e-3 * ticks.step + 1e-12 * fabs(at),
			  "label %s of %.17g", label, at);
		CHECK(strcmp(label, before) != 0 && strcmp(label, "-0") != 0, "labels %s and %s", before,
			  label);
		strcpy(before, label);
	}
}

static void
test_ticks(Rng *rng)
{
	DpemTicks	ticks = dpem_ticks(0, 110, 8);
	char		label[DPEM_TICK_LABEL];

	CHECK(ticks.n == 6 && ticks.step == 20 && ticks.decimals == 0, "0 to 110: %d of %g", ticks.n,
		  ticks.step);
	ticks = dpem_ticks(-0.25, 0.25, 5);
	dpem_tick_label(&ticks, 0, label);
	CHECK(ticks.n == 5 && strcmp(label, "-0.2") == 0, "-0.25 to 0.25: %d from %s", ticks.n, label);
	ticks = dpem_ticks(1e6, 4e6, 6);
	dpem_tick_label(&ticks, ticks.n - 1, label);
	CHECK(ticks.exponent == 6 && strcmp(label, "4") == 0, "millions: %s", label);
	for (int i = 0; i < 20000; i++)
	{
		double		width = pow(10, 20 * rng_uniform(rng, 0, 1) - 10);
		double		low = width * 200 * (rng_uniform(rng, 0, 1) - 0.5);

		check_ticks(low, low + width, 4 + (int) (5 * rng_uniform(rng, 0, 1)));
	}
	check_ticks(-1e100, 1e100, 8);
	check_ticks(0, 1e-100, 8);
}

static void
test_axes(void)
{
	const double low[] = {5, 0, -1e100, 1e100, 3};
	const double high[] = {5, 0, 1e100, 1e100, 4};

	for (int i = 0; i < 5; i++)
	{
		DpemAxis	axis = dpem_axis("x", low[i], high[i], 0.05, 8);

		CHECK(axis.low < axis.high && axis.low <= low[i] && axis.high >= high[i],
			  "axis of %g to %g", low[i], high[i]);
		CHECK(axis.ticks.n >= 1, "%g to %g: no ticks", low[i], high[i]);
	}
}

/* whatever numbers are to be drawn: those of a picture are finite, and what is beside it is beside it */
static void
test_far(void)
{
	const double far[] = {-DBL_MAX, -1e300, -1, 0, 1e-320, 1, 1e300, DBL_MAX, INFINITY, NAN};
	const int	n = sizeof(far) / sizeof(*far);

	for (int i = 0; i < n * n; i++)
	{
		DpemFrame	frame = {.x = dpem_axis("x", far[i / n], far[i % n], 0.05, 8),.y = dpem_axis("y", far[i / n], far[i % n], 0.05, 8),.left = 10,.width = 700,.height = 400};

		CHECK(frame.x.low < frame.x.high && isfinite(frame.x.high - frame.x.low), "axis of %g to %g", far[i / n], far[i % n]);
		CHECK(frame.x.ticks.n >= 1 && frame.x.ticks.n <= 8, "axis of %g to %g: %d ticks", far[i / n], far[i % n], frame.x.ticks.n);
		for (int j = 0; j < n; j++)
			CHECK(isfinite(dpem_frame_x(&frame, far[j])) && isfinite(dpem_frame_y(&frame, far[j])), "%g on an axis of %g to %g", far[j], far[i / n], far[i % n]);
	}
}

/* ticks of scaled axes lie within, in order, under different names, and at powers of ten where two are */
static void
test_scaled_axes(void)
{
	const double low[] = {0, -1, -1000, 3, 2.302, -230, 0.001, -5};
	const double high[] = {14, 1, 4000, 3.001, 2.303, 230, 0.002, 11};

	for (int i = 0; i < 16; i++)
	{
		DpemColumnScale scale = i % 2 ? DPEM_SCALE_SIGNED_LOG : DPEM_SCALE_LOG;
		DpemAxis	axis = dpem_scaled_axis(scale, "x", low[i / 2], high[i / 2], 0.05, 8);
		char		label[2][DPEM_TICK_LABEL] = {"", ""};
		double		before = axis.low;

		CHECK(axis.ticks.n >= 2 && axis.ticks.n <= 8, "%g to %g: %d ticks", low[i / 2], high[i / 2], axis.ticks.n);
		for (int t = 0; t < axis.ticks.n; t++)
		{
			double		at = axis.tick ? axis.tick(&axis, t) : dpem_tick(&axis.ticks, t);

			axis.label(&axis, t, label[t % 2]);
			CHECK(at >= before - 1e-9 && at <= axis.high + 1e-9, "tick %d of %g to %g: %g", t, low[i / 2], high[i / 2], at);
			CHECK(strcmp(label[0], label[1]) != 0, "two ticks named %s", label[0]);
			CHECK_CLOSE(dpem_scale_apply(scale, atof(label[t % 2])), at, axis.tick ? 1e-12 : 0.01, "label %s", label[t % 2]);
			before = at;
		}
	}
}

static void
test_days(void)
{
	const struct
	{
		double		seconds;
		int			year;
		int			month;
		int			day;
	}			known[] = {{0, 1970, 1, 1}, {951782400, 2000, 2, 29}, {951868799, 2000, 2, 29}, {951868800, 2000, 3, 1},
		{-1, 1969, 12, 31}, {1767225600, 2026, 1, 1}, {4102444800, 2100, 1, 1}, {4107542400, 2100, 3, 1}};

	for (int i = 0; i < 8; i++)
	{
		int			year;
		int			month;
		int			day;

		dpem_civil_day(known[i].seconds, &year, &month, &day);
		CHECK(year == known[i].year && month == known[i].month && day == known[i].day, "%.0f: %d-%d-%d",
			  known[i].seconds, year, month, day);
	}
}

static void
test_time(Rng *rng)
{
	DpemAxis	axis = dpem_time_axis(1767225600, 1767225600 + 6 * 86400, 8);
	char		label[DPEM_TICK_LABEL];

	axis.label(&axis, 0, label);
	CHECK(axis.ticks.n == 7 && strcmp(label, "1 Jan") == 0, "%d days from %s", axis.ticks.n, label);
	axis = dpem_time_axis(1767225600 + 60, 1767225600 + 3 * 3600, 5);
	axis.label(&axis, 0, label);
	CHECK(strcmp(label, "01:00") == 0, "hours from %s", label);
	for (int i = 0; i < 5000; i++)
	{
		double		low = 1767225600 * rng_uniform(rng, 0.5, 1.5);
		double		high = low + pow(10, rng_uniform(rng, -2, 10));

		axis = dpem_time_axis(low, high, 6);
		CHECK(axis.ticks.n <= 6, "%g s: %d ticks", high - low, axis.ticks.n);
		for (int j = 0; j < axis.ticks.n; j++)
		{
			CHECK(dpem_tick(&axis.ticks, j) >= axis.low && dpem_tick(&axis.ticks, j) <= axis.high, "a tick outside");
			axis.label(&axis, j, label);
			CHECK(label[0] != '\0', "no label");
		}
	}
}

int
main(void)
{
	Rng			rng = {UINT64_C(20250722)};

	test_ticks(&rng);
	test_axes();
	test_far();
	test_scaled_axes();
	test_days();
	test_time(&rng);
	return unit_report();
}
