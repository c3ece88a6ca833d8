/*
 * lda_evaluate.c - see lda_evaluate.h.
 */
#include <math.h>

#include "core/lda/lda_evaluate.h"

#define STEPS 100				/* of the E-step */

DpemLdaTask
dpem_lda_evaluation(int k, int terms, double alpha, const double *probability)
{
	return (DpemLdaTask) {
		.k = k,.terms = terms,.alpha = alpha,.steps = STEPS,.weight = probability
	};
}

void
dpem_lda_mixture(const DpemLdaTask *task, const DpemLdaDocument *document, double *mixture, double *work)
{
	double		total = 0;
	DpemLdaShare share;

	for (int k = 0; k < task->k; k++)
		mixture[k] = 1.0 / task->k;
	if (document->terms == 0)
		return;
	share = dpem_lda_respond(task, document, NULL, work);
	for (int k = 0; k < task->k; k++)
		total += share.gamma[k];
	for (int k = 0; k < task->k; k++)
		mixture[k] = share.gamma[k] / total;
}

/* the terms and counts that are seen */
static void
first_half(const DpemLdaDocument *document, DpemLdaDocument *half)
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
dpem_lda_complete(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
				  double *mixture, double *log_probability, double *words, double *work)
{
	int			at = 0;

	first_half(document, half);
	dpem_lda_mixture(task, half, mixture, work);
	for (int i = 0; i < document->terms; i++)
	{
		bool		seen = at < half->terms && half->term[at] == document->term[i];
		double		left = document->count[i] - (seen ? half->count[at++] : 0);
		const double *row = task->weight + (size_t) document->term[i] * task->k;
		double		probability = 0;

		if (left == 0)
			continue;
		for (int k = 0; k < task->k; k++)
			probability += mixture[k] * row[k];
		*log_probability += left * log(probability);
		*words += left;
	}
}
