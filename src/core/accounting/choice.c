/*
 * choice.c - see choice.h.
 */
#include "core/accounting/choice.h"

#include "core/accounting/accountant.h"
#include "core/numeric/bisect.h"

DpemUint128
dpem_choice_range(DpemUint128 greatest, bool replace_one, int rows_per_unit)
{
	return greatest * (replace_one ? 2 : 1) * (unsigned int) rows_per_unit;
}

/* 1e-12 covers the roundings of the product */
DpemUint128
dpem_choice_scale(double noise_multiplier, DpemUint128 range)
{
	double		scale = noise_multiplier * (double) range * (1 + 1e-12);

	if (!(scale > 0 && scale < (double) DPEM_CHOICE_DEN_MAX))
		return 0;
	return (DpemUint128) scale + 1;
}

/* (epsilon/2, epsilon/2) is the worst place of the interval: docs/proofs.md */
double
dpem_choice_mu2(double epsilon)
{
	double		mu;

	if (!dpem_is_positive(epsilon) || dpem_gdp_from_pure(epsilon / 2, &mu) != DPEM_OK)
		return NAN;
	return dpem_round_up(mu * mu);
}

static bool
costs_at_most(const void *context, double epsilon)
{
	const double *mu2 = context;

	return dpem_choice_mu2(epsilon) <= *mu2;
}

double
dpem_choice_epsilon(double mu)
{
	double		mu2 = mu * mu;
	double		most;

	if (!dpem_is_positive(mu) || !dpem_is_positive(mu2))
		return NAN;
	most = dpem_first_failure(costs_at_most, &mu2, mu);
	return most <= DBL_MAX ? dpem_bisect(costs_at_most, &mu2, 0, most) : NAN;
}

double
dpem_choice_rho(double epsilon)
{
	return dpem_is_positive(epsilon) ? dpem_round_up(epsilon * epsilon / 8) : NAN;
}

int64_t
dpem_directions_norm2(const int32_t *direction, size_t n, int d)
{
	int64_t		greatest = 0;

	for (size_t i = 0; i < n; i++)
	{
		int64_t		norm2 = 0;

		for (int j = 0; j < d; j++)
		{
			int64_t		v = direction[i * (size_t) d + j];

			if (v < -DPEM_DIRECTION_MAX || v > DPEM_DIRECTION_MAX)
				return -1;
			norm2 += v * v;
			if (norm2 > DPEM_DIRECTION_NORM2_MAX)
				return -1;
		}
		greatest = norm2 > greatest ? norm2 : greatest;
	}
	return greatest > 0 ? greatest : -1;
}

/* modulo 2^128, so that no intermediate sum matters */
DpemInt128
dpem_quadratic_form(const DpemInt128 *second, const int32_t *v, int d)
{
	DpemUint128 sum = 0;

	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
		{
			int64_t		product = (int64_t) v[i] * v[j] * (j < i ? 2 : 1);

			sum += (DpemUint128) *second++ * (DpemUint128) (DpemInt128) product;
		}
	return (DpemInt128) sum;
}
