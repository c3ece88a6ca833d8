/*
 * column_domain.c - see column_domain.h.
 */
#include <math.h>

#include "core/columns/column_domain.h"

/* of a law that is uniform on the domain, in half widths */
#define UNIFORM_VARIANCE (1.0 / 3)

/* of what was measured with noise, where it is expected to differ from what it is drawn to */
static double
kept(double expected2, double noise)
{
	return expected2 / (expected2 + noise * noise);
}

double
dpem_domain_mean(double lower, double upper, double mean, double *noise)
{
	double		half = upper / 2 - lower / 2;
	double		middle = upper / 2 + lower / 2;
	double		keep = kept(UNIFORM_VARIANCE, *noise / half);

	*noise *= sqrt(keep);
	return fmin(fmax(middle + keep * (mean - middle), lower), upper);
}

DpemDomainPull
dpem_domain_pull(double lower, double upper, double variance, double noise)
{
	double		half = upper / 2 - lower / 2;
	double		relative = variance / half / half;
	double		keep = kept(UNIFORM_VARIANCE * UNIFORM_VARIANCE, noise / half / half);
	double		left;

	if (!(relative > UNIFORM_VARIANCE))
		return (DpemDomainPull) {1, 0};
	left = fmax(keep * relative + (1 - keep) * UNIFORM_VARIANCE, 1);
	return (DpemDomainPull) {sqrt(keep / left), (1 - keep) * UNIFORM_VARIANCE / left * half * half};
}
