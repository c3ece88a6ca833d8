/*
 * affine.c - see affine.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/affine.h"
#include "core/numeric/linalg.h"

void
dpem_affine_from_features(const DpemFeatureMap *map, const double *inverse, DpemAffine *affine)
{
	size_t		d = (size_t) map->d;

	affine->d = map->d;
	for (size_t i = 0; i < d; i++)
	{
		double		half = map->upper[i] / 2 - map->lower[i] / 2;
		double		middle = map->lower[i] / 2 + map->upper[i] / 2;

		affine->offset[i] = middle + (map->center ? half * map->center[i] : 0);
		for (size_t j = 0; j < d; j++)
			affine->linear[i * d + j] = half * map->radius *
				(inverse ? inverse[i * d + j] : i == j ? 1 : 0);
	}
}

DpemStatus
dpem_affine_inverse_point(const DpemAffine *affine, const double *x, double *y,
						  DpemWorkspace work)
{
	size_t		d = (size_t) affine->d;
	double	   *matrix = dpem_workspace_take(&work, d * d);

	memcpy(matrix, affine->linear, d * d * sizeof(double));
	for (size_t i = 0; i < d; i++)
		y[i] = x[i] - affine->offset[i];
	return dpem_linalg_solve(affine->d, matrix, y, dpem_workspace_take(&work, d));
}

void
dpem_affine_apply_gmm(const DpemAffine *affine, DpemGmm *gmm, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *product = dpem_workspace_take(&work, d * d);
	double	   *copy = dpem_workspace_take(&work, d);

	for (int k = 0; k < gmm->k; k++)
	{
		double	   *mean = gmm->mean + k * d;
		double	   *c = gmm->covariance + k * d * d;

		memcpy(copy, mean, d * sizeof(double));
		for (size_t i = 0; i < d; i++)
		{
			mean[i] = affine->offset[i];
			for (size_t j = 0; j < d; j++)
				mean[i] += affine->linear[i * d + j] * copy[j];
		}
		dpem_linalg_multiply(gmm->d, affine->linear, c, product);
		dpem_linalg_multiply_nt(gmm->d, product, affine->linear, c);
		for (size_t i = 0; i < d; i++)	/* rounding must not leave it asymmetric */
			for (size_t j = 0; j < i; j++)
				c[j * d + i] = c[i * d + j];
	}
}
