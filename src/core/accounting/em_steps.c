/*
 * em_steps.c - [DPEM]'s schedules of Laplace and Gaussian releases, all with
 * the same epsilon_i: what they cost together, and the epsilon_i a budget buys.
 *
 * ma and rdp minimise over an order x (lambda, or alpha - 1)
 *     epsilon(x) = (f(x) + psi(x) + ln(1/delta)) / x,
 * f the sum of the log moments and psi = 0 for ma ([DPEM] Section 3.3),
 * psi(x) = -x ln(1+1/x) - ln(1+x) for the tight conversion ([CKS] Proposition
 * 12).  Both are convex and 0 at 0, so x (f+psi)' - (f+psi) = ln(1/delta) has
 * one root, epsilon(x) falls before it and rises after it, and the best integer
 * is next to it.
 */
#include "core/accounting/accountant.h"

#include <stddef.h>
#include <string.h>

#include "core/numeric/bisect.h"

#define LOG_ORDER_MAX 200.0		/* |ln x| searched */

/* a schedule's releases at one epsilon_i */
typedef struct Releases
{
	double		laplace;		/* how many */
	double		gaussian;
	double		step_delta;
	double		sigma2;			/* sigma^2 epsilon_i^2 = 2 ln(1.25/delta_i) */
	double		epsilon;		/* epsilon_i */
	bool		tight;			/* psi is the tight conversion's */
	double		log_inv_delta;
} Releases;

static bool
count_releases(const DpemEmSchedule *schedule, Releases *releases)
{
	double		j = schedule->iterations;
	double		k = schedule->k;

	if (schedule->iterations < 1 || schedule->k < 1 || !dpem_is_probability(schedule->step_delta))
		return false;
	memset(releases, 0, sizeof(*releases));
	releases->gaussian = schedule->scenario == DPEM_SCENARIO_LLG ? j * k :
		schedule->scenario == DPEM_SCENARIO_GGG ? j * (2 * k + 1) : 0;
	releases->laplace = j * (2 * k + 1) - releases->gaussian;
	releases->step_delta = schedule->step_delta;
	releases->sigma2 = 2 * log(1.25 / schedule->step_delta);
	return true;
}

/* mu^2 of one Gaussian release, twice its rho */
static double
gaussian_mu2(const Releases *releases)
{
	return releases->epsilon * releases->epsilon / releases->sigma2;
}

static double
total_rho(const Releases *releases)
{
	return dpem_round_up(0.5 * (releases->laplace * releases->epsilon * releases->epsilon +
								releases->gaussian * gaussian_mu2(releases)));
}

static double
total_mu(const Releases *releases)
{
	double		pure = 0;

	if (releases->laplace > 0 && dpem_gdp_from_pure(releases->epsilon, &pure) != DPEM_OK)
		return NAN;
	return dpem_round_up(sqrt(releases->laplace * pure * pure +
							  releases->gaussian * gaussian_mu2(releases)));
}

/* ---- orders ---- */

static double
moments(const Releases *releases, double x)
{
	double		laplace = 0;

	if (releases->laplace > 0 &&
		dpem_log_moment_laplace(x, releases->epsilon, &laplace) != DPEM_OK)
		return NAN;
	return releases->laplace * laplace +
		0.5 * releases->gaussian * gaussian_mu2(releases) * x * (x + 1);
}

/* whether x (f+psi)' - (f+psi) is still below ln(1/delta) at ln x */
static bool
below_best_order(const void *context, double log_x)
{
	const Releases *releases = context;
	double		x = exp(log_x);
	double		moment = 0;
	double		slope = 0;
	double		value = 0.5 * releases->gaussian * gaussian_mu2(releases) * x * x;

	if (releases->laplace > 0)
	{
		if (dpem_log_moment_laplace(x, releases->epsilon, &moment) != DPEM_OK ||
			dpem_log_moment_laplace_slope(x, releases->epsilon, &slope) != DPEM_OK)
			return false;
		value += releases->laplace * (x * slope - moment);
	}
	if (releases->tight)
		value += log1p(x);
	return value < releases->log_inv_delta;
}

static double
best_order(const Releases *releases)
{
	if (below_best_order(releases, LOG_ORDER_MAX))
		return exp(LOG_ORDER_MAX);
	if (!below_best_order(releases, -LOG_ORDER_MAX))
		return exp(-LOG_ORDER_MAX);
	return exp(dpem_bisect(below_best_order, releases, -LOG_ORDER_MAX, LOG_ORDER_MAX));
}

