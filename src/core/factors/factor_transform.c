/*
 * factor_transform.c - dpem_factor_transform of factor_analysis.h.
 */
#include "core/factors/factor_analysis.h"

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
