/*
 * gmm_start.c - a start that covers the domain without looking at it, and
 * what the E-step needs of a mixture.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_estimate.h"
#include "core/kernels/gmm_kernel.h"
#include "core/numeric/linalg.h"

DpemGmmRule
dpem_gmm_default_rule(int d, bool map)
{
	return (DpemGmmRule) {
		.map = map,.dirichlet = 2,.kappa0 = 1,.nu0 = d + 2,.scale0 = 0.1,.floor = 1e-6
	};
}

/*
 * Vertices of a regular simplex from the rows of a Helmert matrix: column j
 * is 1 for rows <= j, -(j+1) for row j+1, over sqrt((j+1)(j+2)).
 */
static void
simplex_design(int k, int d, double *point)
{
	for (int i = 0; i < k; i++)
		for (int j = 0; j < k - 1; j++)
			point[i * (size_t) d + j] = (i <= j ? 1 : i == j + 1 ? -(j + 1.0) : 0) /
				sqrt((j + 1.0) * (j + 2.0));
}

/* i-th number of the van der Corput sequence in base `base` */
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
 * More points than a simplex has: the first Halton points that lie in the
 * ball, in the first coordinates (at most HALTON_AXES: later bases correlate
 * and few points of a high cube lie in its ball).
 */
#define HALTON_AXES 6

static void
halton_design(int k, int d, double *point)
{
	int			used = d < HALTON_AXES ? d : HALTON_AXES;
	int			index = 0;

	for (int i = 0; i < k;)
	{
		double	   *u = point + i * (size_t) d;
		double		norm2 = 0;
		int			prime = 1;

		index++;
		for (int j = 0; j < used; j++)
		{
			prime = next_prime(prime);
			u[j] = 2 * radical_inverse(index, prime) - 1;
			norm2 += u[j] * u[j];
		}
		i += norm2 <= 1;
	}
}

/* k points around the origin with mean squared norm 1 */
static void
design(int k, int d, double *point)
{
	double		norm2 = 0;

	memset(point, 0, (size_t) k * d * sizeof(double));
	if (k <= d + 1)
		simplex_design(k, d, point);
	else
		halton_design(k, d, point);
	for (int j = 0; j < d; j++)
	{
		double		mean = 0;

		for (int i = 0; i < k; i++)
			mean += point[i * (size_t) d + j] / k;
		for (int i = 0; i < k; i++)
		{
			point[i * (size_t) d + j] -= mean;
			norm2 += point[i * (size_t) d + j] * point[i * (size_t) d + j] / k;
		}
	}
	for (size_t i = 0; norm2 > 0 && i < (size_t) k * d; i++)
		point[i] /= sqrt(norm2);
}

void
dpem_gmm_start(DpemGmm *gmm, double radius, double variance)
{
	size_t		d = (size_t) gmm->d;

	design(gmm->k, gmm->d, gmm->mean);
	memset(gmm->covariance, 0, gmm->k * d * d * sizeof(double));
	for (int k = 0; k < gmm->k; k++)
	{
		gmm->weight[k] = 1.0 / gmm->k;
		for (size_t j = 0; j < d; j++)
		{
			gmm->mean[k * d + j] *= radius;
			gmm->covariance[(k * d + j) * d + j] = variance;
		}
	}
}

/*
 * A share v = K^(-2/d) of the variance is left within components: the size of
 * K balls that fill one; means take the rest.  In many dimensions v is near 1
 * and such means would hardly differ: there both are made wider than the
 * rows are, so that every component starts with rows of its own and the
 * components close in on them.
 */
static void
start_shares(int k, int d, double *within, double *between)
{
	double		v = k > 1 ? pow(k, -2.0 / d) : 1;
	bool		crowded = k > 1 && v > 0.5;

	*within = crowded ? 1.25 * v : v;
	*between = (crowded ? 1.5 * 1.5 : 1) * (1 - v);
}

/* sign that makes an axis' largest entry positive: LAPACK's choice is arbitrary */
static double
axis_sign(const double *axis, size_t d)
{
	size_t		largest = 0;

	for (size_t j = 1; j < d; j++)
	{
		if (fabs(axis[j]) > fabs(axis[largest]) * (1 + 1e-9))
			largest = j;
	}
	return axis[largest] < 0 ? -1 : 1;
}

/* design coordinates (in component k's mean) to points along the axes */
static void
place_mean(double *mean, const double *center, const double *axes, const double *value,
		   double scale, size_t d, double *coordinate)
{
	memcpy(coordinate, mean, d * sizeof(double));
	memcpy(mean, center, d * sizeof(double));
	for (size_t i = 0; i < d; i++)
	{
		const double *axis = axes + (d - 1 - i) * d;
		double		step = scale * coordinate[i] * sqrt(value[d - 1 - i]) * axis_sign(axis, d);

		for (size_t j = 0; j < d; j++)
			mean[j] += step * axis[j];
	}
}

/* sum_a value[a] axis_a axis_a' */
static void
whole_covariance(const double *axes, const double *value, size_t d, double *out)
{
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j <= i; j++)
		{
			double		sum = 0;

			for (size_t a = 0; a < d; a++)
				sum += value[a] * axes[a * d + i] * axes[a * d + j];
			out[i * d + j] = out[j * d + i] = sum;
		}
}

void
dpem_gmm_start_from(DpemGmm *gmm, const double *center, const double *axes, const double *value)
{
	size_t		d = (size_t) gmm->d;
	double	   *whole = gmm->covariance;	/* component 0's, scaled last */
	double		within;
	double		between;

	start_shares(gmm->k, gmm->d, &within, &between);
	design(gmm->k, gmm->d, gmm->mean);
	for (int k = 0; k < gmm->k; k++)	/* whole has room for the coordinates until it is filled */
		place_mean(gmm->mean + k * d, center, axes, value, sqrt(d * between), d, whole);
	whole_covariance(axes, value, d, whole);
	for (int k = gmm->k - 1; k >= 0; k--)
	{
		gmm->weight[k] = 1.0 / gmm->k;
		for (size_t i = 0; i < d * d; i++)
			gmm->covariance[k * d * d + i] = within * whole[i];
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

void
dpem_gmm_copy(const DpemGmm *from, DpemGmm *to)
{
	size_t		d = (size_t) from->d;

	to->k = from->k;
	to->shape = from->shape;
	memcpy(to->weight, from->weight, from->k * sizeof(double));
	memcpy(to->mean, from->mean, from->k * d * sizeof(double));
	memcpy(to->covariance, from->covariance, from->k * d * d * sizeof(double));
}
