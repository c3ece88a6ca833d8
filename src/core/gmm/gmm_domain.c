/*
 * gmm_domain.c - see gmm_domain.h.
 */
#include <math.h>

#include "core/columns/column_domain.h"
#include "core/gmm/gmm_domain.h"

/* one for all columns: that of their means, in half widths */
static DpemDomainPull
pull_of_all(const double *lower, const double *upper, int d, const double *covariance, const double *noise)
{
	double		variance = 0;
	double		sd = 0;

	for (int j = 0; j < d; j++)
	{
		double		half = upper[j] / 2 - lower[j] / 2;

		variance += covariance[(size_t) j * (d + 1)] / half / half / d;
		sd += noise[(size_t) j * (d + 1)] / half / half / d;
	}
	return dpem_domain_pull(-1, 1, variance, sd);
}

static void
find_pulls(const double *lower, const double *upper, bool alike, int d, const double *covariance, const double *noise,
		   double *factor, double *added)
{
	DpemDomainPull all = {1, 0};

	if (alike)
		all = pull_of_all(lower, upper, d, covariance, noise);
	for (int j = 0; j < d; j++)
	{
		size_t		at = (size_t) j * (d + 1);
		double		half = upper[j] / 2 - lower[j] / 2;
		DpemDomainPull own = alike ? (DpemDomainPull) {all.factor, all.added * half * half}
			: dpem_domain_pull(lower[j], upper[j], covariance[at], noise[at]);

		factor[j] = own.factor;
		added[j] = own.added;
	}
}

void
dpem_gmm_within_domain(const double *lower, const double *upper, bool alike, DpemGmm *gmm, DpemGmmNoiseLevels *noise, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *factor = dpem_workspace_take(&work, d);
	double	   *added = dpem_workspace_take(&work, d);

	for (int k = 0; k < gmm->k; k++)
	{
		double	   *covariance = gmm->covariance + k * d * d;
		double	   *sd = noise->covariance + k * d * d;

		find_pulls(lower, upper, alike, gmm->d, covariance, sd, factor, added);
		for (size_t i = 0; i < d * d; i++)
		{
			covariance[i] *= factor[i / d] * factor[i % d];
			sd[i] *= sqrt(factor[i / d] * factor[i % d]);
		}
		for (size_t j = 0; j < d; j++)
		{
			covariance[j * (d + 1)] += added[j];
			gmm->mean[k * d + j] = dpem_domain_mean(lower[j], upper[j], gmm->mean[k * d + j], &noise->mean[k * d + j]);
		}
	}
}