static double
epsilon_at_order(const Releases *releases, double x)
{
	double		cost = (moments(releases, x) + releases->log_inv_delta) / x;
	double		gain = releases->tight ? log1p(x) / x + log1p(1 / x) : 0;

	return fmax(cost - gain + DPEM_ROUNDING_SLACK * (cost + gain), 0);
}

/* *order: in, the greatest one allowed or 0; out, the best one */
static double
moments_epsilon(const Releases *releases, bool real_orders, double *order)
{
	double		limit = *order > 0 ? *order : INFINITY;
	double		x = best_order(releases);
	double		above;

	if (real_orders)
	{
		*order = fmin(x, limit);
		return epsilon_at_order(releases, *order);
	}
	x = fmin(fmax(floor(x), 1), limit);
	above = fmin(x + 1, limit);
	if (epsilon_at_order(releases, above) < epsilon_at_order(releases, x))
		x = above;
	*order = x;
	return epsilon_at_order(releases, x);
}

/* ---- totals ---- */

static DpemStatus
linear_total(const Releases *releases, double delta, double *epsilon)
{
	if (!(releases->gaussian * releases->step_delta <= delta))
		return DPEM_NO_SOLUTION;
	*epsilon = dpem_round_up((releases->laplace + releases->gaussian) * releases->epsilon);
	return DPEM_OK;
}

static DpemStatus
advanced_total(const Releases *releases, double delta, double *epsilon)
{
	double		slack = delta - releases->gaussian * releases->step_delta -
		DPEM_ROUNDING_SLACK * delta;

	if (!(slack > 0))
		return DPEM_NO_SOLUTION;
	return dpem_advanced_epsilon(releases->laplace + releases->gaussian, releases->epsilon, slack,
								 epsilon);
}

static DpemStatus
total(Releases *releases, DpemComposition composition, const DpemEmOptions *options,
	  double delta, double *epsilon, double *order)
{
	releases->tight = composition == DPEM_COMPOSE_RDP;
	releases->log_inv_delta = -log(delta);
	*order = 0;
	switch (composition)
	{
		case DPEM_COMPOSE_EXACT:
			return dpem_gdp_epsilon(total_mu(releases), delta, epsilon);
		case DPEM_COMPOSE_ZCDP:
			return dpem_zcdp_epsilon(total_rho(releases), delta, options->tight, epsilon);
		case DPEM_COMPOSE_RDP:
			*epsilon = moments_epsilon(releases, true, order);
			*order += 1;
			break;
		case DPEM_COMPOSE_MA:
			*order = options->max_order;
			*epsilon = moments_epsilon(releases, options->real_orders, order);
			break;
		case DPEM_COMPOSE_ADVANCED:
			return advanced_total(releases, delta, epsilon);
		case DPEM_COMPOSE_LINEAR:
			return linear_total(releases, delta, epsilon);
		default:
			return DPEM_BAD_ARGUMENT;
	}
	return *epsilon <= DBL_MAX ? DPEM_OK : DPEM_NO_SOLUTION;
}

DpemStatus
dpem_em_total(const DpemEmSchedule *schedule, DpemComposition composition,
			  const DpemEmOptions *options, double step_epsilon, double delta,
			  double *epsilon, double *order)
{
	static const DpemEmOptions plain = {0, false, false};
	Releases	releases;
	double		ignored;

	*epsilon = NAN;
	if (options == NULL)
		options = &plain;
	if (!count_releases(schedule, &releases) || options->max_order < 0 ||
		!dpem_is_positive(step_epsilon) || !dpem_is_probability(delta))
		return DPEM_BAD_ARGUMENT;
	releases.epsilon = step_epsilon;
	return dpem_answer(total(&releases, composition, options, delta, epsilon, order ? order : &ignored),
					   epsilon);
}

