/*
 * lloyd.c - see lloyd.h.
 */
#include "core/numeric/lloyd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

int
dpem_nearest_center(int k, int d, const double *center, const double *x, double *distance2)
{
	int			nearest = 0;
	double		least = INFINITY;

	for (int i = 0; i < k; i++, center += d)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
			square += (x[j] - center[j]) * (x[j] - center[j]);
		if (square < least)
		{
			least = square;
			nearest = i;
		}
	}
	if (distance2)
		*distance2 = least;
	return nearest;
}

/* counts and sums of the points nearest to each center; returns the sum of squared distances */
static double
assign(const DpemPoints *points, int k, const double *center, double *count, double *sum)
{
	size_t		d = (size_t) points->d;
	double		total = 0;

	memset(count, 0, (size_t) k * sizeof(double));
	memset(sum, 0, (size_t) k * d * sizeof(double));
	for (size_t i = 0; i < points->n; i++)
	{
		const double *x = points->x + i * d;
		double		weight = points->weight ? points->weight[i] : 1;
		double		square;
		size_t		own = (size_t) dpem_nearest_center(k, points->d, center, x, &square);

		total += weight * square;
		count[own] += weight;
		for (size_t j = 0; j < d; j++)
			sum[own * d + j] += weight * x[j];
	}
	return total;
}

/* true if any center moved */
static bool
move(int k, size_t d, const double *count, const double *sum, double *center)
{
	bool		moved = false;

	for (size_t i = 0; i < (size_t) k * d; i++)
	{
		double		mean = count[i / d] > 0 ? sum[i] / count[i / d] : center[i];

		moved |= mean != center[i];
		center[i] = mean;
	}
	return moved;
}

/* of every cluster's rows */
typedef struct Sums
{
	double	   *count;			/* k */
	double	   *sum;			/* k * d */
} Sums;

static Sums
take_sums(int k, int d, DpemWorkspace *work)
{
	return (Sums) {
		.count = dpem_workspace_take(work, (size_t) k),.sum = dpem_workspace_take(work, (size_t) k * (size_t) d)
	};
}

size_t
dpem_lloyd_work(int k, int d)
{
	DpemWorkspace dry = {NULL, NULL};

	take_sums(k, d, &dry);
	return dpem_workspace_taken(&dry);
}

double
dpem_lloyd(const DpemPoints *points, int k, double *center, int steps, DpemWorkspace work)
{
	Sums		s = take_sums(k, points->d, &work);
	double		total = 0;

	for (int step = 0; step < steps; step++)
	{
		total = assign(points, k, center, s.count, s.sum);
		if (!move(k, (size_t) points->d, s.count, s.sum, center))
			break;
	}
	return total;
}
