/*
 * classes_use.c - evaluating linear classifiers: a score of each class.
 */
#include "postgres.h"

#include <math.h>

#include "export/predictor.h"
#include "families/logit/classes_run.h"
#include "fit/fit_model.h"

typedef struct ReadyClasses
{
	int			k;
	int			n;				/* coefficients of a class */
	const double *coefficient;
	char	  **category;
	char	  **label;
	bool		multinomial;	/* loss */
	double	   *score;			/* k */
	double	   *feature;		/* n */
	DpemFourierMap map;			/* without pairs: x itself, with 1 */
} ReadyClasses;

void *
dpem_classes_load(DpemModel *model)
{
	ReadyClasses *ready = palloc0(sizeof(ReadyClasses));

	ready->k = model->k;
	ready->n = model->features;
	ready->coefficient = model->value[DPEM_CLASS_COEFFICIENT];
	ready->category = unconstify(void *, model->value[DPEM_CLASS_CATEGORY]);
	ready->label = unconstify(void *, model->value[DPEM_CLASS_LABEL]);
	ready->multinomial = strcmp(*(char *const *) model->value[DPEM_CLASS_LOSS], dpem_classes_multinomial) == 0;
	ready->score = palloc(model->k * sizeof(double));
	ready->feature = palloc(ready->n * sizeof(double));
	ready->map = dpem_fit_load_fourier(model, DPEM_CLASS_DIMENSION, 0);
	return ready;
}

static void
fill_features(ReadyClasses *ready, const double *x)
{
	if (ready->map.pairs > 0)
	{
		dpem_fourier_row(&ready->map, x, ready->feature);
		return;
	}
	memcpy(ready->feature, x, (ready->n - 1) * sizeof(double));
	ready->feature[ready->n - 1] = 1;
}

const double *
dpem_classes_scores(void *model, const double *x, int *n)
{
	ReadyClasses *ready = model;

	fill_features(ready, x);
	for (int k = 0; k < ready->k; k++)
	{
		ready->score[k] = 0;
		for (int j = 0; j < ready->n; j++)
			ready->score[k] += ready->coefficient[(size_t) k * ready->n + j] * ready->feature[j];
	}
	*n = ready->k;
	return ready->score;
}

int
dpem_classes_predict(void *model, const double *x)
{
	int			n;
	const double *score = dpem_classes_scores(model, x, &n);
	int			best = 0;

	for (int k = 1; k < n; k++)
		if (score[k] > score[best])
			best = k;
	return best + 1;
}

const char *
dpem_classes_label(void *model, const double *x)
{
	return ((ReadyClasses *) model)->category[dpem_classes_predict(model, x) - 1];
}

const char *
dpem_classes_target(void *model)
{
	return ((ReadyClasses *) model)->label[0];
}

const char *
dpem_classes_category(void *model, int class)
{
	return ((ReadyClasses *) model)->category[class - 1];
}

/* of all classes together, or each against the rest; together 1 */
const double *
dpem_classes_posterior(void *model, const double *x, int *n)
{
	ReadyClasses *ready = model;
	double		most = -INFINITY;
	double		sum = 0;

	(void) dpem_classes_scores(model, x, n);
	for (int k = 0; k < ready->k; k++)
		most = fmax(most, ready->score[k]);
	for (int k = 0; k < ready->k; k++)
		sum += ready->score[k] = ready->multinomial ? exp(ready->score[k] - most) : 1 / (1 + exp(-ready->score[k]));
	for (int k = 0; k < ready->k; k++)
		ready->score[k] = sum > 0 ? ready->score[k] / sum : 1.0 / ready->k;
	return ready->score;
}

static void
linear_predictor(const ReadyClasses *ready, DpemPredictor *p)
{
	if (ready->map.pairs > 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("a classifier of Fourier features cannot be written in another language"),
				 errhint("Fit with features => 'linear', or use dp_predict_label.")));
	dpem_predictor_scores(p, ready->k);
	for (int k = 0; k < ready->k; k++)
		p->score[k] = dpem_predictor_linear(ready->coefficient + (size_t) k * ready->n, ready->n - 1);
	p->category = (const char *const *) ready->category;
	p->linear = ready->coefficient;
	p->linear_rows = ready->k;
}

void
dpem_svm_predictor(void *model, DpemPredictor *p)
{
	linear_predictor(model, p);
}

void
dpem_classes_predictor(void *model, DpemPredictor *p)
{
	linear_predictor(model, p);
	p->weights = ((const ReadyClasses *) model)->multinomial ? DPEM_CLASS_WEIGHTS_SOFTMAX : DPEM_CLASS_WEIGHTS_SIGMOID;
}
