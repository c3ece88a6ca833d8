/*
 * lda_evaluate.c - see lda_evaluate.h.
 */
#include <math.h>

#include "core/lda/lda_evaluate.h"

#define STEPS 100				/* of the E-step */
#define LEAST_VARIANCE 0.01		/* of words' log-probabilities, for a range that is not empty */

DpemLdaTask
dpem_lda_evaluation(int k, int terms, const double *alpha, const double *probability)
{
	return (DpemLdaTask) {
		.k = k,.terms = terms,.alpha = alpha,.steps = STEPS,.weight = probability
	};
}

void
dpem_lda_mixture(const DpemLdaTask *task, const DpemLdaDocument *document, double *mixture, double *work)
{
	double		total = 0;
	const double *gamma = task->alpha;

	if (document->terms > 0)
		gamma = dpem_lda_respond(task, document, NULL, work).gamma;
	for (int k = 0; k < task->k; k++)
		total += gamma[k];
	for (int k = 0; k < task->k; k++)
		mixture[k] = gamma[k] / total;
}

void
dpem_lda_halve(const DpemLdaDocument *document, DpemLdaDocument *half)
{
	bool		odd = true;

	half->terms = 0;
	for (int i = 0; i < document->terms; i++)
	{
		double		count = document->count[i];
		double		seen = floor((count + odd) / 2);

		odd = fmod(count + odd, 2) != 0;
		if (seen == 0)
			continue;
		half->term[half->terms] = document->term[i];
		half->count[half->terms++] = seen;
	}
}

void
dpem_lda_predict(const DpemLdaTask *task, const DpemLdaDocument *document, const DpemLdaDocument *half,
				 const double *mixture, double *log_probability, double *words)
{
	int			at = 0;

	for (int i = 0; i < document->terms; i++)
	{
		bool		seen = at < half->terms && half->term[at] == document->term[i];
		double		left = document->count[i] - (seen ? half->count[at++] : 0);
		const double *row = task->weight + (size_t) document->term[i] * (size_t) (task->stride > 0 ? task->stride : task->k);
		double		probability = 0;

		if (left == 0)
			continue;
		for (int k = 0; k < task->k; k++)
			probability += mixture[k] * row[k];
		*log_probability += left * log(probability);
		*words += left;
	}
}

void
dpem_lda_complete(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
				  double *mixture, double *log_probability, double *words, double *work)
{
	dpem_lda_halve(document, half);
	dpem_lda_mixture(task, half, mixture, work);
	dpem_lda_predict(task, document, half, mixture, log_probability, words);
}

void
dpem_lda_losses(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
				double loss[DPEM_LDA_LOSSES], double *work)
{
	double		log_probability = 0;
	double		words = 0;
	double		share;
	double		down;

	dpem_lda_complete(task, document, half, work, &log_probability, &words, work + task->k);
	share = fmin(words / task->length, 1);
	down = words > 0 ? (task->high - log_probability / words) / (task->high - task->low) : 0;
	down = down >= 0 ? fmin(down, 1) : 0;
	loss[0] = share * (1 - down);
	loss[1] = share * down;
}

void
dpem_lda_word_bounds(const DpemLdaTask *task, double reach, double *low, double *high)
{
	double		all = 0;
	double		mean = 0;
	double		square = 0;
	double		deviation;

	for (int k = 0; k < task->k; k++)
		all += task->alpha[k];
	for (int v = 0; v < task->terms; v++)
	{
		double		p = 0;

		for (int k = 0; k < task->k; k++)
			p += task->alpha[k] / all * task->weight[(size_t) v * task->k + k];
		mean += p * log(p);
		square += p * log(p) * log(p);
	}
	deviation = sqrt(fmax(square - mean * mean, LEAST_VARIANCE));
	*low = mean - reach * deviation;
	*high = fmin(mean + reach * deviation, 0);
}
