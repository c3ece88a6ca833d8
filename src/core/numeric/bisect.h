/*
 * bisect.h - roots of monotone conditions, to the last bit, on a known side.
 */
#ifndef DPEM_CORE_BISECT_H
#define DPEM_CORE_BISECT_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "core/numeric/status.h"

typedef bool (*DpemCondition) (const void *context, double x);

/*
 * The largest double x in [lo, hi) for which a condition that holds at lo,
 * fails at hi and changes once between them holds; the next double above it
 * fails.
 */
static inline double
dpem_bisect(DpemCondition holds, const void *context, double lo, double hi)
{
	for (;;)
	{
		double		mid = lo + (hi - lo) / 2;

		if (!(mid > lo && mid < hi))
			return lo;
		if (holds(context, mid))
			lo = mid;
		else
			hi = mid;
	}
}

#define DPEM_REACH_STEPS 60

/*
 * How far a condition that holds at inside holds on the way to end, above it or below: end itself if it holds there,
 * and else halved DPEM_REACH_STEPS times.
 */
static inline double
dpem_reach(DpemCondition holds, const void *context, double inside, double end)
{
	if (holds(context, end))
		return end;
	for (int i = 0; i < DPEM_REACH_STEPS; i++)
	{
		double		middle = (inside + end) / 2;

		if (holds(context, middle))
			inside = middle;
		else
			end = middle;
	}
	return inside;
}

/* The first doubling of start > 0 at which the condition fails; infinity if none does. */
static inline double
dpem_first_failure(DpemCondition holds, const void *context, double start)
{
	while (start <= DBL_MAX && holds(context, start))
		start *= 2;
	return start;
}

/* x >= 0 moved by a few units in the last place: covers a short chain of roundings */
#define DPEM_ROUNDING_SLACK (16 * DBL_EPSILON)

static inline double
dpem_round_up(double x)
{
	return x * (1 + DPEM_ROUNDING_SLACK);
}

static inline double
dpem_round_down(double x)
{
	return x * (1 - DPEM_ROUNDING_SLACK);
}

/* comparisons that NaN fails */
static inline bool
dpem_is_positive(double x)
{
	return x > 0 && x <= DBL_MAX;
}

static inline bool
dpem_is_nonnegative(double x)
{
	return x >= 0 && x <= DBL_MAX;
}

static inline bool
dpem_is_probability(double x)
{
	return x > 0 && x < 1;
}

/* an integer in [least, most], as parameters of a pass have them */
static inline bool
dpem_is_whole(double x, double least, double most)
{
	return x >= least && x <= most && x == rint(x);
}

/* a result that overflow made NaN is none; without a result there is NaN, which refuses */
static inline DpemStatus
dpem_answer(DpemStatus status, double *value)
{
	if (status == DPEM_OK && isnan(*value))
		return DPEM_NO_SOLUTION;
	if (status != DPEM_OK)
		*value = NAN;
	return status;
}

#endif							/* DPEM_CORE_BISECT_H */
