/*
 * subsampling.c - Renyi divergence of the subsampled Gaussian mechanism.
 *
 * Both schemes give ln(1 + sum of positive terms) / (alpha-1) with terms from
 * e^-1000 to e^1000000, summed by their logarithms.  The 1 is never part of
 * the sum: where the divergence is 1e-12, so is what is left of it.
 */
#include "core/accounting/accountant.h"

#include "core/numeric/bisect.h"

/* sum of e^t, kept as e^top * sum */
typedef struct LogSum
{
	double		top;
	double		sum;
} LogSum;

static void
log_sum_add(LogSum *total, double t)
{
	if (t <= total->top)
		total->sum += exp(t - total->top);
	else
	{
		total->sum = total->sum * exp(total->top - t) + 1;
		total->top = t;
	}
}

/* ln(1 + e^t), rounded up given that t may be off by error */
static double
log_one_plus_exp(double t, double error)
{
	t += error;
	return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

/* ln(e^x - 1), x > 0 */
static double
log_expm1(double x)
{
	return x > 1 ? x + log1p(-exp(-x)) : log(expm1(x));
}

static double
log_gamma(double x)
{
	int			sign;

	return lgamma_r(x, &sign);
}

/* ln(n over k) */
static double
log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

/* how far a term's logarithm may be off: its parts are no larger than this times 2^-52 */
static double
term_error(double q, double z, double n)
{
	return 4 * DBL_EPSILON *
		(1 + 2 * log_gamma(n + 1) + n * (1 - log(q) + n / (2 * z * z)));
}

/*
 * (n-1) times the divergence of integer order n under Poisson sampling.  The
 * binomial probabilities sum to 1 and so
 *     A - 1 = sum_{k=2}^n C(n,k) q^k (1-q)^(n-k) (e^(k(k-1)/(2 z^2)) - 1).
 */
static double
poisson_integer(double q, double z, double n)
{
	LogSum		total = {-INFINITY, 0};
	double		stay = log1p(-q);
	double		move = log(q);
	double		k;

	for (k = 2; k <= n; k++)
	{
		double		exponent = k * (k - 1) / (2 * z * z);

		if (exponent > 0)
			log_sum_add(&total, log_choose(n, k) + k * move + (n - k) * stay + log_expm1(exponent));
	}
	return log_one_plus_exp(total.top + log(total.sum), term_error(q, z, n));
}

/*
 * (n-1) times the divergence of integer order n, without replacement, or of
 * Poisson samples under replace_one: [WBK] Theorem 9 with epsilon(j) =
 * j / (2 z^2), epsilon(infinity) = infinity.  What is used of the mechanism is
 * that any two of "old value drawn", "new value drawn" and "not drawn" are
 * within epsilon(j).
 */
static double
without_replacement_integer(double q, double z, double n)
{
	double		unit = 1 / (2 * z * z);
	LogSum		total = {-INFINITY, 0};
	double		j;

	/* min(4 (e^epsilon(2) - 1), 2 e^epsilon(2)) */
	log_sum_add(&total, 2 * log(q) + log_choose(n, 2) +
				fmin(2 * M_LN2 + log_expm1(2 * unit), M_LN2 + 2 * unit));
	for (j = 3; j <= n; j++)
		log_sum_add(&total, M_LN2 + j * log(q) + log_choose(n, j) + j * (j - 1) * unit);
	return log_one_plus_exp(total.top + log(total.sum), term_error(q, z, n));
}

typedef double (*IntegerMoment) (double q, double z, double n);

/*
 * (alpha-1) times the divergence is convex in alpha and 0 at 1, so between
 * integers the chord is an upper bound ([WBK] Corollary 10).
 */
static double
chord(IntegerMoment moment, double q, double z, double alpha)
{
	double		below = floor(alpha);
	double		t = alpha - below;
	double		low = below > 1 ? moment(q, z, below) : 0;

	return t > 0 ? (1 - t) * low + t * moment(q, z, below + 1) : low;
}

/* (1+y)^alpha - 1 - alpha y >= 0 for y > -1, as a logarithm; log1p_y = ln(1+y) */
static double
log_beyond_linear(double alpha, double y, double log1p_y)
{
	double		linear = alpha * y;
	double		power = alpha * log1p_y;
	double		term,
				sum;
	int			k;

	if (fabs(linear) < 0.1)
	{
		term = sum = 0.5 * linear * (alpha - 1) * y;
		for (k = 3; fabs(term) > 1e-18 * sum; k++)
		{
			term *= (alpha - k + 1) / k * y;
			sum += term;
		}
		return log(sum);
	}
	if (power < 30)
		return log(expm1(power) - linear);
	return power + (power < 600 ? log1p(-(1 + linear) * exp(-power)) : 0);
}

/*
 * ln of (1-q+q e^w)^alpha - 1 - alpha q (e^w - 1), the integrand at
 * w = (2x-1)/(2 z^2); the part taken away has expectation 1.
 */
static double
poisson_integrand(double q, double alpha, double w)
{
	double		y = q * expm1(w);

	if (y < 1e300)
		return log_beyond_linear(alpha, y, log1p(y));
	return log_beyond_linear(alpha, y, log(q) + w);
}

#define MAX_POINTS 100000.0
#define TAIL 13.0				/* standard deviations beyond the outer peaks */

/*
 * (alpha-1) times the divergence at real order under Poisson sampling, by the
 * trapezoidal rule.  The integrand is analytic for |Im x| < pi z^2, where
 * 1-q+q e^w has its zeros, and at height y grows by e^(y^2/(2 z^2)) at most, so
 * that a step h leaves a relative error of about e^(y^2/(2 z^2) - 2 pi y/h),
 * here e^-60.  Its mass lies between x = 0 and x = alpha.
 * Negative if too many points were needed.
 */
static double
poisson_real(double q, double z, double alpha)
{
	double		height = fmin(0.9 * M_PI * z * z, 5 * z);
	double		growth = height / z;
	double		h = 2 * M_PI * height / (60 + 0.5 * growth * growth);
	double		points = (alpha + 2 * TAIL * z) / h;
	LogSum		total = {-INFINITY, 0};
	int			i;

	if (!(points < MAX_POINTS))
		return -1;
	for (i = 0; i <= points; i++)
	{
		double		x = i * h - TAIL * z;
		double		value = poisson_integrand(q, alpha, (x - 0.5) / (z * z));

		if (value > -INFINITY)
			log_sum_add(&total, value - 0.5 * (x / z) * (x / z));
	}
	return log_one_plus_exp(total.top + log(total.sum * h / z) - 0.5 * log(2 * M_PI),
							1e-12 + term_error(q, z, alpha));
}

static bool
in_domain(double q, double z, double alpha)
{
	return q > 0 && q <= 1 && dpem_is_positive(z) && alpha > 1 && alpha <= DPEM_RDP_MAX_ORDER;
}

/* a moment that overflowed is an unbounded cost, never NaN */
static double
divergence(double moment, double alpha)
{
	return moment <= DBL_MAX ? dpem_round_up(moment / (alpha - 1)) : INFINITY;
}

DpemStatus
dpem_rdp_poisson_gaussian(double q, double z, double alpha, double *rdp)
{
	double		moment = -1;

	*rdp = NAN;
	if (!in_domain(q, z, alpha))
		return DPEM_BAD_ARGUMENT;
	if (q == 1)
		return dpem_rdp_gaussian(z, alpha, rdp);
	if (alpha != floor(alpha))
		moment = poisson_real(q, z, alpha);
	if (moment < 0)
		moment = chord(poisson_integer, q, z, alpha);
	*rdp = divergence(moment, alpha);
	return DPEM_OK;
}

DpemStatus
dpem_rdp_without_replacement_gaussian(double q, double z, double alpha, double *rdp)
{
	*rdp = NAN;
	if (!in_domain(q, z, alpha))
		return DPEM_BAD_ARGUMENT;
	*rdp = divergence(chord(without_replacement_integer, q, z, alpha), alpha);
	return DPEM_OK;
}
