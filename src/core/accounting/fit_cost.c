/*
 * fit_cost.c - see fit_cost.h.
 */
#include "core/accounting/fit_cost.h"

#include <stddef.h>

#include "core/accounting/choice.h"
#include "core/numeric/bisect.h"

const char *
dpem_sampling_name(DpemSampling sampling)
{
	static const char *const name[] = {"none", "poisson", "poisson"};

	return name[sampling];
}

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

/* how much of delta the Gaussian releases take, in step_delta each */
static double
step_deltas(const DpemCostLine *lines, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
	{
		double		rate = lines[i].sampling == DPEM_SAMPLING_NONE ? 1 : lines[i].sampling_rate;

		sum += lines[i].kind == DPEM_COST_GAUSSIAN ? rate * lines[i].releases : 0;
	}
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
		if (lines[i].sampling != DPEM_SAMPLING_NONE)
			step = log1p(lines[i].sampling_rate * expm1(step));
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
	double		parts = step_deltas(lines, n);
	StepSums	sums = {0};
	double		slack;

	if (!(step_delta > 0))
		step_delta = fmin(0.5 * delta / (parts > 0 ? parts : 1), 0.5);
	slack = delta - parts * step_delta;
	if (!(slack >= 0) || (advanced && !(slack > DPEM_ROUNDING_SLACK * delta)) ||
		add_steps(lines, n, step_delta, &sums) != DPEM_OK)
		return DPEM_NO_SOLUTION;
	*epsilon = dpem_round_up(advanced ? sqrt(-2 * log(slack) * sums.square) + sums.drift : sums.plain);
	return *epsilon <= DBL_MAX ? DPEM_OK : DPEM_NO_SOLUTION;
}

bool
dpem_cost_has_curve(const DpemCostLine *line)
{
	return line->kind == DPEM_COST_LAPLACE || line->sampling != DPEM_SAMPLING_NONE;
}

/* beyond this order sums are long, and no budget's best order is there */
#define MAX_SAMPLED_ORDER 1024

static DpemStatus
curve_point(const DpemCostLine *line, double alpha, double *rdp)
{
	double		sampled = INFINITY;
	DpemStatus	status = DPEM_OK;

	if (line->kind == DPEM_COST_LAPLACE)
		return dpem_rdp_laplace(1 / line->noise_multiplier, alpha, rdp);
	if (line->kind == DPEM_COST_CHOICE) /* rho = epsilon^2 / 8, that of twice the multiplier */
		return dpem_rdp_gaussian(2 * line->noise_multiplier, alpha, rdp);
	if (alpha <= MAX_SAMPLED_ORDER && line->sampling == DPEM_SAMPLING_POISSON)
		status = dpem_rdp_poisson_gaussian(line->sampling_rate, line->noise_multiplier, alpha, &sampled);
	else if (alpha <= MAX_SAMPLED_ORDER && line->sampling == DPEM_SAMPLING_POISSON_REPLACE)
		status = dpem_rdp_without_replacement_gaussian(line->sampling_rate, line->noise_multiplier,
													   alpha, &sampled);
	if (status == DPEM_OK)
		status = dpem_rdp_gaussian(line->noise_multiplier, alpha, rdp);
	*rdp = fmin(*rdp, sampled);
	return status;
}

DpemStatus
dpem_cost_curve(const DpemCostLine *line, double rdp[DPEM_RDP_ORDERS])
{
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
	{
		DpemStatus	status = curve_point(line, dpem_rdp_orders[i], &rdp[i]);

		if (status != DPEM_OK)
			return status;
		rdp[i] = dpem_round_up(rdp[i] * line->releases);
	}
	return DPEM_OK;
}

/* rdp: every order of the grid, tight conversion; ma: its integers, tail bound */
static DpemStatus
grid_epsilon(const DpemCostLine *lines, int n, bool tight, double delta, double *epsilon)
{
	double		alpha[DPEM_RDP_ORDERS];
	double		total[DPEM_RDP_ORDERS] = {0};
	double		curve[DPEM_RDP_ORDERS];
	int			used = 0;

	for (int i = 0; i < n; i++)
	{
		DpemStatus	status = dpem_cost_curve(&lines[i], curve);

		for (int j = 0; j < DPEM_RDP_ORDERS && status == DPEM_OK; j++)
			total[j] += curve[j];
		if (status != DPEM_OK)
			return status;
	}
	for (int j = 0; j < DPEM_RDP_ORDERS; j++)
	{
		if (!tight && dpem_rdp_orders[j] != floor(dpem_rdp_orders[j]))
			continue;
		alpha[used] = dpem_rdp_orders[j];
		total[used++] = dpem_round_up(total[j]);
	}
	return dpem_rdp_epsilon(alpha, total, used, delta, tight, epsilon, NULL);
}

