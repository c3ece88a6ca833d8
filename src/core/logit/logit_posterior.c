/*
 * logit_posterior.c - what the next pass and the views take from a posterior
 * (logit_estimate.h).
 */
#include <math.h>

#include "core/logit/logit_estimate.h"
#include "core/numeric/linalg.h"
#include "core/numeric/polya_gamma.h"

size_t
dpem_logit_prepare_work(int d)
{
	return 2 * (size_t) d * d;
}

/*
 * A released curvature of noise alone can leave a direction without variance, to
 * within rounding: then as much is added to all as makes the factor exist.
 */
static DpemStatus
factor_of(int d, double *second, double *lower)
{
	double		trace = 0;
	DpemStatus	status = dpem_linalg_cholesky(d, second, lower);

	for (int j = 0; j < d; j++)
		trace += second[(size_t) j * d + j];
	for (double part = 1e-15; status != DPEM_OK && part < 1e-6; part *= 10)
	{
		for (int j = 0; j < d; j++)
			second[(size_t) j * d + j] += part * trace;
		status = dpem_linalg_cholesky(d, second, lower);
	}
	return status;
}

DpemStatus
dpem_logit_prepare(const DpemLogit *fit, double *theta, DpemWorkspace work)
{
	size_t		d = (size_t) fit->d;
	double	   *second = dpem_workspace_take(&work, d * d);
	double	   *lower = dpem_workspace_take(&work, d * d);

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			second[i * d + j] = fit->covariance[i * d + j] + fit->mean[i] * fit->mean[j];
	if (factor_of(fit->d, second, lower) != DPEM_OK)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (size_t j = 0; j < d; j++)
		for (size_t i = j; i < d; i++)
			*theta++ = lower[i * d + j];
	return DPEM_OK;
}

void
dpem_logit_turn_noise(int n, int d, int deviates, const double *a, const double *turn, double *noise, DpemWorkspace work)
{
	double	   *product = dpem_workspace_take(&work, (size_t) n * deviates);

	dpem_linalg_product(n, deviates, d, a, turn, product);
	for (int i = 0; i < n; i++)
	{
		noise[i] = 0;
		for (int j = 0; j < deviates; j++)
			noise[i] += product[(size_t) i * deviates + j] * product[(size_t) i * deviates + j];
		noise[i] = sqrt(noise[i]);
	}
}

void
dpem_logit_transform(const DpemLogit *fit, int n, const double *a, double *mean, double *covariance,
					 double *noise, DpemWorkspace work)
{
	int			d = fit->d;
	double	   *product;

	dpem_linalg_product(n, 1, d, a, fit->mean, mean);
	dpem_logit_turn_noise(n, d, d, a, fit->turn, noise, work);
	product = dpem_workspace_take(&work, (size_t) n * d);
	dpem_linalg_product(n, d, d, a, fit->covariance, product);
	dpem_linalg_product_nt(n, n, d, product, d, a, d, covariance, n);
}

/* the trapezium rule, whose error on a smooth function under a Gaussian is far below its tails' */
double
dpem_logit_share(double spread)
{
	double		sum = 0;
	double		weight = 0;

	for (double z = -8; z <= 8; z += 0.125)
	{
		double		w = exp(-z * z / 2);

		sum += w * dpem_polya_gamma_share(fmax(spread, 0) * z * z);
		weight += w;
	}
	return sum / weight;
}

double
dpem_logit_probability(double mean, double variance)
{
	return 1 / (1 + exp(-mean / sqrt(1 + M_PI / 8 * variance)));
}
