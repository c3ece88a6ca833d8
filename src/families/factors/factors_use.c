/*
 * factors_use.c - what released factor models and principal components can do.
 */
#include "postgres.h"

#include <math.h>

#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"
#include "families/factors/factors.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

/* ---- factor models ----------------------------------------------------------- */

typedef struct ReadyFa
{
	const double *mean;
	DpemFactors factors;
	DpemFactorScores scores;
	double	   *centred;		/* d */
	double	   *z;				/* k */
} ReadyFa;

void *
dpem_fa_load(DpemModel *model)
{
	ReadyFa    *ready = palloc0(sizeof(ReadyFa));
	int			d = model->d;
	int			k = model->k;
	DpemWorkspace work = dpem_fit_workspace(dpem_factor_scores_work(d, k));

	ready->mean = model->value[DPEM_FA_MEAN];
	ready->factors = (DpemFactors) {
		d, k, dpem_model_numbers(model, DPEM_FA_LOADING), dpem_model_numbers(model, DPEM_FA_VARIANCE)
	};
	ready->scores.weight = dpem_fit_allocate((size_t) k * d);
	ready->centred = dpem_fit_allocate(d);
	ready->z = dpem_fit_allocate(k);
	dpem_linalg_prepare();
	if (dpem_factor_scores(&ready->factors, &ready->scores, work) != DPEM_OK)
		elog(ERROR, "dpem: a stored factor model without a covariance");
	pfree(work.next);
	return ready;
}

/* log-density at x; the factors' posterior mean is left in z */
static double
evaluate_fa(ReadyFa *ready, const double *x)
{
	for (int j = 0; j < ready->factors.d; j++)
		ready->centred[j] = x[j] - ready->mean[j];
	return dpem_factor_transform(&ready->factors, &ready->scores, ready->centred, ready->z);
}

double
dpem_fa_log_density(void *model, const double *x)
{
	return evaluate_fa(model, x);
}

const double *
dpem_fa_transform(void *model, const double *x, int *n)
{
	ReadyFa    *ready = model;

	(void) evaluate_fa(ready, x);
	*n = ready->factors.k;
	return ready->z;
}

void
dpem_fa_sample(void *model, DpemSampler *sampler, double *x)
{
	ReadyFa    *ready = model;
	int			d = ready->factors.d;

	for (int f = 0; f < ready->factors.k; f++)
		ready->z[f] = dpem_entropy_normal(sampler);
	for (int j = 0; j < d; j++)
	{
		x[j] = ready->mean[j] + sqrt(ready->factors.noise[j]) * dpem_entropy_normal(sampler);
		for (int f = 0; f < ready->factors.k; f++)
			x[j] += ready->z[f] * ready->factors.loading[(size_t) f * d + j];
	}
}

/* ---- principal components ------------------------------------------------------ */

typedef struct ReadyPca
{
	const DpemModel *model;
	double	   *score;			/* k */
} ReadyPca;

void *
dpem_pca_load(DpemModel *model)
{
	ReadyPca   *ready = palloc(sizeof(ReadyPca));

	ready->model = model;
	ready->score = dpem_fit_allocate(model->k);
	return ready;
}

/* along each direction, in units of the box */
const double *
dpem_pca_transform(void *use, const double *x, int *n)
{
	ReadyPca   *ready = use;
	const DpemModel *pca = ready->model;
	const double *mean = pca->value[DPEM_PCA_MEAN];
	const double *unit = pca->value[DPEM_PCA_UNIT];
	const double *direction = pca->value[DPEM_PCA_DIRECTION];

	for (int i = 0; i < pca->k; i++)
	{
		ready->score[i] = 0;
		for (int j = 0; j < pca->d; j++)
			ready->score[i] += direction[(size_t) i * pca->d + j] * (x[j] - mean[j]) / unit[j];
	}
	*n = pca->k;
	return ready->score;
}
