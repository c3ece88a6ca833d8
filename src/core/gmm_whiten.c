/*
 * gmm_whiten.c - see gmm_whiten.h.
 */
#include <math.h>
#include <string.h>

#include "gmm_whiten.h"
#include "linalg.h"

#define RADIUS_FACTOR	1.5		/* clip radius in root mean square distances from the centre */

double
dpem_gmm_rows(double released, double count_sd, double public_rows)
{
	if (public_rows > 0 && fabs(released - public_rows) <= 3 * count_sd)
		return public_rows;
	return fmax(released, fmax(2 * count_sd, 1));
}

double
dpem_gmm_centre(const DpemNoisyMoments *m, double public_rows, double radius, double *centre)
{
	int			d = m->layout.d;
	double		rows = dpem_gmm_rows(m->value[0], m->count_sd, public_rows);
	double		sd = m->sum_sd / rows;
	double		square = m->value[1 + d] / rows;
	double		norm2 = 0;
	double		bias = d * sd * sd;	/* what noise adds to |centre|^2 */
	double		norm;
	double		spread2;

	for (int j = 0; j < d; j++)
	{
		centre[j] = m->value[1 + j] / rows;
		norm2 += centre[j] * centre[j];
	}
	norm = sqrt(norm2);
	if (norm > 1)
	{
		for (int j = 0; j < d; j++)
			centre[j] /= norm;
		norm2 = norm = 1;
	}
	/* upper end of what the mean squared distance from the centre can be */
	spread2 = fmax(square - norm2 + bias, 0) + m->second_sd / rows + 2 * norm * sd + bias;
	spread2 = fmin(spread2, (1 + norm) * (1 + norm));
	for (int j = 0; j < d; j++)
		centre[j] *= radius;
	return fmax(fmin(RADIUS_FACTOR * sqrt(spread2), 1 + norm), 1e-3) * radius;
}

size_t
dpem_gmm_whitening_work(int d)
{
	return 2 * (size_t) d * d + 2 * (size_t) d + dpem_linalg_eigen_work(d);
}

/* covariance of the released second moment, shrunk towards its spherical part by known noise */
static void
shrunk_covariance(const DpemNoisyMoments *m, double rows, const double *mean, double *w)
{
	int			d = m->layout.d;
	const double *second = m->value + 1 + d;
	double		noise = m->second_sd / rows;
	double		sphere = 0;
	double		rest = 0;
	double		lambda;

	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
		{
			double		c = *second++ / rows - mean[i] * mean[j];

			w[i * (size_t) d + j] = w[j * (size_t) d + i] = c;
			sphere += i == j ? c / d : 0;
			rest += (i == j ? 1 : 2) * c * c;
		}
	sphere = fmax(sphere, noise);
	rest -= d * sphere * sphere;
	lambda = fmin(1, noise * noise * d * (d + 1.0) / 2 / fmax(rest, 1e-300));
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			w[i * (size_t) d + j] -= lambda * (w[i * (size_t) d + j] - (i == j ? sphere : 0));
}

DpemStatus
dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows, double radius, double *centre,
				   double *whitening, double *inverse, DpemWorkspace work)
{
	int			d = m->layout.d;
	double		rows = dpem_gmm_rows(m->value[0], m->count_sd, public_rows);
	double	   *w = dpem_workspace_take(&work, (size_t) d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *mean = dpem_workspace_take(&work, d);
	double		least = fmax(m->second_sd / rows * sqrt(d), 1e-9);

	for (int j = 0; j < d; j++)
		mean[j] = m->value[1 + j] / rows;
	shrunk_covariance(m, rows, mean, w);
	if (dpem_linalg_eigen(d, w, value, dpem_workspace_take(&work, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
	{
		/* widest axis first, so that the start spreads over it */
		const double *vector = w + (d - 1 - i) * (size_t) d;
		double		root = radius * sqrt(fmax(value[d - 1 - i], least));

		for (int j = 0; j < d; j++)
		{
			whitening[i * (size_t) d + j] = vector[j] / root;
			inverse[j * (size_t) d + i] = vector[j] * root;
		}
	}
	for (int j = 0; j < d; j++)
		centre[j] += radius * mean[j];
	return DPEM_OK;
}
