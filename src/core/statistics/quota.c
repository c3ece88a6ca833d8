/*
 * quota.c - see quota.h.
 */
#include "core/statistics/quota.h"

#include <math.h>

#include "core/statistics/quota_rules.h"

int
dpem_quota_steps(int bound, int step[DPEM_QUOTA_STEPS])
{
	int			n = 0;

	for (int m = 1; m < bound; m = m > bound / 2 ? bound : 2 * m)
		step[n++] = m;
	step[n++] = bound;
	return n;
}

int
dpem_quota_choose(const double *units, int n, double noise, double one_row)
{
	double		tail = 0;
	int			chosen = n - 1;

	/* from the end, as each tail has the next one in it */
	for (int i = n - 2; i >= 0; i--)
	{
		tail += units[i + 1];
		if (tail <= one_row + DPEM_QUOTA_SEEN * noise * sqrt(n - 1 - i))
			chosen = i;
	}
	return chosen;
}
