/*
 * gmm_density.c - see gmm_density.h.
 */
#include <math.h>

#include "core/gmm/gmm_density.h"
#include "core/numeric/linalg.h"

#define LOG_2PI 1.8378770664093454836

DpemStatus
dpem_gmm_density_prepare(const DpemGmm *gmm, DpemGmmDensity *density, double *scratch)
{
	size_t		d = (size_t) gmm->d;

	density->k = gmm->k;
	density->d = gmm->d;
	for (int k = 0; k < gmm->k; k++)
	{
		double		log_det;
		const double *c = gmm->covariance + k * d * d;
		DpemStatus	status = dpem_linalg_inverse_cholesky(gmm->d, c, density->factor + k * d * (d + 1) / 2,
														  &log_det, scratch);

		if (status == DPEM_OK)
			status = dpem_linalg_cholesky(gmm->d, c, density->cholesky + k * d * d);
		if (status != DPEM_OK)
			return status;
		density->offset[k] = log(gmm->weight[k]) - (log_det + d * LOG_2PI) / 2;
	}
	return DPEM_OK;
}

double
dpem_gmm_log_terms(const DpemGmm *gmm, const DpemGmmDensity *density, const double *x,
				   double *terms, double *scratch)
{
	size_t		d = (size_t) gmm->d;
	double		most = -INFINITY;
	double		sum = 0;

	for (int k = 0; k < gmm->k; k++)
	{
		const double *u = density->factor + k * d * (d + 1) / 2;
		double		distance = 0;

		for (size_t i = 0; i < d; i++)
		{
			double		v = 0;

			scratch[i] = x[i] - gmm->mean[k * d + i];
			for (size_t j = 0; j <= i; j++)
				v += *u++ * scratch[j];
			distance += v * v;
		}
		terms[k] = density->offset[k] - distance / 2;
		most = fmax(most, terms[k]);
	}
	if (!isfinite(most))
		return most;
	for (int k = 0; k < gmm->k; k++)
		sum += exp(terms[k] - most);
	return most + log(sum);
}
