/*
 * gmm_total.c - see gmm_total.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_covariance.h"
#include "core/mixture/gmm_total.h"
#include "core/gmm/gmm_whiten.h"
#include "core/numeric/chi_square.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"

#define MOST_UNCLIPPED	2.0
#define MOST_LEFT		0.9		/* of the variance that vectors of norm 1 have */

/* mean of all rows, towards the origin by the share of noise in what was measured */
static void
total_mean(int d, const double *total, double rows, double sd, double expected, double *mean)
{
	double		keep = expected > 0 ? expected / (expected + sd * sd) : 1;

	for (int j = 0; j < d; j++)
		mean[j] = keep * total[1 + j] / rows;
	dpem_into_ball(mean, (size_t) d);
}

DpemStatus
dpem_gmm_total(const DpemGmmHistory *h, double expected, DpemGmm *gmm, DpemGmmTotalNoise *left, DpemWorkspace work)
{
	DpemMomentLayout layout = h->average.layout;
	size_t		d = (size_t) gmm->d;
	double	   *w = dpem_workspace_take(&work, d * d);
	double	   *scratch = dpem_workspace_take(&work, d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *total = dpem_workspace_take(&work, dpem_moments_record(&layout));
	double		rows = dpem_known_rows(h->total[0], h->total_sd[0], h->public_rows);
	DpemGmmTotalNoise noise;

	memcpy(total, h->total, dpem_moments_record(&layout) * sizeof(double));
	noise = dpem_gmm_history_total(h, rows, total, work);
	if (left != NULL)
		*left = noise;
	total_mean(gmm->d, total, rows, noise.mean, expected, gmm->mean);
	dpem_gmm_central_moment(&layout, total, rows, gmm->mean, w);
	if (dpem_gmm_regularise(layout.second, gmm->d, noise.second, expected, w, value,
							dpem_workspace_take(&work, dpem_linalg_eigen_work(gmm->d))))
		return DPEM_LAPACK_FAILED;
	dpem_linalg_rebuild(gmm->d, w, value, gmm->covariance, scratch);
	for (int k = 0; k < gmm->k; k++)
	{
		gmm->weight[k] = 1.0 / gmm->k;
		if (k > 0)
		{
			memcpy(gmm->mean + k * d, gmm->mean, d * sizeof(double));
			memcpy(gmm->covariance + k * d * d, gmm->covariance, d * d * sizeof(double));
		}
	}
	return DPEM_OK;
}

double
dpem_gmm_spread(const DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	double		spread = 0;

	for (size_t j = 0; j < d; j++)
	{
		double		mean = 0;
		double		square = 0;

		for (int k = 0; k < gmm->k; k++)
		{
			mean += gmm->weight[k] * gmm->mean[k * d + j];
			square += gmm->weight[k] * (gmm->covariance[(k * d + j) * d + j] + gmm->mean[k * d + j] * gmm->mean[k * d + j]);
		}
		spread += (square - mean * mean) / d;
	}
	return spread;
}

double
dpem_gmm_unclip(DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	double		left = fmin(dpem_gmm_spread(gmm), MOST_LEFT / d);
	double		factor;

	factor = dpem_chi_unclipped(gmm->d, left, 1, MOST_UNCLIPPED) / left;
	for (size_t i = 0; i < gmm->k * d * d; i++)
		gmm->covariance[i] *= factor;
	return factor;
}
