/*
 * rdp_mixture.c - what Renyi divergences at all orders of the grid prove
 * together, when which order is best may have been chosen by the analyst.
 *
 * With fixed weights w adding up to one, M = sum of w_a exp((a - 1)(L - R_a))
 * is a supermartingale of the privacy loss L and of the sums R_a of the
 * releases' divergences, however these are chosen one after the other.  Where
 *     1 - e^(epsilon - x) <= delta sum of w_a exp((a - 1)(x - R_a))   for all x
 * (tight), or 1 <= the same for x >= epsilon, the releases are (epsilon,
 * delta)-DP (docs/proofs.md, section 6).
 */
#include "core/accounting/accountant.h"

#include "core/numeric/bisect.h"

/* about this order; budgets of epsilon 0.1 to 10 are spent within a few e-folds of it */
#define CENTER		10.0
#define WIDTH		3.0

typedef struct Mixture
{
	const double *rdp;
	double		log_weight[DPEM_RDP_ORDERS];	/* -infinity: not used */
	double		log_inv_delta;
} Mixture;

/* the first and last order stand for what is beyond them too */
static double
cell_width(int i)
{
	double		below = dpem_rdp_orders[i > 0 ? i - 1 : 0] - 1;
	double		above = dpem_rdp_orders[i + 1 < DPEM_RDP_ORDERS ? i + 1 : i] - 1;

	return log(above / below) / 2;
}

static bool
is_used(int i, bool tight)
{
	return tight || dpem_rdp_orders[i] == floor(dpem_rdp_orders[i]);
}

static double
density(int i)
{
	double		y = log((dpem_rdp_orders[i] - 1) / CENTER) / WIDTH;
	double		t = 1 + y * y;

	return cell_width(i) / (t * t * t);
}

static void
fill_weights(Mixture *mixture, bool tight)
{
	double		sum = 0;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		sum += is_used(i, tight) ? density(i) : 0;
	sum = dpem_round_up(dpem_round_up(sum));
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		mixture->log_weight[i] = is_used(i, tight) ? log(density(i) / sum) : -INFINITY;
}

/* ln of the sum at x, and its derivative, the mean of a - 1; -infinity where no order counts */
static double
log_sum(const Mixture *mixture, double x, double *slope)
{
	double		term[DPEM_RDP_ORDERS];
	double		most = -INFINITY;
	double		sum = 0;
	double		moment = 0;

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		term[i] = mixture->log_weight[i] + (dpem_rdp_orders[i] - 1) * (x - mixture->rdp[i]);
		most = fmax(most, term[i]);
	}
	*slope = 0;
	if (!(most > -INFINITY))
		return -INFINITY;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		double		part = term[i] > most - 60 ? exp(term[i] - most) : 0;

		sum += part;
		moment += part * (dpem_rdp_orders[i] - 1);
	}
	*slope = moment / sum;
	return most + log(sum);
}

/* below the greatest of x + ln(1 - delta e^S(x)), which is concave; both parts of the condition grow with x */
static bool
below_tight(const void *context, double x)
{
	const Mixture *mixture = context;
	double		slope;
	double		v = log_sum(mixture, x, &slope) - mixture->log_inv_delta;

	return v + log1p(slope) < 0;
}

static bool
below_tail(const void *context, double x)
{
	const Mixture *mixture = context;
	double		slope;

	return log_sum(mixture, x, &slope) < mixture->log_inv_delta;
}

static double
tight_epsilon(const Mixture *mixture, double x)
{
	double		slope;
	double		v = log_sum(mixture, x, &slope) - mixture->log_inv_delta;

	/* the derivative of ln(1 - e^v) is at most 1 here, so that v's rounding counts once over the slope */
	return x + log1p(-exp(v)) + DPEM_ROUNDING_SLACK * (2 * x + (mixture->log_inv_delta + 60) / slope);
}

DpemStatus
dpem_rdp_mixture_epsilon(const double rdp[DPEM_RDP_ORDERS], double delta, bool tight, double *epsilon)
{
	Mixture		mixture = {.rdp = rdp,.log_inv_delta = -log(delta)};
	DpemCondition below = tight ? below_tight : below_tail;
	double		high;

	*epsilon = NAN;
	if (!dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		if (!(rdp[i] >= 0))
			return DPEM_BAD_ARGUMENT;
	fill_weights(&mixture, tight);
	*epsilon = 0;
	if (!below(&mixture, 0))
		return DPEM_OK;
	high = dpem_first_failure(below, &mixture, 1);
	if (high > DBL_MAX)
		*epsilon = INFINITY;
	else if (tight)
		*epsilon = fmax(tight_epsilon(&mixture, dpem_bisect(below, &mixture, 0, high)), 0);
	else
		*epsilon = dpem_round_up(dpem_round_up(nextafter(dpem_bisect(below, &mixture, 0, high), INFINITY)));
	return DPEM_OK;
}
