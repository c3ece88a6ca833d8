/*
 * group.c - what costs of one row come to for a group of rows (docs/proofs.md, "From rows to persons").
 */
#include "core/accounting/group.h"

#include <math.h>

/* parts of a sum of exponentials that rounding may lose */
#define GROUP_MARGIN (1.0 + 1e-12)

int64_t
dpem_group_units(int64_t units, int size)
{
	unsigned __int128 all = (unsigned __int128) units * size * size;

	return all < (unsigned __int128) DPEM_COST_UNITS_MAX ? (int64_t) all : DPEM_COST_UNITS_MAX;
}

double
dpem_group_delta(double epsilon, double delta, int size)
{
	double		terms;

	if (size == 1)
		return delta;
	terms = epsilon > 0 ? expm1(size * epsilon) / expm1(epsilon) : size;
	terms *= delta * GROUP_MARGIN;
	return terms < 1 ? terms : 1;
}

double
dpem_group_more_epsilon(DpemAccountant accountant, double sum, double squares, int size)
{
	double		more = (size - 1) * sum;
	double		more_squares = ((double) size * size - 1) * squares;

	if (accountant == DPEM_ACCOUNTANT_ADVANCED)
		more = fmax(more, sqrt(more_squares) * GROUP_MARGIN);
	return more;
}
