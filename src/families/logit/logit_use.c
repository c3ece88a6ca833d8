/*
 * logit_use.c - evaluating logistic regressions.
 *
 * Class 1 is the negative category, class 2 the positive one.
 */
#include "postgres.h"

#include "core/logit/logit_estimate.h"
#include "families/logit/logit_store.h"
#include "fit/model_use.h"

typedef struct ReadyLogit
{
	DpemStoredLogit *stored;
	double		probability[2];
} ReadyLogit;

static void *
load(const char *name)
{
	ReadyLogit *ready = palloc(sizeof(ReadyLogit));

	ready->stored = dpem_model_load_logit(name);
	return ready;
}

static int
dimension(const void *model)
{
	return ((const ReadyLogit *) model)->stored->d;
}

/* mean and variance of the score of (x, 1) */
static double
score(const DpemStoredLogit *m, const double *x, double *variance)
{
	int			n = m->d + 1;
	double		mean = 0;

	*variance = 0;
	for (int i = 0; i < n; i++)
	{
		double		row = 0;

		for (int j = 0; j < n; j++)
			row += m->covariance[(size_t) i * n + j] * (j < m->d ? x[j] : 1);
		mean += m->mean[i] * (i < m->d ? x[i] : 1);
		*variance += row * (i < m->d ? x[i] : 1);
	}
	return mean;
}

static const double *
posterior(void *model, const double *x, int *n)
{
	ReadyLogit *ready = model;
	double		variance;
	double		mean = score(ready->stored, x, &variance);

	ready->probability[1] = dpem_logit_probability(mean, Max(variance, 0));
	ready->probability[0] = 1 - ready->probability[1];
	*n = 2;
	return ready->probability;
}

static int
predict(void *model, const double *x)
{
	double		variance;

	return score(((ReadyLogit *) model)->stored, x, &variance) > 0 ? 2 : 1;
}

const DpemModelUse dpem_logit_use = {
	.family = "logit",.title = "a logistic regression",.load = load,.dimension = dimension,
	.predict = predict,.posterior = posterior
};
