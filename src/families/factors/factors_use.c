/*
 * factors_use.c - what released factor models and principal components can do.
 */
#include "postgres.h"

#include <math.h>

#include "core/density/gmm_apart.h"
#include "core/density/gmm_atoms.h"
#include "core/density/gmm_background.h"
#include "core/factors/factor_analysis.h"
#include "core/gmm/gmm_rules.h"
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
	double	   *centered;		/* d */
	double	   *z;				/* k */
	DpemGmmBackground background;
	DpemGmm		gaussian;		/* of rows that are at no atom (core/density/gmm_apart.h), */
	DpemFactors rest;			/* the same as factors, */
	DpemFactorScores rest_scores;
	DpemGmmApart apart;
	double	   *far;			/* d: log-density of the background's columns at a point */
	DpemWorkspace work;
	DpemWorkspace columns_work;
} ReadyFa;

static void
prepare_scores(const DpemFactors *factors, DpemFactorScores *scores)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_factor_scores_work(factors->d, factors->k));

	scores->weight = dpem_fit_allocate((size_t) factors->k * factors->d);
	if (dpem_factor_scores(factors, scores, work) != DPEM_OK)
		elog(ERROR, "dpem: a stored factor model without a covariance");
	pfree(work.next);
}

/* rows that clipping left no trace of (core/density/gmm_background.h) */
static void
set_background(ReadyFa *ready, const DpemModel *model)
{
	size_t		d = (size_t) model->d;

	ready->background.mean = dpem_fit_allocate(d);
	ready->background.narrow = dpem_fit_allocate(d);
	ready->background.wide = dpem_fit_allocate(d);
	dpem_gmm_background_init(&ready->gaussian, model->lower, model->upper, &ready->background);
}

/* rows that are at no atom: a column in another unit, of whose covariances a part may be lost to its own variance */
static void
set_rest(ReadyFa *ready, const DpemModel *model)
{
	size_t		d = (size_t) model->d;
	double	   *noise = dpem_fit_allocate(d);
	double	   *loading = dpem_fit_allocate(model->k * d);
	double	   *factor = dpem_fit_allocate(d);

	for (size_t j = 0; j < d; j++)
		noise[j] = ready->gaussian.covariance[j * d + j];
	dpem_fit_require_ok(dpem_gmm_without_atoms(ready->apart.share, ready->apart.atom, dpem_model_numbers(model, DPEM_FA_REST_SCALE), model->lower, model->upper,
											   &ready->gaussian, factor, dpem_fit_workspace(dpem_gmm_atom_shares_work(1, model->d))));
	for (size_t j = 0; j < d; j++)
	{
		double		square = factor[j] * factor[j];

		noise[j] = fmax(ready->gaussian.covariance[j * d + j] - square * noise[j], 0) + square * ready->factors.noise[j];
	}
	for (size_t i = 0; i < model->k * d; i++)
		loading[i] = ready->factors.loading[i] * factor[i % d];
	ready->rest = (DpemFactors) {model->d, model->k, loading, noise};
	prepare_scores(&ready->rest, &ready->rest_scores);
	pfree(factor);
}

/* member of DpemGmmApart */
static double
columns_law(const void *model, int k, const double *apart, const double *x)
{
	const ReadyFa *ready = model;
	bool		all = true;

	for (int j = 0; j < ready->rest.d; j++)
	{
		ready->centered[j] = x[j] - ready->gaussian.mean[j];
		all &= apart[j] == 0;
	}
	return all ? dpem_factor_transform(&ready->rest, &ready->rest_scores, ready->centered, ready->z)
		: dpem_factors_columns_log_density(&ready->rest, apart, ready->centered, ready->columns_work);
}

/* columns of a row may stand apart from the others, at an atom or in a tail */
static void
set_apart(ReadyFa *ready, const DpemModel *model)
{
	DpemAtomLaw *atom = palloc(model->d * sizeof(DpemAtomLaw));

	dpem_atom_laws(model->d, dpem_model_numbers(model, DPEM_FA_ATOM_LOWER), dpem_model_numbers(model, DPEM_FA_ATOM_UPPER), model->lower,
				   model->upper, atom);
	ready->apart = (DpemGmmApart) {
		.gmm = &ready->gaussian,.columns_law = columns_law,.law = ready,.share = dpem_model_numbers(model, DPEM_FA_ATOM),
			.atom = atom,.tail = dpem_gmm_background_tail(model->d)
	};
	set_rest(ready, model);
	dpem_gmm_apart_prepare(&ready->apart, dpem_fit_allocate(dpem_gmm_apart_logs(1, model->d)));
	ready->far = dpem_fit_allocate(model->d);
	ready->work = dpem_fit_workspace(dpem_gmm_apart_work(1, model->d));
	ready->columns_work = dpem_fit_workspace(dpem_factors_columns_work(model->k));
}

