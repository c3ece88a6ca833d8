/*
 * chi_square.c - see chi_square.h.
 *
 * The regularised incomplete gamma function by its power series below the
 * mean, by Lentz's continued fraction above (Abramowitz, Stegun 6.5.29 and
 * 6.5.31).
 */
#include <math.h>

#include "core/numeric/chi_square.h"

#define TERMS	10000
#define ENOUGH	1e-16
#define TINY	1e-300
#define HALVINGS 200

/* x^a e^-x / Gamma(a) sum_n x^n / (a (a + 1) ... (a + n)) */
static double
lower_series(double a, double x)
{
	double		term = 1 / a;
	double		sum = term;

	for (int n = 1; n < TERMS && term > ENOUGH * sum; n++)
	{
		term *= x / (a + n);
		sum += term;
	}
	return sum * exp(a * log(x) - x - lgamma(a));
}

/* x^a e^-x / Gamma(a) 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - ...)) */
static double
upper_fraction(double a, double x)
{
	double		b = x + 1 - a;
	double		c = 1 / TINY;
	double		d = 1 / b;
	double		h = d;

	for (int n = 1; n < TERMS; n++)
	{
		double		factor = -n * (n - a);

		b += 2;
		d = factor * d + b;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = b + factor / c;
		c = fabs(c) < TINY ? TINY : c;
		h *= c * d;
		if (fabs(c * d - 1) < ENOUGH * 10)
			break;
	}
	return h * exp(a * log(x) - x - lgamma(a));
}

double
dpem_chi_square_below(double d, double x)
{
	double		a = d / 2;

	if (!(x > 0))
		return 0;
	if (isinf(x))
		return 1;
	return x / 2 < a + 1 ? lower_series(a, x / 2) : 1 - upper_fraction(a, x / 2);
}

double
dpem_chi_square_quantile(double d, double p)
{
	double		low = 0;
	double		high = d + 1;

	while (dpem_chi_square_below(d, high) < p)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > 1e-13 * high; i++)
	{
		double		middle = (low + high) / 2;

		if (dpem_chi_square_below(d, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

double
dpem_chi_clipped_share(int d, double v, double r)
{
	double		x = r * r / v;

	/* E[q; q <= x] = d P(chi^2_(d+2) <= x) for q ~ chi^2_d */
	return dpem_chi_square_below(d + 2.0, x) + x / d * (1 - dpem_chi_square_below(d, x));
}

double
dpem_chi_unclipped(int d, double left, double r, double most)
{
	double		low = left;
	double		high = most * left;

	for (int i = 0; i < HALVINGS && high - low > 1e-13 * high; i++)
	{
		double		middle = (low + high) / 2;

		if (middle * dpem_chi_clipped_share(d, middle, r) < left)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
