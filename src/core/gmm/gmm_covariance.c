/*
 * gmm_covariance.c - see gmm_covariance.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/numeric/linalg.h"

void
dpem_gmm_central_moment(const DpemMomentLayout *layout, const double *record, double size,
						const double *mean, double *out)
{
	int			d = layout->d;
	const double *second = record + 1 + d;

	memset(out, 0, (size_t) d * d * sizeof(double));
	if (layout->second == DPEM_SECOND_NORM)
	{
		double		variance = second[0] / size;

		for (int j = 0; j < d; j++)
			variance -= mean[j] * mean[j];
		for (int j = 0; j < d; j++)
			out[j * (size_t) d + j] = variance / d;
		return;
	}
	for (int i = 0; i < d; i++)
		for (int j = layout->second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
		{
			out[i * (size_t) d + j] = *second++ / size - mean[i] * mean[j];
			out[j * (size_t) d + i] = out[i * (size_t) d + j];
		}
}

/*
 * The sphere's variance: that of the matrix, against the expected one, which is
 * as uncertain as it is large; its noise is that of a mean over d axes.
 */
static double
sphere_variance(int d, double noise, double expected, const double *w)
{
	double		sphere = 0;
	double		noise2 = noise * noise / d;

	for (int j = 0; j < d; j++)
		sphere += w[j * (size_t) d + j] / d;
	if (expected > 0)
		sphere = expected + expected * expected / (expected * expected + noise2) * (sphere - expected);
	return fmax(sphere, DPEM_GMM_LEAST_EIGENVALUE);
}

/* towards the sphere by lambda = min(1, expected squared noise / squared rest), which is returned */
static double
shrink_to_sphere(DpemSecondMoment shape, int d, double noise, double sphere, double *w)
{
	double		entries = shape == DPEM_SECOND_FULL ? d * (d + 1.0) / 2 : d;
	double		rest = 0;
	double		lambda;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		r = w[i * (size_t) d + j] - (i == j ? sphere : 0);

			rest += r * r;
		}
	lambda = shape == DPEM_SECOND_NORM ? 1 : fmin(1, noise * noise * entries / fmax(rest, 1e-300));
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			w[i * (size_t) d + j] -= lambda * (w[i * (size_t) d + j] - (i == j ? sphere : 0));
	return lambda;
}

DpemStatus
dpem_gmm_regularise(DpemSecondMoment shape, int d, double noise, double expected, double *w,
					double *value, double *eigen_work)
{
	double		sphere = sphere_variance(d, noise, expected, w);
	double		lambda = shrink_to_sphere(shape, d, noise, sphere, w);

	/* noise in an eigenvalue of what is left of the rest, and in the sphere */
	double		least = noise * ((1 - lambda) * sqrt(d) + lambda / sqrt(d));

	if (expected > 0)
		least = fmin(least, expected);
	least = fmax(least, DPEM_GMM_LEAST_EIGENVALUE);
	if (dpem_linalg_eigen(d, w, value, eigen_work))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = value[i] >= least ? value[i] : least;
	return DPEM_OK;
}
