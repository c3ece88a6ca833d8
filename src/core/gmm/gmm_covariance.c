/*
 * gmm_covariance.c - see gmm_covariance.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/numeric/linalg.h"

#define LEAST_SHARE	0.5		/* of the mean variance */

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

/* the nearest ascending numbers (pool adjacent violators); weight: n numbers of scratch */
static void
make_ascending(int n, double *value, double *weight)
{
	int			blocks = 0;

	for (int i = 0; i < n; i++)
	{
		double		mean = value[i];
		double		size = 1;

		for (; blocks > 0 && value[blocks - 1] > mean; blocks--)
		{
			mean = (mean * size + value[blocks - 1] * weight[blocks - 1]) / (size + weight[blocks - 1]);
			size += weight[blocks - 1];
		}
		value[blocks] = mean;
		weight[blocks++] = size;
	}
	for (int i = n - 1; i >= 0; i--)
	{
		value[i] = value[blocks - 1];
		weight[blocks - 1] -= 1;
		blocks -= weight[blocks - 1] < 0.5;
	}
}

/*
 * What the true matrix has along the eigenvectors of the noisy one: symmetric noise of variance v
 * off the diagonal drives eigenvalues apart, and moves eigenvectors, so that E[u_i' C u_i] is
 * value_i - 2 v sum_j 1 / (value_i - value_j) (Bun, Allez, Bouchaud, Potters 2016, IEEE Transactions
 * on Information Theory 62, "additive noise"; 2 v is squared noise of a svec entry).  Close eigenvalues are told
 * apart to a part of the noise's own spectrum only.
 */
static void
undo_repulsion(int d, double noise, double *value, double *scratch)
{
	double		width = noise * sqrt(d / 2.0) * pow(d, -0.3);

	for (int i = 0; i < d; i++)
	{
		double		sum = 0;

		for (int j = 0; j < d; j++)
		{
			double		gap = value[i] - value[j];

			sum += j == i ? 0 : gap / (gap * gap + width * width);
		}
		scratch[i] = value[i] - noise * noise * sum;
	}
	memcpy(value, scratch, d * sizeof(double));
	make_ascending(d, value, scratch);
}

/* an eigenvalue lost in noise: no less than a share of the sphere, nor than the noise in the sphere could hide */
static double
least_eigenvalue(int d, double noise, double expected, double sphere)
{
	double		hidden = noise / sqrt(d);
	double		least = fmax(LEAST_SHARE * sphere, expected > 0 ? fmin(hidden, expected) : hidden);

	return fmax(fmin(least, noise * sqrt(d / 2.0)), DPEM_GMM_LEAST_EIGENVALUE);
}

/* full covariances: eigenvalues without the noise's part, about the sphere */
static DpemStatus
regularise_full(int d, double noise, double expected, double *w, double *value, double *eigen_work)
{
	double		sphere = sphere_variance(d, noise, expected, w);
	double		least = least_eigenvalue(d, noise, expected, sphere);
	double		mean = 0;

	if (dpem_linalg_eigen(d, w, value, eigen_work))
		return DPEM_LAPACK_FAILED;
	if (noise > 0)
		undo_repulsion(d, noise, value, eigen_work);
	for (int i = 0; i < d; i++)
		mean += value[i] / d;
	for (int i = 0; i < d; i++)
		value[i] = value[i] + sphere - mean >= least ? value[i] + sphere - mean : least;
	return DPEM_OK;
}

DpemStatus
dpem_gmm_regularise(DpemSecondMoment shape, int d, double noise, double expected, double *w,
					double *value, double *eigen_work)
{
	double		sphere = sphere_variance(d, noise, expected, w);
	double		lambda;
	double		least;

	if (shape == DPEM_SECOND_FULL)
		return regularise_full(d, noise, expected, w, value, eigen_work);
	lambda = shrink_to_sphere(shape, d, noise, sphere, w);
	/* noise in an eigenvalue of what is left of the rest, and in the sphere */
	least = noise * ((1 - lambda) * sqrt(d) + lambda / sqrt(d));
	if (expected > 0)
		least = fmin(least, expected);
	least = fmax(least, DPEM_GMM_LEAST_EIGENVALUE);
	if (dpem_linalg_eigen(d, w, value, eigen_work))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = value[i] >= least ? value[i] : least;
	return DPEM_OK;
}