static bool
good_line(const DpemCostLine *line)
{
	return dpem_is_positive(line->noise_multiplier) && line->releases >= 1 &&
		(line->sampling == DPEM_SAMPLING_NONE ||
		 (line->kind == DPEM_COST_GAUSSIAN && line->sampling_rate > 0 && line->sampling_rate <= 1));
}

DpemStatus
dpem_cost_epsilon(const DpemCostLine *lines, int n, DpemComposition composition, double delta,
				  double step_delta, double *epsilon)
{
	DpemStatus	status;
	bool		sampled = false;

	*epsilon = NAN;
	for (int i = 0; i < n; i++)
	{
		if (!good_line(&lines[i]))
			return DPEM_BAD_ARGUMENT;
		sampled |= lines[i].sampling != DPEM_SAMPLING_NONE;
	}
	if (n < 1 || !dpem_is_probability(delta) || !(step_delta >= 0 && step_delta < 1))
		return DPEM_BAD_ARGUMENT;
	if (dpem_composition_is_classical(composition))
		status = classical_epsilon(lines, n, composition == DPEM_COMPOSE_ADVANCED, delta, step_delta,
								   epsilon);
	else if (sampled && (composition == DPEM_COMPOSE_RDP || composition == DPEM_COMPOSE_MA))
		status = grid_epsilon(lines, n, composition == DPEM_COMPOSE_RDP, delta, epsilon);
	else
		status = mixed_epsilon(lines, n, composition, delta, epsilon);
	if (status != DPEM_OK)
		*epsilon = NAN;
	return status;
}

#define MAX_SCALE	1e15
#define MAX_LINES	16

/* is the total within epsilon when every multiplier but the fixed ones is `scale` times as large? */
static bool
affordable(const DpemCostLine *lines, int n, int fixed, DpemComposition composition, double epsilon,
		   double delta, double step_delta, double scale)
{
	DpemCostLine scaled[MAX_LINES];
	double		total;

	for (int i = 0; i < n; i++)
	{
		scaled[i] = lines[i];
		if (i >= fixed)
			scaled[i].noise_multiplier *= scale;
	}
	return dpem_cost_epsilon(scaled, n, composition, delta, step_delta, &total) == DPEM_OK &&
		total <= epsilon;
}

DpemStatus
dpem_cost_calibrate(DpemCostLine *lines, int n, int fixed, DpemComposition composition,
					double epsilon, double delta, double step_delta)
{
	double		high = 1;
	double		low;

	if (fixed < 0 || fixed >= n || n > MAX_LINES || !dpem_is_positive(epsilon))
		return DPEM_BAD_ARGUMENT;
	while (!affordable(lines, n, fixed, composition, epsilon, delta, step_delta, high))
	{
		high *= 2;
		if (high > MAX_SCALE)
			return DPEM_NO_SOLUTION;
	}
	low = high / 2;
	while (low > 1 / MAX_SCALE && affordable(lines, n, fixed, composition, epsilon, delta, step_delta, low))
	{
		high = low;
		low /= 2;
	}
	while (high - low > 1e-9 * high)
	{
		double		middle = (low + high) / 2;

		if (affordable(lines, n, fixed, composition, epsilon, delta, step_delta, middle))
			high = middle;
		else
			low = middle;
	}
	for (int i = fixed; i < n; i++)
		lines[i].noise_multiplier *= high;
	return DPEM_OK;
}

DpemStatus
dpem_cost_multiplier(DpemCostKind kind, DpemComposition composition, double epsilon, double delta,
					 double releases, double *z)
{
	DpemCostLine line = dpem_cost_line(kind, 1, releases);
	DpemStatus	status = DPEM_BAD_ARGUMENT;

	*z = NAN;
	if (dpem_is_positive(epsilon) && dpem_is_probability(delta) && releases >= 1 && releases <= 1e9)
		status = dpem_cost_calibrate(&line, 1, 0, composition, epsilon, delta, 0);
	if (status == DPEM_OK)
		*z = line.noise_multiplier;
	return status;
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
