/*
 * gam_bins.c - see gam_bins.h.
 */
#include "core/gam/gam_bins.h"

#include <math.h>

#include "core/gam/gam_rules.h"
#include "core/numeric/bisect.h"

/* bins are equal in a share of the box coordinate in [-1, 1] and one of its logarithm about `zero` */
typedef struct Spread
{
	double		zero;
	double		finest;			/* distances from there at which the logarithm begins */
	double		weight;			/* of the logarithm */
	double		at;				/* share of the bins that an edge is looked for at */
} Spread;

static double
logarithm(const Spread *s, double x)
{
	return copysign(log1p(fabs(x - s->zero) / s->finest), x - s->zero);
}

static bool
is_below(const void *context, double x)
{
	const Spread *s = context;
	double		low = logarithm(s, -1);

	return (1 - s->weight) * (x + 1) / 2 + s->weight * (logarithm(s, x) - low) / (logarithm(s, 1) - low) < s->at;
}

static double
half_width(const DpemScaledDomain *domain)
{
	return dpem_scale_apply(domain->scale, domain->upper) / 2 - dpem_scale_apply(domain->scale, domain->lower) / 2;
}

/* a domain without zero has its nearest end in its place, if that is almost zero */
static Spread
spread_of(const DpemScaledDomain *domain)
{
	double		half = half_width(domain);
	double		nearest = fmin(fmax(0, domain->lower), domain->upper);
	double		far = fmax(fabs(domain->lower), fabs(domain->upper));
	Spread		s = {.zero = fmin(fmax((nearest - domain->lower) / half - 1, -1), 1)};
	double		reach = 1 + fabs(s.zero);

	if (domain->scale != DPEM_SCALE_LINEAR || fabs(nearest) > dpem_gam_rules.near_zero * far)
		return s;
	s.finest = dpem_gam_rules.finest * reach;
	s.weight = dpem_gam_rules.spread;
	if (1 - fabs(s.zero) > dpem_gam_rules.near_zero * reach)
	{
		s.finest = fmax(s.finest, 1 / half);
		s.weight = s.finest < dpem_gam_rules.least_spread * reach ? dpem_gam_rules.spread_within : 0;
	}
	return s;
}

/* to three digits: a product or quotient of two whole numbers, so that it is the number that is written like this */
static double
three_digits(double x)
{
	int			digits = x != 0 ? 2 - (int) floor(log10(fabs(x))) : 0;

	if (digits < -22 || digits > 22)
		return x;
	return digits > 0 ? rint(x * pow(10, digits)) / pow(10, digits) : rint(x / pow(10, -digits)) * pow(10, -digits);
}

static double
place_equal(int i, int bins)
{
	return 2.0 * i / bins - 1;
}

double
dpem_gam_bound(const DpemScaledDomain *domain, const double *edge, int bins, int i)
{
	if (i == 0 || i == bins || edge[i - 1] == place_equal(i, bins))
		return dpem_scale_between(domain->scale, domain->lower, domain->upper, i, bins);
	return fmin(fmax(three_digits(domain->lower + half_width(domain) * (edge[i - 1] + 1)), domain->lower), domain->upper);
}

/* a whole number is in [low, high), box coordinates */
static bool
has_whole(const DpemScaledDomain *domain, double low, double high)
{
	return ceil(domain->lower + half_width(domain) * (low + 1)) < domain->lower + half_width(domain) * (high + 1);
}

int
dpem_gam_equal_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge)
{
	double		values = floor(domain->upper) - ceil(domain->lower) + 1;
	int			own = whole && domain->scale == DPEM_SCALE_LINEAR && values < bins ? (int) fmax(values, fmin(bins, 2)) : bins;

	for (int i = 1; i < own; i++)
		edge[i - 1] = place_equal(i, own);
	return own;
}

int
dpem_gam_spread_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge)
{
	Spread		s = spread_of(domain);
	int			n = 0;

	if (s.weight == 0 || (whole && floor(domain->upper) - ceil(domain->lower) < bins))
		return dpem_gam_equal_bins(domain, whole, bins, edge);
	for (int i = 1; i < bins; i++)
	{
		double		last = n > 0 ? edge[n - 1] : -1;

		s.at = (double) i / bins;
		edge[n] = three_digits(domain->lower + half_width(domain) * (dpem_bisect(is_below, &s, -1, 1) + 1)) / half_width(domain) - domain->lower / half_width(domain) - 1;
		n += edge[n] > last && edge[n] < 1 && (!whole || has_whole(domain, last, edge[n]));
	}
	return n + 1;
}
