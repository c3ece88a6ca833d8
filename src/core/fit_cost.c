/*
 * fit_cost.c - see fit_cost.h.
 */
#include "fit_cost.h"

#include "bisect.h"
#include "choice.h"

double
dpem_cost_mu2(const DpemCostLine *lines, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
	{
		double		mu = 1 / lines[i].noise_multiplier;

		if (lines[i].kind == DPEM_COST_CHOICE)
			mu = sqrt(dpem_choice_mu2(mu));
		else if (lines[i].kind == DPEM_COST_LAPLACE && dpem_gdp_from_pure(mu, &mu) != DPEM_OK)
			return NAN;
		sum += lines[i].releases * mu * mu;
	}
	return dpem_round_up(sum);
}

double
dpem_cost_rho(const DpemCostLine *lines, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += lines[i].releases / ((lines[i].kind == DPEM_COST_CHOICE ? 8 : 2) *
									lines[i].noise_multiplier * lines[i].noise_multiplier);
	return dpem_round_up(sum);
}

/* mu^2 of the Gaussian releases whose total is no less than that of a line of Gaussian ones or choices */
static double
gaussian_mu2(const DpemCostLine *line, DpemComposition composition)
{
	return composition == DPEM_COMPOSE_EXACT ? dpem_cost_mu2(line, 1) : 2 * dpem_cost_rho(line, 1);
}

/* Laplace releases at the largest of their epsilons, the others by their mu^2 */
static DpemStatus
mixed_epsilon(const DpemCostLine *lines, int n, DpemComposition composition, double delta,
			  double *epsilon)
{
	double		laplace = 0;
	double		laplace_epsilon = 0;
	double		mu2 = 0;

	for (int i = 0; i < n; i++)
	{
		if (lines[i].kind == DPEM_COST_LAPLACE)
		{
			laplace += lines[i].releases;
			laplace_epsilon = fmax(laplace_epsilon, 1 / lines[i].noise_multiplier);
		}
		else
			mu2 += gaussian_mu2(&lines[i], composition);
	}
	return dpem_mixed_total(laplace, laplace > 0 ? laplace_epsilon : 1, dpem_round_up(mu2),
							composition, delta, epsilon);
}

static double
gaussian_releases(const DpemCostLine *lines, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += lines[i].kind == DPEM_COST_GAUSSIAN ? lines[i].releases : 0;
	return sum;
}

/* sums over releases of epsilon_i, its square, and epsilon_i (exp(epsilon_i) - 1) */
typedef struct StepSums
{
	double		plain;
	double		square;
	double		drift;
} StepSums;

static DpemStatus
add_steps(const DpemCostLine *lines, int n, double step_delta, StepSums *sums)
{
	for (int i = 0; i < n; i++)
	{
		double		step = 1 / lines[i].noise_multiplier;

		if (lines[i].kind == DPEM_COST_GAUSSIAN)
		{
			step *= sqrt(2 * log(1.25 / step_delta));
			if (!(step < 1))
				return DPEM_NO_SOLUTION;
		}
		sums->plain += lines[i].releases * step;
		sums->square += lines[i].releases * step * step;
		sums->drift += lines[i].releases * step * expm1(step);
	}
	return DPEM_OK;
}

static DpemStatus
classical_epsilon(const DpemCostLine *lines, int n, bool advanced, double delta,
				  double step_delta, double *epsilon)
{
	double		gaussian = gaussian_releases(lines, n);
	StepSums	sums = {0};
	double		slack;

	if (!(step_delta > 0))
		step_delta = 0.5 * delta / fmax(gaussian, 1);
	slack = delta - gaussian * step_delta;
	if (!(slack >= 0) || (advanced && !(slack > DPEM_ROUNDING_SLACK * delta)) ||
		add_steps(lines, n, step_delta, &sums) != DPEM_OK)
		return DPEM_NO_SOLUTION;
	*epsilon = dpem_round_up(advanced ? sqrt(-2 * log(slack) * sums.square) + sums.drift : sums.plain);
	return *epsilon <= DBL_MAX ? DPEM_OK : DPEM_NO_SOLUTION;
}

DpemStatus
dpem_cost_epsilon(const DpemCostLine *lines, int n, DpemComposition composition, double delta,
				  double step_delta, double *epsilon)
{
	DpemStatus	status;

	*epsilon = NAN;
	for (int i = 0; i < n; i++)
		if (!dpem_is_positive(lines[i].noise_multiplier) || !(lines[i].releases >= 1))
			return DPEM_BAD_ARGUMENT;
	if (n < 1 || !dpem_is_probability(delta) || !(step_delta >= 0 && step_delta < 1))
		return DPEM_BAD_ARGUMENT;
	if (composition == DPEM_COMPOSE_LINEAR || composition == DPEM_COMPOSE_ADVANCED)
		status = classical_epsilon(lines, n, composition == DPEM_COMPOSE_ADVANCED, delta, step_delta,
								   epsilon);
	else
		status = mixed_epsilon(lines, n, composition, delta, epsilon);
	if (status != DPEM_OK)
		*epsilon = NAN;
	return status;
}

typedef struct LaplaceTarget
{
	DpemComposition composition;
	double		epsilon;
	double		delta;
	double		releases;
} LaplaceTarget;

static bool
laplace_costs_more(const void *context, double z)
{
	const LaplaceTarget *target = context;
	DpemCostLine line = {true, z, target->releases};
	double		epsilon;

	return dpem_cost_epsilon(&line, 1, target->composition, target->delta, 0, &epsilon) != DPEM_OK ||
		!(epsilon <= target->epsilon);
}

DpemStatus
dpem_laplace_multiplier(DpemComposition composition, double epsilon, double delta, double releases,
						double *z)
{
	LaplaceTarget target = {composition, epsilon, delta, releases};
	double		enough;

	*z = NAN;
	if (!dpem_is_positive(epsilon) || !dpem_is_probability(delta) || !(releases >= 1 && releases <= 1e9))
		return DPEM_BAD_ARGUMENT;
	enough = dpem_first_failure(laplace_costs_more, &target, 0x1p-10);
	if (!(enough <= 1e15))
		return DPEM_NO_SOLUTION;
	*z = nextafter(dpem_bisect(laplace_costs_more, &target, enough / 2, enough), INFINITY);
	return DPEM_OK;
}

void
dpem_cost_concentrated(const DpemCostLine *lines, int n, double *mean, double *tau)
{
	double		square = 0;

	*mean = 0;
	for (int i = 0; i < n; i++)
	{
		double		step = 1 / lines[i].noise_multiplier;

		*mean += lines[i].releases * step * (lines[i].kind == DPEM_COST_GAUSSIAN ? step : expm1(step)) / 2;
		square += lines[i].releases * step * step;
	}
	*mean = dpem_round_up(*mean);
	*tau = dpem_round_up(sqrt(square));
}
