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

/* towards the sphere by lambda = min(1, expected squared noise / squared rest) */
static void
shrink_to_sphere(DpemSecondMoment shape, int d, double noise, double *w)
{
	double		entries = shape == DPEM_SECOND_FULL ? d * (d + 1.0) / 2 : d;
	double		sphere = 0;
	double		rest = 0;
	double		lambda;

	for (int j = 0; j < d; j++)
		sphere += w[j * (size_t) d + j] / d;
	sphere = fmax(sphere, DPEM_GMM_LEAST_EIGENVALUE);
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
}

DpemStatus
dpem_gmm_regularise(DpemSecondMoment shape, int d, double noise, double *w, double *value,
					double *eigen_work)
{
	double		least = fmax(noise * sqrt(d), DPEM_GMM_LEAST_EIGENVALUE);

	shrink_to_sphere(shape, d, noise, w);
	if (dpem_linalg_eigen(d, w, value, eigen_work))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = value[i] >= least ? value[i] : least;
	return DPEM_OK;
}
