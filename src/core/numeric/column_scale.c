/*
 * column_scale.c - see column_scale.h.
 *
 * Nothing here relies on the library's logarithm being monotonic or correctly
 * rounded: what is mapped is clamped to the mapped bounds afterwards, by the
 * feature map.
 */
#include "core/numeric/column_scale.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LARGEST_EXPONENT 709	/* exp of it is finite */
#define BISECTIONS 60

static const char *const names[DPEM_SCALES] = {"linear", "log", "signed_log"};

const char *
dpem_scale_name(DpemColumnScale scale)
{
	return names[scale];
}

DpemColumnScale
dpem_scale_from_name(const char *name)
{
	int			scale = 0;

	while (scale < DPEM_SCALES && strcmp(names[scale], name) != 0)
		scale++;
	return (DpemColumnScale) scale;
}

static inline double
log_of(double x)
{
	if (x > 0)
		return log(x);
	return isfinite(x) ? -DBL_MAX : x;
}

/* from 1 on log is as accurate as log1p, and takes half the time */
static inline double
signed_log_of(double x)
{
	double		size = fabs(x);

	return copysign(size < 1 ? log1p(size) : log(1 + size), x);
}

double
dpem_scale_apply(DpemColumnScale scale, double x)
{
	switch (scale)
	{
		case DPEM_SCALE_LOG:
			return log_of(x);
		case DPEM_SCALE_SIGNED_LOG:
			return signed_log_of(x);
		default:
			return x;
	}
}

double
dpem_scale_point(DpemColumnScale scale, double lower, double x)
{
	return dpem_scale_apply(scale, scale == DPEM_SCALE_LOG && x <= 0 ? lower : x);
}

double
dpem_scale_invert(DpemColumnScale scale, double y)
{
	switch (scale)
	{
		case DPEM_SCALE_LOG:
			return exp(fmin(y, LARGEST_EXPONENT));
		case DPEM_SCALE_SIGNED_LOG:
			return copysign(expm1(fmin(fabs(y), LARGEST_EXPONENT)), y);
		default:
			return y;
	}
}

double
dpem_scale_predict(const DpemScaledDomain *domain, double y)
{
	double		value = dpem_scale_invert(domain->scale, y);

	if (isnan(y))
		return y;
	return value < domain->lower ? domain->lower : value > domain->upper ? domain->upper : value;
}

double
dpem_scale_unit(DpemColumnScale scale, double x)
{
	switch (scale)
	{
		case DPEM_SCALE_LOG:
			return x;
		case DPEM_SCALE_SIGNED_LOG:
			return 1 + fabs(x);
		default:
			return 1;
	}
}

double
dpem_scale_between(DpemColumnScale scale, double lower, double upper, int i, int n)
{
	double		low = dpem_scale_apply(scale, lower);
	double		high = dpem_scale_apply(scale, upper);

	if (i == 0 || i == n)
		return i == 0 ? lower : upper;
	return fmin(fmax(dpem_scale_invert(scale, low + (high - low) * ((double) i / n)), lower), upper);
}

double
dpem_scale_in_box(DpemColumnScale scale, double lower, double upper, double y)
{
	double		low = dpem_scale_apply(scale, lower);
	double		high = dpem_scale_apply(scale, upper);

	return (y - (low / 2 + high / 2)) / (high / 2 - low / 2);
}

bool
dpem_scale_is_mixable(double lower, double upper)
{
	double		low = dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, lower);
	double		high = dpem_scale_apply(DPEM_SCALE_SIGNED_LOG, upper);

	return isfinite(upper - lower) && high - low >= DPEM_SCALE_LEAST_WIDTH;
}

static double
part_of(double lower, double upper, double x)
{
	return (x - lower) / (upper - lower);
}

/* places ascend with values, so that the value of one is found by halving, on the scale where its bits are worth most */
double
dpem_scale_mixed(double share, double lower, double upper, int i, int n)
{
	double		low = signed_log_of(lower);
	double		high = signed_log_of(upper);
	double		first = low;
	double		last = high;

	if (i == 0 || i == n)
		return i == 0 ? lower : upper;
	for (int step = 0; step < BISECTIONS; step++)
	{
		double		y = first / 2 + last / 2;
		double		x = dpem_scale_invert(DPEM_SCALE_SIGNED_LOG, y);

		if (share * part_of(low, high, y) + (1 - share) * part_of(lower, upper, x) < (double) i / n)
			first = y;
		else
			last = y;
	}
	return fmin(fmax(dpem_scale_invert(DPEM_SCALE_SIGNED_LOG, last), lower), upper);
}
