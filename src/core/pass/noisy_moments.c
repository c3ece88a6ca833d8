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
