/*
 * gmm_use.c - evaluating and sampling mixtures.
 */
#include "postgres.h"

#include <math.h>

#include "core/gmm/gmm_density.h"
#include "core/gmm/gmm_rules.h"
#include "core/numeric/log_sum.h"
#include "export/predictor.h"
#include "families/gmm/gmm.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

typedef struct ReadyGmm
{
	DpemGmm		gmm;
	DpemGmmDensity density;
	double	   *terms;
	double	   *scratch;
	bool		alone;			/* what a paper's mechanism released stands as published, without the background of what follows */
	DpemGmmWhole whole;
	DpemGmmApart apart;
	DpemWorkspace work;
} ReadyGmm;

static DpemGmmDensity
allocate_density(int k, int d)
{
	size_t		n = (size_t) d;

	return (DpemGmmDensity) {
		.offset = palloc(k * sizeof(double)),.factor = palloc(k * n * (n + 1) / 2 * sizeof(double)),
		.cholesky = palloc(k * n * n * sizeof(double))
	};
}

static void
prepare_density(const DpemGmm *gmm, DpemGmmDensity *density)
{
	double	   *square = palloc((size_t) gmm->d * gmm->d * sizeof(double));

	*density = allocate_density(gmm->k, gmm->d);
	if (dpem_gmm_density_prepare(gmm, density, square) != DPEM_OK)
		elog(ERROR, "dpem: stored covariance is not positive definite");
	pfree(square);
}

DpemStatus
dpem_gmm_fill_whole(const DpemModel *model, const double *lower, const double *upper, DpemGmmWhole *whole)
{
	size_t		d = (size_t) whole->gmm.d;
	size_t		k = (size_t) whole->gmm.k;
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_whole_prepare_work(whole->gmm.k, whole->gmm.d));
	DpemStatus	status;

	memcpy(whole->lower, lower, d * sizeof(double));
	memcpy(whole->upper, upper, d * sizeof(double));
	memcpy(whole->share, dpem_model_numbers(model, DPEM_GMM_ATOM), k * d * sizeof(double));
	memcpy(whole->gmm.weight, dpem_model_numbers(model, DPEM_GMM_WEIGHT), k * sizeof(double));
	memcpy(whole->gmm.mean, dpem_model_numbers(model, DPEM_GMM_MEAN), k * d * sizeof(double));
	memcpy(whole->gmm.covariance, dpem_model_numbers(model, DPEM_GMM_COVARIANCE), k * d * d * sizeof(double));
	if (k == 1)
		whole->gmm.weight[0] = 1;
	status = dpem_gmm_whole_prepare(dpem_model_numbers(model, DPEM_GMM_ATOM_LOWER), dpem_model_numbers(model, DPEM_GMM_ATOM_UPPER),
									dpem_model_numbers(model, DPEM_GMM_REST_SCALE), whole, work);
	pfree(work.next);
	return status;
}

/* mixtures of mechanism joint are seen before a background, and their columns may be at atoms */
static void
set_whole(ReadyGmm *ready, const DpemModel *model)
{
	DpemGmmWhole *whole = &ready->whole;

	dpem_gmm_whole_place(model->k, model->d, dpem_fit_allocate(dpem_gmm_whole_length(model->k, model->d)), whole);
	dpem_fit_require_ok(dpem_gmm_fill_whole(model, model->lower, model->upper, whole));
	ready->apart = dpem_gmm_whole_apart(whole, dpem_fit_allocate(dpem_gmm_apart_logs(model->k, model->d)));
	ready->work = dpem_fit_workspace(dpem_gmm_whole_work(model->k, model->d));
}

void *
dpem_gmm_load(DpemModel *model)
{
	ReadyGmm   *ready = palloc0(sizeof(ReadyGmm));
	size_t		k = (size_t) model->k;
	size_t		d = (size_t) model->d;

	ready->gmm = (DpemGmm) {
		model->k, model->d, DPEM_SECOND_FULL, dpem_model_numbers(model, DPEM_GMM_WEIGHT),
		dpem_model_numbers(model, DPEM_GMM_MEAN), dpem_model_numbers(model, DPEM_GMM_COVARIANCE)
	};
	ready->terms = palloc(k * sizeof(double));
	ready->scratch = palloc(d * sizeof(double));
	prepare_density(&ready->gmm, &ready->density);
	ready->alone = strcmp(model->mechanism, "joint") != 0;
	if (!ready->alone)
		set_whole(ready, model);
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

	return ready->alone ? log_components(ready, x) : dpem_gmm_whole_log_density(&ready->whole, &ready->apart, x, ready->work);
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
	if (isfinite(total))
		dpem_log_shares(ready->terms, ready->gmm.k, total);
	else
		memcpy(ready->terms, ready->gmm.weight, ready->gmm.k * sizeof(double));
	*n = ready->gmm.k;
	return ready->terms;
}

/* from a normal law; returns the component */
static int
sample_normal(const ReadyGmm *ready, const DpemGmm *gmm, const DpemGmmDensity *density, DpemSampler *sampler, double *x)
{
	size_t		d = (size_t) gmm->d;
	int			k = dpem_entropy_place(sampler, gmm->weight, gmm->k);

	for (size_t i = 0; i < d; i++)
	{
		const double *row = density->cholesky + (k * d + i) * d;

		ready->scratch[i] = dpem_entropy_normal(sampler);
		x[i] = gmm->mean[k * d + i];
		for (size_t j = 0; j <= i; j++)
			x[i] += row[j] * ready->scratch[j];
	}
	return k;
}

/* without the background, whose far rows would be most of a column's variance in a wide domain */
void
dpem_gmm_sample(void *model, DpemSampler *sampler, double *x)
{
	const ReadyGmm *ready = model;
	int			k;

	if (ready->alone)
	{
		(void) sample_normal(ready, &ready->gmm, &ready->density, sampler, x);
		return;
	}
	k = sample_normal(ready, &ready->whole.rest, &ready->whole.rest_density, sampler, x);
	for (int j = 0; j < ready->gmm.d; j++)
		if (dpem_entropy_uniform(sampler) < ready->apart.share[k * ready->gmm.d + j])
			x[j] = dpem_atom_draw(&ready->apart.atom[j], dpem_entropy_uniform(sampler), dpem_entropy_uniform(sampler));
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
