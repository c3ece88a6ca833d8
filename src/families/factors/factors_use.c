/*
 * factors_use.c - what released factor models and principal components can do.
 */
#include "postgres.h"

#include <math.h>

#include "core/factors/factor_analysis.h"
#include "core/gmm/gmm_rules.h"
#include "core/mixture/gmm_background.h"
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
	DpemGmmBackground background;
	double	   *centered;		/* d */
	double	   *z;				/* k */
} ReadyFa;

/* rows that clipping left no trace of (core/mixture/gmm_background.h) */
static void
set_background(ReadyFa *ready, const DpemModel *model)
{
	size_t		d = (size_t) model->d;
	double	   *variance = dpem_fit_allocate(d);

	for (size_t j = 0; j < d; j++)
	{
		variance[j] = ready->factors.noise[j];
		for (int f = 0; f < model->k; f++)
			variance[j] += ready->factors.loading[f * d + j] * ready->factors.loading[f * d + j];
	}
	ready->background.mean = dpem_fit_allocate(d);
	ready->background.narrow = dpem_fit_allocate(d);
	ready->background.wide = dpem_fit_allocate(d);
	dpem_gmm_background_about(model->d, ready->mean, variance, model->lower, model->upper, &ready->background);
	pfree(variance);
}

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
	ready->centered = dpem_fit_allocate(d);
	ready->z = dpem_fit_allocate(k);
	dpem_linalg_prepare();
	if (dpem_factor_scores(&ready->factors, &ready->scores, work) != DPEM_OK)
		elog(ERROR, "dpem: a stored factor model without a covariance");
	pfree(work.next);
	set_background(ready, model);
	return ready;
}

/* log-density of the factors at x; their posterior mean is left in z */
static double
evaluate_fa(ReadyFa *ready, const double *x)
{
	for (int j = 0; j < ready->factors.d; j++)
		ready->centered[j] = x[j] - ready->mean[j];
	return dpem_factor_transform(&ready->factors, &ready->scores, ready->centered, ready->z);
}

double
dpem_fa_log_density(void *model, const double *x)
{
	ReadyFa    *ready = model;

	return dpem_gmm_background_add(evaluate_fa(ready, x), dpem_gmm_background_density(&ready->background, x));
}

const double *
dpem_fa_transform(void *model, const double *x, int *n)
{
	ReadyFa    *ready = model;

	(void) evaluate_fa(ready, x);
	*n = ready->factors.k;
	return ready->z;
}

static void
sample_factors(ReadyFa *ready, DpemSampler *sampler, double *x)
{
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

void
dpem_fa_sample(void *model, DpemSampler *sampler, double *x)
{
	ReadyFa    *ready = model;

	if (dpem_entropy_uniform(sampler) >= DPEM_GMM_BACKGROUND_WEIGHT)
	{
		sample_factors(ready, sampler, x);
		return;
	}
	for (int j = 0; j < ready->background.d; j++)
	{
		double		u = dpem_entropy_uniform(sampler);

		x[j] = dpem_gmm_background_draw(&ready->background, j, u, dpem_entropy_normal(sampler));
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
