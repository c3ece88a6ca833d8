/*
 * zcdp.c - zero-concentrated differential privacy and (epsilon, delta).
 *
 * With x = alpha - 1 the tight conversion ([CKS] Proposition 12) of a curve
 * rho * alpha is
 *     ln delta(x) = x ((1+x) rho - epsilon) - x ln(1+1/x) - ln(1+x)
 *     epsilon(x)  = (1+x) rho + (ln(1/delta) - ln(1+x))/x - ln(1+1/x)
 * Every x > 0 gives a valid bound.  The best one solves, respectively,
 *     (2x+1) rho - ln(1+1/x) = epsilon    and    rho x^2 + ln(1+x) = ln(1/delta),
 * whose left sides increase with x.  They are solved for y = ln x.
 */
#include "core/accounting/accountant.h"

#include "core/numeric/bisect.h"

#define Y_MAX 700.0				/* |ln x| searched */

typedef struct Zcdp
{
	double		rho;
	double		epsilon;
	double		log_inv_delta;	/* ln(1/delta) */
} Zcdp;

static bool
below_delta_order(const void *context, double y)
{
	const Zcdp *zcdp = context;
	double		x = exp(y);

	return (2 * x + 1) * zcdp->rho - log1p(1 / x) < zcdp->epsilon;
}

static bool
below_epsilon_order(const void *context, double y)
{
	const Zcdp *zcdp = context;
	double		x = exp(y);

	return zcdp->rho * x * x + log1p(x) < zcdp->log_inv_delta;
}

static double
solve_order(DpemCondition below, const Zcdp *zcdp)
{
	if (!below(zcdp, -Y_MAX))
		return exp(-Y_MAX);
	if (below(zcdp, Y_MAX))
		return exp(Y_MAX);
	return exp(dpem_bisect(below, zcdp, -Y_MAX, Y_MAX));
}

static double
tight_epsilon(const Zcdp *zcdp)
{
	double		x = solve_order(below_epsilon_order, zcdp);
	double		curve = (1 + x) * zcdp->rho;
	double		tail = zcdp->log_inv_delta / x;
	double		gain = log1p(x) / x + log1p(1 / x);

	return fmax(curve + tail - gain + DPEM_ROUNDING_SLACK * (curve + tail + gain), 0);
}

static double
tight_delta(const Zcdp *zcdp)
{
	double		x = solve_order(below_delta_order, zcdp);
	double		curve = x * (1 + x) * zcdp->rho;
	double		gain = x * zcdp->epsilon + x * log1p(1 / x) + log1p(x);

	return fmin(exp(curve - gain + DPEM_ROUNDING_SLACK * (curve + gain)), 1);
}

static bool
rho_affordable(const void *context, double rho)
{
	Zcdp		zcdp = *(const Zcdp *) context;

	zcdp.rho = rho;
	return tight_epsilon(&zcdp) <= zcdp.epsilon;
}

DpemStatus
dpem_zcdp_epsilon(double rho, double delta, bool tight, double *epsilon)
{
	Zcdp		zcdp = {.rho = rho,.log_inv_delta = -log(delta)};

	*epsilon = NAN;
	if (!dpem_is_nonnegative(rho) || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;
	if (rho == 0)
		*epsilon = 0;
	else if (tight)
		*epsilon = tight_epsilon(&zcdp);
	else
		*epsilon = dpem_round_up(rho + 2 * sqrt(rho) * sqrt(zcdp.log_inv_delta));
	return DPEM_OK;
}

static double
basic_delta(double rho, double epsilon)
{
	double		exponent;

	if (!(epsilon > rho))
		return 1;
	exponent = (epsilon - rho) * ((epsilon - rho) / (4 * rho));
	return fmin(exp(-dpem_round_down(exponent)), 1);
}

DpemStatus
dpem_zcdp_delta(double rho, double epsilon, bool tight, double *delta)
{
	Zcdp		zcdp = {.rho = rho,.epsilon = epsilon};

	*delta = NAN;
	if (!dpem_is_nonnegative(rho) || !dpem_is_nonnegative(epsilon))
		return DPEM_BAD_ARGUMENT;
	if (rho == 0)
		*delta = 0;
	else
		*delta = tight ? tight_delta(&zcdp) : basic_delta(rho, epsilon);
	return DPEM_OK;
}

DpemStatus
dpem_zcdp_rho(double epsilon, double delta, bool tight, double *rho)
{
	Zcdp		zcdp = {.epsilon = epsilon,.log_inv_delta = -log(delta)};
	double		root;
	double		lo;

	*rho = NAN;
	if (!dpem_is_positive(epsilon) || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;

	/*
	 * The basic value, free of cancellation and with room for the rounding of
	 * dpem_zcdp_epsilon, where it counts half; the tight one is larger.
	 */
	root = epsilon / (sqrt(zcdp.log_inv_delta + epsilon) + sqrt(zcdp.log_inv_delta));
	lo = root * root * (1 - 3 * DPEM_ROUNDING_SLACK);
	if (tight)
	{
		double		hi = dpem_first_failure(rho_affordable, &zcdp, fmax(lo, DBL_MIN));

		lo = rho_affordable(&zcdp, lo) ? dpem_bisect(rho_affordable, &zcdp, lo, hi) : 0;
	}
	*rho = lo;
	return DPEM_OK;
}
