/*
 * gdp.c - Gaussian differential privacy: delta, epsilon and mu of each other.
 *
 * With a = epsilon/mu - mu/2 and b = epsilon/mu + mu/2 the curve is
 *     delta = Q(a) - e^epsilon Q(b),   Q the upper normal tail,
 * a difference that loses all digits when mu is small.  Two forms keep them:
 *
 *   mu > 1:   e^(-a^2/2)/2 (erfcx(a/sqrt 2) - erfcx(b/sqrt 2)), as
 *             b^2/2 - a^2/2 = epsilon; the two differ by a part in 40 at least
 *   mu <= 1:  e^(-a^2/2)/sqrt(2 pi) int_0^inf e^(-u^2/2 - a u) (1 - e^(-mu u)) du,
 *             whose integrand is smooth and positive
 *
 * Theirs is the relative error DELTA_ERROR, and roots are taken against a
 * target that much stricter.
 */
#include "core/accounting/accountant.h"

#include "core/numeric/bisect.h"

#define DELTA_ERROR 2e-12

#define SQRT_HALF 0.70710678118654752440
#define INV_SQRT_PI 0.56418958354775628695
#define INV_SQRT_2PI 0.39894228040143267794

/* beyond this a, e^(-a^2/2) is no double */
#define A_MAX 39.0

/*
 * e^(x^2) erfc(x), x >= 0.  From 2 on, Laplace's continued fraction
 * 1/sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))), whose error after
 * n terms is about e^(-2 x sqrt(2 n)).
 */
static double
scaled_erfc(double x)
{
	double		tail = x;
	int			i;

	if (x < 2)
		return exp(x * x) * erfc(x);
	for (i = 64; i > 0; i--)
		tail = x + 0.5 * i / tail;
	return INV_SQRT_PI / tail;
}

/* Gauss-Legendre on [-1, 1], 10 points (Abramowitz & Stegun, table 25.4) */
static const double legendre[5][2] = {
	{0.14887433898163121088, 0.29552422471475287017},
	{0.43339539412924719080, 0.26926671930999635509},
	{0.67940956829902440623, 0.21908636251598204400},
	{0.86506336668898451073, 0.14945134915058059315},
	{0.97390652851717172008, 0.06667134430868813759}
};

/* int_0^inf e^(-u^2/2 - a u) (1 - e^(-mu u)) du, -1 <= a <= A_MAX, mu <= 1 */
static double
small_mu_integral(double mu, double a)
{
	const int	panels = 12;
	double		root = sqrt(a * a + 90);
	double		end = a > 0 ? 90 / (a + root) : root - a;	/* integrand down by e^-45 */
	double		half = end / (2 * panels);
	double		sum = 0;
	int			i,
				j,
				sign;

	for (i = panels - 1; i >= 0; i--)
		for (j = 0; j < 5; j++)
			for (sign = -1; sign <= 1; sign += 2)
			{
				double		u = half * (2 * i + 1 + sign * legendre[j][0]);

				sum -= legendre[j][1] * exp(-u * (0.5 * u + a)) * expm1(-mu * u);
			}
	return half * sum;
}

static double
large_mu_delta(double a, double b)
{
	double		scale = 0.5 * exp(-0.5 * a * a);

	if (a < 0)
		return 0.5 * erfc(a * SQRT_HALF) - scale * scaled_erfc(b * SQRT_HALF);
	return scale * (scaled_erfc(a * SQRT_HALF) - scaled_erfc(b * SQRT_HALF));
}

/* delta(epsilon), mu >= 0, epsilon >= 0, both finite */
static double
gdp_delta(double mu, double epsilon)
{
	double		square = mu * mu;
	double		a;
	double		delta;

	if (mu == 0)
		return 0;
	if (square > DBL_MAX)
		return 1;

	/* epsilon/mu - mu/2 with the rounding of mu^2 put back: a is squared below */
	a = ((epsilon - 0.5 * square) - 0.5 * fma(mu, mu, -square)) / mu;
	if (a > A_MAX)
		return 0;
	delta = mu > 1 ? large_mu_delta(a, a + mu) :
		INV_SQRT_2PI * exp(-0.5 * a * a) * small_mu_integral(mu, a);
	return fmin(fmax(delta, 0), 1);
}

