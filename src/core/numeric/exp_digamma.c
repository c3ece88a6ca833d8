/*
 * exp_digamma.c - see exp_digamma.h.
 *
 * psi(x) = psi(x + 6) - sum_(i<6) 1/(x + i) (Abramowitz and Stegun 6.3.5), the
 * sum as one fraction, and psi(y) = ln y - 1/(2y) - sum_j B_2j / (2j y^2j)
 * (6.3.18) with seven terms: for y >= 6 the next one is below 2e-13.
 */
#include <math.h>

#include "core/numeric/exp_digamma.h"

#define SHIFT	6

/* psi(x + 6) - ln(x + 6), for large y */
static double
asymptotic(double y)
{
	double		z = 1 / (y * y);

	return -0.5 / y - z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (
		1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
}

/*
 * sum_(i<6) 1/(x + i) = q' / q with q = x(x+5) . (x+1)(x+4) . (x+2)(x+3), the
 * factors t, t + 4, t + 6 for t = x^2 + 5x
 */
static double
shift_sum(double x)
{
	double		t = x * (x + 5);

	return (2 * x + 5) * (((t + 4) * (t + 6) + t * (t + 6) + t * (t + 4)) / (t * (t + 4) * (t + 6)));
}

/* beyond it the shift would only lose digits */
#define LARGE	1e8

double
dpem_exp_digamma(double x)
{
	double		y = x + SHIFT;

	return x > LARGE ? x * exp(asymptotic(x)) : y * exp(asymptotic(y) - shift_sum(x));
}

double
dpem_digamma(double x)
{
	double		y = x + SHIFT;

	return x > LARGE ? log(x) + asymptotic(x) : log(y) + asymptotic(y) - shift_sum(x);
}
