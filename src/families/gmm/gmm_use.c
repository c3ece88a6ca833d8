/*
 * gmm_use.c - evaluating and sampling mixtures.
 */
#include "postgres.h"

#include <math.h>

#include "core/mixture/gmm_background.h"
#include "core/gmm/gmm_density.h"
#include "core/gmm/gmm_rules.h"
#include "export/predictor.h"
#include "families/gmm/gmm.h"
#include "server/entropy.h"

typedef struct ReadyGmm
{
	DpemGmm		gmm;
	DpemGmmDensity density;
	DpemGmmBackground background;	/* of no coordinates for what a paper's mechanism released, which stands as published */
	double	   *terms;
	double	   *scratch;
} ReadyGmm;

/* mixtures of mechanism joint are seen before a background (core/mixture/gmm_background.h) */
static void
set_background(ReadyGmm *ready, const DpemModel *model)
{
	size_t		d = (size_t) model->d;

	ready->background.mean = palloc(d * sizeof(double));
	ready->background.narrow = palloc(d * sizeof(double));
	ready->background.wide = palloc(d * sizeof(double));
	dpem_gmm_background_init(&ready->gmm, model->lower, model->upper, &ready->background);
}

void *
dpem_gmm_load(DpemModel *model)
{
	ReadyGmm   *ready = palloc0(sizeof(ReadyGmm));
	size_t		k = (size_t) model->k;
	size_t		d = (size_t) model->d;
	double	   *square = palloc(d * d * sizeof(double));

	ready->gmm = (DpemGmm) {
		model->k, model->d, DPEM_SECOND_FULL, dpem_model_numbers(model, DPEM_GMM_WEIGHT),
		dpem_model_numbers(model, DPEM_GMM_MEAN), dpem_model_numbers(model, DPEM_GMM_COVARIANCE)
	};
	ready->density.offset = palloc(k * sizeof(double));
	ready->density.factor = palloc(k * d * (d + 1) / 2 * sizeof(double));
	ready->density.cholesky = palloc(k * d * d * sizeof(double));
	ready->terms = palloc(k * sizeof(double));
	ready->scratch = palloc(d * sizeof(double));
	if (dpem_gmm_density_prepare(&ready->gmm, &ready->density, square) != DPEM_OK)
		elog(ERROR, "dpem: stored covariance is not positive definite");
	pfree(square);
	if (strcmp(model->mechanism, "joint") == 0)
		set_background(ready, model);
	return ready;
}

/* of the components alone; fills ready->terms */
static double
log_components(ReadyGmm *ready, const double *x)
{
	return dpem_gmm_log_terms(&ready->gmm, &ready->density, x, ready->terms, ready->scratch);
}

double
dpem_gmm_log_density(void *model, const double *x)
{
	ReadyGmm   *ready = model;
	double		components = log_components(ready, x);

	if (ready->background.d == 0)
		return components;
	return dpem_gmm_background_add(components, dpem_gmm_background_density(&ready->background, x));
}

/* the component of largest posterior, first of equals */
int
dpem_gmm_predict(void *model, const double *x)
{
	ReadyGmm   *ready = model;
	int			best = 0;

	(void) log_components(ready, x);
	for (int k = 1; k < ready->gmm.k; k++)
	{
		if (ready->terms[k] > ready->terms[best])
			best = k;
	}
	return best + 1;
}

const double *
dpem_gmm_posterior(void *model, const double *x, int *n)
{
	ReadyGmm   *ready = model;
	double		total = log_components(ready, x);

	/* a point so far away that every density underflows belongs to the prior */
	for (int i = 0; i < ready->gmm.k; i++)
		ready->terms[i] = isfinite(total) ? exp(ready->terms[i] - total) : ready->gmm.weight[i];
	*n = ready->gmm.k;
	return ready->terms;
}

static void
sample_components(const ReadyGmm *ready, DpemSampler *sampler, double *x)
{
	size_t		d = (size_t) ready->gmm.d;
	int			k = dpem_entropy_place(sampler, ready->gmm.weight, ready->gmm.k);

	for (size_t i = 0; i < d; i++)
	{
		const double *row = ready->density.cholesky + (k * d + i) * d;

		ready->scratch[i] = dpem_entropy_normal(sampler);
		x[i] = ready->gmm.mean[k * d + i];
		for (size_t j = 0; j <= i; j++)
			x[i] += row[j] * ready->scratch[j];
	}
}

void
dpem_gmm_sample(void *model, DpemSampler *sampler, double *x)
{
	const ReadyGmm *ready = model;

	if (ready->background.d > 0 && dpem_entropy_uniform(sampler) < DPEM_GMM_BACKGROUND_WEIGHT)
		for (int j = 0; j < ready->background.d; j++)
		{
			double		u = dpem_entropy_uniform(sampler);

			x[j] = dpem_gmm_background_draw(&ready->background, j, u, dpem_entropy_normal(sampler));
		}
	else
		sample_components(ready, sampler, x);
}

/* ---- in other languages ---- */

/* log w - log sqrt(det) - |L^-1 (x - m)|^2 / 2 */
static char *
term_text(const ReadyGmm *ready, int k)
{
	int			d = ready->gmm.d;
	const double *u = ready->density.factor + (size_t) k * d * (d + 1) / 2;
	StringInfoData term;

	initStringInfo(&term);
	appendStringInfo(&term, "%s - (", dpem_predictor_number(ready->density.offset[k]));
	for (int i = 0; i < d; i++)
	{
		appendStringInfo(&term, "%spower(", i > 0 ? " + " : "");
		for (int j = 0; j <= i; j++)
			appendStringInfo(&term, "%s%s * (x%d - (%s))", j > 0 ? " + " : "", dpem_predictor_number(*u++), j + 1,
							 dpem_predictor_number(ready->gmm.mean[(size_t) k * d + j]));
		appendStringInfoString(&term, ", 2)");
	}
	appendStringInfoString(&term, ") / 2");
	return term.data;
}

void
dpem_gmm_predictor(void *model, DpemPredictor *p)
{
	const ReadyGmm *ready = model;

	dpem_predictor_scores(p, ready->gmm.k);
	for (int k = 0; k < ready->gmm.k; k++)
		p->score[k] = term_text(ready, k);
	p->weights = DPEM_CLASS_WEIGHTS_SOFTMAX;
}

/* ---- the picture ---- */

void
dpem_gmm_plot(DpemPlot *plot)
{
	DpemSvgMixture m =
		dpem_plot_mixture(plot,
				"SELECT c.weight, c.noise_stddev, x.mean, y.mean, x.noise_stddev, y.noise_stddev,"
				" xx.covariance, xy.covariance, yy.covariance"
				" FROM dpem.gmm_components c"
				" JOIN dpem.gmm_means x USING (model, component)"
				" JOIN dpem.gmm_means y USING (model, component)"
				" JOIN dpem.gmm_covariances xx USING (model, component)"
				" JOIN dpem.gmm_covariances xy USING (model, component)"
				" JOIN dpem.gmm_covariances yy USING (model, component)"
				" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3"
				" AND xx.column_name = $2 AND xx.other_column = $2"
				" AND xy.column_name = $2 AND xy.other_column = $3"
				" AND yy.column_name = $3 AND yy.other_column = $3 ORDER BY component");

	dpem_plot_draw_mixture(plot, &m);
}