/* what the two inversions hold fixed */
typedef struct Curve
{
	double		fixed;			/* mu, or epsilon */
	double		delta;			/* the target, less DELTA_ERROR */
} Curve;

static bool
epsilon_too_small(const void *context, double epsilon)
{
	const Curve *curve = context;

	return gdp_delta(curve->fixed, epsilon) > curve->delta;
}

static bool
mu_affordable(const void *context, double mu)
{
	const Curve *curve = context;

	return gdp_delta(mu, curve->fixed) <= curve->delta;
}

DpemStatus
dpem_gdp_delta(double mu, double epsilon, double *delta)
{
	*delta = NAN;
	if (!dpem_is_nonnegative(mu) || !dpem_is_nonnegative(epsilon))
		return DPEM_BAD_ARGUMENT;
	*delta = fmin(gdp_delta(mu, epsilon) * (1 + DELTA_ERROR), 1);
	return DPEM_OK;
}

DpemStatus
dpem_gdp_epsilon(double mu, double delta, double *epsilon)
{
	Curve		curve = {mu, delta * (1 - DELTA_ERROR)};
	double		hi;

	*epsilon = NAN;
	if (!dpem_is_nonnegative(mu) || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;

	/* a mu-GDP release is mu^2/2-zCDP, whose basic epsilon is larger */
	hi = 0.5 * mu * mu + mu * sqrt(-2 * log(delta));
	hi *= 1 + 1e-9;
	if (!(hi <= DBL_MAX))
		return DPEM_BAD_ARGUMENT;
	if (epsilon_too_small(&curve, 0))
		*epsilon = nextafter(dpem_bisect(epsilon_too_small, &curve, 0, hi), INFINITY);
	else
		*epsilon = 0;
	return DPEM_OK;
}

DpemStatus
dpem_gdp_mu(double epsilon, double delta, double *mu)
{
	Curve		curve = {epsilon, delta * (1 - DELTA_ERROR)};
	double		lo;
	double		root;

	*mu = NAN;
	if (!dpem_is_nonnegative(epsilon) || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;

	/* sqrt(2 rho) of the basic zCDP conversion is affordable */
	root = sqrt(-log(delta));
	lo = M_SQRT2 * epsilon / (sqrt(epsilon - log(delta)) + root) * (1 - 1e-9);
	*mu = dpem_bisect(mu_affordable, &curve, lo,
					  dpem_first_failure(mu_affordable, &curve, fmax(lo, delta)));
	return DPEM_OK;
}

/*
 * Whether the normal quantile of e^epsilon/(1+e^epsilon) is above t: by
 * erf(t/sqrt 2) = tanh(epsilon/2) while that keeps its digits, then by
 * ln Q(t) = -ln(1+e^epsilon).
 */
static bool
quantile_above(const void *context, double t)
{
	double		epsilon = *(const double *) context;

	if (epsilon <= 1)
		return erf(t * SQRT_HALF) < tanh(0.5 * epsilon);
	return log(0.5 * scaled_erfc(t * SQRT_HALF)) - 0.5 * t * t > -epsilon - log1p(exp(-epsilon));
}

DpemStatus
dpem_gdp_from_pure(double epsilon, double *mu)
{
	double		t;

	*mu = NAN;
	if (!dpem_is_nonnegative(epsilon))
		return DPEM_BAD_ARGUMENT;
	*mu = 0;
	if (epsilon > 0)
	{
		/* Q(t) <= e^(-t^2/2) puts the quantile below sqrt(2 ln(1+e^epsilon)); its slope at 0 is sqrt(2 pi)/4 */
		t = fmin(epsilon, sqrt(2 * (epsilon + log1p(exp(-epsilon)))));
		*mu = 2 * dpem_bisect(quantile_above, &epsilon, 0, t) * (1 + 1e-14);
	}
	return DPEM_OK;
}
