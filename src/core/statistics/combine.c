/*
 * combine.c - see combine.h.
 */
#include "core/statistics/combine.h"

#include <math.h>

/* a weight is a square of a ratio of deviations: no power of a unit is 0 or infinite */
void
dpem_average_add(DpemAverage *a, double value, double deviation)
{
	double		weight;

	if (a->weight == 0)
		a->unit = deviation;
	weight = (a->unit / deviation) * (a->unit / deviation);
	a->weight += weight;
	a->mean += (value - a->mean) * (weight / a->weight);
}

double
dpem_average_deviation(const DpemAverage *a)
{
	return a->weight > 0 ? a->unit / sqrt(a->weight) : NAN;
}

bool
dpem_average_agrees(double value, double deviation, double other, double other_deviation)
{
	return fabs(value - other) <= DPEM_AVERAGE_APART * hypot(deviation, other_deviation);
}
