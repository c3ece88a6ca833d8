/*
 * composition.c - the names of the accountants, and the Gaussian noise that a
 * budget buys under each.
 */
#include "core/accounting/accountant.h"

#include <stddef.h>
#include <string.h>

#include "core/numeric/bisect.h"

static const char *const names[] = {
	[DPEM_COMPOSE_EXACT] = "exact",
	[DPEM_COMPOSE_ZCDP] = "zcdp",
	[DPEM_COMPOSE_RDP] = "rdp",
	[DPEM_COMPOSE_MA] = "ma",
	[DPEM_COMPOSE_ADVANCED] = "advanced",
	[DPEM_COMPOSE_LINEAR] = "linear"
};

#define NAMES (sizeof(names) / sizeof(names[0]))

bool
dpem_composition_from_name(const char *name, DpemComposition *composition)
{
	size_t		i;

	for (i = 0; name != NULL && i < NAMES; i++)
		if (strcmp(name, names[i]) == 0)
		{
			*composition = (DpemComposition) i;
			return true;
		}
	return false;
}

const char *
dpem_composition_name(DpemComposition composition)
{
	return (size_t) composition < NAMES ? names[composition] : NULL;
}

bool
dpem_composition_is_classical(DpemComposition composition)
{
	return composition == DPEM_COMPOSE_LINEAR || composition == DPEM_COMPOSE_ADVANCED;
}

DpemStatus
dpem_advanced_epsilon(double n, double step_epsilon, double slack, double *epsilon)
{
	*epsilon = NAN;
	if (!(n >= 1 && n <= DBL_MAX) || !dpem_is_nonnegative(step_epsilon) ||
		!dpem_is_probability(slack))
		return DPEM_BAD_ARGUMENT;
	*epsilon = dpem_round_up(step_epsilon * (sqrt(-2 * n * log(slack)) + n * expm1(step_epsilon)));
	return dpem_answer(DPEM_OK, epsilon);
}

static DpemStatus
calibrate_exact(double epsilon, double delta, int releases, double *z)
{
	double		mu;
	DpemStatus	status = dpem_gdp_mu(epsilon, delta, &mu);

	if (status == DPEM_OK)
		*z = sqrt(releases) / mu;
	return status;
}

static DpemStatus
calibrate_zcdp(double epsilon, double delta, bool tight, int releases, double *z)
{
	double		rho;
	DpemStatus	status = dpem_zcdp_rho(epsilon, delta, tight, &rho);

	if (status == DPEM_OK)
		*z = sqrt(releases / (2 * rho));
	return status;
}

/* lambda(lambda+1) / (lambda epsilon - L); infinity where lambda epsilon <= L */
static double
moments_cost(double lambda, double epsilon, double log_inv_delta)
{
	double		room = lambda * dpem_round_down(epsilon) - dpem_round_up(log_inv_delta);

	return room > 0 ? lambda * (lambda + 1) / room : INFINITY;
}

/*
 * The cost above falls and then rises in lambda; its real minimum solves
 * epsilon lambda^2 - 2 L lambda - L = 0, and the integer one is next to it.
 */
static DpemStatus
calibrate_moments(double epsilon, double delta, int releases, double *z)
{
	double		l = -log(delta);
	double		lambda = (l + sqrt(l * l + epsilon * l)) / epsilon;
	double		below = fmax(floor(lambda), 1);
	double		cost = fmin(moments_cost(below, epsilon, l), moments_cost(below + 1, epsilon, l));

	if (!(cost <= DBL_MAX))
		return DPEM_NO_SOLUTION;
	*z = sqrt(0.5 * releases * cost);
	return DPEM_OK;
}

typedef struct Advanced
{
	double		n;
	double		epsilon;
	double		slack;
} Advanced;

static bool
step_affordable(const void *context, double step_epsilon)
{
	const Advanced *advanced = context;
	double		epsilon;

	return dpem_advanced_epsilon(advanced->n, step_epsilon, advanced->slack, &epsilon) == DPEM_OK &&
		epsilon <= advanced->epsilon;
}

static DpemStatus
calibrate_classical(bool advanced, double epsilon, double delta, int releases, double *z)
{
	Advanced	context = {releases, epsilon, 0.5 * delta};
	double		step_delta = 0.5 * delta / releases;
	double		step = epsilon / releases;

	if (advanced)
		step = step_affordable(&context, 1) ? 1 :
			dpem_bisect(step_affordable, &context, 0, 1);
	if (!(step < 1) || !(step > 0))
		return DPEM_NO_SOLUTION;
	*z = sqrt(2 * log(1.25 / step_delta)) / step;
	return DPEM_OK;
}

DpemStatus
dpem_calibrate_noise_multiplier(DpemComposition composition, double epsilon, double delta,
								int releases, double *z)
{
	DpemStatus	status = DPEM_BAD_ARGUMENT;

	*z = NAN;
	if (!dpem_is_positive(epsilon) || !dpem_is_probability(delta) || releases < 1)
		return DPEM_BAD_ARGUMENT;
	switch (composition)
	{
		case DPEM_COMPOSE_EXACT:
			status = calibrate_exact(epsilon, delta, releases, z);
			break;
		case DPEM_COMPOSE_ZCDP:
		case DPEM_COMPOSE_RDP:
			status = calibrate_zcdp(epsilon, delta, composition == DPEM_COMPOSE_RDP, releases, z);
			break;
		case DPEM_COMPOSE_MA:
			status = calibrate_moments(epsilon, delta, releases, z);
			break;
		case DPEM_COMPOSE_ADVANCED:
		case DPEM_COMPOSE_LINEAR:
			status = calibrate_classical(composition == DPEM_COMPOSE_ADVANCED, epsilon, delta,
										 releases, z);
			break;
	}
	*z = dpem_round_up(*z);
	if (status == DPEM_OK && !dpem_is_positive(*z))
		status = DPEM_NO_SOLUTION;
	return dpem_answer(status, z);
}
