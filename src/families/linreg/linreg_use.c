/*
 * linreg_use.c - evaluating linear regressions.
 */
#include "postgres.h"

#include <math.h>

#include "core/linreg/linreg_estimate.h"
#include "export/predictor.h"
#include "families/linreg/linreg.h"
#include "fit/fit_model.h"

typedef struct ReadyLinreg
{
	int			n;				/* coefficients */
	const double *coefficient;
	const double *covariance;
	DpemFourierMap map;
	double	   *feature;		/* n: of a point, the last 1 */
	double		residual_variance;
	double		residual_sd;	/* of its noise */
	DpemScaledDomain domain;	/* of the target */
	char	  **target;
} ReadyLinreg;

void *
dpem_linreg_load(DpemModel *model)
{
	ReadyLinreg *ready = palloc(sizeof(ReadyLinreg));

	ready->n = model->features;
	ready->map = dpem_fit_load_fourier(model, DPEM_LINREG_DIMENSION, 1);
	ready->feature = palloc(ready->n * sizeof(double));
	ready->target = unconstify(void *, model->value[DPEM_LINREG_TARGET]);
	ready->domain = (DpemScaledDomain) {
		dpem_scale_from_name(*(char *const *) model->value[DPEM_LINREG_SCALE]), *dpem_model_numbers(model, DPEM_LINREG_LOWER), *dpem_model_numbers(model, DPEM_LINREG_UPPER)
	};
	ready->coefficient = model->value[DPEM_LINREG_COEFFICIENT];
	ready->covariance = model->value[DPEM_LINREG_COVARIANCE];
	ready->residual_variance = *dpem_model_numbers(model, DPEM_LINREG_RESIDUAL);
	ready->residual_sd = *dpem_model_numbers(model, DPEM_LINREG_RESIDUAL_NOISE);
	return ready;
}

/* on the target's scale; fills ready->feature */
static double
score(const ReadyLinreg *ready, const double *x)
{
	double		value = ready->coefficient[ready->n - 1];

	if (ready->map.pairs > 0)
		dpem_fourier_row(&ready->map, x, ready->feature);
	else
		memcpy(ready->feature, x, (ready->n - 1) * sizeof(double));
	ready->feature[ready->n - 1] = 1;
	for (int j = 0; j < ready->n - 1; j++)
		value += ready->coefficient[j] * ready->feature[j];
	return value;
}

/* in the target's own unit, within its domain: on a logarithmic scale its median */
double
dpem_linreg_value(void *model, const double *x)
{
	const ReadyLinreg *ready = model;

	return dpem_scale_predict(&ready->domain, score(ready, x));
}

/*
 * Of the target of a row at ready->feature about the value: of the coefficients, which includes their noise, and of the residual.
 * Where nothing is known of the coefficients, the residual is the target's distance from its mean.
 */
static double
deviation(const ReadyLinreg *ready)
{
	int			n = ready->n;
	double		variance = ready->residual_variance;

	for (int i = 0; i < n && isfinite(ready->covariance[0]); i++)
	{
		double		row = 0;

		for (int j = 0; j < n; j++)
			row += ready->covariance[(size_t) i * n + j] * ready->feature[j];
		variance += row * ready->feature[i];
	}
	/* so far out that it is no number any more */
	return isnan(variance) ? INFINITY : sqrt(fmax(variance, 0));
}

const DpemScaledDomain *
dpem_linreg_domain(void *model)
{
	return &((const ReadyLinreg *) model)->domain;
}

void
dpem_linreg_interval(void *model, const double *x, double reach, double *bounds)
{
	const ReadyLinreg *ready = model;
	double		value = dpem_scale_apply(ready->domain.scale, dpem_scale_predict(&ready->domain, score(ready, x)));
	double		sd = deviation(ready);
	double		noise = isfinite(ready->residual_sd) ? fmin(ready->residual_sd / (sd * sd), 1) : 0;
	double		width = sd > 0 ? dpem_linreg_unsure_reach(reach, noise) * sd : 0;

	bounds[0] = dpem_scale_invert(ready->domain.scale, value - width);
	bounds[1] = dpem_scale_invert(ready->domain.scale, value + width);
}

const char *
dpem_linreg_target(void *model)
{
	return ((ReadyLinreg *) model)->target[0];
}

void
dpem_linreg_predictor(void *model, DpemPredictor *p)
{
	const ReadyLinreg *ready = model;

	if (ready->map.pairs > 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("a regression of Fourier features cannot be written in another language"),
				 errhint("Fit with features => 'linear', or use dp_predict_value.")));
	dpem_predictor_scores(p, 1);
	p->score[0] = dpem_predictor_linear(ready->coefficient, ready->n - 1);
	p->number = true;
	p->domain = ready->domain;
	p->linear = ready->coefficient;
	p->linear_rows = 1;
}
