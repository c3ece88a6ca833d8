/*
 * logit_use.c - evaluating logistic regressions.
 *
 * Class 1 is the negative category, class 2 the positive one.
 */
#include "postgres.h"

#include <math.h>

#include "core/logit/logit_estimate.h"
#include "export/predictor.h"
#include "families/logit/logit.h"

typedef struct ReadyLogit
{
	int			n;				/* coefficients */
	const double *mean;
	const double *covariance;
	double		probability[2];
	char	  **label;
	char	  **category[2];	/* of classes 1 and 2, one string each */
} ReadyLogit;

void *
dpem_logit_load(DpemModel *model)
{
	ReadyLogit *ready = palloc(sizeof(ReadyLogit));

	ready->n = model->d + 1;
	ready->mean = model->value[DPEM_LOGIT_MEAN];
	ready->covariance = model->value[DPEM_LOGIT_COVARIANCE];
	ready->label = unconstify(void *, model->value[DPEM_LOGIT_LABEL]);
	ready->category[0] = unconstify(void *, model->value[DPEM_LOGIT_NEGATIVE]);
	ready->category[1] = unconstify(void *, model->value[DPEM_LOGIT_POSITIVE]);
	return ready;
}

/* mean and variance of the score of (x, 1) */
static double
score(const ReadyLogit *m, const double *x, double *variance)
{
	int			n = m->n;
	double		mean = 0;

	*variance = 0;
	for (int i = 0; i < n; i++)
	{
		double		row = 0;

		for (int j = 0; j < n; j++)
			row += m->covariance[(size_t) i * n + j] * (j < n - 1 ? x[j] : 1);
		mean += m->mean[i] * (i < n - 1 ? x[i] : 1);
		*variance += row * (i < n - 1 ? x[i] : 1);
	}
	return mean;
}

const double *
dpem_logit_posterior(void *model, const double *x, int *n)
{
	ReadyLogit *ready = model;
	double		variance;
	double		mean = score(ready, x, &variance);

	ready->probability[1] = dpem_logit_probability(mean, Max(variance, 0));
	ready->probability[0] = 1 - ready->probability[1];
	*n = 2;
	return ready->probability;
}

int
dpem_logit_predict(void *model, const double *x)
{
	double		variance;

	return score(model, x, &variance) > 0 ? 2 : 1;
}

const char *
dpem_logit_label(void *model, const double *x)
{
	return ((ReadyLogit *) model)->category[dpem_logit_predict(model, x) - 1][0];
}

const char *
dpem_logit_target(void *model)
{
	return ((ReadyLogit *) model)->label[0];
}

const char *
dpem_logit_category(void *model, int class)
{
	return ((ReadyLogit *) model)->category[class - 1][0];
}

/* the variance of the score of (x, 1), from the covariance's lower half */
static char *
variance_text(const ReadyLogit *m)
{
	int			terms = m->n * (m->n + 1) / 2;
	int			term = 0;
	StringInfoData sum;

	initStringInfo(&sum);
	appendStringInfoString(&sum, "CAST(0 AS double precision)");
	for (int i = 0; i < m->n; i++)
		for (int j = 0; j <= i; j++)
		{
			double		value = m->covariance[(size_t) i * m->n + j] + (i == j ? 0 : m->covariance[(size_t) j * m->n + i]);

			appendStringInfo(&sum, "%s%s", dpem_predictor_plus(term++, terms), dpem_predictor_number(value));
			if (i < m->n - 1)
				appendStringInfo(&sum, " * x%d", i + 1);
			if (j < m->n - 1)
				appendStringInfo(&sum, " * x%d", j + 1);
		}
	if (terms > DPEM_PREDICTOR_TERMS)
		appendStringInfoChar(&sum, ')');
	return sum.data;
}

/* the negative category's score is 0, the positive one's that whose logistic function is its probability */
void
dpem_logit_predictor(void *model, DpemPredictor *p)
{
	const ReadyLogit *ready = model;
	const char **category = palloc(2 * sizeof(char *));

	dpem_predictor_scores(p, 2);
	p->score[0] = "CAST(0 AS double precision)";
	p->score[1] = psprintf("(%s) / sqrt(1 + pi() / 8 * greatest(%s, 0))", dpem_predictor_linear(ready->mean, ready->n - 1),
						   variance_text(ready));
	category[0] = ready->category[0][0];
	category[1] = ready->category[1][0];
	p->category = category;
	p->weights = DPEM_CLASS_WEIGHTS_SOFTMAX;
	p->linear = ready->mean;
	p->linear_rows = 1;
}
