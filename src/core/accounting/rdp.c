/*
 * rdp.c - log moments, Renyi divergences and their conversions.
 *
 * The grid of orders for ledgers, and the curves of plain releases;
 * subsampled ones are in subsampling.c.
 */
#include "core/accounting/accountant.h"

#include <stddef.h>

#include "core/numeric/bisect.h"

const double dpem_rdp_orders[DPEM_RDP_ORDERS] = {
	1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9,
	2, 2.125, 2.25, 2.375, 2.5, 2.75,
	3, 3.25, 3.5, 3.75, 4, 4.25, 4.5, 4.75,
	5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5,
	10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
	20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
	30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
	40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
	50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
	60, 61, 62, 63, 64,
	72, 80, 88, 96, 108, 120, 136, 152, 172, 192, 216, 240, 272, 304, 344,
	384, 432, 488, 544, 616, 688, 776, 872, 984, 1104, 1240, 1392, 1568, 1760,
	1984, 2232, 2512, 2824, 3176, 3576, 4024, 4528, 5088, 5728, 6440, 7248,
	8152, 9168, 10312, 11600, 13056, 14688, 16520, 18584, 20912, 23528, 26464,
	29776, 33496, 37680, 42392, 47688, 53648, 60352, 67896, 76384, 85936, 100000
};

/* e^x - 1 - x >= 0, without cancellation */
static double
exp_beyond_linear(double x)
{
	double		term = 0.5 * x * x;
	double		sum = term;
	int			k;

	if (fabs(x) >= 0.5)
		return expm1(x) - x;
	for (k = 3; fabs(term) > 1e-18 * sum; k++)
	{
		term *= x / k;
		sum += term;
	}
	return sum;
}

/*
 * The two exponentials have weights (lambda+1)/(2 lambda+1), lambda/(2 lambda+1)
 * and linear parts that cancel, so up to lambda epsilon = 1 the moment is
 *     ln(1 + ((lambda+1) g(lambda epsilon) + lambda g(-(lambda+1) epsilon)) / (2 lambda+1)),
 * g(x) = e^x - 1 - x, a sum of positive terms.
 */
DpemStatus
dpem_log_moment_laplace(double lambda, double epsilon, double *moment)
{
	double		up = lambda * epsilon;
	double		down = -(lambda + 1) * epsilon;
	double		weight = 2 * lambda + 1;

	*moment = NAN;
	if (!dpem_is_positive(lambda) || !dpem_is_nonnegative(epsilon))
		return DPEM_BAD_ARGUMENT;
	if (up <= 1)
		*moment = log1p(((lambda + 1) * exp_beyond_linear(up) +
						 lambda * exp_beyond_linear(down)) / weight);
	else
		*moment = up - log1p(lambda / (lambda + 1)) +
			log1p(lambda / (lambda + 1) * exp(down - up));
	*moment = dpem_round_up(*moment);
	return dpem_answer(DPEM_OK, moment);
}

DpemStatus
dpem_log_moment_laplace_slope(double lambda, double epsilon, double *slope)
{
	double		up = lambda * epsilon;
	double		down = -(lambda + 1) * epsilon;
	double		weight = 2 * lambda + 1;
	double		value,
				rise,
				ratio;

	*slope = NAN;
	if (!dpem_is_positive(lambda) || !dpem_is_nonnegative(epsilon))
		return DPEM_BAD_ARGUMENT;
	if (up <= 1)
	{
		value = (lambda + 1) * exp_beyond_linear(up) + lambda * exp_beyond_linear(down);
		rise = exp_beyond_linear(up) + exp_beyond_linear(down) +
			epsilon * ((lambda + 1) * expm1(up) - lambda * expm1(down));
		*slope = (rise - 2 * value / weight) / (weight + value);
		return dpem_answer(DPEM_OK, slope);
	}
	ratio = lambda / (lambda + 1) * exp(down - up);
	*slope = epsilon - 1 / ((lambda + 1) * weight) +
		ratio / (1 + ratio) * (1 / (lambda * (lambda + 1)) - 2 * epsilon);
	return dpem_answer(DPEM_OK, slope);
}

DpemStatus
dpem_rdp_gaussian(double z, double alpha, double *rdp)
{
	*rdp = NAN;
	if (!dpem_is_positive(z) || !(alpha > 1 && alpha <= DBL_MAX))
		return DPEM_BAD_ARGUMENT;
	*rdp = dpem_round_up(alpha / (2 * z) / z);
	return DPEM_OK;
}

DpemStatus
dpem_rdp_laplace(double epsilon, double alpha, double *rdp)
{
	double		moment;

	*rdp = NAN;
	if (!(alpha > 1) || dpem_log_moment_laplace(alpha - 1, epsilon, &moment) != DPEM_OK)
		return DPEM_BAD_ARGUMENT;
	*rdp = dpem_round_up(moment / (alpha - 1));
	return DPEM_OK;
}

/*
 * What a conversion adds to the divergence of order alpha, and by how much
 * rounding may have moved it.
 */
static double
conversion_term(double alpha, double delta, bool tight, double *slack)
{
	double		cost = -log(delta) / (alpha - 1);
	double		gain = tight ? log(alpha) / (alpha - 1) + log1p(1 / (alpha - 1)) : 0;

	*slack = DPEM_ROUNDING_SLACK * (cost + gain);
	return cost - gain;
}

DpemStatus
dpem_rdp_epsilon(const double *alpha, const double *rdp, int n, double delta, bool tight,
				 double *epsilon, int *best)
{
	double		least = INFINITY;
	int			at = 0;
	int			i;

	*epsilon = NAN;
	if (n < 1 || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;
	for (i = 0; i < n; i++)
	{
		double		slack;
		double		value;

		if (!(alpha[i] > 1 && alpha[i] <= DBL_MAX) || !(rdp[i] >= 0))
			return DPEM_BAD_ARGUMENT;
		value = dpem_round_up(rdp[i]) + conversion_term(alpha[i], delta, tight, &slack) + slack;
		if (value < least)
		{
			least = value;
			at = i;
		}
	}
	*epsilon = fmax(least, 0);
	if (best != NULL)
		*best = at;
	return DPEM_OK;
}
