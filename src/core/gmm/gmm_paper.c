/*
 * gmm_paper.c - see gmm_paper.h.
 */
#include <math.h>

#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_paper.h"
#include "core/numeric/linalg.h"

#define LEAST_COUNT_WITHOUT_NOISE 1e-9

size_t
dpem_gmm_paper_work(int d)
{
	return 2 * (size_t) d * d + (size_t) d + dpem_linalg_eigen_work(d);
}

double
dpem_gmm_paper_least_count(const DpemNoisyMoments *released)
{
	return released->count_sd > 0 ? fmax(1, released->count_sd) : LEAST_COUNT_WITHOUT_NOISE;
}

static double
size_of(const DpemNoisyMoments *released, int k)
{
	return fmax(released->value[k * dpem_moments_record(&released->layout)],
				dpem_gmm_paper_least_count(released));
}

double
dpem_gmm_paper_rows(const DpemNoisyMoments *released)
{
	double		rows = 0;

	for (int k = 0; k < released->layout.k; k++)
		rows += size_of(released, k);
	return rows;
}

static DpemStatus
maximize_component(const double *record, const DpemMomentLayout *layout, double size,
				   const DpemGmmRule *rule, double *mean, double *covariance, DpemWorkspace work)
{
	for (int j = 0; j < layout->d; j++)
		mean[j] = record[1 + j] / size;
	dpem_gmm_central_moment(layout, record, size, mean, covariance);
	if (rule->map)
	{
		dpem_gmm_apply_prior(rule, layout->second, layout->d, size, mean, covariance);
		for (int j = 0; j < layout->d; j++)
			mean[j] *= size / (size + rule->kappa0);
	}
	return dpem_gmm_bound_eigenvalues(layout->second, layout->d, rule->floor, INFINITY, covariance, work);
}

DpemStatus
dpem_gmm_paper_maximize(const DpemNoisyMoments *released, const DpemGmmRule *rule, DpemGmm *gmm,
						DpemWorkspace work)
{
	size_t		record = dpem_moments_record(&released->layout);
	size_t		d = (size_t) gmm->d;
	double		rows = dpem_gmm_paper_rows(released);
	double		extra = rule->map ? rule->dirichlet - 1 : 0;
	DpemStatus	status = DPEM_OK;

	for (int k = 0; k < gmm->k && status == DPEM_OK; k++)
	{
		double		size = size_of(released, k);

		gmm->weight[k] = (size + extra) / (rows + gmm->k * extra);
		status = maximize_component(released->value + k * record, &released->layout, size, rule,
									gmm->mean + k * d, gmm->covariance + k * d * d, work);
	}
	return status;
}
