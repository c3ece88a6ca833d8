/*
 * gmm_use.c - evaluating and sampling mixtures.
 */
#include "postgres.h"

#include <math.h>

#include "core/gmm/gmm_density.h"
#include "families/gmm/gmm_store.h"
#include "fit/model_use.h"
#include "fit/plot.h"
#include "server/entropy.h"

typedef struct ReadyGmm
{
	DpemGmm		gmm;
	DpemGmmDensity density;
	double	   *terms;
	double	   *scratch;
} ReadyGmm;

static void *
load(const char *name)
{
	ReadyGmm   *ready = palloc0(sizeof(ReadyGmm));
	DpemStoredGmm *stored = dpem_model_load_gmm(name);
	size_t		k = (size_t) stored->k;
	size_t		d = (size_t) stored->d;
	double	   *square = palloc(d * d * sizeof(double));

	ready->gmm = (DpemGmm) {
		stored->k, stored->d, DPEM_SECOND_FULL, stored->weight, stored->mean, stored->covariance
	};
	ready->density.offset = palloc(k * sizeof(double));
	ready->density.factor = palloc(k * d * (d + 1) / 2 * sizeof(double));
	ready->density.cholesky = palloc(k * d * d * sizeof(double));
	ready->terms = palloc(k * sizeof(double));
	ready->scratch = palloc(d * sizeof(double));
	if (dpem_gmm_density_prepare(&ready->gmm, &ready->density, square) != DPEM_OK)
		elog(ERROR, "dpem: stored covariance is not positive definite");
	pfree(square);
	return ready;
}

static int
dimension(const void *model)
{
	return ((const ReadyGmm *) model)->gmm.d;
}

static double
log_density(void *model, const double *x)
{
	ReadyGmm   *ready = model;

	return dpem_gmm_log_terms(&ready->gmm, &ready->density, x, ready->terms, ready->scratch);
}

/* the component of largest posterior, first of equals */
static int
predict(void *model, const double *x)
{
	ReadyGmm   *ready = model;
	int			best = 0;

	(void) log_density(model, x);
	for (int k = 1; k < ready->gmm.k; k++)
	{
		if (ready->terms[k] > ready->terms[best])
			best = k;
	}
	return best + 1;
}

static const double *
posterior(void *model, const double *x, int *n)
{
	ReadyGmm   *ready = model;
	double		total = log_density(model, x);

	/* a point so far away that every density underflows belongs to the prior */
	for (int i = 0; i < ready->gmm.k; i++)
		ready->terms[i] = isfinite(total) ? exp(ready->terms[i] - total) : ready->gmm.weight[i];
	*n = ready->gmm.k;
	return ready->terms;
}

static void
sample(void *model, DpemSampler *sampler, double *x)
{
	ReadyGmm   *ready = model;
	size_t		d = (size_t) ready->gmm.d;
	double		u = dpem_entropy_uniform(sampler);
	int			k = 0;

	while (k < ready->gmm.k - 1 && u >= ready->gmm.weight[k])
		u -= ready->gmm.weight[k++];
	for (size_t i = 0; i < d; i++)
	{
		const double *row = ready->density.cholesky + (k * d + i) * d;

		ready->scratch[i] = dpem_entropy_normal(sampler);
		x[i] = ready->gmm.mean[k * d + i];
		for (size_t j = 0; j <= i; j++)
			x[i] += row[j] * ready->scratch[j];
	}
}

const DpemModelUse dpem_gmm_use = {
	.family = "gmm",.title = "a mixture",.load = load,.dimension = dimension,.predict = predict,
	.posterior = posterior,.log_density = log_density,.sample = sample,
	.plot = dpem_plot_gmm
};