DpemStatus
dpem_mixed_total(double laplace, double laplace_epsilon, double gaussian_mu2,
				 DpemComposition composition, double delta, double *epsilon)
{
	static const DpemEmOptions plain = {0, false, false};
	Releases	releases = {.laplace = laplace,.gaussian = gaussian_mu2 > 0,.epsilon = laplace_epsilon};
	double		ignored;

	*epsilon = NAN;
	if (!dpem_is_nonnegative(laplace) || !dpem_is_positive(laplace_epsilon) ||
		!dpem_is_nonnegative(gaussian_mu2) || !(laplace > 0 || gaussian_mu2 > 0) ||
		!dpem_is_probability(delta) || composition == DPEM_COMPOSE_LINEAR ||
		composition == DPEM_COMPOSE_ADVANCED)
		return DPEM_BAD_ARGUMENT;
	releases.sigma2 = gaussian_mu2 > 0 ? laplace_epsilon * laplace_epsilon / gaussian_mu2 : 1;
	return dpem_answer(total(&releases, composition, &plain, delta, epsilon, &ignored), epsilon);
}

DpemStatus
dpem_em_linear_delta(const DpemEmSchedule *schedule, double *delta)
{
	Releases	releases;

	*delta = NAN;
	if (!count_releases(schedule, &releases))
		return DPEM_BAD_ARGUMENT;
	*delta = dpem_round_up(releases.gaussian * releases.step_delta);
	return DPEM_OK;
}

/* ---- the step a budget buys ---- */

typedef struct Budget
{
	Releases	releases;
	DpemComposition composition;
	DpemEmOptions options;
	double		epsilon;
	double		delta;
	double		mu;				/* the budget as mu (exact) or rho (zcdp) */
	double		rho;
} Budget;

static bool
step_affordable(const void *context, double step_epsilon)
{
	const Budget *budget = context;
	Releases	releases = budget->releases;
	double		epsilon;
	double		order;

	releases.epsilon = step_epsilon;
	if (budget->composition == DPEM_COMPOSE_EXACT)
		return total_mu(&releases) <= budget->mu;
	if (budget->composition == DPEM_COMPOSE_ZCDP)
		return total_rho(&releases) <= budget->rho;
	return total(&releases, budget->composition, &budget->options, budget->delta,
				 &epsilon, &order) == DPEM_OK && epsilon <= budget->epsilon;
}

/* mu and rho of the budget, and its domain */
static DpemStatus
fill_budget(Budget *budget)
{
	DpemStatus	status;

	if (!dpem_is_positive(budget->epsilon) || !dpem_is_probability(budget->delta) ||
		budget->options.max_order < 0 || dpem_composition_name(budget->composition) == NULL)
		return DPEM_BAD_ARGUMENT;
	status = dpem_gdp_mu(budget->epsilon, budget->delta, &budget->mu);
	if (status != DPEM_OK)
		return status;
	return dpem_zcdp_rho(budget->epsilon, budget->delta, budget->options.tight, &budget->rho);
}

/* some affordable epsilon_i; 0 if a factor of 2^-100 does not find one */
static double
affordable_start(const Budget *budget)
{
	double		step = budget->epsilon;
	int			i;

	for (i = 0; i < 100; i++, step /= 2)
		if (step_affordable(budget, step))
			return step;
	return 0;
}

DpemStatus
dpem_em_step(const DpemEmSchedule *schedule, DpemComposition composition,
			 const DpemEmOptions *options, double epsilon, double delta, DpemEmStep *step)
{
	Budget		budget = {.composition = composition,.epsilon = epsilon,.delta = delta};
	DpemStatus	status;
	double		start;
	double		ignored;

	step->epsilon = step->sigma = step->laplace_scale = step->order = NAN;
	step->classical = false;
	if (!count_releases(schedule, &budget.releases))
		return DPEM_BAD_ARGUMENT;
	if (options != NULL)
		budget.options = *options;
	status = fill_budget(&budget);
	if (status != DPEM_OK)
		return status;

	start = affordable_start(&budget);
	if (!(start > 0))
		return DPEM_NO_SOLUTION;
	step->epsilon = dpem_bisect(step_affordable, &budget, start,
								dpem_first_failure(step_affordable, &budget, start));
	step->sigma = dpem_round_up(sqrt(budget.releases.sigma2) / step->epsilon);
	step->laplace_scale = dpem_round_up(1 / step->epsilon);
	step->classical = step->epsilon < 1;
	return dpem_em_total(schedule, composition, options, step->epsilon, delta, &ignored,
						 &step->order);
}

bool
dpem_scenario_from_name(const char *name, DpemScenario *scenario)
{
	if (name == NULL)
		return false;
	if (strcmp(name, "llg") == 0)
		*scenario = DPEM_SCENARIO_LLG;
	else if (strcmp(name, "ggg") == 0)
		*scenario = DPEM_SCENARIO_GGG;
	else
		return false;
	return true;
}
