/*
 * factor_transform.c - dpem_factor_transform and dpem_factors_columns_log_density of factor_analysis.h.
 */
#include <math.h>
#include <string.h>

#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"

#define LOG_2PI 1.8378770664093454836

double
dpem_factor_transform(const DpemFactors *factors, const DpemFactorScores *scores,
					  const double *centered, double *out)
{
	int			d = factors->d;
	double		quadratic = 0;

	for (int j = 0; j < d; j++)
		quadratic += centered[j] * centered[j] / factors->noise[j];
	for (int i = 0; i < factors->k; i++)
	{
		double		scaled = 0;

		out[i] = 0;
		for (int j = 0; j < d; j++)
		{
			out[i] += scores->weight[i * (size_t) d + j] * centered[j];
			scaled += factors->loading[i * (size_t) d + j] * centered[j] / factors->noise[j];
		}
		quadratic -= out[i] * scaled;
	}
	return scores->log_scale - quadratic / 2;
}

size_t
dpem_factors_columns_work(int k)
{
	return (size_t) k * k + k;
}

/* adds column j to I + sum of loading loading' / noise, of its lower triangle, and to the right-hand side of the factors' scores */
static void
add_column(const DpemFactors *factors, int j, double centered, double *precision, double *side)
{
	size_t		d = (size_t) factors->d;

	for (int f = 0; f < factors->k; f++)
	{
		double		scaled = factors->loading[f * d + j] / factors->noise[j];

		side[f] += scaled * centered;
		for (int g = 0; g <= f; g++)
			precision[f * factors->k + g] += scaled * factors->loading[g * d + j];
	}
}

double
dpem_factors_columns_log_density(const DpemFactors *factors, const double *apart, const double *centered, DpemWorkspace work)
{
	int			k = factors->k;
	double	   *precision = dpem_workspace_take(&work, (size_t) k * k);
	double	   *side = dpem_workspace_take(&work, k);
	double		sum = 0;

	memset(precision, 0, (size_t) k * k * sizeof(double));
	memset(side, 0, k * sizeof(double));
	for (int f = 0; f < k; f++)
		precision[(size_t) f * k + f] = 1;
	for (int j = 0; j < factors->d; j++)
	{
		if (apart[j] != 0)
			continue;
		sum -= (LOG_2PI + log(factors->noise[j]) + centered[j] * centered[j] / factors->noise[j]) / 2;
		add_column(factors, j, centered[j], precision, side);
	}
	if (dpem_linalg_factorise(k, precision) != DPEM_OK)
		return -INFINITY;
	dpem_linalg_solve_lower(k, precision, false, 1, side);
	for (int f = 0; f < k; f++)
		sum += side[f] * side[f] / 2 - log(precision[(size_t) f * k + f]);
	return sum;
}