void *
dpem_fa_load(DpemModel *model)
{
	ReadyFa    *ready = palloc0(sizeof(ReadyFa));

	ready->mean = model->value[DPEM_FA_MEAN];
	ready->factors = (DpemFactors) {
		model->d, model->k, dpem_model_numbers(model, DPEM_FA_LOADING), dpem_model_numbers(model, DPEM_FA_VARIANCE)
	};
	ready->centered = dpem_fit_allocate(model->d);
	ready->z = dpem_fit_allocate(model->k);
	ready->gaussian = dpem_factors_gaussian(&ready->factors, ready->mean);
	dpem_linalg_prepare();
	prepare_scores(&ready->factors, &ready->scores);
	set_background(ready, model);
	set_apart(ready, model);
	return ready;
}

double
dpem_fa_log_density(void *model, const double *x)
{
	ReadyFa    *ready = model;

	return dpem_gmm_background_apart(&ready->background, &ready->apart, x, ready->far, ready->work);
}

/* scores are those of the model of all rows */
const double *
dpem_fa_transform(void *model, const double *x, int *n)
{
	ReadyFa    *ready = model;

	for (int j = 0; j < ready->factors.d; j++)
		ready->centered[j] = x[j] - ready->mean[j];
	(void) dpem_factor_transform(&ready->factors, &ready->scores, ready->centered, ready->z);
	*n = ready->factors.k;
	return ready->z;
}

/* a row that is at no atom */
static void
sample_factors(ReadyFa *ready, DpemSampler *sampler, double *x)
{
	int			d = ready->rest.d;

	for (int f = 0; f < ready->rest.k; f++)
		ready->z[f] = dpem_entropy_normal(sampler);
	for (int j = 0; j < d; j++)
	{
		x[j] = ready->gaussian.mean[j] + sqrt(ready->rest.noise[j]) * dpem_entropy_normal(sampler);
		for (int f = 0; f < ready->rest.k; f++)
			x[j] += ready->z[f] * ready->rest.loading[(size_t) f * d + j];
	}
}

void
dpem_fa_sample(void *model, DpemSampler *sampler, double *x)
{
	ReadyFa    *ready = model;

	sample_factors(ready, sampler, x);
	for (int j = 0; j < ready->rest.d; j++)
		if (dpem_entropy_uniform(sampler) < ready->apart.share[j])
			x[j] = dpem_atom_draw(&ready->apart.atom[j], dpem_entropy_uniform(sampler), dpem_entropy_uniform(sampler));
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

/* ---- the picture ---- */

/* the Gaussian that a factor model is: loadings times their transpose, and what is the columns' own */
void
dpem_fa_plot(DpemPlot *plot)
{
	DpemSvgMixture m = dpem_plot_mixture(
		plot,
		"SELECT NULL::float8, NULL::float8, x.mean, y.mean, x.mean_noise_stddev, y.mean_noise_stddev,"
		" x.noise_variance + s.xx, s.xy, y.noise_variance + s.yy"
		" FROM dpem.fa_noise x JOIN dpem.fa_noise y USING (model), LATERAL"
		" (SELECT sum(a.loading * a.loading) AS xx, sum(a.loading * b.loading) AS xy,"
		"  sum(b.loading * b.loading) AS yy"
		"  FROM dpem.fa_loadings a JOIN dpem.fa_loadings b USING (model, factor)"
		"  WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3) s"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3");

	m.direction_name = "factor";
	if (plot->columns == 2)
		m.direction = dpem_plot_directions(
			plot,
			"SELECT a.loading, b.loading FROM dpem.fa_loadings a"
			" JOIN dpem.fa_loadings b USING (model, factor)"
			" WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3 ORDER BY factor LIMIT 8",
			&m.directions);
	dpem_plot_draw_mixture(plot, &m);
}

void
dpem_pca_plot(DpemPlot *plot)
{
	DpemSvgMixture m;

	if (plot->columns == 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("y must be a second column for principal components, not NULL"),
						errhint("A direction takes two columns to be seen.")));
	m = dpem_plot_mixture(
		plot,
		"SELECT NULL::float8, NULL::float8, x.mean, y.mean, x.noise_stddev, y.noise_stddev,"
		" 0::float8, 0::float8, 0::float8 FROM dpem.pca_means x JOIN dpem.pca_means y USING (model)"
		" WHERE model = $1 AND x.column_name = $2 AND y.column_name = $3");
	m.direction_name = "component";
	m.direction = dpem_plot_directions(
		plot,
		"SELECT a.loading, b.loading FROM dpem.pca_directions a"
		" JOIN dpem.pca_directions b USING (model, component)"
		" WHERE model = $1 AND a.column_name = $2 AND b.column_name = $3 ORDER BY component LIMIT 8",
		&m.directions);
	dpem_plot_draw_mixture(plot, &m);
}
