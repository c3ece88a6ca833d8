/*
 * factors_use.c - what released factor models and principal components can do.
 */
#include "postgres.h"

#include <math.h>

#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"
#include "families/factors/factors_store.h"
#include "fit/model_use.h"
#include "fit/plot.h"
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

static void *
load_fa(const char *name)
{
	ReadyFa    *ready = palloc0(sizeof(ReadyFa));
	DpemStoredFa *stored = dpem_model_load_fa(name);
	int			d = stored->d;
	int			k = stored->k;
	DpemWorkspace work = dpem_fit_workspace(dpem_factor_scores_work(d, k));

	ready->mean = stored->mean;
	ready->factors = (DpemFactors) {d, k, stored->loading, stored->noise};
	ready->scores.weight = dpem_fit_allocate((size_t) k * d);
	ready->centred = dpem_fit_allocate(d);
	ready->z = dpem_fit_allocate(k);
	dpem_linalg_prepare();
	if (dpem_factor_scores(&ready->factors, &ready->scores, work) != DPEM_OK)
		elog(ERROR, "dpem: a stored factor model without a covariance");
	pfree(work.next);
	return ready;
}

static int
fa_dimension(const void *model)
{
	return ((const ReadyFa *) model)->factors.d;
}

/* log-density at x; the factors' posterior mean is left in z */
static double
evaluate_fa(ReadyFa *ready, const double *x)
{
	for (int j = 0; j < ready->factors.d; j++)
		ready->centred[j] = x[j] - ready->mean[j];
	return dpem_factor_transform(&ready->factors, &ready->scores, ready->centred, ready->z);
}

static double
fa_log_density(void *model, const double *x)
{
	return evaluate_fa(model, x);
}

static const double *
fa_transform(void *model, const double *x, int *n)
{
	ReadyFa    *ready = model;

	(void) evaluate_fa(ready, x);
	*n = ready->factors.k;
	return ready->z;
}

static void
fa_sample(void *model, DpemSampler *sampler, double *x)
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

const DpemModelUse dpem_fa_use = {
	.family = "fa",
	.plot = dpem_plot_fa,
	.title = "a factor model",
	.load = load_fa,
	.dimension = fa_dimension,
	.log_density = fa_log_density,
	.transform = fa_transform,
	.sample = fa_sample
};

/* ---- principal components ------------------------------------------------------ */

typedef struct ReadyPca
{
	DpemStoredPca *stored;
	double	   *score;			/* k */
} ReadyPca;

static void *
load_pca(const char *name)
{
	ReadyPca   *ready = palloc(sizeof(ReadyPca));

	ready->stored = dpem_model_load_pca(name);
	ready->score = dpem_fit_allocate(ready->stored->k);
	return ready;
}

static int
pca_dimension(const void *model)
{
	return ((const ReadyPca *) model)->stored->d;
}

/* along each direction, in units of the box */
static const double *
pca_transform(void *model, const double *x, int *n)
{
	ReadyPca   *ready = model;
	const DpemStoredPca *pca = ready->stored;

	for (int i = 0; i < pca->k; i++)
	{
		ready->score[i] = 0;
		for (int j = 0; j < pca->d; j++)
			ready->score[i] += pca->direction[(size_t) i * pca->d + j] * (x[j] - pca->mean[j]) / pca->unit[j];
	}
	*n = pca->k;
	return ready->score;
}

const DpemModelUse dpem_pca_use = {
	.family = "pca",
	.plot = dpem_plot_pca,
	.title = "a set of principal components",
	.load = load_pca,
	.dimension = pca_dimension,
	.transform = pca_transform
};
