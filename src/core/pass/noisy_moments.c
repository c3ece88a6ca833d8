/*
 * noisy_moments.c - see noisy_moments.h.
 */
#include <math.h>

#include "core/pass/noisy_moments.h"

#define ROWS_UNKNOWN	10000

double
dpem_known_rows(double released, double count_sd, double public_rows)
{
	if (public_rows > 0 && fabs(released - public_rows) <= 3 * count_sd)
		return public_rows;
	return fmax(released, fmax(2 * count_sd, 1));
}

double
dpem_supposed_rows(double public_rows)
{
	return public_rows > 0 ? public_rows : ROWS_UNKNOWN;
}

void
dpem_noisy_moments_average(double *mean, int n, DpemNoisyMoments *m)
{
	size_t		length = dpem_moments_length(&m->layout);

	for (size_t i = 0; i < length; i++)
		m->value[i] = mean[i] += (m->value[i] - mean[i]) / n;
	m->count_sd /= sqrt(n);
	m->sum_sd /= sqrt(n);
	m->second_sd /= sqrt(n);
}
