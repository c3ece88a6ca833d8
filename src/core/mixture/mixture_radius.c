/*
 * mixture_radius.c - at which norm rows of a mixture of numbers and categories are clipped; see mixture_rules.h.
 */
#include <math.h>

#include "core/mixture/mixture_rules.h"
#include "core/numeric/chi_square.h"

#define INSIDE		0.95		/* of normal rows */

/* of normal rows whose numbers' squares add up as those of so many independent ones of that variance do */
static double
radius_of(double variance, double independent, double rest)
{
	return sqrt((independent > 0 ? variance * dpem_chi_square_quantile(independent, INSIDE) : 0) + rest);
}

/* squares of what is no number */
static double
rest_of(int labels, int known)
{
	return labels + known * DPEM_MIXTURE_KNOWN * DPEM_MIXTURE_KNOWN;
}

double
dpem_mixture_radius(int numbers, int labels, int known)
{
	return radius_of(1, numbers, rest_of(labels, known));
}

/* the numbers' second moment matrix: its trace, and the squares of its entries, beyond their noise */
static void
add_seconds(const DpemMixtureRows *rows, const DpemNoisyMoments *m, double *trace, double *square)
{
	const double *second = m->value + 1 + m->layout.d;
	double		unit = rows->radius * rows->radius / fmax(m->value[0], fmax(m->count_sd, 1));
	double		noise = pow(unit * m->second_sd, 2);

	*trace = *square = 0;
	for (int i = 0; i < rows->numbers; i++)
		for (int j = 0; j <= i; j++)
		{
			double		entry = unit * *second++;

			*trace += i == j ? entry : 0;
			*square += i == j ? entry * entry - noise : 2 * entry * entry - noise;
		}
}

/* what the trace would be if nothing were clipped: a number has the variance 1 where it is known */
static double
whole_trace(const DpemMixtureRows *rows, const DpemNoisyMoments *m)
{
	double		unit = rows->radius / DPEM_MIXTURE_KNOWN / fmax(m->value[0], fmax(m->count_sd, 1));
	double		sum = 0;

	for (int j = 0; j < rows->numbers; j++)
		sum += rows->missing ? fmin(fmax(unit * m->value[1 + rows->d + j], 0), 1) : 1;
	return sum;
}

double
dpem_mixture_found_radius(const DpemMixtureRows *rows, const DpemNoisyMoments *second, double noise)
{
	double		whole = whole_trace(rows, second);
	double		trace;
	double		square;
	double		independent;
	double		wanted;

	if (rows->numbers < 2 || noise >= DPEM_MIXTURE_WIDENED)
		return rows->radius;
	add_seconds(rows, second, &trace, &square);
	if (trace >= DPEM_MIXTURE_WHOLE * whole)
		return rows->radius;
	independent = fmin(fmax(trace * trace / fmax(square, trace * trace / rows->numbers), 1), rows->numbers);
	wanted = radius_of(whole / independent, independent, rest_of(dpem_mixture_labels(rows), rows->missing ? rows->numbers : 0));
	return fmax(fmin(wanted, rows->radius * DPEM_MIXTURE_WIDENED / noise), rows->radius);
}
