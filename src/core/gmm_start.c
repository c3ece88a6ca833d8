/*
 * gmm_start.c - a start that covers the domain without looking at it, and
 * what the E-step needs of a mixture.
 */
#include <math.h>
#include <string.h>

#include "gmm_estimate.h"
#include "gmm_kernel.h"
#include "linalg.h"

DpemGmmRule
dpem_gmm_default_rule(int d, bool map)
{
	return (DpemGmmRule) {
		.map = map,.dirichlet = 2,.kappa0 = 1,.nu0 = d + 2,.scale0 = 0.1,.floor = 1e-6
	};
}

/*
 * Vertices of a regular simplex from the rows of a Helmert matrix: column j
 * is 1 for rows <= j, -(j+1) for row j+1, over sqrt((j+1)(j+2)).  Row norms
 * are all sqrt(1 - 1/k).
 */
static void
simplex_means(int k, int d, double radius, double *mean)
{
	for (int i = 0; i < k; i++)
		for (int j = 0; j < k - 1; j++)
		{
			double		entry = i <= j ? 1 : i == j + 1 ? -(j + 1.0) : 0;

			mean[i * (size_t) d + j] = radius * entry /
				(sqrt((j + 1.0) * (j + 2.0)) * sqrt(1.0 - 1.0 / k));
		}
}

/* i-th point of the Halton sequence in base `base` */
static double
radical_inverse(int i, int base)
{
	double		value = 0;
	double		digit = 1.0 / base;

	for (; i > 0; i /= base, digit /= base)
		value += digit * (i % base);
	return value;
}

static int
next_prime(int after)
{
	for (int n = after + 1;; n++)
	{
		int			p = 2;

		while (p * p <= n && n % p != 0)
			p++;
		if (p * p > n)
			return n;
	}
}

/*
 * More points than a simplex has: a Halton design on the square or cube of
 * the first coordinates (at most 6: later bases correlate), pressed into the
 * ball of the given radius by scaling each point by |u|_inf / |u|_2.
 */
static void
halton_means(int k, int d, double radius, double *mean)
{
	int			used = d < 6 ? d : 6;

	for (int i = 0; i < k; i++)
	{
		double	   *m = mean + i * (size_t) d;
		double		largest = 0;
		double		norm2 = 0;
		int			prime = 1;

		for (int j = 0; j < used; j++)
		{
			prime = next_prime(prime);
			m[j] = 2 * radical_inverse(i + 1, prime) - 1;
			largest = fmax(largest, fabs(m[j]));
			norm2 += m[j] * m[j];
		}
		for (int j = 0; j < used; j++)
			m[j] *= norm2 > 0 ? radius * largest / sqrt(norm2) : 0;
	}
}

void
dpem_gmm_start(DpemGmm *gmm, double radius, double variance)
{
	size_t		d = (size_t) gmm->d;

	memset(gmm->mean, 0, gmm->k * d * sizeof(double));
	memset(gmm->covariance, 0, gmm->k * d * d * sizeof(double));
	if (gmm->k > 1 && gmm->k <= gmm->d + 1)
		simplex_means(gmm->k, gmm->d, radius, gmm->mean);
	else if (gmm->k > 1)
		halton_means(gmm->k, gmm->d, radius, gmm->mean);
	for (int k = 0; k < gmm->k; k++)
	{
		gmm->weight[k] = 1.0 / gmm->k;
		for (size_t j = 0; j < d; j++)
			gmm->covariance[(k * d + j) * d + j] = variance;
	}
}

size_t
dpem_gmm_theta_work(int d)
{
	return (size_t) d * d;
}

/* factor of one component and log det of its covariance */
static DpemStatus
component_factor(const DpemGmm *gmm, const double *covariance, double *factor, double *log_det,
				 double *scratch)
{
	size_t		d = (size_t) gmm->d;
	size_t		n = gmm->shape == DPEM_SECOND_DIAGONAL ? d : 1;

	if (gmm->shape == DPEM_SECOND_FULL)
		return dpem_linalg_inverse_cholesky(gmm->d, covariance, factor, log_det, scratch);
	*log_det = 0;
	for (size_t j = 0; j < n; j++)
	{
		double		variance = covariance[j * d + j];

		if (!(variance > 0))
			return DPEM_NOT_POSITIVE_DEFINITE;
		factor[j] = 1 / sqrt(variance);
		*log_det += log(variance) * (n == 1 ? (double) d : 1.0);
	}
	return DPEM_OK;
}

DpemStatus
dpem_gmm_theta(const DpemGmm *gmm, double *theta, DpemWorkspace work)
{
	size_t		k = (size_t) gmm->k;
	size_t		d = (size_t) gmm->d;
	size_t		length = dpem_gmm_factor_length(gmm->shape, gmm->d);
	double	   *scratch = dpem_workspace_take(&work, d * d);

	memcpy(theta + k, gmm->mean, k * d * sizeof(double));
	for (size_t i = 0; i < k; i++)
	{
		double		log_det;
		DpemStatus	status = component_factor(gmm, gmm->covariance + i * d * d,
											  theta + k + k * d + i * length, &log_det, scratch);

		if (status != DPEM_OK)
			return status;
		theta[i] = log(gmm->weight[i]) - log_det / 2;
	}
	return DPEM_OK;
}
