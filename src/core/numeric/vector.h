/*
 * vector.h - sums over arrays in ascending order, which is part of their result; their order, and places in it.
 */
#ifndef DPEM_CORE_VECTOR_H
#define DPEM_CORE_VECTOR_H

#include <math.h>
#include <stddef.h>

static inline double
dpem_sum(const double *x, size_t n)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

static inline double
dpem_dot(const double *a, const double *b, size_t n)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* the nearest point of the unit ball */
static inline void
dpem_into_ball(double *x, size_t n)
{
	double		norm2 = dpem_dot(x, x, n);

	for (size_t i = 0; i < n && norm2 > 1; i++)
		x[i] /= sqrt(norm2);
}

/* of doubles, for qsort: the least first */
static inline int
dpem_ascending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

/* the place of the first of n ascending numbers that is above `goal`; of the last if none is; 0 of none */
static inline size_t
dpem_first_above(const double *ascending, size_t n, double goal)
{
	size_t		low = 0;
	size_t		high = n > 0 ? n - 1 : 0;

	while (low < high)
	{
		size_t		middle = (low + high) / 2;

		if (ascending[middle] > goal)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

#endif							/* DPEM_CORE_VECTOR_H */
