/*
 * classes_use.c - evaluating linear classifiers: a score of each class.
 */
#include "postgres.h"

#include <math.h>

#include "families/logit/classes.h"

typedef struct ReadyClasses
{
	int			k;
	int			n;				/* coefficients of a class */
	const double *coefficient;
	char	  **category;
	double	   *score;			/* k */
	double	   *feature;		/* n */
} ReadyClasses;

void *
dpem_classes_load(DpemModel *model)
{
	ReadyClasses *ready = palloc0(sizeof(ReadyClasses));

	ready->k = model->k;
	ready->n = model->features;
	ready->coefficient = model->value[DPEM_CLASS_COEFFICIENT];
	ready->category = unconstify(void *, model->value[DPEM_CLASS_CATEGORY]);
	ready->score = palloc(model->k * sizeof(double));
	ready->feature = palloc(ready->n * sizeof(double));
	return ready;
}

const double *
dpem_classes_scores(void *model, const double *x, int *n)
{
	ReadyClasses *ready = model;

	memcpy(ready->feature, x, (ready->n - 1) * sizeof(double));
	ready->feature[ready->n - 1] = 1;
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

/* each class against the rest, and together 1 */
const double *
dpem_classes_posterior(void *model, const double *x, int *n)
{
	ReadyClasses *ready = model;
	double		sum = 0;

	(void) dpem_classes_scores(model, x, n);
	for (int k = 0; k < ready->k; k++)
		sum += ready->score[k] = 1 / (1 + exp(-ready->score[k]));
	for (int k = 0; k < ready->k; k++)
		ready->score[k] = sum > 0 ? ready->score[k] / sum : 1.0 / ready->k;
	return ready->score;
}
